//! `dlx sudoku canonical`: one form for all puzzles that are the same but for their symmetries.

use dlx_sudoku::{Canonical, CanonicalError, Grid, ParseError, ParseErrorKind, canonical as form};
use serde::Serialize;

use super::batch::{Batch, ErrorLine, Place, PlaceLine};
use super::page::Page;
use crate::args::SudokuCanonicalArgs;
use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// A puzzle's form in JSON.
#[derive(Serialize)]
struct FormLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    puzzle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    automorphisms: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Prints the canonical form of each puzzle.
pub(crate) fn canonical(
    args: &SudokuCanonicalArgs,
    signals: &Signals,
    report: &mut Report,
) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let output = Output::open(args.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report);
    let (exit, _) = batch.each(args.threads.into(), || {
        |page, place, record| match record {
            Ok(record) if record.puzzle.rules.is_some() => {
                let error = ParseError { line: record.line, column: 1, kind: ParseErrorKind::Restricted };
                page.message(format_args!("{place}: {}", error.kind));
                ErrorLine::new(place, &error).print(page, args.json)
            }
            Ok(record) => print(args.json, page, place, &record.puzzle.grid, form(&record.puzzle.grid)),
            Err(error) => ErrorLine::new(place, error).print(page, args.json),
        }
    })?;
    Ok(exit)
}

/// Prints a form, or says why there is none. A grid that clashes is a check that failed, another size cannot be used.
fn print(
    json: bool,
    page: &mut Page,
    place: Place<'_>,
    puzzle: &Grid,
    form: Result<Canonical, CanonicalError>,
) -> Exit {
    if let Err(error) = &form {
        page.message(format_args!("{place}: {error}"));
    }
    match (&form, json) {
        (form, true) => page.json(&FormLine {
            place: place.json(),
            puzzle: puzzle.one_line().to_string(),
            canonical: form.as_ref().ok().map(|form| form.grid.one_line().to_string()),
            automorphisms: form.as_ref().ok().map(|form| form.automorphisms.to_string()),
            error: form.as_ref().err().map(ToString::to_string),
        }),
        (Ok(form), false) => page.one_line(&form.grid),
        (Err(_), false) => page.newline(),
    }
    match form {
        Ok(_) => Exit::Done,
        Err(CanonicalError::Clash(_)) => Exit::Nothing,
        Err(CanonicalError::Size(_)) => Exit::Fault,
        Err(CanonicalError::TooMany(_)) => Exit::Stopped,
    }
}

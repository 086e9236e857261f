//! `dlx sudoku count`: how many solutions does each puzzle have?

use dlx_sudoku::{Count, Grid};
use serde::Serialize;

use super::batch::{Batch, ErrorLine, Place, PlaceLine};
use super::page::Page;
use super::rules;
use crate::args::SudokuCountArgs;
use crate::input::Input;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// A puzzle's count in JSON.
#[derive(Serialize)]
struct CountLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    puzzle: String,
    count: String,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
}

/// Prints for each puzzle how many solutions it has, up to the limit.
pub(crate) fn count(args: &SudokuCountArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let statement = rules::statement(&args.rules, report)?;
    let output = Output::open(args.results.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report).ruled_by(&statement);
    let token = batch.token.clone();
    let (exit, sums) = batch.each(args.search.threads(), || {
        let mut solver = args.search.solver(&token);
        move |page, place, record| match record {
            Ok(record) => {
                let count = solver.count(&record.puzzle, Some(args.limit));
                page.sums.add_work(solver.statistics());
                print(args, page, place, &record.puzzle.grid, &count);
                outcome::exit_of(count.outcome, signals.received())
            }
            Err(error) => ErrorLine::new(place, error).print(page, args.json),
        }
    })?;
    if args.results.stats {
        batch.report.line(sums.work(batch.begun.elapsed()));
    }
    Ok(exit)
}

fn print(args: &SudokuCountArgs, page: &mut Page, place: Place<'_>, puzzle: &Grid, count: &Count) {
    let Count { value, outcome } = *count;
    match (args.json, args.results.quiet) {
        (true, _) => page.json(&CountLine {
            place: place.json(),
            puzzle: puzzle.one_line().to_string(),
            count: value.to_string(),
            complete: outcome.is_exhausted(),
            stopped: outcome::stop_name(outcome),
        }),
        (false, true) => writeln!(page, "{value}"),
        (false, false) => writeln!(page, "{}", outcome::summary(value, outcome)),
    }
}

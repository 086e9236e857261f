//! `dlx sudoku check`: does a row, a column or a box hold a digit twice, or is a rule of a variant broken?

use dlx_sudoku::Digit;
use dlx_sudoku::variant::Breach;
use serde::Serialize;

use super::batch::{Batch, ErrorLine, PlaceLine};
use super::page::Page;
use super::rules;
use crate::args::SudokuCheckArgs;
use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// A grid's verdict in JSON.
#[derive(Serialize)]
struct VerdictLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    valid: bool,
    complete: bool,
    clashes: Vec<ClashLine>,
}

/// Cells of one house with the same digit, or what else they break, in JSON.
#[derive(Serialize)]
struct ClashLine {
    house: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    digit: Option<u8>,
    cells: Vec<String>,
}

impl From<&Breach> for ClashLine {
    fn from(breach: &Breach) -> Self {
        Self {
            house: breach.place(),
            digit: breach.digit().map(Digit::get),
            cells: breach.cells().iter().map(ToString::to_string).collect(),
        }
    }
}

/// Says of each grid whether it is valid, and explains every clash.
pub(crate) fn check(args: &SudokuCheckArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let statement = rules::statement(&args.rules, report)?;
    let output = Output::open(args.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report).ruled_by(&statement);
    let single = batch.single;
    let (exit, _) = batch.each(1, || {
        move |page, place, record| match record {
            Ok(record) => {
                let clashes = record.puzzle.breaches();
                let full = record.puzzle.is_filled_by(&record.puzzle.grid);
                match (args.json, args.quiet) {
                    (_, true) => {}
                    (true, false) => page.json(&VerdictLine {
                        place: place.json(),
                        valid: clashes.is_empty(),
                        complete: clashes.is_empty() && full,
                        clashes: clashes.iter().map(ClashLine::from).collect(),
                    }),
                    (false, false) => {
                        let label = if single { String::new() } else { format!("{}: ", place.label()) };
                        print(page, &label, &clashes, full);
                    }
                }
                if clashes.is_empty() { Exit::Done } else { Exit::Nothing }
            }
            Err(error) => {
                if args.json && !args.quiet {
                    page.json(&ErrorLine::new(place, error));
                }
                Exit::Fault
            }
        }
    })?;
    Ok(exit)
}

/// Prints the verdict, each line with the label before it.
fn print(page: &mut Page, label: &str, clashes: &[Breach], full: bool) {
    if clashes.is_empty() {
        let verdict = if full { "valid and complete" } else { "valid" };
        writeln!(page, "{label}{verdict}");
    }
    for clash in clashes {
        writeln!(page, "{label}{clash}");
    }
}

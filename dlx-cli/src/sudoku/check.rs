//! `dlx sudoku check`: does a row, a column or a box hold a digit twice?

use dlx_sudoku::{Clash, validate};
use serde::Serialize;

use super::batch::{Batch, ErrorLine, Place, PlaceLine};
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

/// Two cells of one house with the same digit, in JSON.
#[derive(Serialize)]
struct ClashLine {
    house: String,
    digit: u8,
    cells: [String; 2],
}

impl From<&Clash> for ClashLine {
    fn from(clash: &Clash) -> Self {
        Self {
            house: clash.house.to_string(),
            digit: clash.digit.get(),
            cells: clash.cells.map(|cell| cell.to_string()),
        }
    }
}

/// Says of each grid whether it is valid, and explains every clash.
pub(crate) fn check(args: &SudokuCheckArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let output = Output::open(args.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, output, signals, report);
    batch.each(|batch, place, record| match record {
        Ok(record) => {
            let clashes = validate(&record.grid);
            batch.make_room();
            match (args.json, args.quiet) {
                (_, true) => {}
                (true, false) => batch.output.json(&VerdictLine {
                    place: place.json(),
                    valid: clashes.is_empty(),
                    complete: clashes.is_empty() && record.grid.is_full(),
                    clashes: clashes.iter().map(ClashLine::from).collect(),
                })?,
                (false, false) => print(batch, place, &clashes, record.grid.is_full())?,
            }
            Ok(if clashes.is_empty() { Exit::Done } else { Exit::Nothing })
        }
        Err(error) if args.json && !args.quiet => {
            batch.output.json(&ErrorLine::new(place, &error))?;
            Ok(Exit::Fault)
        }
        Err(_) => Ok(Exit::Fault),
    })
}

/// Prints the verdict, each line with the grid's place before it where there are several grids.
fn print(batch: &mut Batch<'_>, place: Place<'_>, clashes: &[Clash], full: bool) -> Result<(), Failure> {
    let label = if batch.single { String::new() } else { format!("{}: ", place.label()) };
    if clashes.is_empty() {
        let verdict = if full { "valid and complete" } else { "valid" };
        writeln!(batch.output, "{label}{verdict}")?;
    }
    clashes.iter().try_for_each(|clash| writeln!(batch.output, "{label}{clash}"))
}

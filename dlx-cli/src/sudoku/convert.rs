//! `dlx sudoku convert`: puzzles in another format.

use dlx_core::CancelToken;
use dlx_sudoku::format::{Format, FormatError};
use dlx_sudoku::{Budget, Engine, Puzzle, Record, Solved, SudokuSolver, picture};

use super::batch::{Batch, Place};
use super::page::Page;
use super::picture::titled;
use crate::args::{SudokuConvertArgs, Target};
use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// The most nodes that are spent on finding out whether candidates can be left out.
const NODES: u64 = 1_000_000;

/// Writes each puzzle in the format that was asked for; those that it cannot hold are told.
pub(crate) fn convert(
    args: &SudokuConvertArgs,
    signals: &Signals,
    report: &mut Report,
) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let mut output = Output::open(args.output.as_deref())?;
    let (begin, end) = match args.target {
        Target::Text(format) => (format.begin(), format.end()),
        Target::Svg => ("", ""),
    };
    output.bytes(begin.as_bytes())?;
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report);
    let (token, single) = (batch.token.clone(), batch.single);
    let (exit, _) = batch.each(1, || {
        |page, place, record| match (record, args.target) {
            (Ok(Record { puzzle, .. }), Target::Text(format)) => print(format, page, place, puzzle, &token),
            (Ok(Record { puzzle, .. }), Target::Svg) => {
                let drawn = picture(puzzle, None, puzzle.candidates.is_some());
                page.pictures.push(if single { drawn } else { titled(drawn, puzzle, place) });
                Exit::Done
            }
            (Err(_), _) => Exit::Fault,
        }
    })?;
    batch.output.bytes(end.as_bytes())?;
    batch.output.finish()?;
    Ok(exit)
}

fn print(format: Format, page: &mut Page, place: Place<'_>, puzzle: &Puzzle, token: &CancelToken) -> Exit {
    let text = match format.puzzle(puzzle) {
        Err(FormatError::Restricted(_)) if is_implied(puzzle, token) => {
            let mut plain = puzzle.clone();
            plain.candidates = None;
            format.puzzle(&plain)
        }
        text => text,
    };
    match text {
        Ok(text) => {
            write!(page, "{text}");
            Exit::Done
        }
        Err(error) => {
            page.message(format_args!("{place}: {error}"));
            Exit::Fault
        }
    }
}

/// Whether the givens alone lead to the one solution that the puzzle has with its restrictions.
fn is_implied(puzzle: &Puzzle, token: &CancelToken) -> bool {
    let budget = Budget { nodes: Some(NODES), time: None, cancel: Some(token.clone()) };
    let mut solver = SudokuSolver::new(Engine::Dlx).budget(budget);
    matches!(solver.solve(&puzzle.grid), Solved::Unique(solution) if solver.solve(puzzle) == Solved::Unique(solution.clone()))
}

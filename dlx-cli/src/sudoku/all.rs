//! `dlx sudoku solve --all`: every solution of each puzzle, printed as soon as it is found.

use std::ops::ControlFlow;

use dlx_core::Outcome;
use dlx_sudoku::{Grid, Puzzle, Solved, why_none};
use serde::Serialize;

use super::batch::{ErrorLine, Item, Place, PlaceLine, Puzzles};
use super::picture;
use super::solve::{Shape, remark};
use crate::args::SudokuSolveArgs;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// A solution in JSON.
#[derive(Serialize)]
struct SolutionLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    solution: String,
}

/// The end of a puzzle's solutions in JSON.
#[derive(Serialize)]
struct EndLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    count: String,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
}

/// How the solutions are printed.
struct Printer<'r> {
    shape: Shape,
    single: bool,
    colored: bool,
    output: Output,
    report: &'r mut Report,
}

/// Prints all solutions of each puzzle, one puzzle after the other.
pub(super) fn solve(
    args: &SudokuSolveArgs,
    puzzles: Puzzles<'_>,
    output: Output,
    signals: &Signals,
    report: &mut Report,
) -> Result<Exit, Failure> {
    let single = puzzles.is_single();
    let shape = Shape::choose(&args.shape, false);
    let mut printer = Printer { shape, single, colored: output.wants_style(), output, report };
    let mut solver = args.search.solver(&signals.search());
    let mut exit = Exit::Done;
    for item in puzzles.items() {
        if let Some(number) = signals.received() {
            return Ok(Exit::Signal(number));
        }
        let Item { place, record: Some(Ok(record)) } = &item else {
            printer.bad(&item)?;
            exit = exit.worst(Exit::Fault);
            continue;
        };
        let (mut count, mut failure) = (0_u64, None);
        let outcome = solver.for_each(&record.puzzle, |solution| {
            count += 1;
            match printer.solution(*place, &record.puzzle, solution) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        printer.end(args, *place, &record.puzzle, count, outcome)?;
        exit = exit.worst(match (count, outcome) {
            (0, Outcome::Exhausted) => Exit::Nothing,
            _ => outcome::exit_of(outcome, signals.received()),
        });
        if matches!(exit, Exit::Signal(_)) {
            break;
        }
    }
    Ok(exit)
}

impl Printer<'_> {
    fn solution(&mut self, place: Place<'_>, puzzle: &Puzzle, solution: &Grid) -> Result<(), Failure> {
        match self.shape {
            Shape::Json => {
                let solution = solution.one_line().to_string();
                self.output.json(&SolutionLine { place: place.json(), solution })?;
            }
            Shape::Grid if self.colored => writeln!(self.output, "{}", picture::styled(puzzle, solution))?,
            Shape::Grid => writeln!(self.output, "{}\n", puzzle.drawn(solution))?,
            // Many pictures are none: --svg is for one.
            Shape::OneLine | Shape::Svg => writeln!(self.output, "{}", solution.one_line())?,
        }
        self.output.pass_on()
    }

    /// Tells how many solutions there were.
    fn end(
        &mut self,
        args: &SudokuSolveArgs,
        place: Place<'_>,
        puzzle: &Puzzle,
        count: u64,
        outcome: Outcome,
    ) -> Result<(), Failure> {
        match self.shape {
            Shape::Json => self.output.json(&EndLine {
                place: place.json(),
                count: count.to_string(),
                complete: outcome.is_exhausted(),
                stopped: outcome::stop_name(outcome),
            })?,
            Shape::OneLine if !self.single => writeln!(self.output)?,
            Shape::OneLine | Shape::Grid | Shape::Svg => {}
        }
        self.output.finish()?;
        if args.results.quiet || self.shape == Shape::Json {
            return Ok(());
        }
        let summary = match (count, outcome) {
            (0, Outcome::Exhausted) => remark(&Solved::None(why_none(puzzle))).unwrap_or_default(),
            _ => outcome::summary(count, outcome),
        };
        if self.single && count > 0 {
            self.report.line(summary);
        } else {
            self.report.message(format_args!("{place}: {summary}"));
        }
        Ok(())
    }

    /// Tells what a text is that is no puzzle.
    fn bad(&mut self, item: &Item<'_>) -> Result<(), Failure> {
        match (&item.record, self.shape) {
            (Some(Err(error)), Shape::Json) => self.output.json(&ErrorLine::new(item.place, error))?,
            (Some(Err(_)), Shape::OneLine) if !self.single => writeln!(self.output)?,
            _ => {}
        }
        self.output.finish()?;
        if let Err(message) = item.puzzle() {
            self.report.message(message);
        }
        Ok(())
    }
}

//! `dlx sudoku solve`: each puzzle's solution, and whether it is the only one.

use std::fmt;

use dlx_core::StopReason;
use dlx_sudoku::{Grid, NoSolution, Solved};
use serde::Serialize;

use super::batch::{Batch, ErrorLine, Place, PlaceLine};
use super::picture;
use super::work::Work;
use crate::args::{ShapeArgs, SudokuSolveArgs};
use crate::input::Input;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// What is solved when nothing is given: Arto Inkala's puzzle of 2012, with 21 givens.
const EXAMPLE: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// A puzzle's answer in JSON.
#[derive(Serialize)]
struct AnswerLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    status: &'static str,
    puzzle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Prints the solution of each puzzle and says whether it is the only one.
pub(crate) fn solve(args: &SudokuSolveArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let inputs = match args.puzzles.files.is_empty() {
        true => vec![Input::piped(report)?.unwrap_or_else(|| example(args.results.quiet, report))],
        false => Input::read_all(&args.puzzles.files, report)?,
    };
    let output = Output::open(args.results.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, output, signals, report);
    let mut solver = args.search.solver(&batch.token);
    let shape = Shape::choose(&args.shape, batch.single);
    let remarks = !args.results.quiet && shape != Shape::Json;
    let (mut work, mut tally) = (Work::default(), Tally::default());
    let exit = batch.each(|batch, place, record| {
        batch.make_room();
        match record {
            Ok(record) => {
                let solved = solver.solve(&record.grid);
                work.add(solver.statistics());
                tally.add(&solved);
                shape.print(batch, place, &record.grid, &solved)?;
                if remarks && let Some(remark) = remark(&solved) {
                    batch.output.finish()?; // the remark stands below the result
                    batch.report.message(format_args!("{place}: {remark}"));
                }
                Ok(exit_of(&solved, signals))
            }
            Err(error) => {
                tally.malformed += 1;
                shape.print_bad(batch, place, &ErrorLine::new(place, &error))?;
                Ok(Exit::Fault)
            }
        }
    })?;
    if remarks {
        tally.say(&mut batch, exit);
    }
    if args.results.stats {
        batch.report.line(work.figures(batch.begun.elapsed()));
    }
    Ok(exit)
}

/// How solutions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Grid,
    OneLine,
    Json,
}

impl Shape {
    /// What was asked for; else a grid for one puzzle, a line each for several.
    fn choose(args: &ShapeArgs, single: bool) -> Self {
        match args {
            ShapeArgs { json: true, .. } => Self::Json,
            ShapeArgs { grid: true, .. } => Self::Grid,
            ShapeArgs { one_line: true, .. } => Self::OneLine,
            _ if single => Self::Grid,
            _ => Self::OneLine,
        }
    }

    /// Prints what was found, if anything: the puzzle keeps its line in any case.
    fn print(
        self,
        batch: &mut Batch<'_>,
        place: Place<'_>,
        puzzle: &Grid,
        solved: &Solved,
    ) -> Result<(), Failure> {
        match self {
            Self::OneLine => match solved.grid() {
                Some(solution) => writeln!(batch.output, "{}", solution.one_line()),
                None => batch.output.bytes(b"\n"),
            },
            Self::Grid => print_grid(batch, place, solved.grid().map(|solution| (puzzle, solution))),
            Self::Json => batch.output.json(&AnswerLine {
                place: place.json(),
                status: status(solved),
                puzzle: puzzle.one_line().to_string(),
                solution: solved.grid().map(|solution| solution.one_line().to_string()),
                reason: reason(solved),
            }),
        }
    }

    /// Prints what stands in the place of a text that is no puzzle.
    fn print_bad(self, batch: &mut Batch<'_>, place: Place<'_>, line: &ErrorLine<'_>) -> Result<(), Failure> {
        match self {
            Self::OneLine => batch.output.bytes(b"\n"),
            Self::Grid => print_grid(batch, place, None),
            Self::Json => batch.output.json(line),
        }
    }
}

/// Draws a solution; among several puzzles under a heading, which a puzzle without solution has too.
fn print_grid(
    batch: &mut Batch<'_>,
    place: Place<'_>,
    answer: Option<(&Grid, &Grid)>,
) -> Result<(), Failure> {
    if !batch.single {
        writeln!(batch.output, "Line {}", place.label())?;
    }
    match answer {
        Some((puzzle, solution)) if batch.output.wants_style() => {
            batch.output.bytes(picture::styled(puzzle, solution).as_bytes())?;
        }
        Some((_, solution)) => writeln!(batch.output, "{solution}")?,
        None => {}
    }
    if batch.single { Ok(()) } else { batch.output.bytes(b"\n") }
}

/// The built-in puzzle as if it had been read, and shown beforehand.
fn example(quiet: bool, report: &mut Report) -> Input {
    if !quiet && let Ok(puzzle) = EXAMPLE.parse::<Grid>() {
        report.line(format_args!("No puzzle given, so here is a hard example by Arto Inkala:\n{puzzle}"));
    }
    Input { name: "example".to_owned(), bytes: EXAMPLE.into() }
}

/// The answer's name in JSON.
fn status(solved: &Solved) -> &'static str {
    match solved {
        Solved::Unique(_) => "unique",
        Solved::Several(_) => "several",
        Solved::None(_) => "none",
        Solved::Unknown { .. } => "stopped",
    }
}

/// Why there is no answer.
fn reason(solved: &Solved) -> Option<String> {
    match solved {
        Solved::Unique(_) | Solved::Several(_) => None,
        Solved::None(why) => Some(why.to_string()),
        Solved::Unknown { reason, .. } => Some(outcome::stop_words(*reason).to_owned()),
    }
}

/// What there is to say about a puzzle that has not exactly one solution, or may not have.
fn remark(solved: &Solved) -> Option<String> {
    match solved {
        Solved::Unique(_) => None,
        Solved::Several(_) => Some("more than one solution, the first found is shown".to_owned()),
        Solved::None(NoSolution::Search) => Some(NoSolution::Search.to_string()),
        Solved::None(why) => Some(format!("no solution: {why}")),
        Solved::Unknown { first: Some(_), reason } => {
            let why = outcome::stop_words(*reason);
            Some(format!("a solution is shown, but not known to be the only one ({why})"))
        }
        Solved::Unknown { first: None, reason } => {
            Some(format!("no solution found yet ({})", outcome::stop_words(*reason)))
        }
    }
}

/// The exit code that a puzzle calls for.
fn exit_of(solved: &Solved, signals: &Signals) -> Exit {
    match (solved, signals.received()) {
        (Solved::Unique(_) | Solved::Several(_), _) => Exit::Done,
        (Solved::None(_), _) => Exit::Nothing,
        (Solved::Unknown { reason: StopReason::Cancelled, .. }, Some(number)) => Exit::Signal(number),
        (Solved::Unknown { .. }, _) => Exit::Stopped,
    }
}

/// How many puzzles had which answer.
#[derive(Default)]
struct Tally {
    unique: u64,
    several: u64,
    none: u64,
    stopped: u64,
    malformed: u64,
}

impl Tally {
    fn add(&mut self, solved: &Solved) {
        *match solved {
            Solved::Unique(_) => &mut self.unique,
            Solved::Several(_) => &mut self.several,
            Solved::None(_) => &mut self.none,
            Solved::Unknown { .. } => &mut self.stopped,
        } += 1;
    }

    /// Says how complete the answer is. A single puzzle has had its remark, unless all is well with it.
    fn say(&self, batch: &mut Batch<'_>, exit: Exit) {
        if !batch.single {
            let interrupted = if matches!(exit, Exit::Signal(_)) { " (interrupted)" } else { "" };
            batch.report.line(format_args!("{self}{interrupted}"));
        } else if self.unique == 1 {
            batch.report.line("1 solution (complete)");
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.unique + self.several + self.none + self.stopped + self.malformed;
        write!(f, "{all} puzzles: {} with one solution", self.unique)?;
        for (number, what) in [
            (self.several, "with several solutions"),
            (self.none, "without solution"),
            (self.stopped, "stopped"),
            (self.malformed, "malformed"),
        ] {
            if number > 0 {
                write!(f, ", {number} {what}")?;
            }
        }
        Ok(())
    }
}

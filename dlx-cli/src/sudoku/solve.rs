//! `dlx sudoku solve`: each puzzle's solution, and whether it is the only one.

use dlx_core::StopReason;
use dlx_sudoku::{Grid, NoSolution, Puzzle, Solved, picture as drawn};
use serde::Serialize;

use super::all;
use super::batch::{Batch, ErrorLine, Place, PlaceLine, Puzzles};
use super::page::Page;
use super::picture;
use super::rules;
use super::sums::Sums;
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
    let statement = rules::statement(&args.rules, report)?;
    let output = Output::open(args.results.output.as_deref())?;
    if args.all {
        let puzzles = Puzzles { inputs: &inputs, shape: args.puzzles.size, statement: None };
        return all::solve(args, puzzles.ruled_by(&statement), output, signals, report);
    }
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report).ruled_by(&statement);
    let style = Style {
        shape: Shape::choose(&args.shape, batch.single),
        single: batch.single,
        colored: batch.output.wants_style(),
    };
    let remarks = !args.results.quiet && style.shape != Shape::Json;
    let token = batch.token.clone();
    let (exit, sums) = batch.each(args.search.threads(), || {
        let mut solver = args.search.solver(&token);
        move |page, place, record| match record {
            Ok(record) => {
                let solved = solver.solve(&record.puzzle);
                page.sums.add_work(solver.statistics());
                page.sums.add_answer(&solved);
                style.print(page, place, &record.puzzle, &solved);
                if remarks && let Some(remark) = remark(&solved) {
                    page.message(format_args!("{place}: {remark}"));
                }
                exit_of(&solved, signals)
            }
            Err(error) => {
                page.sums.add_malformed();
                style.print_bad(page, place, &ErrorLine::new(place, error));
                Exit::Fault
            }
        }
    })?;
    if remarks {
        say(&mut batch, &sums, exit);
    }
    if args.results.stats {
        batch.report.line(sums.work(batch.begun.elapsed()));
    }
    Ok(exit)
}

/// Says how complete the answer is. A single puzzle has had its remark, unless all is well with it.
fn say(batch: &mut Batch<'_>, sums: &Sums, exit: Exit) {
    if !batch.single {
        let interrupted = if matches!(exit, Exit::Signal(_)) { " (interrupted)" } else { "" };
        batch.report.line(format_args!("{}{interrupted}", sums.answers()));
    } else if sums.unique() == 1 {
        batch.report.line("1 solution (complete)");
    }
}

/// How solutions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Grid,
    OneLine,
    Json,
    Svg,
}

impl Shape {
    /// What was asked for; else a grid for one puzzle, a line each for several.
    pub(super) fn choose(args: &ShapeArgs, single: bool) -> Self {
        match args {
            ShapeArgs { json: true, .. } => Self::Json,
            ShapeArgs { grid: true, .. } => Self::Grid,
            ShapeArgs { svg: true, .. } => Self::Svg,
            ShapeArgs { one_line: true, .. } => Self::OneLine,
            _ if single => Self::Grid,
            _ => Self::OneLine,
        }
    }
}

/// How the answers are laid out.
#[derive(Clone, Copy)]
struct Style {
    shape: Shape,
    single: bool,  // there is one puzzle only
    colored: bool, // the givens are to stand out
}

impl Style {
    /// Prints what was found, if anything: the puzzle keeps its line in any case.
    fn print(self, page: &mut Page, place: Place<'_>, puzzle: &Puzzle, solved: &Solved) {
        match self.shape {
            Shape::OneLine => match solved.grid() {
                Some(solution) => page.one_line(solution),
                None => page.newline(),
            },
            Shape::Svg => {
                let picture = drawn(puzzle, solved.grid(), true);
                page.pictures.push(if self.single {
                    picture
                } else {
                    picture::titled(picture, puzzle, place)
                });
            }
            Shape::Grid => self.print_grid(page, place, solved.grid().map(|solution| (puzzle, solution))),
            Shape::Json => page.json(&AnswerLine {
                place: place.json(),
                status: status(solved),
                puzzle: puzzle.grid.one_line().to_string(),
                solution: solved.grid().map(|solution| solution.one_line().to_string()),
                reason: reason(solved),
            }),
        }
    }

    /// Prints what stands in the place of a text that is no puzzle.
    fn print_bad(self, page: &mut Page, place: Place<'_>, line: &ErrorLine<'_>) {
        match self.shape {
            Shape::OneLine => page.newline(),
            Shape::Svg => {}
            Shape::Grid => self.print_grid(page, place, None),
            Shape::Json => page.json(line),
        }
    }

    /// Draws a solution; among several puzzles under a heading, which a puzzle without solution has too.
    fn print_grid(self, page: &mut Page, place: Place<'_>, answer: Option<(&Puzzle, &Grid)>) {
        if !self.single {
            writeln!(page, "{}", place.heading());
        }
        match answer {
            Some((puzzle, solution)) if self.colored => write!(page, "{}", picture::styled(puzzle, solution)),
            Some((puzzle, solution)) => writeln!(page, "{}", puzzle.drawn(solution)),
            None => {}
        }
        if !self.single {
            page.newline();
        }
    }
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
pub(super) fn remark(solved: &Solved) -> Option<String> {
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

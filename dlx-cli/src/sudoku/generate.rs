//! `dlx sudoku generate`: puzzles to order, each printed as soon as it is found.

use std::path::Path;
use std::time::Instant;

use dlx_core::StopReason;
use dlx_sudoku::generate::GenerateError;
use dlx_sudoku::rate::rate;
use dlx_sudoku::{Grid, Puzzle, picture};
use serde::Serialize;

use super::rate::number;
use super::rules;
use crate::args::SudokuGenerateArgs;
use crate::input::Input;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::{self, Report, grouped};
use crate::seed;
use crate::signals::Signals;

/// A puzzle in JSON.
#[derive(Serialize)]
struct PuzzleLine {
    puzzle: String,
    givens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<f64>,
}

/// Prints as many puzzles as are asked for, or says which one was not found.
pub(crate) fn generate(
    args: &SudokuGenerateArgs,
    signals: &Signals,
    report: &mut Report,
) -> Result<Exit, Failure> {
    if args.shape.svg && args.count > 1 {
        return Err(Failure::new("several puzzles, expected one for --svg"));
    }
    let pattern = args.pattern().map(|path| read_pattern(path, report)).transpose()?;
    let statement = rules::statement(&args.rules, report)?;
    let shape = pattern.as_ref().map_or_else(|| args.shape_of(&statement), Grid::geometry);
    let mut puzzle = Puzzle::from(Grid::empty(shape));
    statement.apply(&mut puzzle).map_err(|error| Failure::new(error.kind))?;
    let mut output = Output::open(args.results.output.as_deref())?;
    let seed = seed::given_or_chosen(args.seed, args.results.quiet, report);
    let token = signals.search();
    let mut generator = args.generator(seed, &token);
    if let Some(rules) = &puzzle.rules {
        generator = generator.rules(rules.clone());
    }
    if let Some(pattern) = pattern {
        generator = generator.pattern(pattern);
    }
    let begun = Instant::now();
    let (mut made, mut exit) = (0, Exit::Done);
    while made < args.count {
        match generator.puzzle() {
            Ok(grid) => {
                puzzle.grid = grid;
                print(args, &mut output, &puzzle)?;
            }
            Err(GenerateError::Stopped(reason)) => {
                exit = stopped(made + 1, reason, signals, report);
                break;
            }
            Err(error) => return Err(Failure::new(error)),
        }
        made += 1;
        report.progress(|elapsed| {
            format!("{} puzzles, {}/s, {} s", grouped(made), report::rate(made, elapsed), elapsed.as_secs())
        });
    }
    report.erase();
    if args.results.stats {
        let time = begun.elapsed();
        let (number, per_second) = (grouped(made), report::rate(made, time));
        report.line(format_args!("{number} puzzles in {:.3} s: {per_second} puzzles/s", time.as_secs_f64()));
    }
    Ok(exit)
}

/// The only puzzle of a file.
fn read_pattern(path: &Path, report: &mut Report) -> Result<Grid, Failure> {
    let Input { name, bytes } = Input::read(path, report)?;
    let text = String::from_utf8_lossy(&bytes);
    text.parse().map_err(|error| Failure::new(format_args!("{name}:{error}")))
}

/// Prints a puzzle, at once: nobody knows how long the next one takes.
fn print(args: &SudokuGenerateArgs, output: &mut Output, puzzle: &Puzzle) -> Result<(), Failure> {
    if args.shape.json {
        let rating = args.is_rated().then(|| rate(puzzle).ok()).flatten();
        output.json(&PuzzleLine {
            puzzle: puzzle.grid.one_line().to_string(),
            givens: puzzle.grid.given_count(),
            rating: rating.map(|rating| number(rating.difficulty)),
        })?;
    } else if args.shape.svg {
        write!(output, "{}", picture(puzzle, None, false))?;
    } else if args.shape.grid {
        writeln!(output, "{}", puzzle.drawn(&puzzle.grid))?;
    } else {
        writeln!(output, "{}", puzzle.grid.one_line())?;
    }
    output.finish()
}

/// Says which puzzle was not found, and why.
fn stopped(number: u64, reason: StopReason, signals: &Signals, report: &mut Report) -> Exit {
    let why = outcome::stop_words(reason);
    report.message(format_args!("no such puzzle found: gave up number {number} ({why})"));
    match (reason, signals.received()) {
        (StopReason::Cancelled, Some(number)) => Exit::Signal(number),
        _ => Exit::Stopped,
    }
}

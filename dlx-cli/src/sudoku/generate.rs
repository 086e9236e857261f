//! `dlx sudoku generate`: puzzles to order, each printed as soon as it is found.

use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;
use std::time::Instant;

use dlx_core::StopReason;
use dlx_sudoku::generate::GenerateError;
use dlx_sudoku::rate::rate;
use dlx_sudoku::variant::written;
use dlx_sudoku::{Grid, ParseError, Picture, Puzzle, picture};
use serde::Serialize;

use super::ordered::{self, Conductor};
use super::picture::Sheet;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
}

/// Prints as many puzzles as are asked for, or says which one was not found.
pub(crate) fn generate(
    args: &SudokuGenerateArgs,
    signals: &Signals,
    report: &mut Report,
) -> Result<Exit, Failure> {
    let pattern: Option<Grid> = args.pattern().map(|path| read(path, report)).transpose()?;
    let statement = rules::statement(&args.rules, report)?;
    let mut puzzle = match args.like() {
        Some(path) => read(path, report)?,
        None => {
            let shape = pattern.as_ref().map_or_else(|| args.shape_of(&statement), Grid::geometry);
            Puzzle::from(Grid::empty(shape))
        }
    };
    statement.apply(&mut puzzle).map_err(|error| Failure::new(error.kind))?;
    let output = Output::open(args.results.output.as_deref())?;
    let seed = seed::given_or_chosen(args.seed, args.results.quiet, report);
    let token = signals.search();
    let kind = puzzle.clone();
    let begun = Instant::now();
    let mut line = Line {
        args,
        signals,
        output,
        report,
        is_told_in_full: !args.shape.one_line
            && (args.is_killer() || args.like().is_some() && puzzle.restricts()),
        puzzle,
        pictures: Vec::new(),
        started: 0,
        made: 0,
        exit: Exit::Done,
    };
    ordered::conduct(&mut line, args.threads.into(), &token, || {
        let (mut generator, kind) = (args.generator(seed, &token).like(&kind), kind.clone());
        if let Some(pattern) = &pattern {
            generator = generator.pattern(pattern.clone());
        }
        let mut next = 0;
        move |number| {
            generator.skip(number - next);
            next = number + 1;
            if args.is_killer() {
                return generator.killer();
            }
            let mut puzzle = kind.clone();
            puzzle.grid = generator.puzzle()?;
            Ok(puzzle)
        }
    })?;
    line.end(begun)
}

/// The puzzles in their order, each printed as soon as it is found and those before it are. A job is the number of a
/// puzzle, from 0.
struct Line<'a> {
    args: &'a SudokuGenerateArgs,
    signals: &'a Signals,
    output: Output,
    report: &'a mut Report,
    /// The last one.
    puzzle: Puzzle,
    /// Without a word on how, puzzles are printed with their rules.
    is_told_in_full: bool,
    pictures: Vec<Picture>,
    started: u64,
    made: u64,
    exit: Exit,
}

impl Conductor for Line<'_> {
    type Job = u64;
    type Done = Result<Puzzle, GenerateError>;

    fn next(&mut self) -> Option<u64> {
        let next = (self.started < self.args.count).then_some(self.started);
        self.started += 1;
        next
    }

    fn deliver(&mut self, made: Self::Done) -> Result<ControlFlow<()>, Failure> {
        match made {
            Ok(puzzle) => self.puzzle = puzzle,
            Err(GenerateError::Stopped(reason)) => {
                self.report.erase();
                self.exit = stopped(self.made + 1, reason, self.signals, self.report);
                return Ok(ControlFlow::Break(()));
            }
            Err(error) => return Err(Failure::new(error)),
        }
        self.made += 1;
        self.print()?;
        let made = self.made;
        self.report.progress(|elapsed| {
            format!("{} puzzles, {}/s, {} s", grouped(made), report::rate(made, elapsed), elapsed.as_secs())
        });
        Ok(ControlFlow::Continue(()))
    }
}

impl Line<'_> {
    /// Prints a puzzle, at once: nobody knows how long the next one takes. Pictures wait for one another.
    fn print(&mut self) -> Result<(), Failure> {
        let Self { args, output, puzzle, .. } = self;
        if args.shape.json {
            let rating = args.is_rated().then(|| rate(&*puzzle).ok()).flatten();
            output.json(&PuzzleLine {
                puzzle: puzzle.grid.one_line().to_string(),
                givens: puzzle.grid.given_count(),
                rating: rating.map(|rating| number(rating.difficulty)),
                variant: puzzle.restricts().then(|| written(puzzle).to_string()),
            })?;
        } else if args.shape.svg {
            let picture = picture(puzzle, None, false);
            let number = self.made.to_string();
            self.pictures.push(if args.count > 1 { picture.caption(&number) } else { picture });
            return Ok(());
        } else if args.shape.grid {
            writeln!(output, "{}", puzzle.drawn(&puzzle.grid))?;
        } else if args.shape.variant || self.is_told_in_full {
            write!(output, "{}", written(puzzle))?;
        } else {
            writeln!(output, "{}", puzzle.grid.one_line())?;
        }
        output.finish()
    }

    /// Prints the pictures, and says how fast it went.
    fn end(mut self, begun: Instant) -> Result<Exit, Failure> {
        write!(self.output, "{}", Sheet(&self.pictures))?;
        self.output.finish()?;
        self.report.erase();
        if self.args.results.stats {
            let time = begun.elapsed();
            let (number, per_second) = (grouped(self.made), report::rate(self.made, time));
            self.report.line(format_args!(
                "{number} puzzles in {:.3} s: {per_second} puzzles/s",
                time.as_secs_f64()
            ));
        }
        Ok(self.exit)
    }
}

/// The only puzzle of a file.
fn read<T: FromStr<Err = ParseError>>(path: &Path, report: &mut Report) -> Result<T, Failure> {
    let Input { name, bytes } = Input::read(path, report)?;
    let text = String::from_utf8_lossy(&bytes);
    text.parse().map_err(|error| Failure::new(format_args!("{name}:{error}")))
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

//! `dlx sudoku hint`: how a person would go on, one step or all of them.

use dlx_sudoku::rate::{Candidate, Position, RateError, Rater, Step};
use dlx_sudoku::{Grid, Puzzle, picture_of_step};
use serde::Serialize;

use super::batch::{Batch, ErrorLine, Place, PlaceLine};
use super::page::Page;
use super::picture;
use super::rate::{exit_of, number};
use crate::args::SudokuHintArgs;
use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::Report;
use crate::signals::Signals;

/// The steps of a puzzle in JSON.
#[derive(Serialize)]
struct StepsLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    puzzle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepLine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct StepLine {
    technique: &'static str,
    difficulty: f64,
    uniqueness: bool,
    places: Vec<String>,
    eliminates: Vec<String>,
    pattern: Vec<String>,
    text: String,
}

impl From<&Step> for StepLine {
    fn from(step: &Step) -> Self {
        let names = |candidates: &[Candidate]| candidates.iter().map(ToString::to_string).collect();
        Self {
            technique: step.technique().name(),
            difficulty: number(step.difficulty()),
            uniqueness: step.technique().is_uniqueness(),
            places: names(step.places()),
            eliminates: names(step.eliminates()),
            pattern: names(step.pattern()),
            text: step.to_string(),
        }
    }
}

/// Prints the next step of each puzzle, or all.
pub(crate) fn hint(args: &SudokuHintArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let output = Output::open(args.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report);
    let (single, colored) = (batch.single, batch.output.wants_style());
    let (exit, _) = batch.each(1, || {
        let mut rater = Rater::new().uniqueness(!args.no_uniqueness);
        move |page, place, record| match record {
            Ok(record) => {
                let steps = match args.all {
                    true => rater.explain(&record.puzzle),
                    false => rater.next_step(&record.puzzle).map(|step| step.into_iter().collect()),
                };
                if args.json {
                    print_json(page, place, &record.puzzle.grid, &steps);
                } else if args.svg {
                    let heading = (!single).then(|| place.heading());
                    draw(page, heading, &record.puzzle, steps.as_deref().unwrap_or_default());
                } else {
                    if !single {
                        writeln!(page, "{}", place.heading());
                    }
                    print(page, &record.puzzle, steps.as_deref().unwrap_or_default(), args.grid, colored);
                    if !single {
                        page.newline();
                    }
                }
                match &steps {
                    Ok(steps) if steps.is_empty() => {
                        page.message(format_args!("{place}: no blank cell, nothing to do"));
                        Exit::Done
                    }
                    Ok(_) => Exit::Done,
                    Err(error) => {
                        page.message(format_args!("{place}: {error}"));
                        exit_of(error)
                    }
                }
            }
            Err(error) if args.json => ErrorLine::new(place, error).print(page, true),
            Err(_) => Exit::Fault,
        }
    })?;
    Ok(exit)
}

fn print_json(page: &mut Page, place: Place<'_>, puzzle: &Grid, steps: &Result<Vec<Step>, RateError>) {
    page.json(&StepsLine {
        place: place.json(),
        puzzle: puzzle.one_line().to_string(),
        steps: steps.as_ref().ok().map(|steps| steps.iter().map(StepLine::from).collect()),
        error: steps.as_ref().err().map(ToString::to_string),
    });
}

/// Draws steps, each in the position before it. A heading, if there is one, goes below.
fn draw(page: &mut Page, heading: Option<String>, puzzle: &Puzzle, steps: &[Step]) {
    let mut position = Position::new(puzzle);
    for step in steps {
        let picture = picture_of_step(puzzle, &position, step);
        page.pictures.push(match &heading {
            Some(heading) => picture.caption(heading),
            None => picture,
        });
        position.apply(step);
    }
}

/// Prints steps a line each, or with the pencil marks before and after each of them.
fn print(page: &mut Page, puzzle: &Puzzle, steps: &[Step], marks: bool, colored: bool) {
    let mut position = Position::new(puzzle);
    for step in steps {
        if marks {
            write!(page, "{}", picture::pencil_marks(&position, colored.then_some(step)));
        }
        writeln!(page, "{step}");
        position.apply(step);
    }
    if marks && !steps.is_empty() {
        write!(page, "{}", picture::pencil_marks(&position, None));
    }
}

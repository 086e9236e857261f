//! `dlx sudoku rate`: how difficult each puzzle is, and by which technique.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dlx_sudoku::Grid;
use dlx_sudoku::rate::{Difficulty, Grade, RateError, Rater, Rating, Technique};
use serde::Serialize;

use super::batch::{Batch, ErrorLine, Place, PlaceLine};
use super::page::Page;
use crate::args::SudokuRateArgs;
use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped, rate as per_second};
use crate::signals::Signals;

/// A puzzle's rating in JSON.
#[derive(Serialize)]
struct RatingLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    puzzle: String,
    #[serde(flatten)]
    rating: Option<RatingKeys>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct RatingKeys {
    rating: f64,
    grade: &'static str,
    technique: Option<&'static str>,
    steps: usize,
}

/// Prints the rating of each puzzle.
pub(crate) fn rate(args: &SudokuRateArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let inputs = Input::read_all(&args.puzzles.files, report)?;
    let output = Output::open(args.output.as_deref())?;
    let mut batch = Batch::begin(&inputs, args.puzzles.size, output, signals, report);
    let tally = Mutex::new(Tally::default());
    let (exit, _) = batch.each(args.threads.into(), || {
        let mut rater = Rater::new().uniqueness(!args.no_uniqueness);
        let tally = &tally;
        move |page, place, record| match record {
            Ok(record) => {
                let begun = Instant::now();
                let rating = rater.rate(&record.puzzle);
                page.sums.add_time(begun.elapsed());
                if let Ok(rating) = rating {
                    tally.lock().unwrap_or_else(PoisonError::into_inner).add(rating.difficulty);
                }
                print(args.json, page, place, &record.puzzle.grid, rating)
            }
            Err(error) => ErrorLine::new(place, error).print(page, args.json),
        }
    })?;
    if args.stats {
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        batch.report.line(tally.summary(batch.begun.elapsed()));
    }
    Ok(exit)
}

/// A difficulty as a number of JSON.
pub(super) fn number(difficulty: Difficulty) -> f64 {
    f64::from(difficulty.tenths()) / 10.0
}

/// Prints a rating, or says why there is none.
fn print(
    json: bool,
    page: &mut Page,
    place: Place<'_>,
    puzzle: &Grid,
    rating: Result<Rating, RateError>,
) -> Exit {
    if let Err(error) = &rating {
        page.message(format_args!("{place}: {error}"));
    }
    match (&rating, json) {
        (rating, true) => page.json(&RatingLine {
            place: place.json(),
            puzzle: puzzle.one_line().to_string(),
            rating: rating.as_ref().ok().map(|rating| RatingKeys {
                rating: number(rating.difficulty),
                grade: Grade::of(rating.difficulty).name(),
                technique: rating.hardest.map(Technique::name),
                steps: rating.steps,
            }),
            error: rating.as_ref().err().map(ToString::to_string),
        }),
        (Ok(Rating { difficulty, hardest, .. }), false) => {
            let technique = hardest.map_or("no step", Technique::name);
            writeln!(page, "{difficulty}\t{}\t{technique}", Grade::of(*difficulty));
        }
        (Err(_), false) => page.newline(),
    }
    rating.map_or_else(|error| exit_of(&error), |_| Exit::Done)
}

/// A puzzle without exactly one solution is a check that failed, another size cannot be used.
pub(super) fn exit_of(error: &RateError) -> Exit {
    match error {
        RateError::Size(_) | RateError::Rules => Exit::Fault,
        RateError::Clash(_) | RateError::NoSolution(_) | RateError::Several => Exit::Nothing,
    }
}

/// How many puzzles had which difficulty.
#[derive(Default)]
struct Tally {
    by_tenths: Vec<u64>,
}

impl Tally {
    fn add(&mut self, difficulty: Difficulty) {
        self.by_tenths.resize(usize::from(Difficulty::MAX.tenths()) + 1, 0);
        self.by_tenths[usize::from(difficulty.tenths())] += 1;
    }

    /// The difficulties that occur, with their numbers.
    fn entries(&self) -> impl DoubleEndedIterator<Item = (Difficulty, u64)> {
        let all =
            (0..).zip(&self.by_tenths).map(|(tenths, &number)| (Difficulty::from_tenths(tenths), number));
        all.collect::<Vec<_>>().into_iter().filter(|&(_, number)| number > 0)
    }

    /// The difficulty of the puzzle at a place when all are sorted.
    fn at(&self, place: u64) -> Difficulty {
        let mut before = 0;
        let entry = self.entries().find(|(_, number)| {
            before += number;
            before > place
        });
        entry.map_or(Difficulty::default(), |(difficulty, _)| difficulty)
    }

    /// What `--stats` says of a batch that took `time`.
    fn summary(&self, time: Duration) -> String {
        let all: u64 = self.by_tenths.iter().sum();
        if all == 0 {
            return "0 puzzles".to_owned();
        }
        let median = (number(self.at((all - 1) / 2)) + number(self.at(all / 2))) / 2.0;
        let grades = Grade::ALL.map(|grade| {
            let numbers = self.entries().filter(|&(difficulty, _)| Grade::of(difficulty) == grade);
            format!("{} {grade}", grouped(numbers.map(|(_, number)| number).sum()))
        });
        format!(
            "{} puzzles in {:.3} s: {} puzzles/s\nmedian {median}, from {} to {}; {}",
            grouped(all),
            time.as_secs_f64(),
            per_second(all, time),
            self.at(0),
            self.at(all - 1),
            grades.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        let mut tally = Tally::default();
        let time = Duration::from_secs(2);
        assert_eq!(tally.summary(time), "0 puzzles");
        for (tenths, median) in
            [(30, "3, from 3.0 to 3.0"), (12, "2.1, from 1.2 to 3.0"), (12, "1.2, from 1.2 to 3.0")]
        {
            tally.add(Difficulty::from_tenths(tenths));
            assert!(tally.summary(time).contains(&format!("median {median};")), "{}", tally.summary(time));
        }
        tally.add(Difficulty::MAX);
        assert_eq!(
            tally.summary(time),
            "4 puzzles in 2.000 s: 2 puzzles/s\n\
             median 2.1, from 1.2 to 11.9; 2 easy, 1 medium, 0 hard, 0 fiendish, 1 diabolical"
        );
    }
}

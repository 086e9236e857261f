//! The way through a batch, the same for every command: puzzle after puzzle in the order of the
//! input, bad ones told but not in the way of the others, until the end or a signal.

use std::fmt;
use std::time::Instant;

use dlx_core::CancelToken;
use dlx_sudoku::{ParseError, Record, records};
use serde::Serialize;

use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped, rate};
use crate::signals::Signals;

/// Puzzles under way, with all that they report to.
pub(super) struct Batch<'a> {
    inputs: &'a [Input],
    pub(super) single: bool,
    pub(super) output: Output,
    pub(super) report: &'a mut Report,
    pub(super) begun: Instant,
    pub(super) token: CancelToken,
    signals: &'a Signals,
}

impl<'a> Batch<'a> {
    pub(super) fn begin(
        inputs: &'a [Input],
        output: Output,
        signals: &'a Signals,
        report: &'a mut Report,
    ) -> Self {
        let single = inputs.iter().flat_map(|input| records(&input.bytes)).nth(1).is_none();
        let token = signals.search();
        Self { inputs, single, output, report, begun: Instant::now(), token, signals }
    }

    /// Calls `one` for each puzzle and returns the gravest of its exits; a signal ends the batch.
    ///
    /// The messages about texts that are no puzzles are written here; what stands in their place
    /// in the output is `one`'s affair.
    pub(super) fn each<F>(&mut self, mut one: F) -> Result<Exit, Failure>
    where
        F: FnMut(&mut Self, Place<'a>, Result<Record, ParseError>) -> Result<Exit, Failure>,
    {
        let mut worst = Exit::Done;
        let mut done = 0;
        for input in self.inputs {
            let mut empty = true;
            for record in records(&input.bytes) {
                empty = false;
                if let Some(number) = self.signals.received() {
                    return self.end(Exit::Signal(number));
                }
                let mut exit = Exit::Done;
                if let Err(error) = &record {
                    self.output.finish()?; // the message stands below the results before it
                    self.report.message(format_args!("{}:{error}", input.name));
                    exit = Exit::Fault;
                }
                let line = record.as_ref().map_or_else(|error| error.line, |record| record.line);
                let place = Place { name: &input.name, several_files: self.inputs.len() > 1, line };
                exit = exit.worst(one(self, place, record)?);
                self.output.pass_on()?;
                worst = worst.worst(exit);
                if matches!(exit, Exit::Signal(_)) {
                    return self.end(worst);
                }
                done += 1;
                self.show_progress(done);
            }
            if empty {
                self.report.message(format_args!("{}:1:1: no puzzle, expected 81 cells", input.name));
                worst = worst.worst(Exit::Fault);
            }
        }
        self.end(worst)
    }

    /// Makes room on the terminal for what is about to be printed there.
    pub(super) fn make_room(&mut self) {
        if self.output.is_terminal() {
            self.report.erase();
        }
    }

    fn show_progress(&mut self, done: u64) {
        self.report.progress(|elapsed| {
            format!("{} puzzles, {}/s, {} s", grouped(done), rate(done, elapsed), elapsed.as_secs())
        });
    }

    fn end(&mut self, exit: Exit) -> Result<Exit, Failure> {
        self.report.erase();
        self.output.finish()?;
        Ok(exit)
    }
}

/// Where a puzzle stands in the input. Displays as `FILE:LINE`.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    name: &'a str,
    several_files: bool,
    pub(super) line: usize,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.line)
    }
}

impl<'a> Place<'a> {
    /// The place in a list of results: the line, and the file where there are several.
    pub(super) fn label(self) -> String {
        if self.several_files { self.to_string() } else { self.line.to_string() }
    }

    /// The place in JSON.
    pub(super) fn json(self) -> PlaceLine<'a> {
        PlaceLine { file: self.several_files.then_some(self.name), line: self.line }
    }
}

/// The first keys of every JSON line: where its puzzle stands.
#[derive(Serialize)]
pub(super) struct PlaceLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: usize,
}

/// The JSON line of a text that is no puzzle.
#[derive(Serialize)]
pub(super) struct ErrorLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    column: usize,
    error: String,
}

impl<'a> ErrorLine<'a> {
    pub(super) fn new(place: Place<'a>, error: &ParseError) -> Self {
        Self { place: place.json(), column: error.column, error: error.kind.to_string() }
    }
}

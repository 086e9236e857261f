//! The way through a batch, the same for every command: puzzle after puzzle by one thread, or some puzzles at a time by
//! several; results and messages in the order of the input, bad puzzles told but not in the way of the others, until
//! the end or a signal.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

use dlx_core::CancelToken;
use dlx_sudoku::variant::Statement;
use dlx_sudoku::{Geometry, ParseError, Picture, Record, Records, records};
use serde::Serialize;

use super::ordered::{self, Conductor};
use super::page::Page;
use super::picture::Sheet;
use super::sums::Sums;
use crate::input::Input;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped, rate};
use crate::signals::Signals;

/// The most puzzles that are taken at a time: so many that to hand them from thread to thread costs nothing.
const CHUNK: usize = 128;
/// The nodes that a chunk should have, where it can be foreseen: hard puzzles are not to wait for one another.
const CHUNK_NODES: u64 = 20_000;

/// Puzzles under way, with all that they report to.
pub(super) struct Batch<'a> {
    puzzles: Puzzles<'a>,
    pub(super) single: bool,
    pub(super) output: Output,
    pub(super) report: &'a mut Report,
    pub(super) begun: Instant,
    pub(super) token: CancelToken,
    pictures: Vec<Picture>,
    signals: &'a Signals,
    chunk: usize, // how many puzzles the next chunk takes
    done: u64,
    sums: Sums,
    worst: Exit,
}

/// A text that stands for a puzzle; nothing in a file that has none.
pub(super) struct Item<'a> {
    pub(super) place: Place<'a>,
    pub(super) record: Option<Result<Record, ParseError>>,
}

/// Some puzzles that follow one another, and then what they came to. Used again and again.
#[derive(Default)]
struct Chunk<'a> {
    items: Vec<Item<'a>>,
    page: Page,
}

impl<'a> Batch<'a> {
    pub(super) fn begin(
        inputs: &'a [Input],
        shape: Option<Geometry>,
        output: Output,
        signals: &'a Signals,
        report: &'a mut Report,
    ) -> Self {
        let puzzles = Puzzles { inputs, shape, statement: None };
        Self {
            puzzles,
            single: puzzles.is_single(),
            output,
            report,
            begun: Instant::now(),
            token: signals.search(),
            pictures: Vec::new(),
            signals,
            chunk: 1,
            done: 0,
            sums: Sums::default(),
            worst: Exit::Done,
        }
    }

    /// The same with what is said of the rules of all puzzles.
    pub(super) fn ruled_by(mut self, statement: &'a Statement) -> Self {
        self.puzzles = self.puzzles.ruled_by(statement);
        self
    }

    /// Has each puzzle done by what `begin` returns, of which every thread has its own: it puts the results on the page.
    /// Returns the gravest of the puzzles' exits, and the sums of the pages; a signal ends the batch.
    ///
    /// The messages about texts that are no puzzles are written here; what stands in their place in the output is the
    /// caller's affair.
    pub(super) fn each<F>(
        &mut self,
        threads: usize,
        begin: impl Fn() -> F + Sync,
    ) -> Result<(Exit, Sums), Failure>
    where
        F: FnMut(&mut Page, Place<'a>, &Result<Record, ParseError>) -> Exit + Send,
    {
        let (signals, token) = (self.signals, self.token.clone());
        let mut way = Way { items: self.puzzles.items(), batch: self, spare: Vec::new() };
        ordered::conduct(&mut way, threads, &token, || {
            let mut one = begin();
            move |mut chunk: Chunk<'a>| {
                chunk.work(&mut one, signals);
                chunk
            }
        })?;
        self.report.erase();
        write!(self.output, "{}", Sheet(&self.pictures))?;
        self.output.finish()?;
        Ok((self.worst, self.sums))
    }

    /// Prints a page, each message below the results before it, and empties it. A break is the end of the batch.
    fn deliver(&mut self, page: &mut Page) -> Result<ControlFlow<()>, Failure> {
        if self.output.is_terminal() {
            self.report.erase();
        }
        let mut from = 0;
        for (at, message) in page.messages.drain(..) {
            self.output.bytes(&page.bytes[from..at])?;
            self.output.finish()?;
            self.report.message(message);
            from = at;
        }
        self.output.bytes(&page.bytes[from..])?;
        self.output.pass_on()?;
        self.pictures.append(&mut page.pictures);
        self.done += page.done;
        self.sums += page.sums;
        self.worst = self.worst.worst(page.exit);
        self.chunk = if self.output.is_terminal() { 1 } else { self.next_chunk(page) };
        page.clear();
        self.show_progress();
        let ended = matches!(self.worst, Exit::Signal(_));
        Ok(if ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// How many puzzles the next chunk takes when a chunk was so much work.
    fn next_chunk(&self, last: &Page) -> usize {
        let foreseen = CHUNK_NODES * last.done / last.sums.nodes().max(1);
        (foreseen as usize).clamp(1, CHUNK.min(2 * self.chunk))
    }

    fn show_progress(&mut self) {
        let done = self.done;
        self.report.progress(|elapsed| {
            format!("{} puzzles, {}/s, {} s", grouped(done), rate(done, elapsed), elapsed.as_secs())
        });
    }
}

/// A batch on its way: its chunks are the jobs.
struct Way<'b, 'a, I> {
    batch: &'b mut Batch<'a>,
    items: I,
    /// Chunks that have been delivered, whose room is used again.
    spare: Vec<Chunk<'a>>,
}

impl<'a, I: Iterator<Item = Item<'a>>> Conductor for Way<'_, 'a, I> {
    type Job = Chunk<'a>;
    type Done = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let mut chunk = self.spare.pop().unwrap_or_default();
        chunk.fill(&mut self.items, self.batch.chunk).then_some(chunk)
    }

    fn deliver(&mut self, mut chunk: Chunk<'a>) -> Result<ControlFlow<()>, Failure> {
        let delivered = self.batch.deliver(&mut chunk.page);
        self.spare.push(chunk);
        delivered
    }
}

/// The puzzles of some inputs.
#[derive(Clone, Copy)]
pub(super) struct Puzzles<'a> {
    pub(super) inputs: &'a [Input],
    /// The shape that all have to have.
    pub(super) shape: Option<Geometry>,
    /// What is said of the rules of all.
    pub(super) statement: Option<&'a Statement>,
}

impl<'a> Puzzles<'a> {
    /// The same with what is said of the rules of all, if anything is.
    pub(super) fn ruled_by(self, statement: &'a Statement) -> Self {
        let shape = self.shape.or(statement.size());
        Self { shape, statement: Some(statement).filter(|said| !said.is_empty()), ..self }
    }

    /// A puzzle with the rules that all have.
    fn ruled(self, record: Result<Record, ParseError>) -> Result<Record, ParseError> {
        let mut record = record?;
        if let Some(statement) = self.statement {
            // What does not go with a puzzle is told at the puzzle.
            let at_puzzle = |error| ParseError { line: record.line, column: 1, ..error };
            statement.apply(&mut record.puzzle).map_err(at_puzzle)?;
        }
        Ok(record)
    }

    fn records(self, input: &'a Input) -> Records<'a> {
        records(&input.bytes).of_shape(self.shape)
    }

    /// Whether there is one at the most.
    pub(super) fn is_single(self) -> bool {
        self.inputs.iter().flat_map(|input| self.records(input)).nth(1).is_none()
    }

    /// All of them, with their places.
    pub(super) fn items(self) -> impl Iterator<Item = Item<'a>> {
        let several_files = self.inputs.len() > 1;
        self.inputs.iter().flat_map(move |input| {
            let place = move |line| Place { name: &input.name, several_files, line };
            let nothing = self.records(input).next().is_none();
            let nothing = nothing.then(|| Item { place: place(1), record: None });
            nothing.into_iter().chain(self.records(input).map(move |record| {
                let line = record.as_ref().map_or_else(|error| error.line, |record| record.line);
                Item { place: place(line), record: Some(self.ruled(record)) }
            }))
        })
    }
}

impl Item<'_> {
    /// The puzzle, or what is to be told in its stead.
    pub(super) fn puzzle(&self) -> Result<&Record, String> {
        match &self.record {
            Some(Ok(record)) => Ok(record),
            Some(Err(error)) => Err(format!("{}:{error}", self.place.name)),
            None => Err(format!("{}:1:1: no puzzle, expected 81 cells", self.place.name)),
        }
    }
}

impl<'a> Chunk<'a> {
    /// Takes so many puzzles. False if there are no more.
    fn fill(&mut self, items: &mut impl Iterator<Item = Item<'a>>, number: usize) -> bool {
        self.items.clear();
        self.items.extend(items.take(number));
        !self.items.is_empty()
    }

    /// Does one puzzle after the other, up to the one that a signal stops.
    fn work(
        &mut self,
        one: &mut impl FnMut(&mut Page, Place<'a>, &Result<Record, ParseError>) -> Exit,
        signals: &Signals,
    ) {
        let page = &mut self.page;
        for item in &self.items {
            if let Some(number) = signals.received() {
                page.exit = Exit::Signal(number);
                return;
            }
            if let Err(message) = item.puzzle() {
                page.message(message);
                page.exit = page.exit.worst(Exit::Fault);
            }
            let &Item { place, record: Some(ref record) } = item else { continue };
            page.done += 1;
            page.exit = page.exit.worst(one(page, place, record));
            if matches!(page.exit, Exit::Signal(_)) {
                return;
            }
        }
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

    /// The place as a heading.
    pub(super) fn heading(self) -> String {
        format!("Line {}", self.label())
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

    /// Keeps the place of the result that there is none of: this line, or an empty one.
    pub(super) fn print(&self, page: &mut Page, json: bool) -> Exit {
        if json {
            page.json(self)
        } else {
            page.newline()
        }
        Exit::Fault
    }
}

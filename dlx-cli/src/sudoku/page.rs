//! What a few puzzles in a row come to, on its way from the thread that does them to the one that prints.

use std::fmt;
use std::io::Write as _;

use dlx_sudoku::{Grid, Picture};
use serde::Serialize;

use super::sums::Sums;
use crate::outcome::Exit;

/// Results and messages, in memory: writing cannot fail.
#[derive(Default)]
pub(super) struct Page {
    /// The results.
    pub(super) bytes: Vec<u8>,
    /// The pictures, which are printed together when all are there.
    pub(super) pictures: Vec<Picture>,
    /// The messages, and where in the results each is to be told.
    pub(super) messages: Vec<(usize, String)>,
    /// How many puzzles these are, bad ones included.
    pub(super) done: u64,
    /// What is counted.
    pub(super) sums: Sums,
    /// The gravest of the puzzles' exits.
    pub(super) exit: Exit,
}

impl Page {
    /// Empties the page; its room is kept.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.pictures.clear();
        self.messages.clear();
        (self.done, self.sums, self.exit) = (0, Sums::default(), Exit::Done);
    }

    /// What `write!` and `writeln!` call.
    pub(super) fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.bytes.write_fmt(text);
    }

    /// Ends a line.
    pub(super) fn newline(&mut self) {
        self.bytes.push(b'\n');
    }

    /// The cells of a grid on one line.
    pub(super) fn one_line(&mut self, grid: &Grid) {
        grid.append_to(&mut self.bytes);
        self.newline();
    }

    /// One JSON line.
    pub(super) fn json(&mut self, record: &impl Serialize) {
        let _ = serde_json::to_writer(&mut self.bytes, record);
        self.newline();
    }

    /// A message to be told below the results so far.
    pub(super) fn message(&mut self, message: impl fmt::Display) {
        self.messages.push((self.bytes.len(), message.to_string()));
    }
}

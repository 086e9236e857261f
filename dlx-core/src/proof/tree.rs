//! The writer of `dlx proof 1`: a line a node, written as the search goes.

use alloc::string::{String, ToString as _};
use core::fmt::{self, Write as _};

use super::Log;
use crate::verify::proof::{FIRST_LINE, Seal};
use crate::{ItemId, OptionId, Problem};

/// Writes the nodes of a search to `sink`.
pub(super) struct Tree<S> {
    problem: Problem,
    sink: S,
    line: String,
    seal: Seal,
}

impl<S: FnMut(&[u8])> Tree<S> {
    pub(super) fn new(problem: Problem, sink: S) -> Self {
        Self { problem, sink, line: String::new(), seal: Seal::default() }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.line.clear();
        let _ = writeln!(self.line, "{line}"); // a string takes all there is
        self.seal.add(self.line.as_bytes());
        (self.sink)(self.line.as_bytes());
    }

    fn node(&mut self, line: fmt::Arguments<'_>) {
        self.seal.nodes += 1;
        self.line(line);
    }
}

impl<S: FnMut(&[u8]) + Send> Log for Tree<S> {
    fn begin(&mut self, assumed: &[OptionId]) {
        self.line(format_args!("{FIRST_LINE}"));
        let fingerprint = self.problem.fingerprint();
        self.line(format_args!("problem {fingerprint}"));
        for option in assumed {
            self.line(format_args!("assume {option}"));
        }
    }

    fn branch(&mut self, item: ItemId, _: bool) {
        self.node(format_args!("b {item}"));
    }

    fn dead(&mut self, item: ItemId) {
        self.node(format_args!("d {item}"));
    }

    fn solution(&mut self) {
        self.seal.solutions += 1;
        self.node(format_args!("s"));
    }

    fn end(&mut self) {
        let seal = self.seal.to_string();
        self.line(format_args!("{seal}"));
    }
}

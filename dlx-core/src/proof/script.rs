//! The lines of a proof of the form `dlx proof 1`, written one by one, with what the last of them says of all.

use alloc::string::{String, ToString as _};
use core::fmt::{self, Write as _};

use crate::verify::proof::{FIRST_LINE, Seal};
use crate::{OptionId, Problem};

/// Writes lines to `sink`.
pub(super) struct Script<S> {
    sink: S,
    line: String,
    seal: Seal,
}

impl<S: FnMut(&[u8])> Script<S> {
    pub(super) fn new(sink: S) -> Self {
        Self { sink, line: String::new(), seal: Seal::default() }
    }

    /// The first lines.
    pub(super) fn begin(&mut self, problem: &Problem) {
        self.line(format_args!("{FIRST_LINE}"));
        self.line(format_args!("problem {}", problem.fingerprint()));
    }

    /// An option that is assumed.
    pub(super) fn assume(&mut self, option: OptionId) {
        self.line(format_args!("assume {option}"));
    }

    /// The solution that is proved to be the cheapest, and its cost.
    pub(super) fn cheapest(&mut self, options: &[OptionId], cost: i128) {
        self.seal.cost = Some(cost);
        let options = options.iter().fold(String::new(), |line, option| line + " " + &option.to_string());
        self.line(format_args!("cheapest{options}"));
    }

    pub(super) fn node(&mut self, line: fmt::Arguments<'_>) {
        self.seal.nodes += 1;
        self.line(line);
    }

    /// A node with a solution.
    pub(super) fn solution(&mut self) {
        self.seal.solutions += 1;
        self.node(format_args!("s"));
    }

    /// The last line.
    pub(super) fn end(&mut self) {
        let seal = self.seal.to_string();
        self.line(format_args!("{seal}"));
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.line.clear();
        let _ = writeln!(self.line, "{line}"); // a string takes all there is
        self.seal.add(self.line.as_bytes());
        (self.sink)(self.line.as_bytes());
    }
}

//! The writer of DRAT proofs: for each choice that failed, the clause that says so, and at the end the empty one.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::Log;
use crate::format::cnf::Variables;
use crate::{ItemId, OptionId, Problem};

/// Writes to `sink`, in the variables of [`cnf::write`](crate::format::cnf::write), which clauses follow by unit propagation.
///
/// If an item has a single option left, propagation finds that, so that a clause names no choices but those among several
/// options. A choice has failed when the branch below it is left, or at once.
pub(super) struct Drat<S> {
    variables: Variables,
    sink: S,
    line: String,
    branches: Vec<Branch>,
    found: bool, // a solution: nothing is proved
}

/// An open branch.
struct Branch {
    forced: bool,
    choice: Option<OptionId>,
}

impl<S: FnMut(&[u8])> Drat<S> {
    pub(super) fn new(problem: &Problem, sink: S) -> Self {
        let variables = Variables::new(problem);
        Self { variables, sink, line: String::new(), branches: Vec::new(), found: false }
    }

    /// The last choice has failed.
    fn failed(&mut self) {
        if self.branches.last().is_none_or(|branch| branch.forced) {
            return; // it follows from what has failed, or will fail, above
        }
        self.line.clear();
        for option in self.branches.iter().filter(|branch| !branch.forced).filter_map(|branch| branch.choice)
        {
            if let Some(variable) = self.variables.of(option) {
                let _ = write!(self.line, "-{variable} "); // a string takes all there is
            }
        }
        self.line.push_str("0\n");
        (self.sink)(self.line.as_bytes());
    }
}

impl<S: FnMut(&[u8]) + Send> Log for Drat<S> {
    fn begin(&mut self, assumed: &[OptionId]) {
        self.found = !assumed.is_empty(); // the formula does not know of assumptions
    }

    fn branch(&mut self, _: ItemId, forced: bool) {
        self.branches.push(Branch { forced, choice: None });
    }

    fn choice(&mut self, option: Option<OptionId>) {
        if let Some(branch) = self.branches.last_mut() {
            branch.choice = option;
        }
    }

    fn dead(&mut self, _: ItemId) {
        self.failed();
    }

    fn solution(&mut self) {
        self.found = true;
    }

    fn leave(&mut self) {
        self.branches.pop();
        self.failed();
    }

    fn end(&mut self) {
        if !self.found {
            (self.sink)(b"0\n");
        }
    }
}

//! Tells a [`Script`] the tree of a search by dancing links, a line a node, as it goes.

use super::Log;
use super::script::Script;
use crate::{ItemId, OptionId, Problem};

/// Writes the nodes of a search.
pub(super) struct Tree<S> {
    script: Script<S>,
    problem: Option<Problem>, // if the script is still to be begun
}

impl<S: FnMut(&[u8])> Tree<S> {
    pub(super) fn new(problem: Problem, sink: S) -> Self {
        Self { script: Script::new(sink), problem: Some(problem) }
    }

    /// After the first lines.
    pub(super) fn after(script: Script<S>) -> Self {
        Self { script, problem: None }
    }
}

impl<S: FnMut(&[u8]) + Send> Log for Tree<S> {
    fn begin(&mut self, assumed: &[OptionId]) {
        if let Some(problem) = &self.problem {
            self.script.begin(problem);
        }
        assumed.iter().for_each(|option| self.script.assume(*option));
    }

    fn branch(&mut self, item: ItemId, _: bool) {
        self.script.node(format_args!("b {item}"));
    }

    fn dead(&mut self, item: ItemId) {
        self.script.node(format_args!("d {item}"));
    }

    fn solution(&mut self) {
        self.script.solution();
    }

    fn end(&mut self) {
        self.script.end();
    }
}

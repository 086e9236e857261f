//! From the steps of an engine to what a proof tells, in terms of the problem.

use alloc::vec::Vec;

use crate::engine::{Explain, Selected, Tried};
use crate::observe::Observer;
use crate::{ItemId, OptionId, Problem};

/// Is told the tree of a search in preorder.
pub(crate) trait Log: Send {
    /// The search begins, with these options assumed.
    fn begin(&mut self, assumed: &[OptionId]);

    /// A node branches on an item, the only choice being `forced`.
    fn branch(&mut self, item: ItemId, forced: bool);

    /// A choice of the branch above: an option, or none (more) of the item's.
    fn choice(&mut self, _option: Option<OptionId>) {}

    /// A node at which the item cannot be covered as often as it must be.
    fn dead(&mut self, item: ItemId);

    /// A node at which all is covered.
    fn solution(&mut self);

    /// All below the last branch that is open has been told.
    fn leave(&mut self) {}

    /// All has been told.
    fn end(&mut self);
}

/// Watches a search, and tells a [`Log`] about it from its beginning to its end: once.
pub(crate) struct Logging<L> {
    log: L,
    primaries: Vec<ItemId>, // by place
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    Open,
    Closed, // told to the end, or given up
}

impl<L: Log> Logging<L> {
    pub(crate) fn new(problem: &Problem, log: L) -> Self {
        let primaries = problem.items().filter(|item| problem.is_primary(*item)).collect();
        Self { log, primaries, state: State::Fresh }
    }

    fn is_open(&self) -> bool {
        self.state == State::Open
    }

    fn dead(&mut self, place: Option<usize>) {
        if let Some(item) = place.and_then(|place| self.primaries.get(place)) {
            self.log.dead(*item);
        }
    }
}

impl<E: Explain, L: Log> Observer<E> for Logging<L> {
    fn begin(&mut self, assumed: &[OptionId], excluded: &[OptionId]) {
        let whole = self.state == State::Fresh && excluded.is_empty();
        self.state = if whole { State::Open } else { State::Closed };
        if whole {
            self.log.begin(assumed);
        }
    }

    fn selected(&mut self, engine: &E, selected: &Selected<E::Branch>) {
        if !self.is_open() {
            return;
        }
        match selected {
            Selected::Complete => self.log.solution(),
            Selected::Dead => self.dead(engine.lacking()),
            Selected::Branch { branch, forced } => {
                let place = engine.decides(branch);
                if let Some(item) = place.and_then(|place| self.primaries.get(place)) {
                    self.log.branch(*item, *forced);
                }
            }
        }
    }

    fn tried(&mut self, engine: &mut E, branch: &E::Branch, tried: Tried) {
        if !self.is_open() {
            return;
        }
        if engine.decides(branch).is_some() {
            self.log.choice(engine.in_hand(branch));
        }
        match tried {
            Tried::Open => (),
            Tried::Complete => self.log.solution(),
            Tried::Dead => self.dead(engine.lacking_if_tried(branch)),
        }
    }

    fn leaving(&mut self, engine: &E, branch: &E::Branch) {
        if !self.is_open() {
            return;
        }
        for _ in 0..engine.passed_up(branch) {
            self.dead(engine.lacking());
        }
        if engine.decides(branch).is_some() {
            self.log.leave();
        }
    }

    fn end(&mut self) {
        if self.is_open() {
            self.log.end();
            self.state = State::Closed;
        }
    }

    fn abandon(&mut self) {
        if self.is_open() {
            self.state = State::Closed;
        }
    }
}

//! The cheapest covers found so far, as many as were asked for.

use alloc::collections::BTreeSet;

use crate::{OptionId, OwnedSolution};

/// At most `room` covers, in the order of their costs.
pub(super) struct Pool {
    room: usize,
    covers: BTreeSet<(i128, OwnedSolution)>,
}

impl Pool {
    /// For so many covers, at least one.
    pub(super) fn new(room: usize) -> Self {
        Self { room: room.max(1), covers: BTreeSet::new() }
    }

    /// What a cover must cost less than to be kept, if there are as many as were asked for.
    pub(super) fn limit(&self) -> Option<i128> {
        let full = self.covers.len() == self.room;
        self.covers.last().filter(|_| full).map(|(cost, _)| *cost)
    }

    /// The covers with their costs.
    pub(super) fn covers(&self) -> impl Iterator<Item = &(i128, OwnedSolution)> {
        self.covers.iter()
    }

    /// Keeps a cover, unless it is there or too dear.
    pub(super) fn add(&mut self, cost: i128, options: &[OptionId]) {
        if self.limit().is_none_or(|limit| cost < limit)
            && self.covers.insert((cost, OwnedSolution::new(options)))
            && self.covers.len() > self.room
        {
            self.covers.pop_last();
        }
    }
}

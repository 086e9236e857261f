//! The cheapest covers found so far, as many as were asked for.

use alloc::vec::Vec;

use crate::{OptionId, OwnedSolution};

/// At most `room` covers, in the order of their costs.
pub(super) struct Pool {
    room: usize,
    covers: Vec<(i128, OwnedSolution)>,
}

impl Pool {
    /// For so many covers, at least one.
    pub(super) fn new(room: usize) -> Self {
        Self { room: room.max(1), covers: Vec::new() }
    }

    /// What a cover must cost less than to be kept.
    pub(super) fn limit(&self) -> Option<i128> {
        self.covers.get(self.room - 1).map(|(cost, _)| *cost)
    }

    /// The covers with their costs.
    pub(super) fn covers(&self) -> &[(i128, OwnedSolution)] {
        &self.covers
    }

    /// Keeps a cover, unless it is there or too dear.
    pub(super) fn add(&mut self, cost: i128, options: &[OptionId]) {
        if self.limit().is_some_and(|limit| cost >= limit) {
            return;
        }
        let cover = (cost, OwnedSolution::new(options));
        if let Err(place) = self.covers.binary_search(&cover) {
            self.covers.insert(place, cover);
            self.covers.truncate(self.room);
        }
    }
}

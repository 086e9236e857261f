//! A walk over all covers with an engine that knows nothing of costs, beside the search with bounds. Where bounds say little,
//! as in puzzles whose covers are few and hard to find, it is at its end long before that, and so is everything.

use crate::{CancelToken, OptionId, Problem, Solver, Statistics, Step};

/// Nodes between two looks at the clock.
const SLICE: u64 = 2000;
/// What a node and an update are taken to cost, in additions of floats: roughly the same for all engines.
const NODE: u64 = 400;
const UPDATE: u64 = 4;
/// The walk begins when the search has done so much, and may do as much as that up to the second figure, and then a part.
const BEGIN: u64 = 1_000_000;
const EQUAL: u64 = 3_000_000_000;
const PART: u64 = 4;

/// The walk.
pub(super) struct Walk {
    problem: Problem,
    solver: Solver,
    divisor: i128,
}

impl Walk {
    /// At its beginning.
    pub(super) fn new(
        problem: &Problem,
        assumed: &[OptionId],
        cancel: Option<&CancelToken>,
        divisor: i128,
    ) -> Option<Self> {
        let solver = problem.solver().assume(assumed.iter().copied()).ok()?;
        let solver = match cancel {
            Some(token) => solver.cancel(token),
            None => solver,
        };
        Some(Self { problem: problem.clone(), solver, divisor })
    }

    /// How much the walk may have done when the search has done so much; `None` if it is not time for it yet.
    pub(super) fn allowance(searched: u64) -> Option<u64> {
        (searched > BEGIN).then_some(searched.min(EQUAL) + searched.saturating_sub(EQUAL) / PART)
    }

    /// How many nodes it may go on for: until it has done so much, but not for long.
    pub(super) fn slice(&self, allowance: u64) -> u64 {
        let Statistics { nodes, updates, .. } = self.solver.statistics();
        (allowance.saturating_sub(nodes * NODE + updates * UPDATE) / NODE).min(SLICE)
    }

    /// Goes on for so many nodes. Calls `found` with each cover and its cost.
    pub(super) fn go_on(&mut self, nodes: u64, mut found: impl FnMut(i128, &[OptionId])) {
        let end = self.solver.statistics().nodes.saturating_add(nodes);
        loop {
            let now = self.solver.statistics().nodes;
            if now >= end {
                return;
            }
            match self.solver.step(end - now) {
                Step::Solution(cover) => {
                    let options = cover.options();
                    found(self.problem.total_cost(options) / self.divisor, options);
                }
                Step::Paused => (),
                Step::Done(_) => return,
            }
        }
    }

    /// Whether all covers have been visited.
    pub(super) fn is_done(&self) -> bool {
        self.solver.outcome().is_exhausted()
    }

    /// The figures so far.
    pub(super) fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

//! How the search for the cheapest covers goes about it: a short look first, then one search after the other, each for
//! covers that cost less than a limit a little above the lower bound, until that is enough.
//!
//! A search with a limit near the bound is left with few options, and fails soon if there is nothing; a cover that it finds
//! is within the limit of the cheapest, and cuts the rest short. What the searches below the last limits cost is little beside
//! the last one, as the limits grow by a factor; and each that fails proves a better lower bound.

use alloc::vec::Vec;

use super::bound::BEYOND;
use super::engine::{Priced, Task};
use super::pool::Pool;
use super::watch::Watch;
use crate::search::{Drive, Event, Search};
use crate::{CancelToken, Limits, OptionId, Outcome, Problem, Statistics, StopReason};

/// Nodes of the first look, without a limit.
const LOOK: u64 = 40;
/// The first limit is so many parts of the bound above it, and the excess grows by a factor each time.
const PARTS: i128 = 256;
const FACTOR: i128 = 4;
/// Limits that are tried before the search goes on without.
const RUNGS: u32 = 6;

/// Why a search paused.
enum Pause {
    Exhausted,
    Fuel,
    Cover,
    Stopped(StopReason),
}

/// A hunt for cheap covers that contain the assumed options. All costs within it are divided by what divides them all.
pub(super) struct Hunt<'a> {
    problem: &'a Problem,
    assumed: &'a [OptionId],
    limits: Limits,
    watch: Watch,
    task: Task,
    statistics: Statistics, // of the searches before the one under way
}

/// What [`Hunt::cheapest`] found.
pub(super) struct Bag {
    pub(super) pool: Pool,
    /// No other cover costs less; `None` if there is no other.
    pub(super) lower_bound: Option<i128>,
    pub(super) outcome: Outcome,
}

impl<'a> Hunt<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        assumed: &'a [OptionId],
        limits: Limits,
        cancel: Option<CancelToken>,
    ) -> Self {
        let (watch, task) = (Watch::new(&limits, cancel), Task::new(problem));
        Self { problem, assumed, limits, watch, task, statistics: Statistics::default() }
    }

    pub(super) fn divisor(&self) -> i128 {
        self.task.divisor
    }

    /// The figures of all searches that have ended.
    pub(super) fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The cheapest covers, as many as the pool has room for.
    pub(super) fn cheapest(&mut self, pool: Pool) -> Bag {
        let mut search = self.search(|_| true, BEYOND, Some(pool));
        let trivial = search.engine().trivial_bound();
        let pause = self.run(&mut search, LOOK, u64::MAX);
        let mut engine = self.end(search);
        let Some((bound, with)) = engine.root.take() else {
            return Bag::new(engine.pool, pause, trivial);
        };
        if !matches!(pause, Pause::Fuel) {
            return Bag::new(engine.pool, pause, bound);
        }
        self.climb(engine.pool, bound, &with)
    }

    /// Searches with rising limits from the bound on. `with` is the least that a cover with each option costs.
    fn climb(&mut self, mut pool: Pool, bound: i128, with: &[i128]) -> Bag {
        let mut excess = (bound.abs() / PARTS).max(1);
        let mut proven = bound;
        for rung in 0.. {
            let most = pool.limit().unwrap_or(BEYOND);
            let near = if rung < RUNGS { bound + excess } else { BEYOND };
            let limit = if near > bound + (most - bound) / 2 { most } else { near };
            let mut search = self.search(|option| with[option.index()] < limit, limit, Some(pool));
            let pause = self.run(&mut search, u64::MAX, u64::MAX);
            let open = search.engine().lower_bound(search.branches()).clamp(proven, limit.max(proven));
            pool = self.end(search).pool;
            match pause {
                Pause::Exhausted if limit < most && pool.limit().is_none_or(|dearest| dearest > limit) => {
                    proven = limit;
                    excess *= FACTOR;
                }
                pause => return Bag::new(pool, pause, open),
            }
        }
        Bag::new(pool, Pause::Exhausted, proven)
    }

    /// All covers that cost less than `limit`.
    pub(super) fn below(&mut self, limit: i128, mut found: impl FnMut(&[OptionId]) -> bool) -> Outcome {
        let mut look = self.search(|_| true, limit, None);
        let pause = self.run(&mut look, 1, 1);
        let root = self.end(look).root;
        self.statistics = Statistics::default(); // it is done again
        if let Pause::Stopped(reason) = pause {
            return Outcome::Stopped(reason);
        }
        let with = root.map_or(Vec::new(), |(_, with)| with);
        let keep = |option: OptionId| with.get(option.index()).is_none_or(|with| *with < limit);
        let mut search = self.search(keep, limit, None);
        let outcome = loop {
            if self.limits.solutions.is_some_and(|most| search.statistics().solutions >= most) {
                break Outcome::Stopped(StopReason::Solutions);
            }
            match self.run(&mut search, u64::MAX, 1) {
                Pause::Exhausted => break Outcome::Exhausted,
                Pause::Stopped(reason) => break Outcome::Stopped(reason),
                Pause::Cover if !found(search.solution()) => break Outcome::Stopped(StopReason::Paused),
                Pause::Cover | Pause::Fuel => (),
            }
        };
        self.end(search);
        outcome
    }

    fn search(&self, keep: impl Fn(OptionId) -> bool, limit: i128, pool: Option<Pool>) -> Search<Priced> {
        let engine = Priced::new(self.problem, &self.task, keep, limit, pool, self.watch.clone());
        let mut search = Search::new(engine);
        search.assume(self.assumed);
        search
    }

    /// Searches on node by node, for these can take long.
    fn run(&self, search: &mut Search<Priced>, fuel: u64, quota: u64) -> Pause {
        for _ in 0..fuel {
            if self.limits.nodes.is_some_and(|most| self.statistics.nodes + search.statistics().nodes >= most)
            {
                return Pause::Stopped(StopReason::Nodes);
            }
            if let Some(reason) = self.watch.reason() {
                return Pause::Stopped(reason);
            }
            match search.run(1, quota) {
                Event::Exhausted => return Pause::Exhausted,
                Event::Quota => return Pause::Cover,
                Event::Fuel => (),
            }
        }
        Pause::Fuel
    }

    /// Adds up the figures of a search.
    fn end(&mut self, search: Search<Priced>) -> Priced {
        let (sum, more) = (&mut self.statistics, search.statistics());
        sum.nodes += more.nodes;
        sum.forced += more.forced;
        sum.updates += more.updates;
        sum.solutions += more.solutions;
        sum.depth = sum.depth.max(more.depth);
        search.into_engine()
    }
}

impl Bag {
    fn new(pool: Pool, pause: Pause, bound: i128) -> Self {
        match pause {
            Pause::Stopped(reason) => {
                let lower_bound = Some(pool.limit().map_or(bound, |dearest| bound.min(dearest)));
                Self { pool, lower_bound, outcome: Outcome::Stopped(reason) }
            }
            _ => Self { lower_bound: pool.limit(), pool, outcome: Outcome::Exhausted },
        }
    }
}

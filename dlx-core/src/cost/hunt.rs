//! How the search for the cheapest covers goes about it: a short look first, then one search after the other, each for
//! covers that cost less than a limit a little above the lower bound, until that is enough.
//!
//! A search with a limit near the bound is left with few options, and fails soon if there is nothing; a cover that it finds
//! is within the limit of the cheapest, and cuts the rest short. What the searches below the last limits cost is little beside
//! the last one, as the limits grow by a factor; and each that fails proves a better lower bound.

use alloc::vec::Vec;

use super::bound::BEYOND;
use super::engine::{Priced, Root, Task};
use super::pool::Pool;
use super::walk::Walk;
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
    /// There is nothing cheaper than what was found, within the limit of the search.
    Exhausted,
    /// All covers have been visited.
    Complete,
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
    cancel: Option<CancelToken>,
    task: Task,
    walk: Option<Walk>,
    statistics: Statistics, // of the searches before the one under way
    work: u64,              // of these
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
        let (watch, task) = (Watch::new(&limits, cancel.clone()), Task::new(problem));
        let statistics = Statistics::default();
        Self { problem, assumed, limits, watch, cancel, task, walk: None, statistics, work: 0 }
    }

    pub(super) fn divisor(&self) -> i128 {
        self.task.divisor
    }

    /// The figures of all searches that have ended, and of the walk.
    pub(super) fn statistics(&self) -> Statistics {
        let walked = self.walk.as_ref().map_or(Statistics::default(), Walk::statistics);
        sum(self.statistics, walked)
    }

    /// The cheapest covers, as many as the pool has room for.
    pub(super) fn cheapest(&mut self, pool: Pool) -> Bag {
        let mut search = self.search(|_| true, BEYOND, Some(pool));
        let trivial = search.engine().trivial_bound();
        let pause = self.run(&mut search, LOOK, u64::MAX);
        let (pool, root) = self.end(search);
        match (pause, root) {
            (Pause::Fuel, Some((bound, with))) => self.climb(pool, bound, &with),
            (pause, root) => Bag::new(pool, pause, root.map_or(trivial, |(bound, _)| bound)),
        }
    }

    /// Searches with rising limits from the bound on. `with` is the least that a cover with each option costs.
    fn climb(&mut self, mut pool: Pool, bound: i128, with: &[i128]) -> Bag {
        let mut excess = (bound.abs() / PARTS).max(1);
        let mut proven = bound;
        let mut rung = 0;
        loop {
            let most = pool.limit().unwrap_or(BEYOND);
            let near = if rung < RUNGS { bound + excess } else { BEYOND };
            let limit = if near > bound + (most - bound) / 2 { most } else { near };
            let mut search = self.search(|option| with[option.index()] < limit, limit, Some(pool));
            let pause = self.run(&mut search, u64::MAX, u64::MAX);
            let open = search.engine().lower_bound(search.branches()).clamp(proven, limit.max(proven));
            (pool, _) = self.end(search);
            match pause {
                Pause::Exhausted if limit < most && pool.limit().is_none_or(|dearest| dearest > limit) => {
                    proven = limit;
                    excess *= FACTOR;
                    rung += 1;
                }
                pause => return Bag::new(pool, pause, open),
            }
        }
    }

    /// All covers that cost less than `limit`.
    pub(super) fn below(&mut self, limit: i128, mut found: impl FnMut(&[OptionId]) -> bool) -> Outcome {
        let mut look = self.search(|_| true, limit, None);
        let pause = self.run(&mut look, 1, 1);
        let (_, root) = self.end(look);
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
                Pause::Exhausted | Pause::Complete => break Outcome::Exhausted,
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

    /// Searches on node by node, for these can take long; and walks beside it, if all covers need not be reported.
    fn run(&mut self, search: &mut Search<Priced>, fuel: u64, quota: u64) -> Pause {
        for _ in 0..fuel {
            if let Some(reason) = self.stop_reason(search) {
                return Pause::Stopped(reason);
            }
            match search.run(1, quota) {
                Event::Exhausted => return Pause::Exhausted,
                Event::Quota => return Pause::Cover,
                Event::Fuel => (),
            }
            if let Some(pause) = self.walk(search) {
                return pause;
            }
        }
        Pause::Fuel
    }

    /// Lets the walk catch up with the search. Why all is over, if it is.
    fn walk(&mut self, search: &mut Search<Priced>) -> Option<Pause> {
        let allowance = Walk::allowance(self.work + search.engine().work())?;
        if self.walk.is_none() {
            let cancel = self.cancel.as_ref();
            self.walk = Walk::new(self.problem, self.assumed, cancel, self.task.divisor);
        }
        let searched = search.statistics().nodes;
        loop {
            let nodes = self.nodes_left(searched);
            let walk = self.walk.as_mut()?;
            let pool = search.engine_mut().pool.as_mut()?;
            let again = walk.go_on(allowance, nodes, pool);
            if walk.is_done() {
                return Some(Pause::Complete);
            }
            if !again {
                return None;
            }
            if let Some(reason) = self.stop_reason(search) {
                return Some(Pause::Stopped(reason));
            }
        }
    }

    fn stop_reason(&self, search: &Search<Priced>) -> Option<StopReason> {
        match self.nodes_left(search.statistics().nodes) {
            0 => Some(StopReason::Nodes),
            _ => self.watch.reason(),
        }
    }

    /// How many nodes are left, with so many in the search under way.
    fn nodes_left(&self, searched: u64) -> u64 {
        let walked = self.walk.as_ref().map_or(0, |walk| walk.statistics().nodes);
        let nodes = self.statistics.nodes + searched + walked;
        self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes))
    }

    /// Adds up the figures of a search. What it found, and what it said of the root.
    fn end(&mut self, search: Search<Priced>) -> (Pool, Option<Root>) {
        self.statistics = sum(self.statistics, search.statistics());
        let mut engine = search.into_engine();
        self.work += engine.work();
        (engine.pool.take().unwrap_or_else(|| Pool::new(1)), engine.root.take())
    }
}

fn sum(a: Statistics, b: Statistics) -> Statistics {
    Statistics {
        nodes: a.nodes + b.nodes,
        forced: a.forced + b.forced,
        updates: a.updates + b.updates,
        solutions: a.solutions + b.solutions,
        depth: a.depth.max(b.depth),
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

//! How the search for the cheapest covers goes about it: a short look first, then one search after the other, each for
//! covers that cost less than a limit a little above the lower bound, until that is enough.
//!
//! A search with a limit near the bound is left with few options, and fails soon if there is nothing; a cover that it finds
//! is within the limit of the cheapest, and cuts the rest short. What the searches below the last limits cost is little beside
//! the last one, as the limits grow by a factor; and each that fails proves a better lower bound.
//!
//! Several threads share each search; what they have [in common](Common), they look at before and after each node.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::bound::BEYOND;
#[cfg(feature = "parallel")]
use super::crew::{Crew, Report};
use super::engine::{Priced, Reason, Root, Task};
use super::lock::Lock;
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pause {
    /// There is nothing cheaper than what was found, within the limit of the search.
    Exhausted,
    /// All covers have been visited.
    Complete,
    Fuel,
    Cover,
    Stopped(StopReason),
}

/// A hunt for cheap covers that contain the assumed options. All costs within it are divided by what divides them all.
pub(crate) struct Hunt<'a> {
    pub(super) problem: &'a Problem,
    assumed: &'a [OptionId],
    pub(super) limits: Limits,
    watch: Watch,
    cancel: Option<CancelToken>,
    task: Task,
    #[cfg(feature = "parallel")]
    threads: usize,
    common: Lock<Common>,
    walk: Lock<Option<Walk>>,
}

/// What all threads have in common.
struct Common {
    pool: Pool,
    room: usize,            // in the pool; none if covers are reported instead
    nodes: u64,             // of all searches and the walk, those included that are about to be searched
    work: u64,              // of all searches
    statistics: Statistics, // of those that have ended
}

impl Common {
    /// Keeps so many covers.
    fn reserve(&mut self, room: usize) {
        (self.pool, self.room) = (Pool::new(room), room);
    }

    /// How much the walk may have done; `None` if there should be none.
    fn allowance(&self) -> Option<u64> {
        Walk::allowance(self.work).filter(|_| self.room > 0)
    }
}

/// What a search came to.
pub(super) struct Explored {
    pub(super) pause: Pause,
    /// What no cover that is left costs less than.
    pub(super) open: i128,
    pub(super) root: Option<Root>,
}

/// What [`Hunt::cheapest`] found.
pub(super) struct Bag {
    pub(super) pool: Pool,
    /// No other cover costs less; `None` if there is no other.
    pub(super) lower_bound: Option<i128>,
    pub(super) pause: Pause,
    pub(super) statistics: Statistics,
}

impl<'a> Hunt<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        assumed: &'a [OptionId],
        limits: Limits,
        cancel: Option<CancelToken>,
    ) -> Self {
        let (watch, task) = (Watch::new(&limits, cancel.clone()), Task::new(problem));
        let common =
            Common { pool: Pool::new(1), room: 0, nodes: 0, work: 0, statistics: Statistics::default() };
        Self {
            problem,
            assumed,
            limits,
            watch,
            cancel,
            task,
            #[cfg(feature = "parallel")]
            threads: 1,
            common: Lock::new(common),
            walk: Lock::new(None),
        }
    }

    /// By so many threads.
    #[cfg(feature = "parallel")]
    pub(crate) fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    pub(super) fn divisor(&self) -> i128 {
        self.task.divisor
    }

    /// Covers that cost at most `most`, before costs are divided, cost less than that.
    pub(super) fn limit_of(&self, most: i128) -> i128 {
        most.div_euclid(self.task.divisor).saturating_add(1)
    }

    /// The `k` cheapest covers.
    pub(super) fn cheapest(self, k: usize) -> Bag {
        let room = k.max(1);
        self.common.take().reserve(room);
        let search = self.search(|_| true, BEYOND);
        let trivial = search.engine().trivial_bound();
        let (pause, bound) = match self.explore(search, LOOK) {
            Explored { pause: Pause::Fuel, root: Some((bound, with)), .. } => self.climb(bound, &with),
            Explored { pause, root, .. } => (pause, root.map_or(trivial, |(bound, _)| bound)),
        };
        self.bag(pause, bound)
    }

    /// Searches with rising limits from the bound on. `with` is the least that a cover with each option costs. Returns why that
    /// ended, and a bound on what is left.
    fn climb(&self, bound: i128, with: &[i128]) -> (Pause, i128) {
        let mut excess = (bound.abs() / PARTS).max(1);
        let mut proven = bound;
        let mut rung = 0;
        let dearest = || self.common.take().pool.limit();
        loop {
            let most = dearest().unwrap_or(BEYOND);
            let near = if rung < RUNGS { bound + excess } else { BEYOND };
            let limit = if near > bound + (most - bound) / 2 { most } else { near };
            let search = self.search(|option| with[option.index()] < limit, limit);
            let Explored { pause, open, .. } = self.explore(search, u64::MAX);
            match pause {
                Pause::Exhausted if limit < most && dearest().is_none_or(|dearest| dearest > limit) => {
                    proven = limit;
                    excess *= FACTOR;
                    rung += 1;
                }
                pause => return (pause, open.clamp(proven, limit.max(proven))),
            }
        }
    }

    /// Searches so many nodes, or all of it.
    fn explore(&self, mut search: Search<Priced>, fuel: u64) -> Explored {
        #[cfg(feature = "parallel")]
        if self.threads > 1 {
            return Crew::new(self, fuel, None).search(search, self.threads);
        }
        let pause = self.run(&mut search, fuel, u64::MAX);
        let open = search.engine().lower_bound(search.branches(), 0);
        Explored { pause, open, root: self.end(search) }
    }

    /// All covers that cost less than `limit`, by this thread.
    pub(super) fn below(
        self,
        limit: i128,
        mut found: impl FnMut(&[OptionId]) -> Option<StopReason>,
    ) -> (Outcome, Statistics) {
        let mut search = match self.look_below(limit) {
            Ok(search) => search,
            Err(reason) => return self.over(Pause::Stopped(reason)),
        };
        let pause = loop {
            let pause = self.run(&mut search, u64::MAX, 1);
            if pause != Pause::Cover {
                break pause;
            }
            if let Some(reason) = found(search.solution()) {
                break Pause::Stopped(reason);
            }
        };
        self.end(search);
        self.over(pause)
    }

    /// The same by all threads, of which one at a time calls `found`.
    #[cfg(feature = "parallel")]
    pub(super) fn below_together(self, limit: i128, found: Report<'_>) -> (Outcome, Statistics) {
        match self.look_below(limit) {
            Ok(search) => {
                let Explored { pause, .. } =
                    Crew::new(&self, u64::MAX, Some(found)).search(search, self.threads);
                self.over(pause)
            }
            Err(reason) => self.over(Pause::Stopped(reason)),
        }
    }

    /// Searches for covers that cost less than `limit`, and tells why there are none.
    pub(super) fn refute(self, limit: i128, mut told: impl FnMut(Reason)) -> Outcome {
        let mut search = self.search(|_| true, limit);
        search.engine_mut().keep_log();
        loop {
            let pause = self.search_node(&mut search, u64::MAX);
            search.engine_mut().take_log().into_iter().for_each(&mut told);
            if pause != Pause::Fuel {
                return pause.outcome();
            }
        }
    }

    /// Looks at the root, and prepares a search for covers that cost less than `limit` among the options that may be in one.
    fn look_below(&self, limit: i128) -> Result<Search<Priced>, StopReason> {
        let mut look = self.search(|_| true, limit);
        let pause = self.run(&mut look, 1, 1);
        let with = self.end(look).map_or(Vec::new(), |(_, with)| with);
        self.forget(); // it is done again
        if let Pause::Stopped(reason) = pause {
            return Err(reason);
        }
        Ok(self.search(|option| with.get(option.index()).is_none_or(|with| *with < limit), limit))
    }

    /// Forgets what was counted.
    fn forget(&self) {
        let mut common = self.common.take();
        (common.nodes, common.statistics) = (0, Statistics::default());
    }

    fn search(&self, keep: impl Fn(OptionId) -> bool, limit: i128) -> Search<Priced> {
        let room = self.common.take().room;
        let engine = Priced::new(self.problem, &self.task, keep, limit, room, self.watch.clone());
        let mut search = Search::new(engine);
        search.assume(self.assumed);
        search
    }

    /// Searches on node by node, for these can take long; and walks beside it, if all covers need not be reported.
    fn run(&self, search: &mut Search<Priced>, fuel: u64, quota: u64) -> Pause {
        for _ in 0..fuel {
            match self.search_node(search, quota) {
                Pause::Fuel => (),
                pause => return pause,
            }
            if let ControlFlow::Break(pause) = self.walk(|| false) {
                return pause;
            }
        }
        Pause::Fuel
    }

    /// Searches one node.
    pub(super) fn search_node(&self, search: &mut Search<Priced>, quota: u64) -> Pause {
        if let Err(reason) = self.book_node(search) {
            return Pause::Stopped(reason);
        }
        let (nodes, work) = (search.statistics().nodes, search.engine().work());
        let event = search.run(1, quota);
        self.note(search, nodes, work);
        match event {
            Event::Exhausted => Pause::Exhausted,
            Event::Quota => Pause::Cover,
            Event::Fuel => Pause::Fuel,
        }
    }

    /// Before a node: books it, and tells the search what is not wanted any more. Or says why there is to be none.
    fn book_node(&self, search: &mut Search<Priced>) -> Result<(), StopReason> {
        let mut common = self.common.take();
        if self.limits.nodes.is_some_and(|most| common.nodes >= most) {
            return Err(StopReason::Nodes);
        }
        if let Some(reason) = self.watch.reason() {
            return Err(reason);
        }
        common.nodes += 1;
        if common.room > 0
            && let Some(dearest) = common.pool.limit()
        {
            search.engine_mut().lower_limit(dearest);
        }
        Ok(())
    }

    /// After a node that was booked: what it came to, where the search had so many nodes and so much work before.
    fn note(&self, search: &mut Search<Priced>, nodes: u64, work: u64) {
        let mut common = self.common.take();
        common.nodes = common.nodes - 1 + (search.statistics().nodes - nodes);
        common.work += search.engine().work() - work;
        for (cost, options) in search.engine_mut().take_found() {
            common.pool.add(cost, &options);
        }
    }

    /// Lets the walk catch up with the search, unless another thread does or it `is_over`. Whether it went on; or why all is over.
    pub(super) fn walk(&self, is_over: impl Fn() -> bool) -> ControlFlow<Pause, bool> {
        let Some(allowance) = self.common.take().allowance() else { return ControlFlow::Continue(false) };
        let Some(mut walk) = self.walk.try_take() else { return ControlFlow::Continue(false) };
        if walk.is_none() {
            *walk = Walk::new(self.problem, self.assumed, self.cancel.as_ref(), self.task.divisor);
        }
        let Some(walk) = walk.as_mut() else { return ControlFlow::Continue(false) };
        let mut walked = false;
        while !is_over() && self.walk_on(walk, allowance) {
            walked = true;
            if walk.is_done() {
                return ControlFlow::Break(Pause::Complete);
            }
            if let Some(reason) = self.watch.reason() {
                return ControlFlow::Break(Pause::Stopped(reason));
            }
        }
        ControlFlow::Continue(walked)
    }

    /// Walks a little, and books that. False if it must not.
    fn walk_on(&self, walk: &mut Walk, allowance: u64) -> bool {
        let nodes = {
            let mut common = self.common.take();
            let left = self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(common.nodes));
            let nodes = walk.slice(allowance).min(left);
            common.nodes += nodes;
            nodes
        };
        let before = walk.statistics().nodes;
        walk.go_on(nodes, |cost, options| self.common.take().pool.add(cost, options));
        let done = walk.statistics().nodes - before;
        self.common.take().nodes -= nodes - done;
        nodes > 0
    }

    /// Adds up the figures of a search. What it said of the root.
    fn end(&self, search: Search<Priced>) -> Option<Root> {
        self.add(search.statistics());
        search.into_engine().root.take()
    }

    /// Adds up the figures of a search.
    pub(super) fn add(&self, statistics: Statistics) {
        let mut common = self.common.take();
        common.statistics = sum(common.statistics, statistics);
    }

    /// How it ended, and the figures of all.
    fn over(self, pause: Pause) -> (Outcome, Statistics) {
        let walked = self.walk.into_inner().map_or(Statistics::default(), |walk| walk.statistics());
        (pause.outcome(), sum(self.common.into_inner().statistics, walked))
    }

    /// All that was found, where the bound is that of what is left.
    fn bag(self, pause: Pause, bound: i128) -> Bag {
        let pool = core::mem::replace(&mut self.common.take().pool, Pool::new(1));
        let (outcome, statistics) = self.over(pause);
        let dearest = pool.limit();
        let lower_bound = match outcome {
            Outcome::Exhausted => dearest,
            Outcome::Stopped(_) => Some(dearest.map_or(bound, |dearest| bound.min(dearest))),
        };
        Bag { pool, lower_bound, pause, statistics }
    }
}

impl Pause {
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Exhausted | Self::Complete => Outcome::Exhausted,
            Self::Fuel | Self::Cover => Outcome::Stopped(StopReason::Paused),
            Self::Stopped(reason) => Outcome::Stopped(reason),
        }
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

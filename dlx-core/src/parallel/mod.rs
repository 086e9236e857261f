//! A search by several threads, which find what one finds.
//!
//! The tree is cut into parts, each a set of assumptions, while it is searched: a thread that has been on a part for some
//! time gives back what is left to try at the lowest branches of its stack, which is most of the part as a rule. The
//! parts stand in [line](line) in the order of the tree. A [crew](crew) of threads takes them from the front, so that whatever is found
//! can be delivered soon; a [tally](tally) tells the threads what they have done together.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::sync::atomic::Ordering;
use std::sync::Mutex;

use crate::cost::{self, Hunt};
use crate::frontier::{Frontier, Piece};
use crate::{
    AssumeError, CancelToken, Cheapest, Checkpoint, Count, EngineKind, Limits, MinCost, OptionId, Outcome,
    Problem, SavedError, Solution, Statistics, StopReason,
};
use crew::{Consumer, Crew, Pace};
use tally::{Counters, Tally};

mod crew;
mod line;
mod tally;
#[cfg(test)]
mod tests;

/// A search for the solutions of a [`Problem`] by several threads.
///
/// ```
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let items = b.unnamed_primaries(8)?;
/// for pair in 0..4 {
///     for _ in 0..10 {
///         b.option([items[2 * pair], items[2 * pair + 1]])?;
///     }
/// }
/// let problem = b.build()?;
/// assert_eq!(problem.parallel(2).count().value, 10_000u32.into());
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub struct Parallel {
    problem: Problem,
    engine: EngineKind,
    threads: usize,
    assumed: Vec<OptionId>,
    limits: Limits,
    cancel: Option<CancelToken>,
    pace: Pace,
    statistics: Statistics,
    resumed: Option<(Frontier, Statistics)>,
    left: Option<(Frontier, Statistics)>, // by the last search, if that is known
    counters: Arc<Counters>,
}

/// How far a [`Parallel`] search has come, to be looked at while it goes on.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Counters>);

impl Progress {
    /// How many solutions have been found, those before a resumed checkpoint included.
    pub fn solutions(&self) -> u64 {
        self.0.solutions.load(Ordering::Relaxed)
    }

    /// Likewise the nodes.
    pub fn nodes(&self) -> u64 {
        self.0.nodes.load(Ordering::Relaxed)
    }

    /// How much of the tree has been searched, from 0 to 1, as [`Solver::progress`](crate::Solver::progress) says. It grows
    /// whenever a thread is done with something.
    pub fn share(&self) -> f64 {
        f64::from_bits(self.0.share.load(Ordering::Relaxed)).clamp(0.0, 1.0)
    }
}

impl Parallel {
    pub(crate) fn new(problem: Problem, threads: usize) -> Self {
        Self {
            problem,
            engine: EngineKind::Auto,
            threads,
            assumed: Vec::new(),
            limits: Limits::none(),
            cancel: None,
            pace: Pace::default(),
            statistics: Statistics::default(),
            resumed: None,
            left: None,
            counters: Arc::default(),
        }
    }

    /// Sets the engine that each thread uses.
    #[must_use]
    pub fn engine(mut self, engine: EngineKind) -> Self {
        self.engine = engine;
        self
    }

    /// As [`Solver::assume`](crate::Solver::assume).
    ///
    /// # Errors
    /// An unknown option, or one without a primary item.
    pub fn assume(mut self, options: impl IntoIterator<Item = OptionId>) -> Result<Self, AssumeError> {
        let mut assumed = self.assumed.clone();
        assumed.extend(options);
        self.problem.solver_on(EngineKind::Links).reassume(assumed.iter().copied())?;
        self.assumed = assumed;
        Ok(self)
    }

    /// As [`Solver::resume`](crate::Solver::resume): each search begins from that checkpoint, in place of assumptions. When it is
    /// stopped, solutions that have been found are delivered at once, whatever their turn, so that
    /// [`checkpoint`](Self::checkpoint) tells what is left.
    ///
    /// ```
    /// use dlx_core::{Limits, ProblemBuilder};
    ///
    /// let mut b = ProblemBuilder::new();
    /// for item in b.unnamed_primaries(16)? {
    ///     b.option([item])?;
    ///     b.option([item])?;
    /// }
    /// let problem = b.build()?;
    /// let mut checkpoint = problem.solver().checkpoint();
    /// while !checkpoint.is_finished() {
    ///     let nodes = checkpoint.statistics().nodes + 20_000;
    ///     let mut search = problem.parallel(2).resume(&checkpoint)?.limit(Limits::none().nodes(nodes));
    ///     let _ = search.count();
    ///     checkpoint = search.checkpoint().expect("there is no limit on solutions");
    /// }
    /// assert_eq!(checkpoint.statistics().solutions, 1 << 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A checkpoint of another problem.
    pub fn resume(mut self, checkpoint: &Checkpoint) -> Result<Self, SavedError> {
        checkpoint.check(&self.problem)?;
        self.resumed = Some((checkpoint.left.clone(), checkpoint.statistics()));
        Ok(self)
    }

    /// What the last search has found and what is left, if that search was [resumed](Self::resume). `None` too if the caller or the
    /// limit on solutions ended it: some thread may have found more, which is lost then.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        self.left.clone().map(|left| Checkpoint::new(&self.problem, left))
    }

    /// To be looked at by another thread.
    pub fn progress(&self) -> Progress {
        Progress(self.counters.clone())
    }

    /// Sets the limits for all threads together. Nodes are looked at every few thousand for each thread, so that a limit on
    /// nodes is overstepped by as many.
    #[must_use]
    pub fn limit(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Lets the token stop all threads.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// The figures of the last search, all threads together. With links, and without bounds, nodes, forced choices and depth are those of a
    /// single solver.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Counts the solutions, up to the limits. One thread alone does it where
    /// [`CountMethod::Auto`](crate::CountMethod::Auto) would not visit the solutions.
    pub fn count(&mut self) -> Count {
        let mut limits = self.limits;
        let all = self.resumed.is_none();
        if all && self.engine == EngineKind::Auto && limits.solutions.is_none() && !self.problem.has_bounds()
        {
            match self.count_alone() {
                Ok(count) => return count,
                Err(left) => limits = left,
            }
        }
        let outcome = self.run::<OptionId>(limits, None);
        Count { value: self.statistics.solutions.into(), outcome }
    }

    /// Counts without visiting the solutions, or finds out that it is better to visit them: what is left of the
    /// limits then.
    fn count_alone(&mut self) -> Result<Count, Limits> {
        let mut solver = self.problem.solver().limit(self.limits);
        let assumed = solver.reassume(self.assumed.iter().copied());
        debug_assert!(assumed.is_ok(), "they have been assumed before");
        if let Some(cancel) = &self.cancel {
            solver = solver.cancel(cancel);
        }
        let count = solver.count_unless_better_visited(self.threads());
        self.statistics = solver.statistics();
        count.ok_or_else(|| solver.limits_left())
    }

    /// As [`Solver::min_cost`](crate::Solver::min_cost), with the same costs and bound when it is not stopped. Of several
    /// solutions that are the cheapest, it may be another one in each run.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// for (option, cost) in [(vec![a, c], 10), (vec![a], 3), (vec![c], 4)] {
    ///     let option = b.option(option)?;
    ///     b.set_cost(option, cost)?;
    /// }
    /// let best = b.build()?.parallel(2).min_cost();
    /// assert!(best.outcome.is_exhausted()); // it is the optimum
    /// assert_eq!(best.cover.map(|cover| cover.cost), Some(7));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn min_cost(&mut self) -> MinCost {
        self.cheapest(1).into()
    }

    /// As [`Solver::cheapest`](crate::Solver::cheapest), with the same costs when it is not stopped. All solutions that cost less
    /// than the last are found, so that these are the same as well; those that cost as much may be others in each run.
    ///
    /// What one thread finds is a limit to all. Each has a relaxation of its own, and takes parts of the tree that others have
    /// not tried when it has nothing to do; a [checkpoint](Self::resume) does not confine them. The limits hold for all together.
    pub fn cheapest(&mut self, k: usize) -> Cheapest {
        let found = cost::cheapest(self.hunt(), k);
        self.statistics = found.statistics;
        found
    }

    /// As [`Solver::at_most`](crate::Solver::at_most): the same solutions, in no order. `f` is called in one thread or another
    /// but never in two at a time.
    pub fn at_most(
        &mut self,
        most: i128,
        f: impl FnMut(Solution<'_>, i128) -> ControlFlow<()> + Send,
    ) -> (Outcome, Statistics) {
        let (outcome, statistics) = cost::at_most_together(self.hunt(), most, f);
        self.statistics = statistics;
        (outcome, statistics)
    }

    fn hunt(&self) -> Hunt<'_> {
        Hunt::new(&self.problem, &self.assumed, self.limits, self.cancel.clone()).threads(self.threads())
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
            n => n,
        }
    }

    /// Calls `f` with each solution until it says [`Break`](ControlFlow::Break), in one thread or another but never in two
    /// at a time.
    ///
    /// The solutions come in the order of the tree, the same in every run and with any number of threads; with the engine
    /// links, and without bounds, that is the order in which a single [`Solver`](crate::Solver) finds them (the others learn as
    /// they go, each part anew). What is found too early is held until its turn comes; when too much is held, only one thread goes on.
    pub fn for_each(&mut self, mut f: impl FnMut(Solution<'_>) -> ControlFlow<()> + Send) -> Outcome {
        self.visit(&|solution, contents| contents.extend_from_slice(solution), |options| f(Solution(options)))
    }

    /// As [`for_each`](Self::for_each), for output that takes longer than the search: the thread that finds a solution has
    /// it written as bytes, and `f` gets those.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    /// use std::io::Write as _;
    /// use std::ops::ControlFlow;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let a = b.primary("a")?;
    /// b.option([a])?;
    /// b.option([a])?;
    /// let mut text = Vec::new();
    /// let outcome = b.build()?.parallel(2).for_each_written(
    ///     |solution, bytes| {
    ///         let _ = writeln!(bytes, "{solution:?}"); // a vector takes all there is
    ///     },
    ///     |bytes| {
    ///         text.extend_from_slice(bytes);
    ///         ControlFlow::Continue(())
    ///     },
    /// );
    /// assert!(outcome.is_exhausted());
    /// assert_eq!(text, b"[0]\n[1]\n");
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn for_each_written(
        &mut self,
        write: impl Fn(Solution<'_>, &mut Vec<u8>) + Sync,
        f: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
    ) -> Outcome {
        self.visit(&|solution, bytes| write(Solution(solution), bytes), f)
    }

    /// Has each solution written and read, within the limits.
    fn visit<T: Copy + Send>(
        &mut self,
        write: &(dyn Fn(&[OptionId], &mut Vec<T>) + Sync),
        mut f: impl FnMut(&[T]) -> ControlFlow<()> + Send,
    ) -> Outcome {
        let limit = self.limits.solutions;
        let past = self.past();
        if limit.is_some_and(|limit| limit <= past.solutions) {
            self.statistics = past;
            return Outcome::Stopped(StopReason::Solutions);
        }
        let (mut delivered, mut reason) = (past.solutions, None);
        let mut read = |contents: &[T]| {
            delivered += 1;
            if f(contents).is_break() {
                reason = Some(StopReason::Paused);
            } else if limit == Some(delivered) {
                reason = Some(StopReason::Solutions);
            }
            reason.map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
        };
        let consumer = Consumer { write, read: Mutex::new(&mut read) };
        let outcome = self.run(Limits { solutions: None, ..self.limits }, Some(consumer));
        self.statistics.solutions = delivered;
        reason.map_or(outcome, Outcome::Stopped)
    }

    /// What was done before a checkpoint that each search begins from.
    fn past(&self) -> Statistics {
        self.resumed.as_ref().map(|(_, past)| *past).unwrap_or_default()
    }

    /// Searches, and keeps the figures.
    fn run<T: Copy + Send>(&mut self, limits: Limits, consumer: Option<Consumer<'_, T>>) -> Outcome {
        let threads = self.threads();
        let whole = || (Piece::whole(&self.assumed).into(), Statistics::default());
        let (pieces, past) = self.resumed.clone().unwrap_or_else(whole);
        let counters = self.counters.clone();
        let tally = Tally::new(limits, self.cancel.clone(), counters, past, pieces.share());
        let complete = self.resumed.is_some();
        let crew = Crew::new(&self.problem, self.engine, pieces, self.pace, &tally, consumer, complete);
        crew.search(threads);
        let left = if complete { crew.wind_up() } else { None };
        self.statistics = tally.statistics();
        let outcome = tally.outcome();
        let exact = outcome != Outcome::Stopped(StopReason::Solutions);
        self.left = left.filter(|_| exact).map(|left| (left, self.statistics));
        outcome
    }
}

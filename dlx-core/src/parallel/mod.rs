//! A search by several threads, which find what one finds.
//!
//! The tree is cut into parts, each a set of assumptions, while it is searched: a thread that has been on a part for some
//! time gives back what is left to try at the lowest branches of its stack, which is most of the part as a rule. The
//! parts stand in [line](line) in the order of the tree. A [crew](crew) of threads takes them from the front, so that whatever is found
//! can be delivered soon; a [tally](tally) tells the threads what they have done together.

use alloc::vec::Vec;
use core::ops::ControlFlow;
use std::sync::Mutex;

use crate::{
    AssumeError, CancelToken, Count, EngineKind, Limits, OptionId, Outcome, Problem, Solution, Statistics,
    StopReason,
};
use crew::{Consumer, Crew, Pace};
use tally::Tally;

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
        if self.engine == EngineKind::Auto && limits.solutions.is_none() && !self.problem.has_bounds() {
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
        if limit == Some(0) {
            self.statistics = Statistics::default();
            return Outcome::Stopped(StopReason::Solutions);
        }
        let (mut delivered, mut reason) = (0, None);
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

    /// Searches, and keeps the figures.
    fn run<T: Copy + Send>(&mut self, limits: Limits, consumer: Option<Consumer<'_, T>>) -> Outcome {
        let threads = self.threads();
        let tally = Tally::new(limits, self.cancel.clone());
        Crew::new(&self.problem, self.engine, &self.assumed, self.pace, &tally, consumer).search(threads);
        self.statistics = tally.statistics();
        tally.outcome()
    }
}

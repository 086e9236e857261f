//! A search by several threads. The tree is cut below its upper levels into many more parts than there are threads, each
//! a set of assumptions; idle threads steal parts from busy ones (rayon). Solutions and counts are those of one thread.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Instant;

use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use crate::{
    AssumeError, CancelToken, Count, CountMethod, EngineKind, Limits, OptionId, Outcome, Problem, Solution,
    Solver, Statistics, Step, StopReason,
};

/// How many parts there should be for each thread. The largest should be small against the whole, or the last thread
/// works alone at the end.
const PARTS: usize = 128;

/// Nodes between two looks at what the other threads have found.
const SLICE: u64 = 1 << 14;

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
            statistics: Statistics::default(),
        }
    }

    /// Sets the engine that each thread uses.
    #[must_use]
    pub fn engine(mut self, engine: EngineKind) -> Self {
        self.engine = engine;
        self
    }

    /// As [`Solver::assume`].
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

    /// The figures of the last search, all threads together; `depth` is below the parts.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Counts the solutions, up to the limits. One thread alone does it where [`CountMethod::Auto`] would not visit the
    /// solutions.
    pub fn count(&mut self) -> Count {
        let mut limits = self.limits;
        if self.engine == EngineKind::Auto && limits.solutions.is_none() {
            match self.count_alone() {
                Ok(count) => return count,
                Err(left) => limits = left,
            }
        }
        let shared = Shared::new(limits, self.cancel.clone());
        self.run(&shared, &|solver, _| {
            let mut before = Statistics::default();
            loop {
                let nodes = solver.statistics().nodes;
                solver.set_limit(Limits::none().nodes(nodes.saturating_add(SLICE)));
                let ended = solver.count_by(CountMethod::Enumerate).outcome.is_exhausted();
                if !shared.report(&mut before, solver) || ended {
                    break;
                }
            }
        });
        let found = shared.solutions.load(Ordering::Relaxed);
        let outcome = shared.outcome();
        Count { value: self.limits.solutions.map_or(found, |limit| found.min(limit)).into(), outcome }
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

    /// Calls `f` with each solution until it says [`Break`](ControlFlow::Break). The solutions come in the order of the
    /// parts and, within each, in that of a single thread: the same in every run.
    pub fn for_each(&mut self, mut f: impl FnMut(Solution<'_>) -> ControlFlow<()> + Send) -> Outcome {
        let shared = Shared::new(Limits { solutions: None, ..self.limits }, self.cancel.clone());
        let mut left = self.limits.solutions;
        let (send, receive) = mpsc::channel();
        let mut ended = None;
        std::thread::scope(|scope| {
            let consumer = scope.spawn(|| {
                in_order(receive, |solution| {
                    if left == Some(0) || f(Solution(solution)).is_break() {
                        let reason = if left == Some(0) { StopReason::Solutions } else { StopReason::Paused };
                        shared.stop(reason);
                        return ControlFlow::Break(());
                    }
                    left = left.map(|left| left - 1);
                    ControlFlow::Continue(())
                })
            });
            self.run(&shared, &|solver, part| visit_part(&shared, solver, part, &send));
            drop(send);
            ended = consumer.join().ok();
        });
        self.statistics.solutions = ended.unwrap_or_default();
        shared.outcome()
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
            n => n,
        }
    }

    /// Cuts the tree into parts and calls `work` with a solver at the beginning of each and the part's number.
    fn run(&mut self, shared: &Shared, work: &(dyn Fn(&mut Solver, usize) + Sync)) {
        let threads = self.threads();
        let parts = self.parts(threads * PARTS);
        let solvers = Mutex::new(Vec::new());
        let one_part = |(number, part): (usize, Vec<OptionId>)| {
            if shared.is_stopped() {
                return;
            }
            let idle = solvers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut solver: Solver = idle.unwrap_or_else(|| self.problem.solver_on(self.engine));
            let assumed = solver.reassume(part);
            debug_assert!(assumed.is_ok(), "a part consists of options of the problem");
            work(&mut solver, number);
            solvers.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
        };
        let parts: Vec<_> = parts.into_iter().enumerate().collect();
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(|| parts.into_par_iter().with_max_len(1).for_each(one_part)),
            Err(_) => parts.into_iter().for_each(one_part), // no threads to be had: this one does it
        }
        self.statistics = shared.statistics();
    }

    /// At least `wanted` parts, if the tree has as many, in the order of the tree.
    fn parts(&self, wanted: usize) -> Vec<Vec<OptionId>> {
        let mut solver = self.problem.solver_on(self.engine);
        let mut parts = alloc::vec![Part { options: self.assumed.clone(), whole: true }];
        // One level after the other, so that the parts stay in the order of the tree.
        while parts.len() < wanted && parts.iter().any(|part| part.whole) {
            parts = parts.into_iter().flat_map(|part| part.split(&mut solver)).collect();
        }
        parts.into_iter().map(|part| part.options).collect()
    }
}

/// A subproblem.
struct Part {
    options: Vec<OptionId>, // the assumptions
    whole: bool,            // it may be cut further: it is not known to be a solution
}

impl Part {
    fn split(self, solver: &mut Solver) -> Vec<Self> {
        if !self.whole {
            return alloc::vec![self];
        }
        let assumed = solver.reassume(self.options.iter().copied());
        debug_assert!(assumed.is_ok(), "a part consists of options of the problem");
        match solver.split() {
            None => alloc::vec![Self { whole: false, ..self }],
            Some(parts) => parts.into_iter().map(|options| Self { options, whole: true }).collect(),
        }
    }
}

/// The solutions of a part on their way to the consumer, one after the other; the last message of a part says so.
struct Message {
    part: usize,
    options: Vec<OptionId>,
    ends: Vec<usize>, // where in `options` each solution ends
    last: bool,
}

fn visit_part(shared: &Shared, solver: &mut Solver, part: usize, send: &mpsc::Sender<Message>) {
    let mut before = Statistics::default();
    let (mut options, mut ends) = (Vec::new(), Vec::new());
    loop {
        let last = match solver.step(SLICE) {
            Step::Solution(solution) => {
                options.extend_from_slice(solution.options());
                ends.push(options.len());
                if ends.len() < 256 {
                    continue;
                }
                false
            }
            Step::Paused => false,
            Step::Done(_) => true,
        };
        let goes_on = shared.report(&mut before, solver) && !last;
        let message = Message {
            part,
            options: core::mem::take(&mut options),
            ends: core::mem::take(&mut ends),
            last: last || !goes_on,
        };
        if send.send(message).is_err() || !goes_on {
            break;
        }
    }
}

/// Hands the solutions on in the order of the parts; returns how many.
fn in_order(messages: mpsc::Receiver<Message>, mut f: impl FnMut(&[OptionId]) -> ControlFlow<()>) -> u64 {
    let (mut next, mut delivered) = (0, 0);
    let mut waiting: BTreeMap<usize, VecDeque<Message>> = BTreeMap::new();
    for message in messages {
        waiting.entry(message.part).or_default().push_back(message);
        while let Some(message) = waiting.get_mut(&next).and_then(VecDeque::pop_front) {
            let mut start = 0;
            for end in message.ends {
                if f(&message.options[start..end]).is_break() {
                    return delivered;
                }
                delivered += 1;
                start = end;
            }
            if message.last {
                waiting.remove(&next);
                next += 1;
            }
        }
    }
    delivered
}

/// What the threads tell one another.
struct Shared {
    limits: Limits,
    cancel: Option<CancelToken>,
    begun: Instant,
    solutions: AtomicU64,
    nodes: AtomicU64,
    total: Mutex<(Statistics, Option<StopReason>)>,
    stopped: CancelToken,
}

impl Shared {
    fn new(limits: Limits, cancel: Option<CancelToken>) -> Self {
        Self {
            limits,
            cancel,
            begun: Instant::now(),
            solutions: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            total: Mutex::default(),
            stopped: CancelToken::new(),
        }
    }
}

impl Shared {
    /// Adds what a thread has done since `before`, and brings `before` up to date. False if the threads are to stop.
    fn report(&self, before: &mut Statistics, solver: &Solver) -> bool {
        let now = solver.statistics();
        let solutions = now.solutions - before.solutions;
        let nodes = now.nodes - before.nodes;
        let solutions = self.solutions.fetch_add(solutions, Ordering::Relaxed) + solutions;
        let nodes = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        self.add(Statistics {
            forced: now.forced - before.forced,
            updates: now.updates - before.updates,
            depth: now.depth,
            ..Statistics::default()
        });
        *before = now;
        if self.limits.solutions.is_some_and(|limit| solutions >= limit) {
            self.stop(StopReason::Solutions);
        } else if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            self.stop(StopReason::Cancelled);
        } else if self.limits.nodes.is_some_and(|limit| nodes >= limit) {
            self.stop(StopReason::Nodes);
        } else if self.limits.time.is_some_and(|limit| self.begun.elapsed() >= limit) {
            self.stop(StopReason::Time);
        }
        !self.is_stopped()
    }

    fn add(&self, part: Statistics) {
        let (total, _) = &mut *self.total();
        total.forced += part.forced;
        total.updates += part.updates;
        total.depth = total.depth.max(part.depth);
    }

    /// Stops all threads. The first reason counts.
    fn stop(&self, reason: StopReason) {
        self.total().1.get_or_insert(reason);
        self.stopped.cancel();
    }

    fn is_stopped(&self) -> bool {
        self.stopped.is_cancelled()
    }

    fn outcome(&self) -> Outcome {
        self.total().1.map_or(Outcome::Exhausted, Outcome::Stopped)
    }

    fn statistics(&self) -> Statistics {
        let solutions = self.solutions.load(Ordering::Relaxed);
        Statistics { solutions, nodes: self.nodes.load(Ordering::Relaxed), ..self.total().0 }
    }

    fn total(&self) -> std::sync::MutexGuard<'_, (Statistics, Option<StopReason>)> {
        self.total.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OwnedSolution, ProblemBuilder};

    /// Perfect matchings of the complete graph with 2n vertices: (2n - 1)!! of them (OEIS A001147).
    fn matchings(n: usize) -> Problem {
        let mut b = ProblemBuilder::new();
        let vertices = b.unnamed_primaries(2 * n).unwrap();
        for (at, &v) in vertices.iter().enumerate() {
            for &w in &vertices[at + 1..] {
                b.option([v, w]).unwrap();
            }
        }
        b.build().unwrap()
    }

    fn visited(search: &mut Parallel) -> (Vec<OwnedSolution>, Outcome) {
        let mut all = Vec::new();
        let outcome = search.for_each(|solution| {
            all.push(solution.sorted());
            ControlFlow::Continue(())
        });
        (all, outcome)
    }

    #[test]
    fn threads_find_what_one_finds_in_one_order() {
        for n in 0..6 {
            let problem = matchings(n);
            let mut alone: Vec<_> = problem.solver().owned().collect();
            alone.sort();
            let count = problem.parallel(3).count();
            assert_eq!((count.value, count.outcome), (alone.len().into(), Outcome::Exhausted));
            let (all, outcome) = visited(&mut problem.parallel(3));
            assert_eq!(outcome, Outcome::Exhausted);
            assert_eq!(visited(&mut problem.parallel(3)).0, all, "another order in another run");
            let mut sorted = all;
            sorted.sort();
            assert_eq!(sorted, alone);
        }
    }

    #[test]
    fn assumptions_hold_in_all_threads() {
        let problem = matchings(4);
        let first = problem.options().next().unwrap();
        let mut search = problem.parallel(2).assume([first]).unwrap();
        assert_eq!(search.count().value, 15u32.into());
        assert!(visited(&mut search).0.iter().all(|solution| solution.contains(&first)));
    }

    #[test]
    fn limits_are_kept() {
        let problem = matchings(6);
        for limit in [0, 1, 100, 10_395, 20_000] {
            let limits = Limits::none().solutions(limit);
            let count = problem.parallel(2).limit(limits).count();
            assert_eq!(count.value, limit.min(10_395).into());
            let (all, outcome) = visited(&mut problem.parallel(2).limit(limits));
            assert_eq!(all.len() as u64, limit.min(10_395));
            assert_eq!(outcome.is_exhausted(), limit >= 10_395, "{limit}");
        }
        let count = problem.parallel(2).limit(Limits::none().nodes(1)).count();
        assert_eq!(count.outcome, Outcome::Stopped(StopReason::Nodes));
        let token = CancelToken::new();
        token.cancel();
        let count = problem.parallel(2).cancel(&token).count();
        assert_eq!(count.outcome, Outcome::Stopped(StopReason::Cancelled));
    }

    #[test]
    fn a_solution_at_the_root_and_none_at_all() {
        let mut b = ProblemBuilder::new();
        b.unnamed_secondaries(1).unwrap();
        assert_eq!(b.build().unwrap().parallel(2).count().value, 1u32.into());
        let mut b = ProblemBuilder::new();
        b.unnamed_primaries(1).unwrap();
        assert_eq!(b.build().unwrap().parallel(2).count().value, 0u32.into());
    }
}

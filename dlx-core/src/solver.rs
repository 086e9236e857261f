//! The front door: a solver for a [`Problem`], with assumptions, limits, and every way of asking for solutions.

use alloc::boxed::Box;
#[cfg(feature = "parallel")]
use alloc::sync::Arc;
use alloc::vec::{self, Vec};
#[cfg(feature = "parallel")]
use core::mem;
use core::ops::ControlFlow;
#[cfg(feature = "std")]
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use crate::cost::{self, Hunt};
use crate::count::{Race, Turn};
use crate::engine;
use crate::frontier::{Frontier, Piece};
use crate::search::{Drive, Event};
use crate::{
    AssumeError, BranchingRule, CancelToken, Cheapest, Color, CountMethod, EngineKind, Limits, MinCost,
    OptionId, Outcome, OwnedSolution, Problem, Solution, Statistics, StopReason, Zdd, ZddError, zdd,
};

/// Nodes that a count begins with before it thinks of anything else.
const SHORT: u64 = 512;

/// Finds the solutions of a [`Problem`], one after the other.
///
/// A solver is independent of the problem's lifetime and of other solvers for it; it can be sent to another thread and
/// dropped at any time. The order in which solutions come is the same in every run.
///
/// ```
/// use dlx_core::{Outcome, ProblemBuilder};
///
/// // Knuth's first example: six options, of which three are an exact cover.
/// let mut b = ProblemBuilder::new();
/// let [a, c, d, e, f, g, h] = b.primaries(["a", "b", "c", "d", "e", "f", "g"])?;
/// for option in [&[d, f][..], &[a, e, h], &[c, d, g], &[a, e, g], &[c, h], &[e, f, h]] {
///     b.option(option.iter().copied())?;
/// }
/// let mut solver = b.build()?.solver();
/// let solution = solver.next_solution().map(|s| s.sorted());
/// assert_eq!(solution.map(|s| s.iter().map(|o| o.index()).collect()), Some(vec![0, 3, 4]));
/// assert!(solver.next_solution().is_none());
/// assert_eq!(solver.outcome(), Outcome::Exhausted);
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub struct Solver {
    problem: Problem,
    search: Box<dyn Drive>,
    kind: EngineKind,
    race: Option<Box<Race>>, // of a count that was stopped
    unvisited: Unvisited,
    uses: Uses,
    sees_clashes: bool, // the search does
    clash: bool,        // the assumptions contradict one another, or nothing is left: no solution
    course: Course,
    limits: Limits,
    cancel: Option<CancelToken>,
    outcome: Outcome,
    slice: u64, // nodes between two looks at the clock
    #[cfg(feature = "std")]
    begun: Option<Instant>,
}

/// The number of solutions that [`Solver::count`] found, and whether these are all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub value: BigUint,
    /// [`Outcome::Exhausted`] if these are all.
    pub outcome: Outcome,
}

/// What [`Solver::step`] came to.
#[derive(Debug)]
pub enum Step<'a> {
    /// A solution was found.
    Solution(Solution<'a>),
    /// The budget is used up. Call again to go on.
    Paused,
    /// There is nothing more to find, or a limit was reached.
    Done(Outcome),
}

impl Solver {
    pub(crate) fn new(problem: Problem, kind: EngineKind) -> Self {
        let search = engine::search(&problem, kind);
        Self::with(problem, kind, search)
    }

    /// A solver with a search of this kind of engine.
    pub(crate) fn with(problem: Problem, kind: EngineKind, search: Box<dyn Drive>) -> Self {
        let size = (problem.item_count() + problem.entry_count()) as u64;
        Self {
            sees_clashes: search.sees_clashes(),
            search,
            kind,
            race: None,
            unvisited: Unvisited::default(),
            uses: Uses::default(),
            clash: false,
            course: Course::default(),
            limits: Limits::none(),
            cancel: None,
            outcome: Outcome::Stopped(StopReason::Paused),
            slice: ((1 << 22) / (size + 1)).clamp(1, 4096),
            problem,
            #[cfg(feature = "std")]
            begun: None,
        }
    }

    /// Assumes options: from the next solution on, every solution contains them, and lists them first.
    ///
    /// Assumptions add up. The search begins anew; nothing is compiled again. Repeats are harmless. Assumptions
    /// that contradict one another leave no solutions.
    ///
    /// # Errors
    /// An unknown option, or one without a primary item.
    ///
    /// ```
    /// use dlx_core::{OptionId, ProblemBuilder};
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// let one = b.option([a])?;
    /// let other = b.option([c])?;
    /// b.option([a, c])?;
    /// let mut solver = b.build()?.solver().assume([one])?;
    /// assert_eq!(solver.next_solution().map(|s| s.options().to_vec()), Some(vec![one, other]));
    /// assert!(solver.next_solution().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn assume(mut self, options: impl IntoIterator<Item = OptionId>) -> Result<Self, AssumeError> {
        let before = self.assumed().to_vec();
        self.reassume(before.into_iter().chain(options))?;
        Ok(self)
    }

    /// Lets a rule choose the items on which the search branches, in place of MRV. The search begins anew, with the
    /// assumptions, on the engine `links` (any other is replaced, its checks for dead ends put off until the next choice): expect
    /// a half of its speed. A [checkpoint](Self::checkpoint) or [part](Self::part) is to be resumed afterwards. Counts visit every
    /// solution.
    ///
    /// ```
    /// use dlx_core::{ProblemBuilder, Weights};
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// for item in [a, a, c] {
    ///     b.option([item])?;
    /// }
    /// let problem = b.build()?;
    /// let mut solver = problem.solver().branch_by(Weights::new(&problem));
    /// assert_eq!(solver.owned().count(), 2);
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn branch_by(mut self, rule: impl BranchingRule + 'static) -> Self {
        let assumed = self.assumed().to_vec();
        self.reset();
        self.search = engine::steered(&self.problem, Box::new(rule));
        self.sees_clashes = self.search.sees_clashes();
        self.kind = EngineKind::Links;
        // They have been admitted before.
        let _ = self.reassume(assumed);
        self
    }

    /// Sets the limits, in place of those before.
    #[must_use]
    pub fn limit(mut self, limits: Limits) -> Self {
        self.set_limit(limits);
        self
    }

    /// The same between two calls.
    pub fn set_limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Lets the token stop the search: within a few thousand nodes, at once where nodes are large.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// Begins anew with these assumptions in place of those before. The tables are kept: that is how a batch of
    /// similar problems (sudokus: the givens) is solved without compiling and allocating for each.
    ///
    /// # Errors
    /// As [`assume`](Self::assume); the solver then has no assumptions.
    pub fn reassume(&mut self, options: impl IntoIterator<Item = OptionId>) -> Result<(), AssumeError> {
        self.reset();
        let admitted = self.admit(options.into_iter());
        if admitted.is_err() {
            self.reset();
        } else if !self.clash {
            self.search.assume(&self.uses.assumed);
        }
        admitted
    }

    /// Begins anew, without assumptions. Limits stay, and their counts begin at zero.
    pub fn reset(&mut self) {
        self.search.reset();
        self.race = None;
        self.unvisited = Unvisited::default();
        self.uses.clear(&self.problem);
        self.clash = false;
        if self.course.in_pieces {
            self.course = Course::default();
        }
        self.outcome = Outcome::Stopped(StopReason::Paused);
        #[cfg(feature = "std")]
        {
            self.begun = None;
        }
    }

    /// The next solution; `None` after the last or when a limit is reached: [`outcome`](Self::outcome) tells which.
    /// Allocates nothing per solution.
    pub fn next_solution(&mut self) -> Option<Solution<'_>> {
        match self.advance(u64::MAX, 1) {
            Event::Quota => Some(Solution(self.search.solution())),
            Event::Fuel | Event::Exhausted => None,
        }
    }

    /// Calls `f` with each solution until it says [`Break`](ControlFlow::Break).
    pub fn for_each(&mut self, mut f: impl FnMut(Solution<'_>) -> ControlFlow<()>) -> Outcome {
        while let Some(solution) = self.next_solution() {
            if f(solution).is_break() {
                break;
            }
        }
        self.outcome
    }

    /// An iterator over the solutions to come, each sorted and on its own. Borrows the solver, so that the outcome
    /// stays readable afterwards.
    pub fn owned(&mut self) -> Owned<'_> {
        Owned(self)
    }

    /// Searches for at most `budget` more nodes (at least 1) and at most one solution, for callers that have other things
    /// to do as well.
    ///
    /// ```
    /// use dlx_core::{ProblemBuilder, Step};
    ///
    /// let mut b = ProblemBuilder::new();
    /// let a = b.primary("a")?;
    /// b.option([a])?;
    /// b.option([a])?;
    /// let mut solver = b.build()?.solver();
    /// let mut solutions = 0;
    /// loop {
    ///     match solver.step(1) {
    ///         Step::Solution(_) => solutions += 1,
    ///         Step::Paused => continue,
    ///         Step::Done(outcome) => break assert!(outcome.is_exhausted()),
    ///     }
    /// }
    /// assert_eq!(solutions, 2);
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn step(&mut self, budget: u64) -> Step<'_> {
        match self.advance(budget.max(1), 1) {
            Event::Quota => Step::Solution(Solution(self.search.solution())),
            Event::Fuel if self.outcome == Outcome::Stopped(StopReason::Paused) => Step::Paused,
            Event::Fuel | Event::Exhausted => Step::Done(self.outcome),
        }
    }

    /// Counts the solutions to come, up to the limits, in the way that promises to be fastest: see
    /// [`CountMethod::Auto`] and [`count_by`](Self::count_by).
    ///
    /// ```
    /// use dlx_core::{Limits, ProblemBuilder};
    ///
    /// let mut b = ProblemBuilder::new();
    /// for item in b.unnamed_primaries(100)? {
    ///     b.option([item])?;
    ///     b.option([item])?;
    /// }
    /// let problem = b.build()?;
    /// assert_eq!(problem.solver().count().value, (1u128 << 100).into());
    /// let some = problem.solver().limit(Limits::none().solutions(3)).count();
    /// assert_eq!((some.value, some.outcome.is_exhausted()), (3u32.into(), false));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn count(&mut self) -> Count {
        self.count_by(CountMethod::Auto)
    }

    /// Counts the solutions to come, up to the limits.
    ///
    /// A count that stops before the end gives the number of the solutions that were visited: at least so many there are.
    /// Counting again goes on.
    ///
    /// [`statistics`](Self::statistics) include what was done without visiting solutions: each subproblem that was dealt
    /// with is a node, and the solutions are all that are known to exist (at most [`u64::MAX`]). A limit on nodes holds for both
    /// together; it also keeps the count from reading the clock, so that it ends in the same way every time.
    pub fn count_by(&mut self, method: CountMethod) -> Count {
        let before = self.solutions_so_far();
        self.count_for(u64::MAX, method, None);
        Count { value: self.solutions_so_far() - before, outcome: self.outcome }
    }

    /// Counts on as [`count`](Self::count) does for about `budget` more nodes (at least one; a problem that
    /// falls apart is counted in one go), for callers that have other things to do as well. At the end: the number of all
    /// solutions since the search began (anew), those visited before included.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// (0..5).try_for_each(|_| b.option([a, c]).map(drop))?;
    /// let mut solver = b.build()?.solver();
    /// let count = loop {
    ///     if let Some(count) = solver.count_step(2) {
    ///         break count;
    ///     }
    /// };
    /// assert_eq!((count.value, count.outcome.is_exhausted()), (5u32.into(), true));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn count_step(&mut self, budget: u64) -> Option<Count> {
        self.count_for(budget.max(1), CountMethod::Auto, None);
        (self.outcome != Outcome::Stopped(StopReason::Paused))
            .then(|| Count { value: self.solutions_so_far(), outcome: self.outcome })
    }

    /// Counts all solutions if that is possible, or promises to be, in less time than so many threads need to visit
    /// them. `None` as soon as it seems not to be.
    #[cfg(feature = "parallel")]
    pub(crate) fn count_unless_better_visited(&mut self, threads: usize) -> Option<Count> {
        self.count_for(u64::MAX, CountMethod::Auto, Some(threads));
        (self.outcome != Outcome::Stopped(StopReason::Paused))
            .then(|| Count { value: self.solutions_so_far(), outcome: self.outcome })
    }

    fn solutions_so_far(&self) -> BigUint {
        self.unvisited.total.clone().unwrap_or_else(|| self.visited().solutions.into())
    }

    /// Counts, about `budget` nodes far. If `threads` would be there to visit the solutions, only until it is decided that
    /// they should.
    fn count_for(&mut self, budget: u64, method: CountMethod, threads: Option<usize>) {
        let enumerate = match method {
            CountMethod::Auto => self.kind != EngineKind::Auto || self.limits.solutions.is_some(),
            CountMethod::Enumerate => true,
            CountMethod::Memoize => self.limits.solutions.is_some(),
        };
        // The sweep does not know bounds, nor what has been searched before.
        let enumerate = enumerate || self.problem.has_bounds() || self.course.in_pieces;
        if self.outcome.is_exhausted() {
            return; // nothing is to come
        }
        if enumerate {
            while self.advance(budget, u64::MAX) == Event::Quota {}
            return;
        }
        if method == CountMethod::Auto && self.race.is_none() && budget > SHORT {
            self.advance(SHORT, u64::MAX); // nothing is allocated for it
            if self.outcome != Outcome::Stopped(StopReason::Paused) {
                return;
            }
        }
        let new = || Race::new(&self.problem, &self.uses.assumed, method, &self.limits, threads.unwrap_or(1));
        let mut race = self.race.take().unwrap_or_else(|| Box::new(new()));
        self.unvisited.total = self.run_race(&mut race, budget, method, threads);
        match &self.unvisited.total {
            Some(_) => self.outcome = Outcome::Exhausted,
            None => self.race = Some(race),
        }
    }

    /// Counts by turns of enumeration and of the sweep. The number of all solutions, if it is found without visiting all.
    fn run_race(
        &mut self,
        race: &mut Race,
        budget: u64,
        method: CountMethod,
        threads: Option<usize>,
    ) -> Option<BigUint> {
        let timer = Timer::new();
        let end = self.statistics().nodes.saturating_add(budget);
        loop {
            // Sets the outcome, and is all there is to do if the end or a limit is reached.
            let budget = end.saturating_sub(self.statistics().nodes);
            if self.clash || self.outcome.is_exhausted() || self.stopped().is_some() || budget == 0 {
                self.advance(u64::from(budget > 0), u64::MAX);
                return None;
            }
            match race.turn() {
                Turn::Enumerate(_) if threads.is_some() && race.is_decided() => return None,
                Turn::Enumerate(nodes) => {
                    let (begun, before) = (timer.elapsed(), self.search.statistics());
                    let _ = self.advance(nodes.min(budget), u64::MAX);
                    let time = timer.elapsed().zip(begun).map(|(end, begun)| end - begun);
                    let after = self.search.statistics();
                    race.enumerated(after.nodes - before.nodes, after.guesses() - before.guesses(), time);
                    if self.outcome != Outcome::Stopped(StopReason::Paused) {
                        return None;
                    }
                }
                Turn::Sweep => {
                    let before = race.swept();
                    let total = race.sweep(self.nodes_left().min(budget), || timer.elapsed());
                    self.unvisited.nodes += race.swept() - before;
                    if total.is_some() {
                        return total;
                    }
                }
                Turn::Split(factor, parts) => return self.count_parts(factor, parts, method),
            }
        }
    }

    /// Multiplies the numbers of solutions of independent problems, as far as the limits allow.
    fn count_parts(&mut self, factor: BigUint, parts: Vec<Problem>, method: CountMethod) -> Option<BigUint> {
        let mut product = factor;
        for part in parts {
            if product == BigUint::ZERO {
                break;
            }
            let mut solver = Self::new(part, self.kind).limit(self.limits_left());
            solver.cancel.clone_from(&self.cancel);
            let count = solver.count_by(method);
            self.unvisited.nodes += solver.statistics().nodes;
            if let Outcome::Stopped(_) = count.outcome {
                self.outcome = count.outcome;
                return None;
            }
            product *= count.value;
        }
        Some(product)
    }

    /// Finds the cheapest solution, with the proof that none is cheaper ([`proof::min_cost`](crate::proof::min_cost) writes it
    /// down), or the best one found within the limits and a lower bound on the costs of all.
    ///
    /// The search is one of its own: it takes the assumptions, whose costs count, the limits on nodes and time, and the token, and
    /// begins anew each time; a [part](Self::part) or [checkpoint](Self::resume) does not confine it. It turns back where a lower bound says that nothing cheaper is to come: the one that the prices
    /// of the relaxed problem give, evaluated in integers, so that no rounding can hide a cover. Options whose cost is too high
    /// above these prices are ruled out. A relaxation takes 8 bytes for each pair of items, and its nodes time proportional to
    /// the same; without many items and with tight bounds, as in the set partitioning problems of airlines, few nodes do.
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
    /// let best = b.build()?.solver().min_cost();
    /// assert!(best.outcome.is_exhausted()); // it is the optimum
    /// assert_eq!(best.cover.map(|cover| cover.cost), Some(7));
    /// assert_eq!(best.lower_bound, Some(7));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn min_cost(&mut self) -> MinCost {
        self.cheapest(1).into()
    }

    /// Finds the `k` cheapest solutions, or all if there are fewer, as [`min_cost`](Self::min_cost) finds the cheapest. Among
    /// solutions of the same cost as the last, which ones are found is not said; they are the same in every run, unless it is
    /// stopped by time.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let a = b.primary("a")?;
    /// for cost in [5, -2, 8] {
    ///     let option = b.option([a])?;
    ///     b.set_cost(option, cost)?;
    /// }
    /// let found = b.build()?.solver().cheapest(2);
    /// assert_eq!(found.covers.iter().map(|cover| cover.cost).collect::<Vec<_>>(), [-2, 5]);
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn cheapest(&mut self, k: usize) -> Cheapest {
        cost::cheapest(self.hunt(), k)
    }

    /// Calls `f` with each solution that costs at most `most`, and its cost, until it says [`Break`](ControlFlow::Break). They come in
    /// no order. The search is one of its own, as that of [`min_cost`](Self::min_cost); the limit on solutions holds.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    /// use std::ops::ControlFlow;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let a = b.primary("a")?;
    /// for cost in [5, -2, 8] {
    ///     let option = b.option([a])?;
    ///     b.set_cost(option, cost)?;
    /// }
    /// let mut costs = Vec::new();
    /// let (outcome, _) = b.build()?.solver().at_most(5, |_, cost| {
    ///     costs.push(cost);
    ///     ControlFlow::Continue(())
    /// });
    /// costs.sort();
    /// assert_eq!((outcome.is_exhausted(), costs), (true, vec![-2, 5]));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn at_most(
        &mut self,
        most: i128,
        f: impl FnMut(Solution<'_>, i128) -> ControlFlow<()>,
    ) -> (Outcome, Statistics) {
        cost::at_most(self.hunt(), most, f)
    }

    fn hunt(&self) -> Hunt<'_> {
        Hunt::new(&self.problem, self.assumed(), self.limits, self.cancel.clone())
    }

    /// All solutions, those visited before included, as a decision diagram: to sample them, iterate over them in no time, find
    /// the cheapest, and more. See [`Zdd`].
    ///
    /// It need not visit every solution, but where partial solutions do not merge and solutions are many it takes as long
    /// and needs memory for all. The limits hold for making it, nodes for visited ones and merged ones
    /// together; one on solutions is of no concern. A [part](Self::part) or [checkpoint](Self::resume) does not confine it.
    ///
    /// # Errors
    /// The diagram does not fit in the [memory](Limits::memory), or a limit was reached.
    ///
    /// ```
    /// use dlx_core::{Limits, ProblemBuilder, ZddError};
    ///
    /// let mut b = ProblemBuilder::new();
    /// let items = b.unnamed_primaries(14)?;
    /// for (at, &one) in items.iter().enumerate() {
    ///     items[..at].iter().try_for_each(|&other| b.option([one, other]).map(drop))?;
    /// }
    /// let mut solver = b.build()?.solver();
    /// assert_eq!(solver.zdd()?.count(), 135_135u32.into()); // 13!!: the pairings of 14 items
    /// solver.set_limit(Limits::none().memory(10_000));
    /// assert_eq!(solver.zdd().err(), Some(ZddError::Memory { limit: 10_000 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zdd(&self) -> Result<Zdd, ZddError> {
        let limits = Limits { solutions: None, ..self.limits };
        let mut visitor = Self::new(self.problem.clone(), self.kind).limit(limits);
        visitor.cancel.clone_from(&self.cancel);
        // They were admitted before.
        let _ = visitor.reassume(self.assumed().iter().copied());
        zdd::build(visitor, self.assumed())
    }

    /// The assumptions that the caller made. Those of a piece in hand are none of them.
    fn assumed(&self) -> &[OptionId] {
        if self.course.in_pieces { &[] } else { &self.uses.assumed }
    }

    /// The limit on memory.
    pub(crate) fn memory(&self) -> Option<usize> {
        self.limits.memory
    }

    /// Notes that so many states were dealt with: nodes that the search does not see.
    pub(crate) fn note_states(&mut self, states: u64) {
        self.unvisited.nodes += states;
    }

    /// Which limit is reached.
    pub(crate) fn stopped(&mut self) -> Option<StopReason> {
        if self.nodes_left() == 0 { Some(StopReason::Nodes) } else { self.stop_reason(1, 1) }
    }

    /// How the search stands.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// How many nodes take a few milliseconds at the most.
    #[cfg(feature = "parallel")]
    pub(crate) fn slice(&self) -> u64 {
        self.slice
    }

    /// The figures since the search began (anew).
    pub fn statistics(&self) -> Statistics {
        let visited = self.visited();
        Statistics {
            nodes: visited.nodes.saturating_add(self.unvisited.nodes),
            solutions: match &self.unvisited.total {
                Some(total) => u64::try_from(total).unwrap_or(u64::MAX),
                None => visited.solutions,
            },
            ..visited
        }
    }

    /// The figures of the search, and of the pieces before.
    fn visited(&self) -> Statistics {
        let Course { past, level, .. } = self.course;
        let now = self.search.statistics();
        Statistics {
            // What a file says of the past may be anything.
            nodes: past.nodes.saturating_add(now.nodes),
            forced: past.forced.saturating_add(now.forced),
            updates: past.updates.saturating_add(now.updates),
            solutions: past.solutions.saturating_add(now.solutions),
            depth: past.depth.max(level.saturating_add(now.depth)),
        }
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Gives away the later ones of the pieces that come after the one in hand.
    #[cfg(feature = "parallel")]
    pub(crate) fn give_later(&mut self) -> Option<Frontier> {
        self.course.pieces.split_off()
    }

    /// Gives away what is left to try of the piece in hand, or else of the search, as [`Drive::give`] says.
    #[cfg(feature = "parallel")]
    pub(crate) fn give(&mut self) -> Option<Piece> {
        let options: Vec<_> = mem::take(&mut self.course.options).collect();
        if options.is_empty() {
            let given = self.search.give()?;
            return Some(Piece {
                share: self.course.share * given.share,
                level: self.course.level.saturating_add(given.level),
                ..given
            });
        }
        let share = self.course.share * options.len() as f64;
        let before = self.uses.assumed[..].into();
        Some(Piece { before, without: Arc::new([]), options, level: self.course.level, share })
    }

    /// Searches pieces from now on, in place of everything. Their options are those of the problem.
    pub(crate) fn pursue(&mut self, pieces: Frontier, past: Statistics) {
        self.reset();
        self.course = Course { pieces, past, in_pieces: true, ..Course::default() };
        self.turn();
    }

    /// Turns to the next option of the piece in hand or, behind the last one, to the next piece. False if there is none.
    fn turn(&mut self) -> bool {
        loop {
            if let Some(option) = self.course.options.next() {
                if self.uses.are_compatible_with(&self.problem, option) {
                    self.search.turn_to(self.uses.assumed.len(), option);
                    return true;
                }
            } else if let Some(piece) = self.course.pieces.pop() {
                if self.begin(piece) {
                    return true;
                }
            } else {
                self.clash = true;
                return false;
            }
        }
    }

    /// Takes a piece in hand. True if there is something to search in it before it is turned to its options.
    fn begin(&mut self, piece: Piece) -> bool {
        self.course.past = self.visited();
        self.search.reset();
        self.uses.clear(&self.problem);
        self.clash = false;
        let Piece { before, without, options, level, share } = piece;
        self.course.level = level;
        let possible = self.admit(before.iter().copied()).is_ok() && !self.clash;
        self.clash = false;
        if !possible {
            return false;
        }
        self.search.assume(&self.uses.assumed);
        // Those that the assumptions forbid are excluded already.
        let may_be = |option: &OptionId| self.uses.are_compatible_with(&self.problem, *option);
        self.search.exclude(&mut without.iter().copied().filter(may_be));
        self.course.share = share / options.len().max(1) as f64;
        self.course.options = options.into_iter();
        self.course.options.len() == 0
    }

    /// What is left, and the figures of what is done: all solutions counted have been visited.
    pub(crate) fn left(&self) -> (Frontier, Statistics) {
        let mut left = Frontier::default();
        if !self.clash {
            left = self.search.left();
            left.shift(self.course.level, self.course.share);
        }
        let options = self.course.options.as_slice();
        if !options.is_empty() {
            let (level, share) = (self.course.level, self.course.share * options.len() as f64);
            left.push_parts(&self.uses.assumed, &[], options.to_vec(), level, share);
        }
        left.append(self.course.pieces.clone());
        (left, self.visited())
    }

    /// How much of the tree has been searched, from 0 to 1, by Knuth's estimate: as if all branches at a node were alike.
    /// `None` in the midst of a count that looks for ways not to visit every solution.
    ///
    /// Takes about as long as some hundred nodes.
    pub fn progress(&self) -> Option<f64> {
        if self.race.is_some() {
            return None;
        }
        let in_hand = if self.clash { 0.0 } else { self.search.share_left() };
        let options = self.course.options.len() as f64;
        let left = self.course.share * (in_hand + options) + self.course.pieces.share();
        Some((1.0 - left).clamp(0.0, 1.0))
    }

    /// The last solution.
    #[cfg(feature = "parallel")]
    pub(crate) fn solution(&mut self) -> &[OptionId] {
        self.search.solution()
    }

    /// Notes assumptions, of which there are none yet; none if that is an error.
    #[inline]
    fn admit(&mut self, options: impl Iterator<Item = OptionId>) -> Result<(), AssumeError> {
        let uses = &mut self.uses;
        uses.assumed.extend(options);
        let admitted = uses.keep_different_ones(&self.problem);
        if admitted.is_err() {
            uses.assumed.clear();
        } else if !self.sees_clashes {
            self.clash = !uses.all_agree(&self.problem);
        }
        admitted
    }

    /// Searches on within the limits, for `fuel` nodes at the most and until `quota` solutions are found. Sets the
    /// outcome; [`Event::Fuel`] stands for every kind of stop.
    pub(crate) fn advance(&mut self, mut fuel: u64, mut quota: u64) -> Event {
        if self.clash {
            self.outcome = Outcome::Exhausted;
        }
        if self.outcome.is_exhausted() {
            return Event::Exhausted;
        }
        loop {
            let begun = if self.course.in_pieces { self.visited() } else { Statistics::default() };
            let solutions_left = self.budget(self.limits.solutions, |statistics| statistics.solutions);
            let nodes_left = self.budget(self.limits.nodes, |statistics| statistics.nodes);
            if let Some(reason) = self.stop_reason(quota.min(solutions_left), fuel) {
                self.outcome = Outcome::Stopped(reason);
                return Event::Fuel;
            }
            let slice = self.slice.min(fuel).min(nodes_left);
            match self.search.run(slice, quota.min(solutions_left)) {
                Event::Fuel if nodes_left <= slice => {
                    self.outcome = Outcome::Stopped(StopReason::Nodes);
                    return Event::Fuel;
                }
                Event::Exhausted if self.turn() => {
                    let now = self.visited();
                    fuel -= now.nodes - begun.nodes;
                    quota -= now.solutions - begun.solutions;
                }
                Event::Fuel => fuel -= slice,
                event => {
                    self.outcome = match event {
                        Event::Exhausted => Outcome::Exhausted,
                        _ => Outcome::Stopped(StopReason::Paused),
                    };
                    return event;
                }
            }
        }
    }

    /// How much is left of a limit on something that the statistics count.
    fn budget(&self, limit: Option<u64>, used: fn(Statistics) -> u64) -> u64 {
        limit.map_or(u64::MAX, |limit| limit.saturating_sub(used(self.statistics())))
    }

    fn nodes_left(&self) -> u64 {
        self.budget(self.limits.nodes, |statistics| statistics.nodes)
    }

    /// What is left of the limits.
    pub(crate) fn limits_left(&self) -> Limits {
        Limits {
            nodes: self.limits.nodes.map(|_| self.nodes_left()),
            #[cfg(feature = "std")]
            time: self.limits.time.map(|time| {
                let passed = self.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
                time.saturating_sub(passed)
            }),
            ..self.limits
        }
    }

    /// Why the search should stop where it is, the limit on nodes apart.
    pub(crate) fn stop_reason(&mut self, quota: u64, fuel: u64) -> Option<StopReason> {
        if quota == 0 {
            return Some(StopReason::Solutions);
        }
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Some(StopReason::Cancelled);
        }
        #[cfg(feature = "std")]
        if let Some(time) = self.limits.time
            && self.begun.get_or_insert_with(Instant::now).elapsed() >= time
        {
            return Some(StopReason::Time);
        }
        (fuel == 0).then_some(StopReason::Paused)
    }
}

/// What is to be searched beside what the search has in hand, if that is not everything; and what was searched before.
struct Course {
    options: vec::IntoIter<OptionId>, // of the piece in hand, to be tried
    level: usize,                     // of that piece
    share: f64,                       // of each of its options
    pieces: Frontier,                 // that come after it
    past: Statistics,                 // of what came before it
    in_pieces: bool,                  // not everything is to be searched
}

impl Default for Course {
    fn default() -> Self {
        Self {
            options: Vec::new().into_iter(),
            level: 0,
            share: 1.0,
            pieces: Frontier::default(),
            past: Statistics::default(),
            in_pieces: false,
        }
    }
}

/// What was counted without being visited.
#[derive(Default)]
struct Unvisited {
    nodes: u64,
    total: Option<BigUint>, // all solutions, once their number is known
}

/// A clock, where there is one.
struct Timer(#[cfg(feature = "std")] Instant);

impl Timer {
    fn new() -> Self {
        Self(
            #[cfg(feature = "std")]
            Instant::now(),
        )
    }

    /// Nanoseconds since it was made.
    fn elapsed(&self) -> Option<u64> {
        #[cfg(feature = "std")]
        return u64::try_from(self.0.elapsed().as_nanos()).ok();
        #[cfg(not(feature = "std"))]
        None
    }
}

/// The iterator that [`Solver::owned`] returns.
pub struct Owned<'a>(&'a mut Solver);

impl Iterator for Owned<'_> {
    type Item = OwnedSolution;

    fn next(&mut self) -> Option<OwnedSolution> {
        self.0.next_solution().map(Solution::sorted)
    }
}

impl core::iter::FusedIterator for Owned<'_> {}

/// What the assumptions use, to see whether another one agrees with them.
#[derive(Default)]
struct Uses {
    assumed: Vec<OptionId>,
    all_usable: Option<bool>, // whether all options have a primary item, once that was asked
    of_item: Vec<(u32, Option<Color>)>, // by item: how often it is used, and its color; empty if the engine sees clashes
}

impl Uses {
    /// Of equal assumptions only the first one stays.
    #[inline]
    fn keep_different_ones(&mut self, problem: &Problem) -> Result<(), AssumeError> {
        let all_usable = *self
            .all_usable
            .get_or_insert_with(|| problem.options().all(|option| problem.has_primary_item(option)));
        let count = problem.option_count();
        // Ascending ones, such as the givens of a grid, are all different.
        let (mut ascending, mut least) = (true, 0);
        for &option in &self.assumed {
            let index = option.index();
            if index >= count {
                return Err(AssumeError::UnknownOption { option, count });
            }
            if !all_usable && !problem.has_primary_item(option) {
                return Err(AssumeError::NoPrimaryItem { option });
            }
            ascending &= index >= least;
            least = index + 1;
        }
        if !ascending {
            let mut sorted: Vec<_> = self.assumed.iter().copied().zip(0_usize..).collect();
            sorted.sort_unstable();
            sorted.dedup_by_key(|(option, _)| *option);
            sorted.sort_unstable_by_key(|(_, place)| *place);
            self.assumed.clear();
            self.assumed.extend(sorted.into_iter().map(|(option, _)| option));
        }
        Ok(())
    }

    /// Whether the assumptions agree with one another. The items of those that agree with all before are used from now on.
    fn all_agree(&mut self, problem: &Problem) -> bool {
        self.of_item.resize(problem.item_count(), (0, None));
        let mut all_agree = true;
        for at in 0..self.assumed.len() {
            let option = self.assumed[at];
            if !self.are_compatible_with(problem, option) {
                all_agree = false;
                continue;
            }
            for entry in problem.option(option).entries() {
                let (times, color) = &mut self.of_item[entry.item.index()];
                (*times, *color) = (*times + 1, entry.color);
            }
        }
        all_agree
    }

    fn are_compatible_with(&self, problem: &Problem, option: OptionId) -> bool {
        problem.option(option).entries().all(|entry| {
            let (times, color) = self.of_item.get(entry.item.index()).copied().unwrap_or_default();
            times < problem.most(entry.item) || (times > 0 && color.is_some() && color == entry.color)
        })
    }

    fn clear(&mut self, problem: &Problem) {
        if !self.of_item.is_empty() {
            for entry in self.assumed.iter().flat_map(|option| problem.option(*option).entries()) {
                self.of_item[entry.item.index()] = (0, None);
            }
        }
        self.assumed.clear();
    }
}

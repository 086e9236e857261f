//! Randomness: the same problem with its items and options in random order, and restarts with another order each time.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use crate::part::part;
use crate::{CancelToken, Limits, OptionId, Outcome, OwnedSolution, Problem, Statistics, StopReason};

/// Nodes of the shortest run between two restarts, but for what it costs to begin one.
const SHORTEST: u64 = 512;

/// How many entries are put in order in the time of a node.
const ENTRIES_A_NODE: u64 = 16;

/// A problem with its items and options in random order: see [`Problem::shuffle`].
#[derive(Clone, Debug)]
pub struct Shuffled {
    problem: Problem,
    options: Vec<OptionId>, // by option of that problem: the one in the original
}

impl Shuffled {
    /// The problem in the new order. Its items have other ids, and the same names.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The options of the original problem that are those of the shuffled one.
    ///
    /// # Panics
    /// If the shuffled problem has no such option.
    pub fn restore(&self, options: &[OptionId]) -> OwnedSolution {
        let original: Vec<_> = options.iter().map(|option| self.options[option.index()]).collect();
        OwnedSolution::new(&original)
    }
}

impl Problem {
    /// The same problem with its items and options in an order that depends on the seed alone. A search in it breaks ties among
    /// items at random, and tries the options of each in random order; the solutions are the same, in another order.
    ///
    /// Takes time proportional to the size of the problem, and as much memory again.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let a = b.primary("a")?;
    /// let options: Vec<_> = (0..9).map(|_| b.option([a])).collect::<Result<_, _>>()?;
    /// let problem = b.build()?;
    /// let first = |seed| {
    ///     let shuffled = problem.shuffle(seed);
    ///     shuffled.problem().solver().next_solution().map(|solution| shuffled.restore(solution.options()))
    /// };
    /// assert_eq!(first(1), first(1));
    /// assert!((2..9).any(|seed| first(seed) != first(1)));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn shuffle(&self, seed: u64) -> Shuffled {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut items: Vec<_> = self.items().collect();
        let mut options: Vec<_> = self.options().collect();
        shuffle(&mut random, &mut items);
        shuffle(&mut random, &mut options);
        let items = items.into_iter().map(|item| (item, self.bounds_of(item)));
        Shuffled { problem: part(self, items, &options), options }
    }

    /// A search for one solution that begins again and again: see [`Restarts`].
    pub fn restarts(&self, seed: u64) -> Restarts {
        Restarts {
            problem: self.clone(),
            seed,
            limits: Limits::none(),
            cancel: CancelToken::new(),
            outcome: Outcome::Stopped(StopReason::Paused),
            statistics: Statistics::default(),
            runs: 0,
        }
    }
}

/// Brings things into random order.
fn shuffle<T>(random: &mut Xoshiro256PlusPlus, things: &mut [T]) {
    for last in (1..things.len()).rev() {
        let at = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        things.swap(last, at as usize);
    }
}

/// Searches for one solution, each time with the problem in another [random order](Problem::shuffle), for 1, 1, 2, 1, 1, 2, 4,
/// ... times some number of nodes (the sequence of Luby, Sinclair and Zuckerman, Information Processing Letters 47, 1993). Where
/// the times that searches take differ widely, that spares the bad luck of a long one. No part of the tree is left out for
/// good: the runs become as long as any search for all solutions, so that the end is reached also if there is none.
///
/// The same seed gives the same solution, unless a limit on time or a token stops the search.
///
/// ```
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// let both = b.option([a, c])?;
/// let problem = b.build()?;
/// let mut restarts = problem.restarts(7);
/// assert_eq!(restarts.first_solution().map(|solution| solution.to_vec()), Some(vec![both]));
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub struct Restarts {
    problem: Problem,
    seed: u64,
    limits: Limits,
    cancel: CancelToken,
    outcome: Outcome,
    statistics: Statistics,
    runs: u64,
}

impl Restarts {
    /// Sets the limits, on all runs together. That on solutions is not looked at.
    #[must_use]
    pub fn limit(mut self, limits: Limits) -> Self {
        self.limits = Limits { solutions: None, ..limits };
        self
    }

    /// Lets the token stop the search.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = token.clone();
        self
    }

    /// A solution; `None` if there is none, or a limit was reached: [`outcome`](Self::outcome) tells which. Each call begins anew.
    pub fn first_solution(&mut self) -> Option<OwnedSolution> {
        self.statistics = Statistics::default();
        self.runs = 0;
        let unit = SHORTEST + self.problem.entry_count() as u64 / ENTRIES_A_NODE;
        #[cfg(feature = "std")]
        let begun = Instant::now();
        loop {
            let left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes - self.statistics.nodes);
            let shuffled = self.problem.shuffle(self.seed.wrapping_add(self.runs));
            self.runs += 1;
            let run = luby(self.runs).saturating_mul(unit);
            let limits = Limits {
                // To begin a run takes time, too.
                #[cfg(feature = "std")]
                time: self.limits.time.map(|time| time.saturating_sub(begun.elapsed())),
                ..self.limits.nodes(run.min(left))
            };
            let mut solver = shuffled.problem().solver().limit(limits).cancel(&self.cancel);
            let found = solver.next_solution().map(|solution| shuffled.restore(solution.options()));
            self.outcome = solver.outcome();
            self.add(solver.statistics());
            if found.is_some() {
                self.outcome = Outcome::Stopped(StopReason::Solutions); // one is what was asked for
                return found;
            }
            if self.outcome != Outcome::Stopped(StopReason::Nodes) || run >= left {
                return None;
            }
        }
    }

    /// How the last search ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The figures of all runs together.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How many times the search began.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    fn add(&mut self, run: Statistics) {
        let all = &mut self.statistics;
        all.nodes += run.nodes;
        all.forced += run.forced;
        all.updates += run.updates;
        all.solutions += run.solutions;
        all.depth = all.depth.max(run.depth);
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ... from 1.
fn luby(mut n: u64) -> u64 {
    loop {
        let power = (n + 1).next_power_of_two(); // n is 2^k - 1 for the last of a stretch
        if power == n + 1 {
            return power / 2;
        }
        n -= power / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProblemBuilder;

    #[test]
    fn the_sequence_is_lubys() {
        let begin: Vec<_> = (1..=16).map(luby).collect();
        assert_eq!(begin, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1]);
    }

    /// Every pair of `n` items is an option.
    fn pairs(n: usize) -> Problem {
        let mut b = ProblemBuilder::new();
        let items = b.unnamed_primaries(n).unwrap();
        for (at, &one) in items.iter().enumerate() {
            for &other in &items[at + 1..] {
                b.option([one, other]).unwrap();
            }
        }
        b.build().unwrap()
    }

    /// The clock does not stop while a problem is put in order, which takes longer here than to search.
    #[cfg(feature = "std")]
    #[test]
    fn time_is_that_of_all() {
        let problem = pairs(301); // an odd number: no solution
        let time = std::time::Duration::from_millis(300);
        let begun = Instant::now();
        let mut restarts = problem.restarts(1).limit(Limits::none().time(time));
        assert_eq!(restarts.first_solution(), None);
        assert_eq!(restarts.outcome(), Outcome::Stopped(StopReason::Time));
        assert!(begun.elapsed() < 20 * time, "{:?}", begun.elapsed());
    }

    #[test]
    fn shuffled_problems_have_the_same_solutions() {
        let problem = pairs(6);
        let mut all: Vec<_> = problem.solver().owned().collect();
        all.sort();
        let mut orders = Vec::new();
        for seed in 0..20 {
            let shuffled = problem.shuffle(seed);
            let mut found: Vec<_> =
                shuffled.problem().solver().owned().map(|solution| shuffled.restore(&solution)).collect();
            orders.push(found[0].clone());
            found.sort();
            assert_eq!(found, all);
        }
        orders.sort();
        orders.dedup();
        assert!(orders.len() > 10);
    }

    #[test]
    fn restarts_find_a_solution_or_that_there_is_none() {
        let some = pairs(10);
        let first = |seed| some.restarts(seed).first_solution().unwrap();
        assert_eq!(crate::verify::check(&some, &first(1)), Ok(()));
        assert_eq!(first(1), first(1));
        assert!((2..9).any(|seed| first(seed) != first(1)));
        let mut none = pairs(11).restarts(0);
        assert_eq!((none.first_solution(), none.outcome()), (None, Outcome::Exhausted));
        assert!(none.runs() > 10);
        let mut stopped = some.restarts(3).limit(Limits::none().nodes(2));
        assert_eq!(
            (stopped.first_solution(), stopped.outcome()),
            (None, Outcome::Stopped(StopReason::Nodes))
        );
        assert_eq!((stopped.statistics().nodes, stopped.runs()), (2, 1));
    }
}

//! The solutions of the original problem from those of the reduced one: each stands for all that have duplicates in the place of
//! some of its options.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use num_bigint::BigUint;

use super::{Fate, Reduced};
use crate::{
    AssumeError, CancelToken, Count, Limits, OptionId, Outcome, OwnedSolution, Solution, Solver, Statistics,
    StopReason,
};

/// Finds the solutions of a problem that was [reduced](Reduced), in terms of the original: each once, with the forced
/// options, and with every choice among duplicates.
///
/// ```
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// let [one, other, rest] = [b.option([a])?, b.option([a])?, b.option([c])?];
/// let reduced = b.build()?.reduce();
/// let mut all: Vec<_> = reduced.solver().owned().map(|solution| solution.to_vec()).collect();
/// all.sort();
/// assert_eq!(all, [[one, rest], [other, rest]]);
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub struct ReducedSolver {
    reduced: Reduced,
    solver: Solver,
    chosen: BTreeMap<OptionId, OptionId>, // by the first of its kind: the one of them that is assumed
    clash: bool,                          // an assumed option is in no solution, or two are duplicates
    limit: Option<u64>,                   // of solutions
    found: BigUint,
    solution: Vec<OptionId>,
    choices: Vec<Choice>, // of the solution; none at all if there is none in hand
    in_hand: bool,
    outcome: Outcome,
}

/// One of several duplicates, in a solution.
struct Choice {
    place: usize, // in the solution
    first: OptionId,
    at: usize, // among the duplicates
}

impl ReducedSolver {
    pub(super) fn new(reduced: Reduced) -> Self {
        Self {
            solver: reduced.problem().solver(),
            reduced,
            chosen: BTreeMap::new(),
            clash: false,
            limit: None,
            found: BigUint::ZERO,
            solution: Vec::new(),
            choices: Vec::new(),
            in_hand: false,
            outcome: Outcome::Stopped(StopReason::Paused),
        }
    }

    /// Assumes options of the original problem, as [`Solver::assume`] does. One that was found to be in no solution leaves none.
    ///
    /// # Errors
    /// An unknown option, or one without a primary item.
    pub fn assume(mut self, options: impl IntoIterator<Item = OptionId>) -> Result<Self, AssumeError> {
        let original = self.reduced.original();
        let mut kept = Vec::new();
        for option in options {
            let Some(fate) = self.reduced.fate(option) else {
                return Err(AssumeError::UnknownOption { option, count: original.option_count() });
            };
            if !original.has_primary_item(option) {
                return Err(AssumeError::NoPrimaryItem { option });
            }
            let first = match fate {
                Fate::Duplicate { of } => of,
                _ => option,
            };
            self.clash |= *self.chosen.entry(first).or_insert(option) != option;
            match self.reduced.fate(first) {
                Some(Fate::Kept(place)) => kept.push(place),
                Some(Fate::Forced { .. }) => (),
                _ => self.clash = true,
            }
        }
        self.solver = self.solver.assume(kept)?;
        (self.found, self.in_hand) = (BigUint::ZERO, false);
        self.outcome = Outcome::Stopped(StopReason::Paused);
        Ok(self)
    }

    /// Sets the limits, in place of those before. That on solutions counts those of the original problem, that on nodes those
    /// of the search in the reduced one.
    #[must_use]
    pub fn limit(mut self, limits: Limits) -> Self {
        self.limit = limits.solutions;
        self.solver.set_limit(Limits { solutions: None, ..limits });
        self
    }

    /// Lets the token stop the search.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.solver = self.solver.cancel(token);
        self
    }

    /// The next solution, forced options first; `None` after the last or when a limit is reached.
    pub fn next_solution(&mut self) -> Option<Solution<'_>> {
        if self.is_over() || !(self.next_choice() || self.next_cover()) {
            return None;
        }
        self.found += 1u32;
        Some(Solution(&self.solution))
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

    /// An iterator over the solutions to come, each sorted and on its own.
    pub fn owned(&mut self) -> impl Iterator<Item = OwnedSolution> {
        core::iter::from_fn(|| self.next_solution().map(Solution::sorted))
    }

    /// Counts the solutions to come, up to the limits. Those that differ in duplicates are not visited; and without duplicates that
    /// the search could meet, it counts as [`Solver::count`] does.
    pub fn count(&mut self) -> Count {
        let before = self.found.clone();
        if !self.is_over() && self.in_hand {
            self.found += self.choices_left();
            self.in_hand = false;
        }
        if self.limit.is_none() && !self.clash && !self.has_choices() {
            let count = self.solver.count();
            self.outcome = count.outcome;
            self.found += count.value * self.forced_ways();
        } else {
            while !self.is_over() && self.next_cover() {
                self.found += self.choices_left() + 1u32;
                self.in_hand = false;
            }
        }
        if let Some(limit) = self.limit.filter(|limit| self.found > (*limit).into()) {
            self.found = limit.into();
            self.outcome = Outcome::Stopped(StopReason::Solutions);
        }
        Count { value: &self.found - before, outcome: self.outcome }
    }

    /// How the search stands.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The figures of the search in the reduced problem, and the number of the solutions found (at most [`u64::MAX`]).
    pub fn statistics(&self) -> Statistics {
        let solutions = u64::try_from(&self.found).unwrap_or(u64::MAX);
        Statistics { solutions, ..self.solver.statistics() }
    }

    /// What was reduced.
    pub fn reduced(&self) -> &Reduced {
        &self.reduced
    }

    /// Whether there is nothing to be done. Sets the outcome.
    fn is_over(&mut self) -> bool {
        if self.clash {
            self.outcome = Outcome::Exhausted;
        } else if self.limit.is_some_and(|limit| self.found >= limit.into()) {
            self.outcome = Outcome::Stopped(StopReason::Solutions);
        } else if let Some(reason) = self.solver.stop_reason(1, 1).filter(|_| self.in_hand) {
            self.outcome = Outcome::Stopped(reason); // the solver cannot tell as long as it is not asked to go on
        } else {
            return false;
        }
        true
    }

    /// The next choice among the duplicates of the solution in hand.
    fn next_choice(&mut self) -> bool {
        let reduced = &self.reduced;
        self.in_hand = self.in_hand
            && self.choices.iter_mut().rev().any(|choice| {
                let copies = reduced.copies(choice.first).unwrap_or_default();
                choice.at = (choice.at + 1) % copies.len().max(1);
                self.solution[choice.place] = copies.get(choice.at).copied().unwrap_or(choice.first);
                choice.at > 0
            });
        self.in_hand
    }

    /// The next solution of the reduced problem in hand, with the first choice among duplicates.
    fn next_cover(&mut self) -> bool {
        let cover = self.solver.next_solution().map(|cover| self.reduced.restore(cover.options()));
        self.outcome = self.solver.outcome();
        let Some(cover) = cover else { return false };
        self.solution = cover;
        self.choices.clear();
        for (place, option) in self.solution.iter_mut().enumerate() {
            if let Some(chosen) = self.chosen.get(option) {
                *option = *chosen;
            } else if self.reduced.copies(*option).is_some() {
                self.choices.push(Choice { place, first: *option, at: 0 });
            }
        }
        self.in_hand = true;
        true
    }

    /// How many choices come after that in hand.
    fn choices_left(&self) -> BigUint {
        let (mut left, mut ways) = (BigUint::ZERO, BigUint::from(1u32));
        for choice in self.choices.iter().rev() {
            let copies = self.reduced.copies(choice.first).map_or(1, <[_]>::len);
            left += &ways * (copies - 1 - choice.at);
            ways *= copies;
        }
        left
    }

    /// In how many ways the forced options can be chosen.
    fn forced_ways(&self) -> BigUint {
        let free = self.reduced.forced().iter().filter(|option| !self.chosen.contains_key(option));
        free.filter_map(|option| self.reduced.copies(*option)).map(<[_]>::len).product()
    }

    /// Whether the search may meet an option with duplicates of which none is assumed.
    fn has_choices(&self) -> bool {
        let kept = |option| matches!(self.reduced.fate(option), Some(Fate::Kept(_)));
        self.reduced.0.copies.keys().any(|first| kept(*first) && !self.chosen.contains_key(first))
    }
}

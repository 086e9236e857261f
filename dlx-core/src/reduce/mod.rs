//! Preprocessing: a smaller problem with the same solutions, and what became of every option and item. The rules are in
//! `rules`, the way back to the original problem in `expand`.

mod budget;
mod expand;
mod rules;
#[cfg(test)]
mod tests;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::time::Duration;

use crate::part::part;
use crate::problem::Bounds;
use crate::{CancelToken, ItemId, OptionId, Problem};
use budget::Budget;
pub use expand::ReducedSolver;
use rules::Rules;

/// What [`Problem::reduce`] may spend for each entry of the problem, and at least, in updates: some hundredths of a second where
/// the problem is small, a few times as long as it takes to read a large one.
const WORTH: (u64, u64) = (50, 1 << 22);

/// What became of an option when a problem was [reduced](Problem::reduce).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// It is in the reduced problem, where it has this id.
    Kept(OptionId),
    /// Every solution contains it (or a [duplicate](Self::Duplicate) of it): the item has no other options.
    Forced {
        /// The item.
        item: ItemId,
    },
    /// No solution contains it: it has no primary item, or one with the upper bound 0.
    NeverChosen,
    /// No solution contains it: choosing it leaves the item with too few options.
    Useless {
        /// The item.
        item: ItemId,
    },
    /// No solution contains it: every option of `by` contains `item`, which then cannot be covered by this option as well.
    Excluded {
        /// The item that this option contains.
        item: ItemId,
        /// The item that must be covered, and only by options that cover `item` too, in another color if it has colors.
        by: ItemId,
    },
    /// Exactly where a solution contains `of`, there is one that contains this option in its place.
    Duplicate {
        /// The first option of its kind.
        of: OptionId,
    },
}

/// How a problem is to be reduced, and within which limits: see [`Problem::reducer`].
///
/// ```
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let a = b.primary("a")?;
/// b.option([a])?;
/// b.option([a])?;
/// let reduced = b.build()?.reducer().updates(0).run();
/// assert!(!reduced.is_complete());
/// assert_eq!(reduced.problem().option_count(), 2);
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[must_use]
#[derive(Debug)]
pub struct Reducer {
    problem: Problem,
    budget: Budget,
}

impl Reducer {
    /// Stop when so many entries have been looked at: about ten nanoseconds each.
    pub fn updates(mut self, updates: u64) -> Self {
        self.budget.updates = updates;
        self
    }

    /// Stop when this much time has passed.
    #[cfg(feature = "std")]
    pub fn time(mut self, time: Duration) -> Self {
        self.budget.time = Some(time);
        self
    }

    /// Stop when the token says so.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.budget.cancel = Some(token.clone());
        self
    }

    /// Applies the rules until nothing changes or a limit is reached; what has been found by then is used.
    #[must_use]
    pub fn run(self) -> Reduced {
        let mut rules = Rules::new(&self.problem, self.budget);
        rules.apply();
        let findings = rules.findings();
        Reduced::new(self.problem, findings)
    }
}

/// What the rules found.
struct Findings {
    fates: Vec<Option<Fate>>,     // by option; none of those that stay
    dropped: Vec<Option<ItemId>>, // by item: the item that has the same options and stands for it
    covered: Vec<bool>,           // by item: nothing is left to decide about it
    bounds: Vec<Bounds>,          // by item: what is left of its bounds
    forced: Vec<OptionId>,
    hopeless: Option<ItemId>,
    complete: bool,
    updates: u64,
}

/// A problem and a smaller one with the same solutions.
///
/// Cloning is free and threads may share it. Solutions are found with [`solver`](Self::solver), in terms of the original problem.
#[derive(Clone)]
pub struct Reduced(Arc<Parts>);

struct Parts {
    original: Problem,
    problem: Problem,
    fates: Vec<Fate>,                          // by option of the original
    kept: Vec<OptionId>,                       // by option of the reduced problem: the original's
    forced: Vec<OptionId>,                     // in the order in which they were found
    copies: BTreeMap<OptionId, Vec<OptionId>>, // of options that have duplicates: they and these, ascending
    dropped: Vec<Option<ItemId>>,              // by item of the original
    hopeless: Option<ItemId>,
    complete: bool,
    updates: u64,
}

impl Problem {
    /// Reduces the problem within limits under which it takes no longer than some hundredths of a second, or a few times as long as
    /// it takes to read a large problem: see [`reducer`](Self::reducer).
    ///
    /// ```
    /// use dlx_core::{Fate, ItemId, ProblemBuilder};
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c, d, e] = b.primaries(["a", "c", "d", "e"])?;
    /// let mut option = |items: &[ItemId]| b.option(items.iter().copied());
    /// let (ac, twin, cd) = (option(&[a, c])?, option(&[a, c])?, option(&[c, d])?);
    /// let (only_d, _, only_e) = (option(&[d])?, option(&[d, e])?, option(&[e])?);
    /// let reduced = b.build()?.reduce();
    /// // All options with a contain c: that with c and d goes. What contains a is there twice.
    /// assert_eq!(reduced.fate(cd), Some(Fate::Excluded { item: c, by: a }));
    /// assert_eq!(reduced.fate(twin), Some(Fate::Duplicate { of: ac }));
    /// assert_eq!(reduced.fate(ac), Some(Fate::Forced { item: a }));
    /// assert_eq!(reduced.problem().option_count(), 3);
    /// // What is left is about d and e, and there are two ways to do that.
    /// assert_eq!(reduced.solver().count().value, 4u32.into());
    /// assert_eq!(reduced.solver().assume([twin, only_d, only_e])?.count().value, 1u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduce(&self) -> Reduced {
        let (each, least) = WORTH;
        self.reducer().updates(each.saturating_mul(self.entry_count() as u64).max(least)).run()
    }

    /// Reduces the problem, without limits unless the [`Reducer`] is given some.
    ///
    /// The rules, which are applied until none finds anything:
    ///
    /// * an option goes if choosing it leaves some primary item with fewer options than its lower bound asks for (Knuth's
    ///   Algorithm P, *The Art of Computer Programming* 4B, 7.2.2.1);
    /// * the options of an item that has no more than its lower bound asks for are chosen, and whatever disagrees with
    ///   them goes;
    /// * where every option of a primary item *a* contains the item *b*, the other options of *b* go, and so does *b* itself.
    ///   With bounds, that is so if the lower bound of *a* is the upper bound of *b*; with colors, if *b* is secondary, those
    ///   options go that agree with no option of *a*;
    /// * of options that are equal but for items that went, and of which a solution can contain one at most, the first
    ///   stands for all if they have the same cost.
    ///
    /// To try an option takes as many updates as choosing it in a search, and all of them are tried again after each round in
    /// which something was found.
    pub fn reducer(&self) -> Reducer {
        Reducer { problem: self.clone(), budget: Budget::unlimited() }
    }
}

impl Reduced {
    fn new(original: Problem, findings: Findings) -> Self {
        let kept: Vec<_> =
            original.options().filter(|option| findings.fates[option.index()].is_none()).collect();
        let open = original.items().filter(|item| !findings.covered[item.index()]);
        let problem = part(&original, open.map(|item| (item, findings.bounds[item.index()])), &kept);
        let places = (0..).filter_map(OptionId::new);
        let mut fates = findings.fates;
        for (option, place) in kept.iter().zip(places) {
            fates[option.index()] = Some(Fate::Kept(place));
        }
        let mut fates: Vec<_> = fates.into_iter().map(|fate| fate.unwrap_or(Fate::NeverChosen)).collect();
        let mut copies = BTreeMap::new();
        for option in original.options() {
            let Fate::Duplicate { of } = fates[option.index()] else { continue };
            // The first of a kind may have turned out to be one of another kind; it comes before this one.
            let first = match fates[of.index()] {
                Fate::Duplicate { of } => of,
                _ => of,
            };
            fates[option.index()] = Fate::Duplicate { of: first };
            copies.entry(first).or_insert_with(|| vec![first]).push(option);
        }
        Self(Arc::new(Parts {
            original,
            problem,
            fates,
            kept,
            forced: findings.forced,
            copies,
            dropped: findings.dropped,
            hopeless: findings.hopeless,
            complete: findings.complete,
            updates: findings.updates,
        }))
    }

    /// The problem that is left: the options that were [kept](Fate::Kept), without the items that are covered by forced
    /// options or [dropped](Self::dropped). It may be empty.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The problem that was reduced.
    pub fn original(&self) -> &Problem {
        &self.0.original
    }

    /// What became of an option of the original problem; `None` if there is no such option.
    pub fn fate(&self, option: OptionId) -> Option<Fate> {
        self.0.fates.get(option.index()).copied()
    }

    /// The options that are in every solution, they or their duplicates.
    pub fn forced(&self) -> &[OptionId] {
        &self.0.forced
    }

    /// An option of the original problem and its duplicates, in ascending order, if it is the first of several.
    pub fn copies(&self, option: OptionId) -> Option<&[OptionId]> {
        self.0.copies.get(&option).map(Vec::as_slice)
    }

    /// The item that stands for `item` since both have the same options now, if the reduced problem goes without `item`.
    pub fn dropped(&self, item: ItemId) -> Option<ItemId> {
        self.0.dropped.get(item.index()).copied().flatten()
    }

    /// The item that is left with too few options, if it turned out that there is no solution.
    pub fn hopeless(&self) -> Option<ItemId> {
        self.0.hopeless
    }

    /// Whether the rules would find nothing more: no limit was reached.
    pub fn is_complete(&self) -> bool {
        self.0.complete
    }

    /// How many entries were looked at.
    pub fn updates(&self) -> u64 {
        self.0.updates
    }

    /// A solution of the original problem: the forced options, and those that a solution of the reduced problem chooses. Other ones
    /// have [duplicates](Self::copies) of some in their place. Its cost is that of the forced options and the given ones together.
    ///
    /// # Panics
    /// If the reduced problem has no such option.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// let [first, dear, cheap] = [b.option([a])?, b.option([c])?, b.option([c])?];
    /// b.set_cost(dear, 9)?;
    /// let reduced = b.build()?.reduce();
    /// let best = reduced.problem().solver().min_cost();
    /// assert_eq!(best.cover.map(|cover| reduced.restore(&cover.options)), Some(vec![first, cheap]));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn restore(&self, solution: &[OptionId]) -> Vec<OptionId> {
        let kept = solution.iter().map(|option| self.0.kept[option.index()]);
        self.0.forced.iter().copied().chain(kept).collect()
    }

    /// A solver that finds the solutions of the original problem by searching the reduced one.
    pub fn solver(&self) -> ReducedSolver {
        ReducedSolver::new(self.clone())
    }
}

impl fmt::Debug for Reduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { original, problem, forced, complete, .. } = &*self.0;
        f.debug_struct("Reduced")
            .field("original", original)
            .field("problem", problem)
            .field("forced", forced)
            .field("complete", complete)
            .finish_non_exhaustive()
    }
}

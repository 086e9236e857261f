//! Branching rules that take the place of MRV: what they see, and those that come with the crate.

use alloc::vec;
use alloc::vec::Vec;

use crate::{ItemId, Problem};

#[cfg(test)]
mod tests;

/// An item on which a search may branch.
#[derive(Debug)]
pub struct Candidate {
    item: ItemId,
    choices: u32,
    pub(crate) column: u32,
}

impl Candidate {
    pub(crate) fn new(item: ItemId, choices: u32, column: u32) -> Self {
        Self { item, choices, column }
    }

    /// The item.
    pub fn item(&self) -> ItemId {
        self.item
    }

    /// In how many ways the search could go on: the number of its remaining options. With bounds: that many, plus one, less what
    /// the lower bound still asks for. At least 1.
    pub fn choices(&self) -> u32 {
        self.choices
    }
}

/// Chooses the item to branch on at each node: see [`Solver::branch_by`](crate::Solver::branch_by).
///
/// Whatever it chooses, the search finds all solutions; how many nodes that takes depends on it.
///
/// ```
/// use dlx_core::{BranchingRule, Candidate, ProblemBuilder};
///
/// /// The item with the most options: rarely a good idea.
/// struct Most;
///
/// impl BranchingRule for Most {
///     fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
///         candidates.iter().max_by_key(|candidate| candidate.choices())
///     }
/// }
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// for option in [&[a, c][..], &[a], &[c], &[c]] {
///     b.option(option.iter().copied())?;
/// }
/// let mut solver = b.build()?.solver().branch_by(Most);
/// assert_eq!(solver.count().value, 3u32.into());
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub trait BranchingRule: Send {
    /// One of the items, of which there is at least one, in the order of their declaration. None of them stands for the first
    /// with the fewest choices.
    fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate>;

    /// Takes note that the search turns back since this item has nothing left.
    fn failed(&mut self, _item: ItemId) {}
}

/// Minimum remaining values: the first of the items with the fewest choices. It is what every engine does by itself, and
/// faster.
///
/// ```
/// use dlx_core::{Mrv, ProblemBuilder};
///
/// let mut b = ProblemBuilder::new();
/// let a = b.primary("a")?;
/// b.option([a])?;
/// assert!(b.build()?.solver().branch_by(Mrv).next_solution().is_some());
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Mrv;

impl BranchingRule for Mrv {
    fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
        candidates.iter().min_by_key(|candidate| candidate.choices)
    }
}

/// Knuth's sharp preference: an item without a choice if there is one, or else the first of the preferred items with the
/// fewest choices, or else of the others. His programs prefer the items whose names begin with `#`
/// (*The Art of Computer Programming* 4B, 7.2.2.1).
///
/// ```
/// use dlx_core::{ProblemBuilder, Sharp};
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "#c"])?;
/// for option in [&[a][..], &[a], &[c], &[c], &[c]] {
///     b.option(option.iter().copied())?;
/// }
/// let problem = b.build()?;
/// let mut solver = problem.solver().branch_by(Sharp::by_name(&problem));
/// // The search branches on #c, though a has fewer options.
/// let first = solver.next_solution().map(|solution| problem.option(solution.options()[0]).to_string());
/// assert_eq!(first.as_deref(), Some("#c"));
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sharp(Vec<bool>);

impl Sharp {
    /// Prefers these items.
    pub fn new(preferred: impl IntoIterator<Item = ItemId>) -> Self {
        let mut is_preferred = Vec::new();
        for item in preferred {
            if is_preferred.len() <= item.index() {
                is_preferred.resize(item.index() + 1, false);
            }
            is_preferred[item.index()] = true;
        }
        Self(is_preferred)
    }

    /// Prefers the items whose names begin with `#`.
    pub fn by_name(problem: &Problem) -> Self {
        let is_sharp = |item: &ItemId| problem.item_name(*item).is_some_and(|name| name.starts_with('#'));
        Self::new(problem.items().filter(is_sharp))
    }
}

impl BranchingRule for Sharp {
    fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
        candidates.iter().min_by_key(|Candidate { item, choices, .. }| {
            let preferred = *choices <= 1 || self.0.get(item.index()).copied().unwrap_or(false);
            (!preferred, *choices)
        })
    }
}

/// Weights learned from failures: the first of the items with the fewest choices in proportion to one more than the number of times
/// that the search turned back because of it (*dom/wdeg* of constraint programming: Boussemart, Hemery, Lecoutre, Sais,
/// ECAI 2004). An item without a choice comes first.
///
/// What was learned stays when the search begins anew.
///
/// ```
/// use dlx_core::{ProblemBuilder, Weights};
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// b.option([a, c])?;
/// let problem = b.build()?;
/// assert_eq!(problem.solver().branch_by(Weights::new(&problem)).count().value, 1u32.into());
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Weights(Vec<u64>);

impl Weights {
    /// For a problem; nothing is learned yet.
    pub fn new(problem: &Problem) -> Self {
        Self(vec![1; problem.item_count()])
    }

    /// One more than the number of failures because of an item.
    ///
    /// # Panics
    /// If the item is of another, larger problem.
    pub fn weight(&self, item: ItemId) -> u64 {
        self.0[item.index()]
    }
}

impl BranchingRule for Weights {
    fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
        let weight = |candidate: &Candidate| self.0.get(candidate.item.index()).copied().unwrap_or(1);
        candidates.iter().min_by(|one, other| {
            let products = [
                u128::from(one.choices) * u128::from(weight(other)),
                u128::from(other.choices) * u128::from(weight(one)),
            ];
            (one.choices > 1).cmp(&(other.choices > 1)).then(products[0].cmp(&products[1]))
        })
    }

    fn failed(&mut self, item: ItemId) {
        if let Some(weight) = self.0.get_mut(item.index()) {
            *weight += 1;
        }
    }
}

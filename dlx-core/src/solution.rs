//! Solutions: lent by the solver, owned by the caller, or packed by the million in a store.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use core::ops::Deref;

use typed_arena::Arena;

use crate::OptionId;

/// A solution, lent by the [`Solver`](crate::Solver) until it goes on: the chosen options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Solution<'a>(pub(crate) &'a [OptionId]);

impl<'a> Solution<'a> {
    /// The chosen options in the order in which they were chosen, assumed ones first.
    pub fn options(self) -> &'a [OptionId] {
        self.0
    }

    /// A copy in ascending order. Two solutions are the same if and only if their sorted copies are equal.
    pub fn sorted(self) -> OwnedSolution {
        OwnedSolution::new(self.0)
    }
}

impl fmt::Debug for Solution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|option| option.raw())).finish()
    }
}

/// A solution of its own: the chosen options in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnedSolution(Box<[OptionId]>);

impl OwnedSolution {
    /// Sorts the options. Takes *O*(*k* log *k*) for *k* options.
    pub fn new(options: &[OptionId]) -> Self {
        let mut options: Box<[OptionId]> = options.into();
        options.sort_unstable();
        Self(options)
    }
}

impl Deref for OwnedSolution {
    type Target = [OptionId];

    fn deref(&self) -> &[OptionId] {
        &self.0
    }
}

impl fmt::Debug for OwnedSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Solution(self).fmt(f)
    }
}

/// Keeps solutions of any length in a few large chunks, and lends them for as long as it lives, while it grows:
/// 4 bytes an option and no allocation a solution. Two machine words more a solution if the caller keeps the
/// slices that [`push`](Self::push) returns.
///
/// ```
/// use dlx_core::{ProblemBuilder, SolutionStore};
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// b.option([a])?;
/// b.option([c])?;
/// b.option([a, c])?;
/// let store = SolutionStore::new();
/// let mut solver = b.build()?.solver();
/// let mut all = Vec::new();
/// while let Some(solution) = solver.next_solution() {
///     all.push(store.push(solution.options()));
/// }
/// assert_eq!((store.len(), all.concat().len()), (2, 3));
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Default)]
pub struct SolutionStore {
    arena: Arena<OptionId>,
    count: Cell<usize>,
}

impl SolutionStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a solution, its options in ascending order, and lends it.
    pub fn push(&self, options: &[OptionId]) -> &[OptionId] {
        self.count.set(self.count.get() + 1);
        let kept = self.arena.alloc_extend(options.iter().copied());
        kept.sort_unstable();
        kept
    }

    /// The number of solutions.
    pub fn len(&self) -> usize {
        self.count.get()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All options of all solutions, one solution after the other, for whoever wants them without the slices.
    pub fn into_options(self) -> Vec<OptionId> {
        self.arena.into_vec()
    }
}

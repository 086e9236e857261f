//! What a representation of the residual problem must offer to the search: one small trait. And the choice among the
//! representations.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::search::{Drive, Search};
use crate::{OptionId, Problem};

mod links;
mod planes;

/// Which representation of the residual problem a [`Solver`](crate::Solver) uses. All find the same solutions, in
/// orders of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineKind {
    /// The one that suits the problem's shape.
    #[default]
    Auto,
    /// Dancing links: the reference, for problems of any size.
    Links,
    /// Bit slices, for small problems whose items have few options each, such as sudokus; links where
    /// the problem does not suit.
    Planes,
}

impl EngineKind {
    /// All that can be asked for.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Links, Self::Planes];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Links => "links",
            Self::Planes => "planes",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown engine, expected one of")?;
        EngineKind::ALL.iter().try_for_each(|kind| write!(f, " {kind}"))
    }
}

impl core::error::Error for UnknownEngine {}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or(UnknownEngine)
    }
}

/// A search on a problem, at its beginning.
pub(crate) fn search(problem: &Problem, kind: EngineKind) -> Box<dyn Drive> {
    let suited = match kind {
        EngineKind::Planes => planes::search(problem),
        EngineKind::Auto | EngineKind::Links => None,
    };
    suited.unwrap_or_else(|| {
        if problem.has_colors() {
            Box::new(Search::new(links::Links::<4>::new(problem)))
        } else {
            Box::new(Search::new(links::Links::<3>::new(problem)))
        }
    })
}

/// What [`Engine::select`] found.
pub(crate) enum Selected<B> {
    /// Every primary item is covered.
    Complete,
    /// Some primary item cannot be covered any more.
    Dead,
    /// Branch on the options of an item; `forced` if it has a single one.
    Branch { branch: B, forced: bool },
}

/// What became of an option that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tried {
    /// It is committed, and the search goes on below it.
    Open,
    /// It leaves some primary item without options. Nothing remains of it.
    Dead,
    /// It covers all that was left: a solution. Nothing remains of it.
    Complete,
}

/// A representation of the residual problem.
///
/// The search calls, for each node below which it branches:
/// `select`, `enter`, then for each option `current`, `attempt` and, after [`Tried::Open`], everything deeper
/// and `retract`, then `advance`; and when `current` says that there are no more, `leave`. Whatever is done is undone
/// in the reverse order, after which the representation is, bit for bit, what it was before.
pub(crate) trait Engine {
    /// A branching item and the option in hand.
    type Branch: Copy + Send;

    /// Chooses the item to branch on. `chosen` is what is in hand.
    fn select(&mut self, chosen: &[OptionId]) -> Selected<Self::Branch>;

    /// Covers the branching item.
    fn enter(&mut self, branch: &mut Self::Branch);

    /// The option in hand; `None` after the last.
    fn current(&self, branch: &mut Self::Branch) -> Option<OptionId>;

    /// Commits the option in hand.
    fn attempt(&mut self, branch: &mut Self::Branch) -> Tried;

    /// Undoes the commitment of the option in hand.
    fn retract(&mut self, branch: &Self::Branch);

    /// Goes on to the next option.
    fn advance(&mut self, branch: &mut Self::Branch);

    /// Uncovers the branching item.
    fn leave(&mut self, branch: &Self::Branch);

    /// Whether assumptions may contradict one another: the root is a dead end then.
    const SEES_CLASHES: bool = false;

    /// Commits an option before the search begins. It must be another one than those before and, unless
    /// [`SEES_CLASHES`](Self::SEES_CLASHES), compatible with them.
    fn assume(&mut self, option: OptionId);

    /// Takes the last assumption back.
    fn unassume(&mut self, option: OptionId);

    /// After `select` or `attempt` has found a solution: pushes those of its options that are not in `chosen` yet.
    fn complete(&mut self, _chosen: &mut Vec<OptionId>) {}

    /// How many entries were removed from lists, ever.
    fn updates(&self) -> u64;
}

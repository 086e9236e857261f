//! What a representation of the residual problem must offer to the search: one small trait. And the choice among the
//! representations.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::choose::BranchingRule;
use crate::proof::{Log, Logging};
use crate::search::{Drive, Search};
use crate::{OptionId, Problem};

mod bits;
#[cfg(test)]
pub(crate) mod contract;
mod links;
mod planes;
mod steered;

use steered::Steered;

/// Which representation of the residual problem a [`Solver`](crate::Solver) uses. All find the same solutions, in
/// orders of their own, and count nodes by rules of their own.
///
/// | engine | suits | memory |
/// |---|---|---|
/// | `links` | any problem; the only one for hundreds of thousands of options | 16 bytes an entry |
/// | `bits` | most problems: two to ten times as fast as `links` | some words of mask an entry |
/// | `planes` | up to 1024 primary items with up to 16 options each, like sudokus: ten times as fast as `links` where much is forced | a third of a kilobyte an option and more |
///
/// `auto` looks at the shape of the problem alone. It takes `planes` for more than 128 primary items in up to 16 options each
/// whose options contain four or more of them on the average (three, where items have at most 9 options and are no more than 384). It
/// takes `links` where a frame of `bits` (a bit an option and four bytes a primary item) is larger than 12 KiB and larger
/// than the number of entries that `links` would remove for an average option. All else is for `bits`. A problem with
/// [bounds](Problem::has_bounds) is for `bits` where to count the options of all items, eight items and 64 options at a time, takes
/// no more steps than `links` would have to remove entries for two options. There `bits` has a table with a bit for each item (or color)
/// and each option, and in deep searches a bit for each option at each level; where either is more than 128 MiB, `links` takes its place,
/// as it does that of `planes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineKind {
    /// The default: one of those below, chosen by the shape of the problem.
    #[default]
    Auto,
    /// Dancing links: the reference, for problems of any size.
    Links,
    /// Bit sets.
    Bits,
    /// Bit slices, for small problems whose items have few options each, such as sudokus. Where the problem does not
    /// suit, what `Auto` takes in its place.
    Planes,
}

impl EngineKind {
    /// All that can be asked for.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Links, Self::Bits, Self::Planes];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Links => "links",
            Self::Bits => "bits",
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

/// A search by dancing links that logs itself, at its beginning.
pub(crate) fn logged<L: Log + 'static>(problem: &Problem, log: L) -> Box<dyn Drive> {
    let log = Logging::new(problem, log);
    match (problem.has_bounds(), problem.has_colors()) {
        (true, true) => Box::new(Search::observed(links::Bounded::<true>::new(problem), log)),
        (true, false) => Box::new(Search::observed(links::Bounded::<false>::new(problem), log)),
        (false, true) => Box::new(Search::observed(links::Links::<true>::new(problem), log)),
        (false, false) => Box::new(Search::observed(links::Links::<false>::new(problem), log)),
    }
}

/// A search on a problem, at its beginning.
pub(crate) fn search(problem: &Problem, kind: EngineKind) -> Box<dyn Drive> {
    if problem.has_bounds() {
        let bits = match kind {
            EngineKind::Links => false,
            EngineKind::Bits => bits::bounded::fits(problem),
            EngineKind::Auto | EngineKind::Planes => bits::bounded::suits(problem),
        };
        return match problem.has_colors() {
            _ if bits => boxed(bits::Bounded::new(problem)),
            true => boxed(links::Bounded::<true>::new(problem)),
            false => boxed(links::Bounded::<false>::new(problem)),
        };
    }
    let planes = match kind {
        EngineKind::Auto => planes::pays(problem),
        _ => kind == EngineKind::Planes,
    };
    if planes && let Some(search) = planes::search(problem) {
        return search;
    }
    match kind {
        EngineKind::Bits => boxed(bits::Bits::new(problem)),
        EngineKind::Auto | EngineKind::Planes if bits::suits(problem) => boxed(bits::Bits::new(problem)),
        _ if problem.has_colors() => boxed(links::Links::<true>::new(problem)),
        _ => boxed(links::Links::<false>::new(problem)),
    }
}

/// A search with the links, at its beginning, whose branching items the rule names.
pub(crate) fn steered(problem: &Problem, rule: Box<dyn BranchingRule>) -> Box<dyn Drive> {
    match (problem.has_bounds(), problem.has_colors()) {
        (true, true) => boxed(Steered::new(links::Bounded::<true>::new(problem), problem, rule)),
        (true, false) => boxed(Steered::new(links::Bounded::<false>::new(problem), problem, rule)),
        (false, true) => boxed(Steered::new(links::Links::<true>::new(problem), problem, rule)),
        (false, false) => boxed(Steered::new(links::Links::<false>::new(problem), problem, rule)),
    }
}

fn boxed(engine: impl Engine + Send + 'static) -> Box<dyn Drive> {
    Box::new(Search::new(engine))
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

/// How far a search has come down its tree: every solution below contains all options of `before` and none of `without`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// What is committed. It may leave out what follows from the rest.
    pub(crate) before: Vec<OptionId>,
    /// Options that have been tried, where those that come later do not forbid them.
    pub(crate) without: Vec<OptionId>,
}

/// What is left to try at a branch: solutions that contain none of `without`, and one of `others` or, if there are none of
/// those, any.
#[derive(Default)]
pub(crate) struct Untried {
    /// Options that have been tried, the one in hand included, where those that come later do not forbid them.
    pub(crate) without: Vec<OptionId>,
    /// The options of the branching item behind the one in hand.
    pub(crate) others: Vec<OptionId>,
    /// How many choices have been tried before the one in hand.
    pub(crate) tried: usize,
    /// How many come behind it.
    pub(crate) behind: usize,
    /// Whether none of these can lead to a solution.
    pub(crate) hopeless: bool,
}

/// A representation of the residual problem.
///
/// The search calls, for each node below which it branches: `select`, `enter`, then for each option of the item
/// `attempt` and, after [`Tried::Open`], everything deeper and `retract`; `advance` goes on to the next option, and when
/// it says that there is none, `leave`. Whatever is done is undone in the reverse order, after which the representation
/// is, bit for bit, what it was before.
pub(crate) trait Engine {
    /// A branching item and the option in hand.
    type Branch: Copy + Send;

    /// Chooses the item to branch on.
    fn select(&mut self) -> Selected<Self::Branch>;

    /// Begins to branch on the item. Its first option is in hand.
    fn enter(&mut self, branch: &mut Self::Branch);

    /// Commits the option in hand, and whatever else it forces.
    fn attempt(&mut self, branch: &mut Self::Branch) -> Tried;

    /// Makes `solution` what is in hand: after the `assumed` options with which it begins, those that are committed, and
    /// those that the last `attempt` would have committed if it completed a solution. `branches` are those that are open, of
    /// which the first `fresh` are as they were at the last call.
    fn collect(
        &mut self,
        branches: &[Self::Branch],
        fresh: usize,
        assumed: usize,
        solution: &mut Vec<OptionId>,
    );

    /// Undoes the commitment of the option in hand.
    fn retract(&mut self, branch: &Self::Branch);

    /// Takes the next option in hand; false if there is none.
    fn advance(&mut self, branch: &mut Self::Branch) -> bool;

    /// Ends it.
    fn leave(&mut self, branch: &Self::Branch);

    /// Takes `path`, which leads to one of the open `branches`, on through what is in hand there.
    fn follow(&self, branches: &[Self::Branch], at: usize, path: &mut Path);

    /// What is to be tried later at one of the open `branches`, after so many assumptions.
    fn untried(&self, branches: &[Self::Branch], at: usize, assumed: usize) -> Untried;

    /// Whether assumptions may contradict one another: the root is a dead end then.
    const SEES_CLASHES: bool = false;

    /// Commits an option before the search begins. It must be another one than those before and, unless
    /// [`SEES_CLASHES`](Self::SEES_CLASHES), compatible with them.
    fn assume(&mut self, option: OptionId);

    /// Commits several, one after the other.
    fn assume_all(&mut self, options: &[OptionId]) {
        options.iter().for_each(|option| self.assume(*option));
    }

    /// Takes the last assumption back.
    fn unassume(&mut self, option: OptionId);

    /// Takes the last assumptions back, which are these.
    fn unassume_all(&mut self, options: &[OptionId]) {
        options.iter().rev().for_each(|option| self.unassume(*option));
    }

    /// Forbids an option before the search begins, after all assumptions, which leave it possible. Only asked of engines that
    /// say [`without`](Untried::without) which options something is left.
    fn exclude(&mut self, _: OptionId) {}

    /// Takes the last exclusion back.
    fn readmit(&mut self, _: OptionId) {}

    /// How many entries were removed from lists, ever.
    fn updates(&self) -> u64;
}

/// An engine that can say why it does what it does. Items are told by their places among the primary ones.
pub(crate) trait Explain: Engine {
    /// The item that a branch, just selected or open, branches on. `None` if the item has no option: there is nothing to decide.
    fn decides(&self, branch: &Self::Branch) -> Option<usize>;

    /// The option in hand; `None` if that is to choose no (further) option of the item.
    fn in_hand(&self, branch: &Self::Branch) -> Option<OptionId>;

    /// An item that cannot be covered as often as it must be.
    fn lacking(&self) -> Option<usize>;

    /// An item that cannot if the option in hand is chosen, where [`attempt`](Engine::attempt) has just said
    /// [`Dead`](Tried::Dead). Finds it by trying once more.
    fn lacking_if_tried(&mut self, branch: &Self::Branch) -> Option<usize>;

    /// How many choices of a branch that is about to be left were not tried, as without the options before them some item
    /// [lacks](Self::lacking) options.
    fn passed_up(&self, branch: &Self::Branch) -> usize;
}

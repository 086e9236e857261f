//! The problem: items and options, immutable and shared. Views only; [`ProblemBuilder`](crate::ProblemBuilder)
//! is the only way to make one.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Range, RangeInclusive};

use itertools::Itertools as _;

#[cfg(feature = "parallel")]
use crate::Parallel;
use crate::names::Names;
use crate::{Color, EngineKind, ItemId, OptionId, Solver};

/// One item of one option, with the color that the option gives to it (secondary items only).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The item.
    pub item: ItemId,
    /// The color, or `None`: then no other chosen option may contain the item.
    pub color: Option<Color>,
}

impl From<ItemId> for Entry {
    fn from(item: ItemId) -> Self {
        Self { item, color: None }
    }
}

impl From<(ItemId, Color)> for Entry {
    fn from((item, color): (ItemId, Color)) -> Self {
        Self { item, color: Some(color) }
    }
}

impl From<(ItemId, Option<Color>)> for Entry {
    fn from((item, color): (ItemId, Option<Color>)) -> Self {
        Self { item, color }
    }
}

/// An exact cover problem, possibly with secondary items, colors (Knuth's XCC) and bounds (his MCC).
///
/// Cloning is free and threads may share it. A problem takes at most 8 bytes an entry, 4 without colors,
/// plus 4 bytes an option, the names and, if there are bounds, 8 bytes an item, if there are costs, 8 bytes an option.
///
/// ```
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// let p = b.secondary("p")?;
/// let red = b.color("red")?;
/// b.option([(a, None), (p, Some(red))])?;
/// b.option([c])?;
/// let problem = b.build()?;
/// assert_eq!((problem.primary_count(), problem.option_count(), problem.entry_count()), (2, 2, 3));
/// assert_eq!(problem.options().map(|o| problem.option(o).to_string()).collect::<Vec<_>>(), ["a p:red", "c"]);
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Problem(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) primary: Vec<bool>,        // by item
    pub(crate) bounds: Vec<Bounds>,       // by item; no element at all if no item has other bounds than ONCE
    pub(crate) names: Names,              // of items, by item; empty where an item has none
    pub(crate) colors: Names,             // by color
    pub(crate) starts: Vec<u32>,          // option o has the entries starts[o]..starts[o + 1]
    pub(crate) items: Vec<ItemId>,        // of entries
    pub(crate) tints: Vec<Option<Color>>, // of entries; no element at all if no entry has a color
    pub(crate) costs: Vec<i64>,           // by option; those behind the last element have no cost
}

/// How often a solution covers a primary item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

impl Bounds {
    pub(crate) const ONCE: Self = Self { least: 1, most: 1 };
}

impl Problem {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// The number of items.
    pub fn item_count(&self) -> usize {
        self.0.primary.len()
    }

    /// The number of primary items: those that must be covered exactly once, or as often as their [bounds](Self::bounds)
    /// say.
    pub fn primary_count(&self) -> usize {
        self.0.primary.iter().filter(|p| **p).count()
    }

    /// The number of secondary items: those that may be covered once, or more often in one color.
    pub fn secondary_count(&self) -> usize {
        self.item_count() - self.primary_count()
    }

    /// The number of options, those without a primary item included.
    pub fn option_count(&self) -> usize {
        self.0.starts.len() - 1
    }

    /// The number of entries: the sizes of all options added up.
    pub fn entry_count(&self) -> usize {
        self.0.items.len()
    }

    /// Whether any option gives a color to an item (XCC rather than XC).
    pub fn has_colors(&self) -> bool {
        !self.0.tints.is_empty()
    }

    /// All items in the order of their declaration.
    pub fn items(&self) -> impl ExactSizeIterator<Item = ItemId> + use<> {
        ids(self.item_count(), ItemId::new)
    }

    /// All options in the order of the input.
    pub fn options(&self) -> impl ExactSizeIterator<Item = OptionId> + use<> {
        ids(self.option_count(), OptionId::new)
    }

    /// Whether the item is primary.
    ///
    /// # Panics
    /// If the item is of another, larger problem. So do all functions here that take an id, but
    /// [`get_option`](Self::get_option).
    pub fn is_primary(&self, item: ItemId) -> bool {
        self.0.primary[item.index()]
    }

    /// Whether any primary item has other bounds than `1..=1` (MCC rather than XC or XCC).
    pub fn has_bounds(&self) -> bool {
        !self.0.bounds.is_empty()
    }

    /// How many options of a solution contain a primary item, at least and at most: `1..=1` unless
    /// [`set_bounds`](crate::ProblemBuilder::set_bounds) said otherwise. `None` for a secondary item.
    pub fn bounds(&self, item: ItemId) -> Option<RangeInclusive<u32>> {
        let bounds = self.bounds_of(item);
        self.is_primary(item).then_some(bounds.least..=bounds.most)
    }

    /// The name of an item; `None` for an unnamed one.
    pub fn item_name(&self, item: ItemId) -> Option<&str> {
        Some(self.0.names.get(item.index())).filter(|name| !name.is_empty())
    }

    /// The name of a color.
    pub fn color_name(&self, color: Color) -> &str {
        self.0.colors.get(color.index())
    }

    pub(crate) fn color_count(&self) -> usize {
        self.0.colors.len()
    }

    /// The item of that name. Constant time.
    pub fn item(&self, name: &str) -> Option<ItemId> {
        self.0.names.find(name).and_then(ItemId::new)
    }

    /// Whether any option has a cost other than 0.
    pub fn has_costs(&self) -> bool {
        !self.0.costs.is_empty()
    }

    /// The cost of an option: 0 unless [`set_cost`](crate::ProblemBuilder::set_cost) said otherwise.
    pub fn cost(&self, option: OptionId) -> i64 {
        self.0.costs.get(option.index()).copied().unwrap_or(0)
    }

    /// The costs of several options added up.
    pub fn total_cost(&self, options: &[OptionId]) -> i128 {
        options.iter().map(|option| i128::from(self.cost(*option))).sum()
    }

    /// A view of one option.
    pub fn option(&self, option: OptionId) -> OptionView<'_> {
        let range = self.range(option);
        OptionView { problem: self, option, range }
    }

    /// The same for an id of unknown origin: `None` if the problem has no such option.
    pub fn get_option(&self, option: OptionId) -> Option<OptionView<'_>> {
        (option.index() < self.option_count()).then(|| self.option(option))
    }

    /// A solver for this problem, without assumptions or limits.
    pub fn solver(&self) -> Solver {
        self.solver_on(EngineKind::Auto)
    }

    /// The same on an engine of the caller's choice.
    pub fn solver_on(&self, engine: EngineKind) -> Solver {
        Solver::new(self.clone(), engine)
    }

    /// A search by several threads: `0` stands for all that the machine has.
    #[cfg(feature = "parallel")]
    pub fn parallel(&self, threads: usize) -> Parallel {
        Parallel::new(self.clone(), threads)
    }

    /// The bounds of a primary item; of a secondary one, which has none, [`Bounds::ONCE`].
    pub(crate) fn bounds_of(&self, item: ItemId) -> Bounds {
        *self.0.bounds.get(item.index()).unwrap_or(&Bounds::ONCE)
    }

    /// How many options of a solution may contain the item without agreeing on a color.
    pub(crate) fn most(&self, item: ItemId) -> u32 {
        self.bounds_of(item).most
    }

    /// Whether any item of the option is primary: an option without one is never chosen.
    pub(crate) fn has_primary_item(&self, option: OptionId) -> bool {
        self.0.items[self.range(option)].iter().any(|item| self.0.primary[item.index()])
    }

    fn range(&self, option: OptionId) -> Range<usize> {
        self.0.starts[option.index()] as usize..self.0.starts[option.index() + 1] as usize
    }
}

fn ids<T>(count: usize, make: fn(u32) -> Option<T>) -> impl ExactSizeIterator<Item = T> {
    // The builder sees to it that every index below the count makes an id.
    #[allow(clippy::expect_used)]
    (0..count as u32).map(move |index| make(index).expect("the builder bounds the counts"))
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("primary", &self.primary_count())
            .field("secondary", &self.secondary_count())
            .field("options", &self.option_count())
            .field("entries", &self.entry_count())
            .finish()
    }
}

/// One option of a [`Problem`]. Displays as in Knuth's text format: `a c p:red`.
#[derive(Clone)]
pub struct OptionView<'a> {
    problem: &'a Problem,
    option: OptionId,
    range: Range<usize>,
}

impl<'a> OptionView<'a> {
    /// Its id.
    pub fn id(&self) -> OptionId {
        self.option
    }

    /// Its number of items.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether it has no items at all.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Its items with their colors, in the order of the input.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> + Clone + use<'a> {
        let parts: &'a Parts = &self.problem.0;
        self.range
            .clone()
            .map(|at| Entry { item: parts.items[at], color: parts.tints.get(at).copied().flatten() })
    }
}

impl fmt::Display for OptionView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries().format_with(" ", |entry, write| {
            match self.problem.item_name(entry.item) {
                Some(name) => write(&name)?,
                None => write(&format_args!("#{}", entry.item))?,
            }
            match entry.color {
                Some(color) => write(&format_args!(":{}", self.problem.color_name(color))),
                None => Ok(()),
            }
        });
        names.fmt(f)
    }
}

impl fmt::Debug for OptionView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.option)
    }
}

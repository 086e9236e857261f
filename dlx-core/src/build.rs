//! The builder: collects items and options, refuses what makes no sense, and compiles the rest into a
//! [`Problem`].

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::names::{NameError, Names};
use crate::problem::{Bounds, Parts};
use crate::{BuildError, Color, Entry, ItemId, OptionId, Problem};

/// Collects the items and options of a [`Problem`].
///
/// A call that returns an error leaves the builder as it was. Items may be declared after options.
///
/// ```
/// use dlx_core::{BuildError, ProblemBuilder};
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// b.option([a, c])?;
/// assert!(matches!(b.option([a, a]), Err(BuildError::RepeatedItem { .. })));
/// let problem = b.build()?; // one option: the refused one left no trace
/// assert_eq!(problem.option_count(), 1);
/// # Ok::<(), BuildError>(())
/// ```
pub struct ProblemBuilder {
    parts: Parts,
    seen_in: Vec<u32>, // by item: one more than the last option that contains it
}

impl Default for ProblemBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ProblemBuilder {
    /// A builder without items and options.
    pub fn new() -> Self {
        let parts = Parts {
            primary: Vec::new(),
            bounds: Vec::new(),
            names: Names::default(),
            colors: Names::default(),
            starts: alloc::vec![0],
            items: Vec::new(),
            tints: Vec::new(),
            costs: Vec::new(),
        };
        Self { parts, seen_in: Vec::new() }
    }

    /// Declares a primary item: one that a solution covers exactly once, unless [`set_bounds`](Self::set_bounds) says
    /// otherwise.
    ///
    /// # Errors
    /// [`DuplicateItem`](BuildError::DuplicateItem), [`EmptyName`](BuildError::EmptyName),
    /// [`TooLarge`](BuildError::TooLarge).
    pub fn primary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.named(name, true)
    }

    /// Declares a secondary item: one that a solution covers at most once, or any number of times in one color.
    ///
    /// # Errors
    /// As [`primary`](Self::primary).
    pub fn secondary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.named(name, false)
    }

    /// Declares several primary items; in case of an error those before the refused one stay.
    ///
    /// # Errors
    /// As [`primary`](Self::primary).
    pub fn primaries<const N: usize>(&mut self, names: [&str; N]) -> Result<[ItemId; N], BuildError> {
        self.many(names, true)
    }

    /// Declares several secondary items; in case of an error those before the refused one stay.
    ///
    /// # Errors
    /// As [`primary`](Self::primary).
    pub fn secondaries<const N: usize>(&mut self, names: [&str; N]) -> Result<[ItemId; N], BuildError> {
        self.many(names, false)
    }

    /// Declares `n` primary items without names.
    ///
    /// # Errors
    /// [`TooLarge`](BuildError::TooLarge).
    pub fn unnamed_primaries(&mut self, n: usize) -> Result<Vec<ItemId>, BuildError> {
        (0..n).map(|_| self.item("", true)).collect()
    }

    /// Declares `n` secondary items without names.
    ///
    /// # Errors
    /// [`TooLarge`](BuildError::TooLarge).
    pub fn unnamed_secondaries(&mut self, n: usize) -> Result<Vec<ItemId>, BuildError> {
        (0..n).map(|_| self.item("", false)).collect()
    }

    /// Sets how many options of a solution contain a primary item, at least and at most; without this, it is `1..=1`.
    ///
    /// Options are chosen as a set: none can be chosen twice, but equal options are different choices. An item with the
    /// lower bound 0 may be left out, also if no option contains it; the options that contain an item with `0..=0` are
    /// never chosen. Bounds that the options cannot reach make a problem without solutions.
    ///
    /// # Errors
    /// [`BoundsOnUnknown`](BuildError::BoundsOnUnknown), [`BoundsOnSecondary`](BuildError::BoundsOnSecondary),
    /// [`EmptyBounds`](BuildError::EmptyBounds) if the lower bound is above the upper one.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// // Three courses, one of them or two with fish, and at most one with meat.
    /// let mut b = ProblemBuilder::new();
    /// let [course, fish, meat] = b.primaries(["course", "fish", "meat"])?;
    /// b.set_bounds(course, 3..=3)?;
    /// b.set_bounds(fish, 1..=2)?;
    /// b.set_bounds(meat, 0..=1)?;
    /// let soup = b.option([course])?;
    /// let pike = b.option([course, fish])?;
    /// let carp = b.option([course, fish])?;
    /// let goulash = b.option([course, meat])?;
    /// let problem = b.build()?;
    /// assert_eq!(problem.bounds(fish), Some(1..=2));
    ///
    /// let menus: Vec<_> = problem.solver().owned().map(|menu| menu.to_vec()).collect();
    /// assert_eq!(menus.len(), 4);
    /// assert!(menus.contains(&vec![soup, pike, carp]));
    /// assert!(menus.contains(&vec![pike, carp, goulash]));
    /// # Ok::<(), dlx_core::BuildError>(())
    /// ```
    pub fn set_bounds(&mut self, item: ItemId, bounds: RangeInclusive<u32>) -> Result<(), BuildError> {
        let (&least, &most) = (bounds.start(), bounds.end());
        match self.is_primary(item) {
            None => return Err(BuildError::BoundsOnUnknown { item }),
            Some(false) => return Err(BuildError::BoundsOnSecondary { item, name: self.spelling(item) }),
            Some(true) if least > most => {
                return Err(BuildError::EmptyBounds { item, name: self.spelling(item), least, most });
            }
            Some(true) => (),
        }
        if self.parts.bounds.len() <= item.index() {
            self.parts.bounds.resize(item.index() + 1, Bounds::ONCE); // items behind have these anyhow
        }
        self.parts.bounds[item.index()] = Bounds { least, most };
        Ok(())
    }

    /// The color of this name, made on first use.
    ///
    /// # Errors
    /// [`EmptyName`](BuildError::EmptyName), [`TooLarge`](BuildError::TooLarge).
    pub fn color(&mut self, name: &str) -> Result<Color, BuildError> {
        if name.is_empty() {
            return Err(BuildError::EmptyName);
        }
        let (Ok(index) | Err(NameError::Taken(index))) = self.parts.colors.push(name) else {
            return Err(BuildError::TooLarge { what: "colors" });
        };
        Color::new(index).ok_or(BuildError::TooLarge { what: "colors" })
    }

    /// The item of that name, if it is declared.
    pub fn item_named(&self, name: &str) -> Option<ItemId> {
        self.parts.names.find(name).and_then(ItemId::new)
    }

    /// Whether the item is primary; `None` if it is not declared.
    pub fn is_primary(&self, item: ItemId) -> Option<bool> {
        self.parts.primary.get(item.index()).copied()
    }

    /// Adds an option. Options may be equal (each is a choice of its own), empty or without a primary item
    /// (such an option is never chosen, but keeps its id).
    ///
    /// Takes time proportional to the option's size.
    ///
    /// # Errors
    /// [`UnknownItem`](BuildError::UnknownItem), [`RepeatedItem`](BuildError::RepeatedItem),
    /// [`UnknownColor`](BuildError::UnknownColor), [`ColorOnPrimary`](BuildError::ColorOnPrimary),
    /// [`TooLarge`](BuildError::TooLarge).
    pub fn option<E: Into<Entry>>(
        &mut self,
        entries: impl IntoIterator<Item = E>,
    ) -> Result<OptionId, BuildError> {
        let option = u32::try_from(self.parts.starts.len() - 1)
            .ok()
            .filter(|&index| index < u32::MAX - 1)
            .and_then(OptionId::new)
            .ok_or(BuildError::TooLarge { what: "options" })?;
        let start = self.parts.items.len();
        let colored = !self.parts.tints.is_empty();
        let added = entries.into_iter().try_for_each(|entry| self.entry(option, entry.into()));
        if let Err(error) = added {
            self.withdraw(start, colored);
            return Err(error);
        }
        self.parts.starts.push(self.parts.items.len() as u32);
        Ok(option)
    }

    /// Sets the cost of an option; without this, it is 0. Costs may be negative. They change nothing about which solutions there
    /// are: see [`Solver::min_cost`](crate::Solver::min_cost).
    ///
    /// # Errors
    /// [`CostOnUnknown`](BuildError::CostOnUnknown).
    pub fn set_cost(&mut self, option: OptionId, cost: i64) -> Result<(), BuildError> {
        if option.index() >= self.parts.starts.len() - 1 {
            return Err(BuildError::CostOnUnknown { option });
        }
        if self.parts.costs.len() <= option.index() {
            self.parts.costs.resize(option.index() + 1, 0);
        }
        self.parts.costs[option.index()] = cost;
        Ok(())
    }

    /// Compiles what was collected.
    ///
    /// # Errors
    /// [`TooLarge`](BuildError::TooLarge) if items, options and entries together are more than a billion
    /// (2<sup>30</sup>): an engine numbers the words of its tables with 32 bits.
    pub fn build(mut self) -> Result<Problem, BuildError> {
        let nodes = self.parts.primary.len() + self.parts.starts.len() + self.parts.items.len();
        if nodes >= 1 << 30 {
            return Err(BuildError::TooLarge { what: "items, options and entries" });
        }
        if self.parts.bounds.iter().all(|bounds| *bounds == Bounds::ONCE) {
            self.parts.bounds.clear();
        }
        if self.parts.costs.iter().all(|cost| *cost == 0) {
            self.parts.costs = Vec::new();
        }
        self.parts.items.shrink_to_fit();
        self.parts.tints.shrink_to_fit();
        self.parts.starts.shrink_to_fit();
        Ok(Problem::new(self.parts))
    }

    fn named(&mut self, name: &str, primary: bool) -> Result<ItemId, BuildError> {
        if name.is_empty() {
            return Err(BuildError::EmptyName);
        }
        self.item(name, primary)
    }

    fn item(&mut self, name: &str, primary: bool) -> Result<ItemId, BuildError> {
        let index = self.parts.names.push(name).map_err(|error| match error {
            NameError::Taken(_) => BuildError::DuplicateItem { name: name.to_string() },
            NameError::Full => BuildError::TooLarge { what: "items" },
        })?;
        self.parts.primary.push(primary);
        self.seen_in.push(0);
        ItemId::new(index).ok_or(BuildError::TooLarge { what: "items" })
    }

    fn many<const N: usize>(&mut self, names: [&str; N], primary: bool) -> Result<[ItemId; N], BuildError> {
        let first = ItemId::new(0).ok_or(BuildError::EmptyName)?; // a placeholder for every place
        let mut items = [first; N];
        for (item, name) in items.iter_mut().zip(names) {
            *item = self.named(name, primary)?;
        }
        Ok(items)
    }

    fn entry(&mut self, option: OptionId, Entry { item, color }: Entry) -> Result<(), BuildError> {
        let Some(&primary) = self.parts.primary.get(item.index()) else {
            return Err(BuildError::UnknownItem { option, item });
        };
        if primary && color.is_some() {
            return Err(BuildError::ColorOnPrimary { option, item, name: self.spelling(item) });
        }
        if let Some(color) = color.filter(|color| color.index() >= self.parts.colors.len()) {
            return Err(BuildError::UnknownColor { option, color });
        }
        if self.seen_in[item.index()] == option.raw() + 1 {
            return Err(BuildError::RepeatedItem { option, item, name: self.spelling(item) });
        }
        if self.parts.items.len() >= u32::MAX as usize {
            return Err(BuildError::TooLarge { what: "entries" });
        }
        if color.is_some() && self.parts.tints.is_empty() {
            self.parts.tints.resize(self.parts.items.len(), None); // the first color: make room for all before
        }
        self.seen_in[item.index()] = option.raw() + 1;
        self.parts.items.push(item);
        if color.is_some() || !self.parts.tints.is_empty() {
            self.parts.tints.push(color);
        }
        Ok(())
    }

    /// Takes back the entries from `start` on, of an option that was refused.
    fn withdraw(&mut self, start: usize, colored: bool) {
        for item in self.parts.items.drain(start..) {
            self.seen_in[item.index()] = 0;
        }
        self.parts.tints.truncate(if colored { start } else { 0 });
    }

    fn spelling(&self, item: ItemId) -> String {
        match self.parts.names.get(item.index()) {
            "" => item.to_string(),
            name => name.to_string(),
        }
    }
}

//! The rules, on lists of options by item from which nothing is taken before the next round.
//!
//! Every rule keeps the set of solutions of the problem that is left, together with the forced options, but for merging, which
//! keeps one of several that differ in duplicates. So the rules may be applied in any order, and stopped at any time.

use alloc::vec;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;
use core::mem;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::budget::Budget;
use super::{Fate, Findings};
use crate::problem::Bounds;
use crate::{Color, Entry, ItemId, OptionId, Problem};

/// An option in the list of an item, and the color that it gives to it.
type Use = (OptionId, Option<Color>);

pub(super) struct Rules<'a> {
    problem: &'a Problem,
    budget: Budget,
    fates: Vec<Option<Fate>>, // by option; none as long as it stays
    uses: Vec<Vec<Use>>,      // by item; perhaps with options that went
    sizes: Vec<u32>,          // by item: how many of its options stay
    bounds: Vec<Bounds>,      // by item: what forced options leave; of secondary ones 0..=1
    covered: Vec<bool>,       // by item: nothing is left to decide about it
    dropped: Vec<Option<ItemId>>,
    forced: Vec<OptionId>,
    hopeless: Option<ItemId>,
    changed: Vec<ItemId>, // primary items that have fewer options than when they were last looked at
    findings: usize,      // how many options and items went
    trial: Trial,
}

/// What an option that is tried takes from the items.
#[derive(Default)]
struct Trial {
    number: u64,
    seen: Vec<u64>,      // by option: the last trial that came upon it
    own: Vec<u64>,       // by item: the last trial of an option that contains it
    lost: Vec<u32>,      // by item: how many options it loses
    losers: Vec<ItemId>, // those that lose some
}

impl<'a> Rules<'a> {
    pub(super) fn new(problem: &'a Problem, mut budget: Budget) -> Self {
        budget.begin();
        let (items, options) = (problem.item_count(), problem.option_count());
        let bounds = problem.items().map(|item| match problem.bounds(item) {
            Some(bounds) => Bounds { least: *bounds.start(), most: *bounds.end() },
            None => Bounds { least: 0, most: 1 },
        });
        let mut this = Self {
            problem,
            budget,
            fates: vec![None; options],
            uses: vec![Vec::new(); items],
            sizes: vec![0; items],
            bounds: bounds.collect(),
            covered: vec![false; items],
            dropped: vec![None; items],
            forced: Vec::new(),
            hopeless: None,
            changed: Vec::new(),
            findings: 0,
            trial: Trial {
                seen: vec![0; options],
                own: vec![0; items],
                lost: vec![0; items],
                ..Trial::default()
            },
        };
        this.fill();
        this
    }

    /// Makes the lists, without the options that are never chosen.
    fn fill(&mut self) {
        for item in self.problem.items() {
            self.covered[item.index()] = self.bounds[item.index()].most == 0;
        }
        for option in self.problem.options() {
            let entries = self.problem.option(option).entries();
            if !self.problem.has_primary_item(option)
                || entries.clone().any(|entry| self.covered[entry.item.index()])
            {
                self.fates[option.index()] = Some(Fate::NeverChosen);
                continue;
            }
            for Entry { item, color } in entries {
                self.uses[item.index()].push((option, color));
                self.sizes[item.index()] += 1;
            }
        }
        self.changed.extend(self.problem.items().filter(|item| self.problem.is_primary(*item)));
        self.changed.reverse(); // the first one is looked at first
    }

    /// Applies the rules until nothing changes or the budget is spent.
    pub(super) fn apply(&mut self) {
        let mut before = usize::MAX;
        while self.findings != before && !self.is_over() {
            before = self.findings;
            self.force();
            self.tidy();
            self.compare_items();
            self.merge();
            self.try_options();
        }
        if let Some(item) = self.hopeless {
            for fate in self.fates.iter_mut().filter(|fate| fate.is_none()) {
                *fate = Some(Fate::Useless { item });
            }
        }
    }

    pub(super) fn findings(mut self) -> Findings {
        Findings {
            complete: self.hopeless.is_some() || !self.budget.is_over(),
            fates: self.fates,
            dropped: self.dropped,
            covered: self.covered,
            bounds: self.bounds,
            forced: self.forced,
            hopeless: self.hopeless,
            updates: self.budget.spent(),
        }
    }

    fn is_over(&mut self) -> bool {
        self.hopeless.is_some() || self.budget.is_over()
    }

    fn stays(&self, option: OptionId) -> bool {
        self.fates[option.index()].is_none()
    }

    /// The entries of an option about which something is left to decide.
    fn entries(&self, option: OptionId) -> impl Iterator<Item = Entry> + Clone + use<'_, 'a> {
        self.problem.option(option).entries().filter(|entry| !self.covered[entry.item.index()])
    }

    /// The options of an item that stay.
    fn options(&self, item: ItemId) -> impl Iterator<Item = OptionId> + use<'_, 'a> {
        self.uses[item.index()].iter().map(|(option, _)| *option).filter(|option| self.stays(*option))
    }

    /// Takes the options that went off the lists.
    fn tidy(&mut self) {
        let Self { uses, fates, .. } = self;
        for list in uses {
            list.retain(|(option, _)| fates[option.index()].is_none());
        }
    }

    /// An option goes, or is chosen.
    fn remove(&mut self, option: OptionId, fate: Fate) {
        self.fates[option.index()] = Some(fate);
        self.findings += 1;
        for entry in self.problem.option(option).entries() {
            let item = entry.item;
            if !self.covered[item.index()] {
                self.sizes[item.index()] -= 1;
                self.changed.extend(Some(item).filter(|item| self.problem.is_primary(*item)));
            }
        }
        self.budget.spend(self.problem.option(option).len());
    }

    /// Removes the options of an item for which `goes` holds.
    fn remove_from(&mut self, item: ItemId, fate: Fate, goes: impl Fn(&Self, Use) -> bool) {
        let list = mem::take(&mut self.uses[item.index()]);
        for &entry in &list {
            if self.stays(entry.0) && goes(self, entry) {
                self.remove(entry.0, fate);
            }
        }
        self.uses[item.index()] = list;
    }

    /// Chooses the options of items that have no more than their lower bound asks for.
    fn force(&mut self) {
        while let Some(item) = self.changed.pop() {
            let (size, least) = (self.sizes[item.index()], self.bounds[item.index()].least);
            if self.covered[item.index()] || least == 0 || size > least {
                continue;
            }
            if size < least {
                self.hopeless = Some(item);
                return;
            }
            let all: Vec<_> = self.options(item).collect();
            for option in all {
                if self.stays(option) {
                    self.choose(option, item);
                }
            }
        }
    }

    /// Chooses an option of `item`: those that disagree with it go, as they would leave `item` without it.
    fn choose(&mut self, option: OptionId, item: ItemId) {
        self.remove(option, Fate::Forced { item });
        self.forced.push(option);
        let entries: Vec<_> = self.entries(option).collect();
        for Entry { item: own, color } in entries {
            let bounds = &mut self.bounds[own.index()];
            (bounds.least, bounds.most) = (bounds.least.saturating_sub(1), bounds.most - 1);
            if bounds.most == 0 {
                let disagrees = |_: &Self, (_, other)| color.is_none() || other != color;
                self.remove_from(own, Fate::Useless { item }, disagrees);
                self.covered[own.index()] = true;
            }
        }
    }

    /// Finds items all of whose options contain another item.
    fn compare_items(&mut self) {
        for item in self.problem.items() {
            if self.is_over() {
                return;
            }
            if self.covered[item.index()] || self.bounds[item.index()].least == 0 {
                continue;
            }
            let mut common: Option<Vec<ItemId>> = None;
            let mut looked_at = 0;
            for option in self.options(item) {
                let entries = self.entries(option).map(|entry| entry.item);
                looked_at += self.problem.option(option).len();
                match &mut common {
                    None => common = Some(entries.filter(|other| *other != item).collect()),
                    Some(common) => common.retain(|item| entries.clone().any(|other| other == *item)),
                }
                if common.as_ref().is_some_and(Vec::is_empty) {
                    break;
                }
            }
            self.budget.spend(looked_at);
            for other in common.unwrap_or_default() {
                self.exclude(other, item);
            }
            self.force();
        }
    }

    /// Removes the options of `item` that no option of `by` leaves possible, where each of the latter contains `item`.
    fn exclude(&mut self, item: ItemId, by: ItemId) {
        let (least, most) = (self.bounds[by.index()].least, self.bounds[by.index()].most);
        let primary = self.problem.is_primary(item);
        if primary && self.bounds[item.index()].most != least {
            return;
        }
        self.trial.number += 1;
        let number = self.trial.number;
        let mut colors = Vec::new();
        for at in 0..self.uses[item.index()].len() {
            let (option, color) = self.uses[item.index()][at];
            if self.stays(option) && self.problem.option(option).entries().any(|entry| entry.item == by) {
                self.trial.seen[option.index()] = number;
                colors.extend(color);
            }
        }
        self.budget.spend(self.uses[item.index()].len());
        colors.sort_unstable();
        colors.dedup();
        self.remove_from(item, Fate::Excluded { item, by }, |this, (option, color)| {
            let agrees = color.is_some_and(|color| colors.binary_search(&color).is_ok());
            this.trial.seen[option.index()] != number && !agrees
        });
        // Both are in the same options now. As often as one may be covered, or must be, so may and must the other.
        let same = self.sizes[item.index()] == self.sizes[by.index()];
        if same && (primary || most == 1) {
            self.bounds[by.index()].most = least;
            self.covered[item.index()] = true;
            self.dropped[item.index()] = Some(by);
            self.findings += 1;
            self.changed.push(by);
        }
    }

    /// Whether a solution contains at most one of several options with the same entries as this one.
    fn excludes_its_like(&self, option: OptionId) -> bool {
        self.entries(option)
            .any(|Entry { item, color }| color.is_none() && self.bounds[item.index()].most == 1)
    }

    /// Merges options with the same entries and cost.
    fn merge(&mut self) {
        let mut firsts: HashTable<OptionId> = HashTable::new();
        let hasher = DefaultHashBuilder::default();
        for option in self.problem.options() {
            if self.is_over() {
                return;
            }
            if !self.stays(option) || !self.excludes_its_like(option) {
                continue;
            }
            let key = self.key(option);
            self.budget.spend(2 * key.0.len());
            let hash = hasher.hash_one(&key);
            match firsts.find(hash, |first| self.key(*first) == key).copied() {
                Some(of) => self.remove(option, Fate::Duplicate { of }),
                None => {
                    firsts.insert_unique(hash, option, |other| hasher.hash_one(self.key(*other)));
                }
            }
        }
    }

    /// What duplicates have in common.
    fn key(&self, option: OptionId) -> (Vec<(ItemId, Option<Color>)>, i64) {
        let mut entries: Vec<_> = self.entries(option).map(|entry| (entry.item, entry.color)).collect();
        entries.sort_unstable();
        (entries, self.problem.cost(option))
    }

    /// Removes the options that leave some item with too little.
    fn try_options(&mut self) {
        self.force();
        for option in self.problem.options() {
            if self.is_over() {
                return;
            }
            if self.stays(option)
                && let Some(item) = self.starved_by(option)
            {
                self.remove(option, Fate::Useless { item });
                self.force();
            }
        }
    }

    /// The first item that is found to have too few options left when this one is chosen.
    fn starved_by(&mut self, option: OptionId) -> Option<ItemId> {
        let mut trial = mem::take(&mut self.trial);
        trial.begin(option, self.entries(option));
        let mut starved = None;
        let mut updates = 1;
        for Entry { item, color } in self.entries(option) {
            if self.bounds[item.index()].most > 1 {
                continue; // others may cover it too
            }
            for &(other, theirs) in &self.uses[item.index()] {
                let agrees = color.is_some() && theirs == color;
                if starved.is_none() && !agrees && self.stays(other) && trial.sees(other) {
                    updates += self.problem.option(other).len();
                    let mut items = self.entries(other).map(|entry| entry.item);
                    starved = items.find(|item| self.is_starved(&mut trial, *item));
                }
            }
        }
        trial.end();
        self.trial = trial;
        self.budget.spend(updates);
        starved
    }

    /// Takes an option from an item. Whether it is left with too few.
    fn is_starved(&self, trial: &mut Trial, item: ItemId) -> bool {
        if !self.problem.is_primary(item) {
            return false;
        }
        let lost = &mut trial.lost[item.index()];
        if *lost == 0 {
            trial.losers.push(item);
        }
        *lost += 1;
        // What is tried counts, if the item is one of its own.
        let own = u32::from(trial.own[item.index()] == trial.number);
        self.sizes[item.index()] - own - *lost < self.bounds[item.index()].least.saturating_sub(own)
    }
}

impl Trial {
    fn begin(&mut self, option: OptionId, entries: impl Iterator<Item = Entry>) {
        self.number += 1;
        self.seen[option.index()] = self.number;
        for entry in entries {
            self.own[entry.item.index()] = self.number;
        }
    }

    /// Comes upon an option. Whether it is for the first time.
    fn sees(&mut self, option: OptionId) -> bool {
        mem::replace(&mut self.seen[option.index()], self.number) != self.number
    }

    fn end(&mut self) {
        for item in self.losers.drain(..) {
            self.lost[item.index()] = 0;
        }
    }
}

//! The problem as this engine reads it: options that can be chosen, renumbered, and what each of them uses.

use alloc::vec::Vec;
use core::ops::Range;

use hashbrown::HashMap;

use crate::{OptionId, Problem};

/// What an option uses, in one number: an uncolored use of item *k* is *k*, with the primary items first, then
/// the secondary ones; then come the pairs of a secondary item and a color.
pub(super) type Key = u32;

/// The compiled problem. Takes 4 bytes an entry and 12 an option.
pub(super) struct Table {
    ids: Vec<u32>,        // by place: which option
    places: Vec<u32>,     // by option: its place, or NOWHERE
    starts: Vec<u32>,     // two for each place: its keys, and its secondary ones among them; and the end
    keys: Vec<Key>,       // primary ones first
    tint_items: Vec<Key>, // by colored key, from `items()`: the key of its item
    primaries: usize,
    items: usize,
}

/// The place of an option without a primary item.
const NOWHERE: u32 = u32::MAX;

impl Table {
    pub(super) fn new(problem: &Problem) -> Self {
        let (mut primary, mut secondary) = (0, problem.primary_count() as u32);
        let number = |item| {
            let next = if problem.is_primary(item) { &mut primary } else { &mut secondary };
            *next += 1;
            *next - 1
        };
        let numbers: Vec<Key> = problem.items().map(number).collect();
        let mut table = Self {
            ids: Vec::new(),
            places: Vec::with_capacity(problem.option_count()),
            starts: Vec::new(),
            keys: Vec::with_capacity(problem.entry_count()),
            tint_items: Vec::new(),
            primaries: problem.primary_count(),
            items: problem.item_count(),
        };
        let mut tints = HashMap::new();
        for option in problem.options() {
            if !problem.has_primary_item(option) {
                table.places.push(NOWHERE);
                continue;
            }
            table.places.push(table.ids.len() as u32);
            table.ids.push(option.raw());
            let entries = || problem.option(option).entries();
            table.starts.push(table.keys.len() as u32);
            table
                .keys
                .extend(entries().filter(|e| problem.is_primary(e.item)).map(|e| numbers[e.item.index()]));
            table.starts.push(table.keys.len() as u32);
            for entry in entries().filter(|e| !problem.is_primary(e.item)) {
                let item = numbers[entry.item.index()];
                table.keys.push(match entry.color {
                    None => item,
                    Some(color) => *tints.entry((item, color)).or_insert_with(|| {
                        table.tint_items.push(item);
                        (table.items + table.tint_items.len() - 1) as Key
                    }),
                });
            }
        }
        table.starts.push(table.keys.len() as u32);
        table
    }

    /// How many options can be chosen.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn primaries(&self) -> usize {
        self.primaries
    }

    pub(super) fn key_count(&self) -> usize {
        self.items + self.tint_items.len()
    }

    pub(super) fn entry_count(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn id(&self, place: usize) -> u32 {
        self.ids[place]
    }

    pub(super) fn place(&self, option: OptionId) -> usize {
        self.places[option.index()] as usize
    }

    fn start(&self, at: usize) -> usize {
        self.starts[at] as usize
    }

    /// What the option uses.
    pub(super) fn keys(&self, place: usize) -> &[Key] {
        &self.keys[self.range(place)]
    }

    /// Where that is.
    pub(super) fn range(&self, place: usize) -> Range<usize> {
        self.start(2 * place)..self.start(2 * place + 2)
    }

    /// One of them.
    pub(super) fn key(&self, at: usize) -> Key {
        self.keys[at]
    }

    /// The primary items that the option covers.
    pub(super) fn primary_keys(&self, place: usize) -> &[Key] {
        &self.keys[self.start(2 * place)..self.start(2 * place + 1)]
    }

    /// What else the option uses.
    pub(super) fn secondary_keys(&self, place: usize) -> &[Key] {
        &self.keys[self.start(2 * place + 1)..self.start(2 * place + 2)]
    }

    /// The item of a key that has a color.
    pub(super) fn tinted_item(&self, key: Key) -> Option<Key> {
        (key as usize).checked_sub(self.items).map(|at| self.tint_items[at])
    }
}

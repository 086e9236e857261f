//! A residual problem of any size, in the original numbering.
//!
//! A frame has a bit for each option that is alive and, for each primary item, how many options it has left. Choosing
//! an option takes the options in conflict off, key by key. The counts follow in one of two ways, whichever is
//! expected to be cheaper: by one for each removed option and each of its items, or by counting
//! the items' options anew.
#![allow(unsafe_code)] // INVARIANT: see `Wide`

use alloc::vec;
use alloc::vec::Vec;

use super::simd::{Cpu, Isa, versions};
use super::small::{Scratch, bits};
use super::table::{Key, Table};
use crate::OptionId;
use crate::engine::Tried;

/// What is added to the count of an item that is covered. Far above any count.
const COVERED: u32 = 1 << 30;

type Attempt = unsafe fn(&mut Wide, &Table, usize, &mut Vec<OptionId>) -> Tried;

/// The options of one key: words of bits in a range, or those that are not zero with their places.
#[derive(Clone, Copy, Default)]
struct Row {
    start: u32, // in `words`
    len: u32,
    place: u32, // the place of the first word; or where the places of all begin in `places`
    sparse: bool,
}

pub(super) struct Wide {
    rows: Vec<Row>, // by key
    words: Vec<u64>,
    places: Vec<u32>,
    width: usize,
    item_count: usize,
    alive: Vec<u64>,  // `width` words a frame
    counts: Vec<u32>, // `item_count` a frame
    open: Vec<u32>,   // by frame: how many items are open
    depth: usize,
    survey_cost: usize, // of counting all items anew, in vector operations
    entries: usize,     // of an option, on the average, times two
    saved: Vec<u64>,
    choice: usize,
    attempt: Attempt,
}

impl Wide {
    pub(super) fn new(table: &Table, cpu: Cpu) -> Self {
        let n = table.len();
        let width = n.div_ceil(64).max(1);
        let item_count = table.primaries();
        let mut wide = Self {
            rows: Vec::with_capacity(table.key_count()),
            words: Vec::new(),
            places: Vec::new(),
            width,
            item_count,
            alive: vec![0; width],
            counts: Vec::with_capacity(item_count),
            open: vec![item_count as u32],
            depth: 0,
            survey_cost: 0,
            entries: 2 * table.entry_count() / n.max(1),
            saved: Vec::new(),
            choice: 0,
            attempt: attempt_version(cpu),
        };
        wide.lay_rows(table);
        for option in 0..n {
            wide.alive[option / 64] |= 1 << (option % 64);
        }
        for key in 0..item_count {
            let row = wide.rows[key];
            let words = &wide.words[row.start as usize..][..row.len as usize];
            wide.counts.push(words.iter().map(|word| word.count_ones()).sum());
            wide.survey_cost += 2 + if row.sparse { row.len as usize } else { row.len as usize / 8 };
        }
        wide
    }

    fn lay_rows(&mut self, table: &Table) {
        // The options of each key, ascending, by counting sort.
        let mut starts = vec![0u32; table.key_count() + 2];
        let uses = |option: usize| {
            let keys = table.keys(option).iter();
            keys.flat_map(|&key| [Some(key), table.tinted_item(key)]).flatten().map(|key| key as usize)
        };
        (0..table.len()).flat_map(uses).for_each(|key| starts[key + 2] += 1);
        (2..starts.len()).for_each(|key| starts[key] += starts[key - 1]);
        let mut options = vec![0u32; starts[starts.len() - 1] as usize];
        for option in 0..table.len() {
            for key in uses(option) {
                options[starts[key + 1] as usize] = option as u32;
                starts[key + 1] += 1;
            }
        }
        for key in 0..table.key_count() {
            self.lay_row(&options[starts[key] as usize..starts[key + 1] as usize]);
        }
    }

    fn lay_row(&mut self, options: &[u32]) {
        let start = self.words.len();
        let (Some(&first), Some(&last)) = (options.first(), options.last()) else {
            return self.rows.push(Row::default());
        };
        let distinct = 1 + options.windows(2).filter(|pair| pair[0] / 64 != pair[1] / 64).count();
        let range = (last / 64 - first / 64 + 1) as usize;
        let sparse = range > 4 * distinct;
        let place = if sparse { self.places.len() as u32 } else { first / 64 };
        if sparse {
            let mut at = u32::MAX;
            for &option in options {
                if option / 64 != at {
                    at = option / 64;
                    self.places.push(at);
                    self.words.push(0);
                }
                *self.words.last_mut().unwrap_or(&mut 0) |= 1 << (option % 64);
            }
        } else {
            self.words.resize(start + range, 0);
            for &option in options {
                self.words[start + (option / 64 - place) as usize] |= 1 << (option % 64);
            }
        }
        let len = (self.words.len() - start) as u32;
        self.rows.push(Row { start: start as u32, len, place, sparse });
    }

    fn row(&self, key: Key) -> Row {
        self.rows[key as usize]
    }

    fn place(&self, row: Row, at: usize) -> usize {
        if row.sparse { self.places[row.place as usize + at] as usize } else { row.place as usize + at }
    }

    fn alive(&self) -> &[u64] {
        &self.alive[self.depth * self.width..][..self.width]
    }

    fn counts(&self) -> &[u32] {
        &self.counts[self.depth * self.item_count..][..self.item_count]
    }

    pub(super) fn choice(&self) -> usize {
        self.choice
    }

    pub(super) fn cost(&self) -> usize {
        self.survey_cost
    }

    pub(super) fn open_count(&self) -> usize {
        self.open[self.depth] as usize
    }

    pub(super) fn left(&self) -> usize {
        self.alive().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many words an item's options take.
    pub(super) fn len(&self, item: usize) -> usize {
        self.rows[item].len as usize
    }

    /// Those of the options in one word that are alive, and which word of the frame it is.
    pub(super) fn candidates(&self, item: usize, at: usize) -> (u64, usize) {
        let row = self.rows[item];
        let place = self.place(row, at);
        (self.words[row.start as usize + at] & self.alive[self.depth * self.width + place], place)
    }

    pub(super) fn survey(&self) -> Option<(usize, usize)> {
        let counts = self.counts().iter().enumerate().map(|(item, &count)| (item, count as usize));
        counts.min_by_key(|&(_, count)| count).filter(|&(_, count)| count < COVERED as usize / 2)
    }

    pub(super) fn residue(&self, scratch: &mut Scratch) {
        scratch.options.clear();
        scratch.options.extend(bits(self.alive()).map(|option| option as u32));
        scratch.items.clear();
        let items = self.counts().iter().enumerate();
        scratch.items.extend(items.filter(|(_, count)| **count < COVERED / 2).map(|(item, _)| item as Key));
    }

    fn push(&mut self) {
        let (width, item_count) = (self.width, self.item_count);
        let (alive, counts) = (self.depth * width, self.depth * item_count);
        if self.alive.len() < alive + 2 * width || self.open.len() < self.depth + 2 {
            self.alive.resize(alive + 2 * width, 0);
            self.counts.resize(counts + 2 * item_count, 0);
            self.open.push(0);
        }
        self.alive.copy_within(alive..alive + width, alive + width);
        self.counts.copy_within(counts..counts + item_count, counts + item_count);
        self.open[self.depth + 1] = self.open[self.depth];
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn assume(&mut self, table: &Table, option: usize) {
        self.push();
        for &key in table.primary_keys(option) {
            self.counts[self.depth * self.item_count + key as usize] += COVERED;
        }
        self.open[self.depth] -= table.primary_keys(option).len() as u32;
        for &key in table.keys(option) {
            self.exclude(table, key, |_, _| ());
        }
        let item_count = self.item_count;
        for item in 0..item_count {
            let count: u32 = (0..self.len(item)).map(|at| self.candidates(item, at).0.count_ones()).sum();
            let old = &mut self.counts[self.depth * item_count + item];
            *old = if *old >= COVERED { COVERED } else { count };
        }
    }

    /// Removes what cannot be chosen with the key. Tells `removed` the counts and the options removed in each word.
    #[inline(always)]
    fn exclude(&mut self, table: &Table, key: Key, mut removed: impl FnMut(&mut [u32], (usize, u64))) {
        let alive = &mut self.alive[self.depth * self.width..][..self.width];
        let counts = &mut self.counts[self.depth * self.item_count..][..self.item_count];
        let tinted = self.rows[key as usize];
        let item = table.tinted_item(key);
        let place = |row: Row, at: usize| if row.sparse { self.places[row.place as usize + at] as usize } else { row.place as usize + at };
        if item.is_some() {
            // Those of the same color are put aside.
            self.saved.clear();
            for at in 0..tinted.len as usize {
                let word = &mut alive[place(tinted, at)];
                let same = self.words[tinted.start as usize + at];
                self.saved.push(*word & same);
                *word &= !same;
            }
        }
        let row = item.map_or(tinted, |item| self.rows[item as usize]);
        let words = &self.words[row.start as usize..][..row.len as usize];
        if row.sparse {
            for (&word, &place) in words.iter().zip(&self.places[row.place as usize..]) {
                removed(counts, (place as usize, alive[place as usize] & word));
                alive[place as usize] &= !word;
            }
        } else {
            let place = row.place as usize;
            for (k, (&word, alive)) in words.iter().zip(&mut alive[place..]).enumerate() {
                removed(counts, (place + k, *alive & word));
                *alive &= !word;
            }
        }
        if item.is_some() {
            for at in 0..tinted.len as usize {
                alive[place(tinted, at)] |= self.saved[at];
            }
        }
    }

    #[inline]
    pub(super) fn attempt(&mut self, table: &Table, option: usize, chosen: &mut Vec<OptionId>) -> Tried {
        // SAFETY: the kernel is for this processor.
        unsafe { (self.attempt)(self, table, option, chosen) }
    }

    /// Commits an option in the frame on top. False if that leaves an item with nothing.
    #[inline(always)]
    fn commit(&mut self, table: &Table, option: usize) -> bool {
        let primary = table.primary_keys(option);
        let at = self.depth * self.item_count;
        let mut removed = 0;
        for &key in primary {
            let count = &mut self.counts[at + key as usize];
            removed += *count as usize;
            *count = COVERED;
        }
        self.open[self.depth] -= primary.len() as u32;
        if removed * self.entries < self.survey_cost {
            self.follow(table, option)
        } else {
            self.recount(table, option)
        }
    }

    /// Commits, with the counts following each removed option.
    #[inline(always)]
    fn follow(&mut self, table: &Table, option: usize) -> bool {
        let mut dead = false;
        for &key in table.keys(option) {
            self.exclude(table, key, |counts, (place, mut gone)| {
                while gone != 0 {
                    let option = place * 64 + gone.trailing_zeros() as usize;
                    for &item in table.primary_keys(option) {
                        let count = &mut counts[item as usize];
                        *count -= 1;
                        dead |= *count == 0;
                    }
                    gone &= gone - 1;
                }
            });
            if dead {
                return false;
            }
        }
        true
    }

    /// Commits, and counts all items.
    #[inline(always)]
    fn recount(&mut self, table: &Table, option: usize) -> bool {
        for &key in table.keys(option) {
            self.exclude(table, key, |_, _| ());
        }
        let alive = &self.alive[self.depth * self.width..][..self.width];
        let counts = &mut self.counts[self.depth * self.item_count..][..self.item_count];
        for (count, row) in counts.iter_mut().zip(&self.rows) {
            if *count >= COVERED / 2 {
                continue;
            }
            let words = &self.words[row.start as usize..][..row.len as usize];
            *count = if row.sparse {
                let places = &self.places[row.place as usize..];
                words.iter().zip(places).map(|(word, &place)| (word & alive[place as usize]).count_ones()).sum()
            } else {
                words.iter().zip(&alive[row.place as usize..]).map(|(word, alive)| (word & alive).count_ones()).sum()
            };
            if *count == 0 {
                return false;
            }
        }
        true
    }
}

versions! {
    fn attempt_version<> = attempt as fn(wide: &mut Wide, table: &Table, option: usize, chosen: &mut Vec<OptionId>) -> Tried
}

/// # Safety
/// The instruction set is there.
#[inline(always)]
unsafe fn attempt<I: Isa>(
    wide: &mut Wide,
    table: &Table,
    mut option: usize,
    chosen: &mut Vec<OptionId>,
) -> Tried {
    if table.primary_keys(option).len() == wide.open_count() {
        return Tried::Complete;
    }
    wide.push();
    loop {
        if !wide.commit(table, option) {
            wide.pop();
            return Tried::Dead;
        }
        let counts = wide.counts();
        let least = counts.iter().fold(COVERED, |least, &count| least.min(count));
        wide.choice = counts.iter().position(|&count| count == least).unwrap_or(0);
        if least > 1 {
            return Tried::Open;
        }
        let (bits, word) =
            (0..wide.len(wide.choice)).map(|at| wide.candidates(wide.choice, at)).find(|c| c.0 != 0).unwrap_or((1, 0));
        option = word * 64 + bits.trailing_zeros() as usize;
        chosen.extend(OptionId::new(table.id(option)));
        if table.primary_keys(option).len() == wide.open_count() {
            wide.pop();
            return Tried::Complete;
        }
    }
}

//! A residual problem of any size, in the original numbering.
//!
//! A frame has a bit for each option that is alive and, for each primary item, how many options it has left. Choosing
//! an option takes the options in conflict off, key by key. The counts follow in one of two ways, whichever is
//! expected to be cheaper: by one for each removed option and each of its items, or by counting
//! the items' options anew.
//!
//! The bits come in groups of eight words. Of a key's options, only the groups that are not empty are kept: at
//! most 68 bytes an entry, and near 1/8 byte where items have many options.
#![allow(unsafe_code)] // INVARIANT: see `attempt_version`

use alloc::vec;
use alloc::vec::Vec;

use super::simd::{Cpu, Isa, Lanes, versions};
use super::small::{Scratch, bits};
use super::table::{Key, Table};
use super::weight::{RANK_BITS, Weights};
use crate::OptionId;
use crate::engine::Tried;

/// The count of an item that is covered. It may be counted down, but stays far above any count.
const COVERED: u32 = 1 << 30;
/// Counts from here on are of covered items.
const LIMIT: u32 = COVERED / 2;

const GROUP: usize = 512;

type Attempt = unsafe fn(&mut Wide, &Table, &mut Weights, usize, &mut Vec<OptionId>) -> Tried;

/// Where the groups are.
#[derive(Default)]
struct Rows {
    starts: Vec<u32>,   // by key: its first group; and the end
    places: Vec<u32>,   // by group: which of the groups of options it is
    groups: Vec<Lanes>, // which of those options use the key
}

impl Rows {
    #[inline(always)]
    fn of(&self, key: Key) -> impl Iterator<Item = (usize, &Lanes)> {
        let range = self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize;
        self.places[range.clone()].iter().map(|&place| place as usize).zip(&self.groups[range])
    }

    fn new(table: &Table) -> Self {
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
        let mut rows = Self::default();
        for key in 0..table.key_count() {
            rows.starts.push(rows.groups.len() as u32);
            let begin = rows.groups.len();
            for &option in &options[starts[key] as usize..starts[key + 1] as usize] {
                let (place, bit) = (option / GROUP as u32, option as usize % GROUP);
                if rows.groups.len() == begin || rows.places.last() != Some(&place) {
                    rows.places.push(place);
                    rows.groups.push(Lanes::default());
                }
                if let Some(group) = rows.groups.last_mut() {
                    group.0[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        rows.starts.push(rows.groups.len() as u32);
        rows
    }
}

/// Frames, one on top of the other.
struct Frames {
    alive: Vec<Lanes>, // `width` groups a frame
    counts: Vec<u32>,  // `items` a frame
    open: Vec<u32>,    // by frame: how many items are open
    width: usize,
    items: usize,
    depth: usize,
}

impl Frames {
    fn alive(&self) -> &[Lanes] {
        self.alive_in(self.depth)
    }

    fn alive_in(&self, frame: usize) -> &[Lanes] {
        &self.alive[frame * self.width..][..self.width]
    }

    fn counts(&self) -> &[u32] {
        &self.counts[self.depth * self.items..][..self.items]
    }

    fn top(&mut self) -> (&mut [Lanes], &mut [u32]) {
        (
            &mut self.alive[self.depth * self.width..][..self.width],
            &mut self.counts[self.depth * self.items..][..self.items],
        )
    }

    #[inline(always)]
    fn push(&mut self) {
        let (alive, counts) = (self.depth * self.width, self.depth * self.items);
        if self.open.len() < self.depth + 2 {
            self.alive.resize(alive + 2 * self.width, Lanes::default());
            self.counts.resize(counts + 2 * self.items, 0);
            self.open.push(0);
        }
        self.alive.copy_within(alive..alive + self.width, alive + self.width);
        self.counts.copy_within(counts..counts + self.items, counts + self.items);
        self.open[self.depth + 1] = self.open[self.depth];
        self.depth += 1;
    }
}

pub(super) struct Wide {
    rows: Rows,
    frames: Frames,
    survey_cost: usize, // of counting all items anew, in vector operations
    entries: usize,     // of an option, on the average, times two
    saved: Vec<Lanes>,
    before: Vec<Lanes>, // what was alive before a commit
    single: Vec<Key>,   // items that came down to one option
    unsettled: usize,   // above so many frames, no item has a single option
    choice: usize,
    attempt: Attempt,
}

impl Wide {
    pub(super) fn new(table: &Table, cpu: Cpu) -> Self {
        let n = table.len();
        let (width, items) = (n.div_ceil(GROUP).max(1), table.primaries());
        let rows = Rows::new(table);
        let mut alive = vec![Lanes::default(); width];
        for option in 0..n {
            alive[option / GROUP].0[option % GROUP / 64] |= 1 << (option % 64);
        }
        let size = |key| rows.of(key).map(|(_, group)| count(group)).sum();
        let counts = (0..items as Key).map(size).collect();
        let survey_cost = items + (0..items as Key).map(|key| rows.of(key).count()).sum::<usize>();
        Self {
            rows,
            frames: Frames { alive, counts, open: vec![items as u32], width, items, depth: 0 },
            survey_cost,
            entries: 2 * table.entry_count() / n.max(1),
            saved: Vec::new(),
            before: Vec::new(),
            single: Vec::new(),
            unsettled: 1,
            choice: 0,
            attempt: attempt_version(cpu),
        }
    }

    pub(super) fn choice(&self) -> usize {
        self.choice
    }

    pub(super) fn cost(&self) -> usize {
        3 * self.survey_cost
    }

    pub(super) fn open_count(&self) -> usize {
        self.frames.open[self.frames.depth] as usize
    }

    pub(super) fn left(&self) -> usize {
        self.frames.alive().iter().map(|group| count(group) as usize).sum()
    }

    /// Those of the options in one word that are alive, and the number of the first option of the word.
    pub(super) fn candidates(&self, item: usize, at: usize) -> Option<(u64, u64)> {
        self.candidates_in(self.frames.depth, item, at)
    }

    /// The same in another frame.
    #[inline]
    pub(super) fn candidates_in(&self, frame: usize, item: usize, at: usize) -> Option<(u64, u64)> {
        let group = self.rows.starts[item] as usize + at / 8;
        if group == self.rows.starts[item + 1] as usize {
            return None;
        }
        let place = self.rows.places[group] as usize;
        let bits = self.rows.groups[group].0[at % 8] & self.frames.alive_in(frame)[place].0[at % 8];
        Some((bits, (place * GROUP + at % 8 * 64) as u64))
    }

    pub(super) fn survey(&self) -> Option<(usize, usize)> {
        let counts = self.frames.counts().iter().enumerate().map(|(item, &count)| (item, count));
        counts
            .min_by_key(|&(_, count)| count)
            .filter(|&(_, count)| count < LIMIT)
            .map(|(item, count)| (item, count as usize))
    }

    pub(super) fn residue(&self, scratch: &mut Scratch) {
        scratch.options.clear();
        for (place, group) in self.frames.alive().iter().enumerate() {
            scratch.options.extend(bits(&group.0).map(|option| (place * GROUP + option) as u32));
        }
        scratch.items.clear();
        let items = self.frames.counts().iter().enumerate();
        scratch.items.extend(items.filter(|(_, count)| **count < LIMIT).map(|(item, _)| item as Key));
    }

    pub(super) fn pop(&mut self) {
        self.frames.depth -= 1;
    }

    pub(super) fn is_alive(&self, option: usize) -> bool {
        self.frames.alive()[option / GROUP].0[option % GROUP / 64] >> (option % 64) & 1 == 1
    }

    /// Removes an option from the frame on top.
    pub(super) fn remove(&mut self, table: &Table, option: usize) {
        let (alive, counts) = self.frames.top();
        alive[option / GROUP].0[option % GROUP / 64] &= !(1 << (option % 64));
        table.primary_keys(option).iter().for_each(|&key| counts[key as usize] -= 1);
    }

    pub(super) fn assume(&mut self, table: &Table, option: usize) {
        self.frames.push();
        self.commit::<false>(table, &mut Weights::default(), option);
        self.unsettled = self.frames.depth + 1;
    }

    /// Removes what cannot be chosen with the key.
    #[inline(always)]
    fn exclude(&mut self, table: &Table, key: Key) {
        let (alive, _) = self.frames.top();
        let Some(item) = table.tinted_item(key) else {
            for (place, row) in self.rows.of(key) {
                alive[place] = and_not(&alive[place], row);
            }
            return;
        };
        // Those of the same color are put aside.
        self.saved.clear();
        for (place, row) in self.rows.of(key) {
            self.saved.push(and(&alive[place], row));
        }
        for (place, row) in self.rows.of(item) {
            alive[place] = and_not(&alive[place], row);
        }
        for ((place, _), saved) in self.rows.of(key).zip(&self.saved) {
            alive[place] = or(&alive[place], saved);
        }
    }

    #[inline]
    pub(super) fn attempt(
        &mut self,
        table: &Table,
        weights: &mut Weights,
        option: usize,
        chosen: &mut Vec<OptionId>,
    ) -> Tried {
        // SAFETY: the kernel is for this processor.
        unsafe { (self.attempt)(self, table, weights, option, chosen) }
    }

    /// Commits an option in the frame on top. With `CHECK`, stops and says false if that leaves an item with nothing.
    #[inline(always)]
    fn commit<const CHECK: bool>(&mut self, table: &Table, weights: &mut Weights, option: usize) -> bool {
        self.before.clear();
        self.before.extend_from_slice(self.frames.alive());
        for &key in table.keys(option) {
            self.exclude(table, key);
        }
        let primary = table.primary_keys(option);
        let (alive, counts) = self.frames.top();
        for &key in primary {
            counts[key as usize] = COVERED;
        }
        let removed: usize = self
            .before
            .iter()
            .zip(&*alive)
            .map(|(before, alive)| count(&and_not(before, alive)) as usize)
            .sum();
        self.frames.open[self.frames.depth] -= primary.len() as u32;
        if removed * self.entries < self.survey_cost {
            self.follow::<CHECK>(table, weights)
        } else {
            self.recount::<CHECK>(weights)
        }
    }

    /// Lets the counts follow each removed option.
    #[inline(always)]
    fn follow<const CHECK: bool>(&mut self, table: &Table, weights: &mut Weights) -> bool {
        let (alive, counts) = self.frames.top();
        for (place, (before, alive)) in self.before.iter().zip(&*alive).enumerate() {
            let mut dead = false;
            for (k, (before, alive)) in before.0.iter().zip(&alive.0).enumerate() {
                let mut gone = before & !alive;
                while gone != 0 {
                    let option = place * GROUP + k * 64 + gone.trailing_zeros() as usize;
                    for &item in table.primary_keys(option) {
                        debug_assert!((item as usize) < counts.len());
                        // SAFETY: a primary key is below the number of primary items, for which there are counts.
                        let count = unsafe { counts.get_unchecked_mut(item as usize) };
                        *count -= 1;
                        if *count <= 1 {
                            if CHECK && *count == 0 {
                                dead = true;
                                weights.blame(item as usize);
                            }
                            self.single.push(item);
                        }
                    }
                    gone &= gone - 1;
                }
            }
            if dead {
                return false;
            }
        }
        true
    }

    /// Counts all items.
    #[inline(always)]
    fn recount<const CHECK: bool>(&mut self, weights: &mut Weights) -> bool {
        let (alive, counts) = self.frames.top();
        for (item, old) in counts.iter_mut().enumerate() {
            if *old < LIMIT {
                let mut sums = [0; 8];
                for (place, row) in self.rows.of(item as Key) {
                    let both = and(row, &alive[place]);
                    (0..8).for_each(|k| sums[k] += u64::from(both.0[k].count_ones()));
                }
                *old = sums.iter().sum::<u64>() as u32;
                match *old {
                    0 if CHECK => {
                        weights.blame(item);
                        return false;
                    }
                    1 => self.single.push(item as Key),
                    _ => (),
                }
            }
        }
        true
    }

    /// An item that has a single option, and that option.
    #[inline(always)]
    fn forced(&mut self) -> Option<usize> {
        while let Some(item) = self.single.pop() {
            if self.frames.counts()[item as usize] == 1 {
                let alive = self.frames.alive();
                for (place, row) in self.rows.of(item) {
                    let left = and(row, &alive[place]);
                    if let Some(k) = left.0.iter().position(|word| *word != 0) {
                        return Some(place * GROUP + k * 64 + left.0[k].trailing_zeros() as usize);
                    }
                }
            }
        }
        None
    }
}

/// The place of the smallest count; among several, the one with the least rank, and the first of those.
#[inline(always)]
fn fewest(counts: &[u32], ranks: &[u32]) -> usize {
    const MOST: u32 = u32::MAX >> RANK_BITS; // more than there are options in memory, but not than COVERED
    let key = |(count, rank): (&u32, &u32)| (*count).min(MOST) << RANK_BITS | rank;
    let (mut least, mut start) = (u32::MAX, 0);
    for (k, (counts, ranks)) in counts.chunks(64).zip(ranks.chunks(64)).enumerate() {
        let here = counts.iter().zip(ranks).map(key).fold(u32::MAX, u32::min);
        if here < least {
            (least, start) = (here, k * 64);
        }
    }
    start + counts[start..].iter().zip(&ranks[start..]).map(key).position(|key| key == least).unwrap_or(0)
}

#[inline(always)]
fn and(a: &Lanes, b: &Lanes) -> Lanes {
    Lanes(core::array::from_fn(|k| a.0[k] & b.0[k]))
}

#[inline(always)]
fn and_not(a: &Lanes, b: &Lanes) -> Lanes {
    Lanes(core::array::from_fn(|k| a.0[k] & !b.0[k]))
}

#[inline(always)]
fn or(a: &Lanes, b: &Lanes) -> Lanes {
    Lanes(core::array::from_fn(|k| a.0[k] | b.0[k]))
}

#[inline(always)]
fn count(group: &Lanes) -> u32 {
    group.0.iter().map(|word| word.count_ones()).sum()
}

versions! {
    fn attempt_version<> = attempt as fn(wide: &mut Wide, table: &Table, weights: &mut Weights, option: usize, chosen: &mut Vec<OptionId>) -> Tried
}

/// # Safety
/// The instruction set is there.
#[inline(always)]
unsafe fn attempt<I: Isa>(
    wide: &mut Wide,
    table: &Table,
    weights: &mut Weights,
    mut option: usize,
    chosen: &mut Vec<OptionId>,
) -> Tried {
    if table.primary_keys(option).len() == wide.open_count() {
        return Tried::Complete;
    }
    wide.frames.push();
    wide.single.clear();
    if wide.frames.depth <= wide.unsettled {
        let counts = wide.frames.counts().iter().enumerate();
        wide.single.extend(counts.filter(|(_, count)| **count == 1).map(|(item, _)| item as Key));
    }
    loop {
        if !wide.commit::<true>(table, weights, option) {
            wide.pop();
            return Tried::Dead;
        }
        let Some(forced) = wide.forced() else {
            break;
        };
        option = forced;
        chosen.extend(OptionId::new(table.id(option)));
        if table.primary_keys(option).len() == wide.open_count() {
            wide.pop();
            return Tried::Complete;
        }
    }
    wide.choice = fewest(wide.frames.counts(), weights.ranks());
    Tried::Open
}

//! A small residual problem: at most [`MOST_OPTIONS`] options and [`MOST_ITEMS`] items, laid out anew.
//!
//! The state of a node is its *frame*: a bit for each option that is alive, a bit for each item that is still open.
//! Choosing an option takes one mask of conflicts off the one and one mask of items off the other. Nothing is undone:
//! a child has a frame of its own. The items' masks lie in blocks of eight items, word by word, so that the options
//! of eight items are counted at a time.
#![allow(unsafe_code)] // INVARIANT: see `Small`

use alloc::vec;
use alloc::vec::Vec;

use super::simd::{Cpu, Isa, Lanes, versions};
use super::table::{Key, Table};
use super::weight::{self, Weights};
use crate::OptionId;
use crate::engine::Tried;

pub(super) const MOST_OPTIONS: usize = 1024;
pub(super) const MOST_ITEMS: usize = 128;

type Attempt = unsafe fn(&mut Small, usize, &mut Vec<OptionId>) -> Tried;

/// INVARIANT: with `W = width`, `M = item_words` and *n* options: `masks` has `W * blocks` elements, `conflicts` has
/// `n * W`, `covers` has `n * M`, `ids` has *n*; no bit at or above *n* is set in a mask or in the part of a frame
/// that says which options are alive, and none at or above the number of items in `covers` and the other part.
/// `frames` has room for one more frame than there are items, plus one; a frame is pushed only when an item is
/// covered. `attempt` is the kernel for this width and these item words, on a processor that has its instructions.
#[derive(Default)]
pub(super) struct Small {
    width: usize,
    item_words: usize,
    blocks: usize,
    masks: Vec<Lanes>,   // by block, then by word
    conflicts: Vec<u64>, // by option: those that cannot be chosen with it, itself among them; zeros until wanted
    rows: Vec<u64>,      // what a use excludes, by slot
    slots: Vec<u32>,     // what the options use
    starts: Vec<u32>,    // by option: where its slots begin; and the end
    covers: Vec<u64>,    // by option: its primary items
    ids: Vec<OptionId>,
    options: Vec<u32>, // their places in the table
    items: Vec<Key>,
    orders: Vec<Lanes>, // by block: which item is preferred among those of one size, and its number
    failures: Vec<u32>, // by item
    frames: Vec<u64>,
    depth: usize,  // which frame is on top
    hot: usize,    // the block in which the last failure was found
    choice: usize, // the smallest open item of the frame on top, when it is new
    left: usize,   // how many options are alive in it
    open: usize,   // how many items are open in it
    attempt: Option<Attempt>,
}

/// Memory for laying out small problems, used again and again.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) options: Vec<u32>, // places in the table of the options to come
    pub(super) items: Vec<Key>,   // the open items, ascending
    uses: Uses,
}

/// Which options use each key: a row of bits for each key that occurs.
#[derive(Default)]
struct Uses {
    slots: Vec<u32>,  // by key: its row
    stamps: Vec<u32>, // by key: the round in which `slots` was written
    stamp: u32,
    width: usize,
    rows: Vec<u64>,
    tinted: Vec<(u32, u32)>, // rows of colored keys, and the rows of their items
}

impl Scratch {
    pub(super) fn new(table: &Table) -> Self {
        let keys = table.key_count();
        let uses = Uses { slots: vec![0; keys], stamps: vec![0; keys], ..Uses::default() };
        Self { uses, ..Self::default() }
    }
}

impl Uses {
    /// Begins anew, with rows of `width` words.
    fn begin(&mut self, width: usize) {
        self.width = width;
        self.rows.clear();
        self.tinted.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// The row of a key, and whether it is new.
    #[inline]
    fn slot(&mut self, key: Key) -> (usize, bool) {
        let key = key as usize;
        let fresh = self.stamps[key] != self.stamp;
        if fresh {
            self.stamps[key] = self.stamp;
            self.slots[key] = (self.rows.len() / self.width) as u32;
            self.rows.resize(self.rows.len() + self.width, 0);
        }
        (self.slots[key] as usize, fresh)
    }
}

impl Small {
    /// Lays out the problem of `scratch.options` and `scratch.items`, with all of them alive and open.
    pub(super) fn build(&mut self, table: &Table, weights: &Weights, scratch: &mut Scratch, cpu: Cpu) {
        let (n, m) = (scratch.options.len(), scratch.items.len());
        debug_assert!(n <= MOST_OPTIONS && m <= MOST_ITEMS);
        let (w, words) = (width_of(n), m.div_ceil(64).max(1));
        self.width = w;
        self.item_words = words;
        self.blocks = m.div_ceil(8);
        self.attempt = Some(kernel(cpu, w, words, self.blocks));
        self.hot = 0;
        self.options.clone_from(&scratch.options);
        self.items.clone_from(&scratch.items);
        self.ids.clear();
        self.ids.extend(scratch.options.iter().filter_map(|&place| OptionId::new(table.id(place as usize))));
        self.covers.clear();
        self.lay_rows(table, &mut scratch.uses);
        self.conflicts.clear();
        self.conflicts.resize(n * w, 0);
        self.lay_masks();
        self.orders.clear();
        self.orders.resize(self.blocks, Lanes::default());
        self.failures.clear();
        self.failures.resize(m, 0);
        self.learn(weights);
        self.frames.clear();
        self.frames.resize((m + 2) * (w + words), 0);
        fill(&mut self.frames[..w], n);
        fill(&mut self.frames[w..w + words], m);
        self.depth = 0;
        self.left = n;
        self.open = m;
    }

    /// Which options use each key, the open items first. A colored use is entered in the row of its item as well.
    fn lay_rows(&mut self, table: &Table, uses: &mut Uses) {
        uses.begin(self.width);
        for &item in &self.items {
            uses.slot(item);
        }
        self.slots.clear();
        self.starts.clear();
        self.starts.push(0);
        for (at, &place) in self.options.iter().enumerate() {
            let (word, bit) = (at / 64, 1 << (at % 64));
            let mut cover = [0; MOST_ITEMS / 64];
            for &key in table.primary_keys(place as usize) {
                let slot = uses.slots[key as usize] as usize;
                uses.rows[slot * self.width + word] |= bit;
                cover[slot / 64] |= 1 << (slot % 64);
                self.slots.push(slot as u32);
            }
            self.covers.extend_from_slice(&cover[..self.item_words]);
            for &key in table.secondary_keys(place as usize) {
                let (slot, fresh) = uses.slot(key);
                uses.rows[slot * self.width + word] |= bit;
                self.slots.push(slot as u32);
                if let Some(item) = table.tinted_item(key) {
                    let (item, _) = uses.slot(item);
                    uses.rows[item * self.width + word] |= bit;
                    if fresh {
                        uses.tinted.push((slot as u32, item as u32));
                    }
                }
            }
            self.starts.push(self.slots.len() as u32);
        }
        // A color excludes the rest of its item's row.
        let w = self.width;
        for &(slot, item) in &uses.tinted {
            for k in 0..w {
                let row = uses.rows[item as usize * w + k];
                let tinted = &mut uses.rows[slot as usize * w + k];
                *tinted = row & !*tinted;
            }
        }
        self.rows.clone_from(&uses.rows);
    }

    /// Fills in what an option excludes.
    #[cold]
    #[inline(never)]
    fn lay_conflict(&mut self, option: usize) {
        let w = self.width;
        let conflict = &mut self.conflicts[option * w..][..w];
        for &slot in &self.slots[self.starts[option] as usize..self.starts[option + 1] as usize] {
            for (word, row) in conflict.iter_mut().zip(&self.rows[slot as usize * w..]) {
                *word |= row;
            }
        }
    }

    /// What an option excludes.
    #[inline(always)]
    fn conflict<const W: usize>(&mut self, option: usize) -> &[u64; W] {
        if words::<1>(&self.conflicts, option * W + option / 64)[0] == 0 {
            self.lay_conflict(option);
        }
        words(&self.conflicts, option * W)
    }

    fn lay_masks(&mut self) {
        let w = self.width;
        self.masks.clear();
        self.masks.resize(self.blocks * w, Lanes::default());
        for (slot, row) in self.rows.chunks_exact(w).take(self.items.len()).enumerate() {
            for (k, &word) in row.iter().enumerate() {
                self.masks[slot / 8 * w + k].0[slot % 8] = word;
            }
        }
    }

    /// Takes over how often the items failed.
    pub(super) fn learn(&mut self, weights: &Weights) {
        for (at, &item) in self.items.iter().enumerate() {
            let failures = weights.failures(item as usize);
            self.failures[at] = failures;
            self.orders[at / 8].0[at % 8] = order(failures, at);
        }
    }

    /// Tells how often the items failed.
    pub(super) fn teach(&self, weights: &mut Weights) {
        for (&item, &failures) in self.items.iter().zip(&self.failures) {
            weights.set(item as usize, failures);
        }
    }

    /// An item was left with nothing.
    #[inline(always)]
    fn blame(&mut self, at: usize) {
        debug_assert!(at < self.items.len());
        // SAFETY: the invariant: only open items are counted, and those have failures and an order.
        unsafe {
            let failures = self.failures.get_unchecked_mut(at);
            *failures = failures.saturating_add(1);
            self.orders.get_unchecked_mut(at / 8).0[at % 8] = order(*failures, at);
        }
    }

    fn stride(&self) -> usize {
        self.width + self.item_words
    }

    fn alive(&self) -> &[u64] {
        &self.frames[self.depth * self.stride()..][..self.width]
    }

    fn open_items(&self) -> &[u64] {
        &self.frames[self.depth * self.stride() + self.width..][..self.item_words]
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The smallest open item of the frame on top, if that frame is new.
    pub(super) fn choice(&self) -> usize {
        self.choice
    }

    pub(super) fn item(&self, lane: usize) -> Key {
        self.items[lane]
    }

    pub(super) fn id(&self, option: usize) -> OptionId {
        self.ids[option]
    }

    /// How many options are alive, if the frame on top is new.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// How many items are open, if the frame on top is new.
    pub(super) fn open_count(&self) -> usize {
        self.open
    }

    /// What counting all items costs, in vector operations.
    pub(super) fn cost(&self) -> usize {
        self.width * self.blocks
    }

    /// The options of the item that are alive, in one word.
    #[inline]
    pub(super) fn candidates(&self, lane: usize, word: usize) -> u64 {
        self.candidates_in(self.depth, lane, word)
    }

    /// The same in another frame.
    #[inline]
    pub(super) fn candidates_in(&self, frame: usize, lane: usize, word: usize) -> u64 {
        self.masks[lane / 8 * self.width + word].0[lane % 8] & self.frames[frame * self.stride() + word]
    }

    /// The first open item with the fewest options, and their number.
    pub(super) fn survey(&self) -> Option<(usize, usize)> {
        bits(self.open_items())
            .map(|item| {
                let count =
                    (0..self.width).map(|word| self.candidates(item, word).count_ones() as usize).sum();
                (item, count)
            })
            .min_by_key(|&(_, count): &(usize, usize)| count)
    }

    /// What is left, into `scratch`.
    pub(super) fn residue(&self, scratch: &mut Scratch) {
        scratch.options.clear();
        scratch.options.extend(bits(self.alive()).map(|option| self.options[option]));
        scratch.items.clear();
        scratch.items.extend(bits(self.open_items()).map(|item| self.items[item]));
    }

    /// Commits an option whose place in the table is given, whatever that leaves.
    pub(super) fn assume(&mut self, place: usize) {
        // The options are those of the table, in its order.
        self.lay_conflict(place);
        let (at, to) = (self.depth * self.stride(), (self.depth + 1) * self.stride());
        self.frames.copy_within(at..to, to);
        let (alive, open) = self.frames[to..].split_at_mut(self.width);
        for (word, conflict) in alive.iter_mut().zip(&self.conflicts[place * self.width..]) {
            *word &= !conflict;
        }
        for (word, cover) in open[..self.item_words].iter_mut().zip(&self.covers[place * self.item_words..]) {
            *word &= !cover;
        }
        self.depth += 1;
        self.recount();
    }

    pub(super) fn pop(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn is_alive(&self, option: usize) -> bool {
        self.alive()[option / 64] >> (option % 64) & 1 == 1
    }

    /// Removes an option from the frame on top.
    pub(super) fn remove(&mut self, option: usize) {
        let at = self.depth * self.stride() + option / 64;
        self.frames[at] &= !(1 << (option % 64));
    }

    /// Counts what is left in the frame on top, which comes from no attempt.
    pub(super) fn recount(&mut self) {
        self.left = bits(self.alive()).count();
        self.open = bits(self.open_items()).count();
    }

    /// Commits an option in a new frame, and whatever it forces. There is a new frame only if that leaves something open
    /// and nothing dead.
    #[inline]
    pub(super) fn attempt(&mut self, option: usize, chosen: &mut Vec<OptionId>) -> Tried {
        debug_assert!(option < self.ids.len());
        match self.attempt {
            // SAFETY: the invariant; the option is alive.
            Some(attempt) => unsafe { attempt(self, option, chosen) },
            None => Tried::Dead,
        }
    }
}

/// What an item is preferred by: less for more failures, then the number.
#[inline(always)]
fn order(failures: u32, at: usize) -> u64 {
    u64::from(weight::rank(failures)) << 16 | at as u64
}

/// Sets the first `n` bits.
fn fill(words: &mut [u64], n: usize) {
    for (k, word) in words.iter_mut().enumerate() {
        *word = match n.saturating_sub(k * 64) {
            0 => 0,
            more @ 1..64 => (1 << more) - 1,
            _ => u64::MAX,
        };
    }
}

/// The places of the bits that are set.
pub(super) fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(k, &word)| bits_of(word).map(move |bit| k * 64 + bit))
}

/// The bits of one word.
pub(super) fn bits_of(word: u64) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(word).filter(|w| *w != 0), |w| Some(w & (w - 1)).filter(|w| *w != 0))
        .map(|w| w.trailing_zeros() as usize)
}

/// Problems that take no more vector operations to count are counted at once.
const AT_ONCE: usize = 12;

/// The next width that there are kernels for.
pub(super) fn width_of(options: usize) -> usize {
    match options.div_ceil(64) {
        0 => 1,
        w @ 1..=8 => w,
        w => w.next_multiple_of(2),
    }
}

fn kernel(cpu: Cpu, width: usize, item_words: usize, blocks: usize) -> Attempt {
    macro_rules! of_width {
        ($($w:literal)*) => {
            match width {
                $($w if item_words > 1 => attempt_version::<$w, 2>(cpu),
                $w if $w <= AT_ONCE && $w * blocks <= AT_ONCE => attempt_at_once_version::<$w>(cpu),
                $w => attempt_version::<$w, 1>(cpu),)*
                _ => unreachable!("no kernel for the width"),
            }
        };
    }
    of_width!(1 2 3 4 5 6 7 8 10 12 14 16)
}

versions! {
    fn attempt_version<W, M> = attempt as fn(small: &mut Small, option: usize, chosen: &mut Vec<OptionId>) -> Tried
}

/// The `N` words from `at` on.
#[inline(always)]
fn words<const N: usize>(from: &[u64], at: usize) -> &[u64; N] {
    debug_assert!(at + N <= from.len());
    // SAFETY: the invariant of `Small`: all places are computed from options, items and frames that there are.
    unsafe { &*from.as_ptr().add(at).cast() }
}

/// # Safety
/// `W` and `M` are those of the problem, the instruction set is there, and the option is alive.
#[inline(always)]
unsafe fn attempt<I: Isa, const W: usize, const M: usize>(
    small: &mut Small,
    option: usize,
    chosen: &mut Vec<OptionId>,
) -> Tried {
    debug_assert_eq!((W, M), (small.width, small.item_words));
    let at = small.depth * (W + M);
    let mut open = *words::<M>(&small.frames, at + W);
    take(&mut open, words(&small.covers, option * M));
    if open == [0; M] {
        return Tried::Complete;
    }
    let mut alive = *words::<W>(&small.frames, at);
    take(&mut alive, small.conflict(option));

    // Blocks are counted in a circle until none has changed since it was counted.
    let blocks = small.blocks;
    let (mut block, mut to_go) = (small.hot, blocks);
    // SAFETY: the instruction set is there; blocks are below `blocks`.
    unsafe {
        let mut best = I::best();
        while to_go > 0 {
            let lanes = (open[if M == 1 { 0 } else { block / 8 }] >> (block % 8 * 8)) as u8;
            if lanes != 0 {
                debug_assert!((block + 1) * W <= small.masks.len());
                let masks: &[Lanes; W] = &*small.masks.as_ptr().add(block * W).cast();
                let counts = I::count(masks, &alive);
                let few = I::at_most_one(counts, lanes);
                if few != 0 {
                    let nothing = I::nothing(counts, lanes);
                    if nothing != 0 {
                        small.hot = block;
                        small.blame(block * 8 + nothing.trailing_zeros() as usize);
                        return Tried::Dead;
                    }
                    let lane = few.trailing_zeros() as usize;
                    let forced = only(masks, &alive, lane).unwrap_or_default();
                    debug_assert!(forced < small.ids.len());
                    chosen.push(*small.ids.get_unchecked(forced));
                    take(&mut open, words(&small.covers, forced * M));
                    if open == [0; M] {
                        return Tried::Complete;
                    }
                    take(&mut alive, small.conflict(forced));
                    best = I::best();
                    to_go = blocks;
                    continue;
                }
                best = I::improve(best, counts, lanes, small.orders.get_unchecked(block));
            }
            block += 1;
            if block == blocks {
                block = 0;
            }
            to_go -= 1;
        }
        small.choice = (I::smallest(best) & 0xffff) as usize;
    }
    small.left = alive.iter().map(|word| word.count_ones() as usize).sum();
    small.open = open.iter().map(|word| word.count_ones() as usize).sum();
    small.depth += 1;
    let frame = &mut small.frames[at + W + M..][..W + M];
    frame[..W].copy_from_slice(&alive);
    frame[W..].copy_from_slice(&open);
    Tried::Open
}

versions! {
    fn attempt_at_once_version<W> = attempt_at_once as fn(small: &mut Small, option: usize, chosen: &mut Vec<OptionId>) -> Tried
}

/// The same for little problems: all blocks are counted before anything is decided.
///
/// # Safety
/// As for [`attempt`].
#[inline(always)]
unsafe fn attempt_at_once<I: Isa, const W: usize>(
    small: &mut Small,
    option: usize,
    chosen: &mut Vec<OptionId>,
) -> Tried {
    debug_assert_eq!((W, 1), (small.width, small.item_words));
    let at = small.depth * (W + 1);
    let [mut open] = *words::<1>(&small.frames, at + W);
    open &= !words::<1>(&small.covers, option)[0];
    if open == 0 {
        return Tried::Complete;
    }
    let mut alive = *words::<W>(&small.frames, at);
    take(&mut alive, small.conflict(option));
    // SAFETY: the instruction set is there; blocks are below `blocks`.
    unsafe {
        loop {
            let (mut few, mut nothing, mut best) = (0u64, 0u64, I::best());
            let mut left = open;
            let mut base = 0;
            while left != 0 {
                debug_assert!((base / 8 + 1) * W <= small.masks.len());
                let masks: &[Lanes; W] = &*small.masks.as_ptr().add(base / 8 * W).cast();
                let lanes = left as u8;
                let counts = I::count(masks, &alive);
                few |= u64::from(I::at_most_one(counts, lanes)) << base;
                nothing |= u64::from(I::nothing(counts, lanes)) << base;
                best = I::improve(best, counts, lanes, small.orders.get_unchecked(base / 8));
                left >>= 8;
                base += 8;
            }
            if nothing != 0 {
                small.blame(nothing.trailing_zeros() as usize);
                return Tried::Dead;
            }
            if few == 0 {
                small.choice = (I::smallest(best) & 0xffff) as usize;
                break;
            }
            while few != 0 {
                let item = few.trailing_zeros() as usize;
                let masks: &[Lanes; W] = &*small.masks.as_ptr().add(item / 8 * W).cast();
                let Some(forced) = only(masks, &alive, item % 8) else {
                    small.blame(item);
                    return Tried::Dead;
                };
                debug_assert!(forced < small.ids.len());
                chosen.push(*small.ids.get_unchecked(forced));
                open &= !words::<1>(&small.covers, forced)[0];
                if open == 0 {
                    return Tried::Complete;
                }
                take(&mut alive, small.conflict(forced));
                few &= few - 1;
                few &= open;
            }
        }
    }
    small.left = alive.iter().map(|word| word.count_ones() as usize).sum();
    small.open = open.count_ones() as usize;
    small.depth += 1;
    let frame = &mut small.frames[at + W + 1..][..W + 1];
    frame[..W].copy_from_slice(&alive);
    frame[W] = open;
    Tried::Open
}

#[inline(always)]
fn take<const N: usize>(from: &mut [u64; N], what: &[u64; N]) {
    for (word, what) in from.iter_mut().zip(what) {
        *word &= !what;
    }
}

/// The one option that a lane has alive, if it has any.
#[inline(always)]
fn only<const W: usize>(masks: &[Lanes; W], alive: &[u64; W], lane: usize) -> Option<usize> {
    let mut option = None;
    for (k, (mask, alive)) in masks.iter().zip(alive).enumerate() {
        let left = mask.0[lane & 7] & alive;
        if left != 0 {
            option = Some(k * 64 + left.trailing_zeros() as usize);
        }
    }
    option
}

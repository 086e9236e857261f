//! Bit sets for items with bounds: the same sets of options as Algorithm M of Knuth's section 7.2.2.1 finds, without links.
//!
//! A frame has a bit for each option that is possible, a bit for each primary item that is open, and how many options each
//! item can still take: its *room*. In how many *ways* the search could branch on an item is counted when it is wanted: its
//! options, plus one, minus how many the lower bound still asks for. Without bounds, that is the number of options. None is
//! a dead end. One means that there is nothing to decide: all options are needed or, where the lower bound is reached, there are
//! none left, and the item is closed, as one is that can take no option more. When all are closed, there is a solution.
//!
//! To branch on an item is to choose the first of its options that the solution contains, or none where the lower bound is
//! reached. What has been passed over is taken out of the frame of the node, so that a set of options is found in one order
//! only. Ties go to the lowest item, however often others fail: packings with many pieces alike are settled best from one end
//! to the other.
//!
//! As in [`Small`](super::small::Small), the items' masks lie in blocks of eight items, word by word.
#![allow(unsafe_code)] // INVARIANT: see `settle_version`

use alloc::vec;
use alloc::vec::Vec;

use super::simd::{Cpu, Isa, Lanes, versions, words, words_mut};
use super::table::{Key, Table};
use crate::engine::{Engine, Path, Selected, Tried, Untried};
use crate::{OptionId, Problem};

type Settle = unsafe fn(&mut Bounded) -> Tried;

pub(crate) struct Bounded {
    table: Table,
    width: usize, // words for the options
    blocks: usize,
    masks: Vec<Lanes>,      // by block, then by word: which options each item is in
    rows: Vec<u64>,         // by key: what is impossible when no option more can use it, `width` words each
    slack: Vec<Lanes>,      // by block: the items' upper bounds minus the lower ones
    numbers: Vec<Lanes>,    // by block: those of its items
    frames: Vec<Lanes>,     // each: the rooms of all items; which options are possible; which items are open
    stride: usize,          // of frames
    depth: usize,           // which frame is on top
    hot: usize,             // the block in which the last dead end was found
    choice: (usize, usize), // where to branch in the frame on top, when it is new, and in how many ways
    fresh: bool,            // whether it is
    trail: Vec<OptionId>,   // the options in hand, without the assumed ones
    excluded: Vec<bool>,    // by exclusion: whether the option was possible
    passed: Vec<OptionId>,  // those that have been passed over, of all open branches
    settle: Settle,
}

/// An item being branched on, and the option in hand.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    item: u32,
    option: u32, // its place; or NONE
    ways: u32,   // how many choices there were
    mark: u32,   // how many options were in hand before the branch
    passed: u32, // and how many had been passed over
    root: bool,
}

/// The choice of none of the item's options.
const NONE: u32 = u32::MAX;

impl Branch {
    fn in_hand(&self) -> Option<usize> {
        (self.option != NONE).then_some(self.option as usize)
    }
}

/// More words are not counted at a time.
const MOST_WORDS: usize = 16;

/// Larger tables are not made, in words.
const LARGEST: usize = 1 << 24;

/// Whether the tables are not too large: they have a bit for each item (and color) and each option; and so the frames, of which
/// there is one for each open branch: for each option of a solution, and each item that takes no further one.
pub(crate) fn fits(problem: &Problem) -> bool {
    let colored = if problem.has_colors() { problem.entry_count() } else { 0 };
    let options = problem.option_count();
    let room = problem.items().filter_map(|item| problem.bounds(item)).map(|bounds| *bounds.end() as usize);
    let deepest = room.fold(0, usize::saturating_add).min(options) + problem.primary_count();
    let of_tables = options.div_ceil(64).saturating_mul(problem.item_count() + colored);
    let of_frames = (options.div_ceil(64) + problem.primary_count() + 16).saturating_mul(2 * deepest);
    of_tables.max(of_frames) <= LARGEST
}

/// What settling a frame takes beside counting, in words counted.
const SETTLING: usize = 20;

/// Whether this engine is expected to be faster than links: where to settle a frame is no more than links have to do for two
/// choices.
pub(crate) fn suits(problem: &Problem) -> bool {
    let words = problem.option_count().div_ceil(64) * problem.primary_count().div_ceil(8);
    fits(problem) && SETTLING + words <= 2 * super::updates_of_a_choice(problem)
}

impl Bounded {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self::on(problem, Cpu::detect())
    }

    pub(super) fn on(problem: &Problem, cpu: Cpu) -> Self {
        let table = Table::new(problem);
        let (items, width) = (table.primaries(), table.len().div_ceil(64).max(1));
        let blocks = items.div_ceil(8);
        let stride = blocks + width.div_ceil(8) + blocks.div_ceil(64);
        let rows = rows(&table, width);
        let mut masks = vec![Lanes::default(); blocks * width];
        for (item, row) in rows.chunks_exact(width).take(items).enumerate() {
            for (k, &word) in row.iter().enumerate() {
                masks[item / 8 * width + k].0[item % 8] = word;
            }
        }
        let mut this = Self {
            width,
            blocks,
            masks,
            rows,
            slack: vec![Lanes::default(); blocks],
            numbers: (0..blocks).map(|at| Lanes(core::array::from_fn(|k| (at * 8 + k) as u64))).collect(),
            frames: vec![Lanes::default(); stride],
            stride,
            depth: 0,
            hot: 0,
            choice: (0, 0),
            fresh: false,
            trail: Vec::new(),
            excluded: Vec::new(),
            passed: Vec::new(),
            settle: settle_version(cpu),
            table,
        };
        (0..this.table.len()).for_each(|option| this.alive_mut()[option / 64] |= 1 << (option % 64));
        let bounds = problem.items().filter_map(|item| problem.bounds(item));
        for (item, bounds) in bounds.enumerate() {
            let (block, lane) = (item / 8, item % 8);
            this.open_mut()[item / 64] |= 1 << (item % 64);
            this.frames[block].0[lane] = u64::from(*bounds.end());
            this.slack[block].0[lane] = u64::from(bounds.end() - bounds.start());
            if *bounds.end() == 0 {
                this.fill(item as Key);
            }
        }
        this
    }

    fn push(&mut self) {
        let top = self.depth * self.stride;
        self.depth += 1;
        if self.frames.len() < top + 2 * self.stride {
            self.frames.resize(2 * (top + self.stride), Lanes::default());
        }
        self.frames.copy_within(top..top + self.stride, top + self.stride);
    }

    fn pop(&mut self) {
        self.depth -= 1;
    }

    #[inline(always)]
    fn rooms(&self) -> &[Lanes] {
        &self.frames[self.depth * self.stride..][..self.blocks]
    }

    #[inline(always)]
    fn alive(&self) -> &[u64] {
        &words(&self.frames[self.depth * self.stride + self.blocks..])[..self.width]
    }

    #[inline(always)]
    fn alive_mut(&mut self) -> &mut [u64] {
        &mut words_mut(&mut self.frames[self.depth * self.stride + self.blocks..])[..self.width]
    }

    /// Which items are open, a byte for each block.
    #[inline(always)]
    fn open(&self) -> &[u64] {
        let from = self.depth * self.stride + self.blocks + self.width.div_ceil(8);
        &words(&self.frames[from..])[..self.blocks.div_ceil(8)]
    }

    #[inline(always)]
    fn open_mut(&mut self) -> &mut [u64] {
        let from = self.depth * self.stride + self.blocks + self.width.div_ceil(8);
        &mut words_mut(&mut self.frames[from..])[..self.blocks.div_ceil(8)]
    }

    #[inline(always)]
    fn room(&mut self, item: usize) -> &mut u64 {
        &mut self.frames[self.depth * self.stride + item / 8].0[item % 8]
    }

    /// How many options the item's lower bound still asks for.
    #[inline(always)]
    fn asked_for(&self, item: usize) -> u64 {
        self.rooms()[item / 8].0[item % 8].saturating_sub(self.slack[item / 8].0[item % 8])
    }

    /// Closes an item that can take no option more.
    #[inline(always)]
    fn fill(&mut self, item: Key) {
        self.exclude_row(item);
        self.close(item as usize);
    }

    #[inline(always)]
    fn close(&mut self, item: usize) {
        self.open_mut()[item / 64] &= !(1 << (item % 64));
    }

    #[inline(always)]
    fn exclude_row(&mut self, key: Key) {
        let row = &self.rows[key as usize * self.width..][..self.width];
        let alive = &mut words_mut(&mut self.frames[self.depth * self.stride + self.blocks..])[..self.width];
        alive.iter_mut().zip(row).for_each(|(alive, row)| *alive &= !row);
    }

    #[inline(always)]
    fn remove(&mut self, option: usize) {
        self.alive_mut()[option / 64] &= !(1 << (option % 64));
    }

    /// Chooses an option in the frame on top.
    #[inline(always)]
    fn commit(&mut self, option: usize) {
        self.remove(option);
        let primaries = self.table.primary_keys(option).len();
        for (at, place) in self.table.range(option).enumerate() {
            let key = self.table.key(place);
            if at >= primaries {
                self.exclude_row(key);
                continue;
            }
            let room = self.room(key as usize);
            *room -= 1;
            if *room == 0 {
                self.fill(key);
            }
        }
    }

    /// The item's options that are possible, word by word.
    #[inline(always)]
    fn left(&self, item: usize) -> impl Iterator<Item = u64> {
        let row = &self.rows[item * self.width..][..self.width];
        row.iter().zip(self.alive()).map(|(row, alive)| row & alive)
    }

    /// The first of them.
    #[inline(always)]
    fn first(&self, item: usize) -> Option<usize> {
        let mut words = self.left(item).enumerate();
        words.find(|(_, word)| *word != 0).map(|(k, word)| k * 64 + word.trailing_zeros() as usize)
    }

    fn take_in_hand(&self, branch: &mut Branch) {
        branch.option = self.first(branch.item as usize).map_or(NONE, |option| option as u32);
    }

    fn id(&self, branch: &Branch) -> Option<OptionId> {
        OptionId::new(self.table.id(branch.in_hand()?))
    }

    /// What has been passed over at one of the open branches.
    fn passed_at(&self, branches: &[Branch], at: usize) -> &[OptionId] {
        let end = branches.get(at + 1).map_or(self.passed.len(), |above| above.passed as usize);
        &self.passed[branches[at].passed as usize..end]
    }

    /// Sees what follows in the frame on top, which is dropped unless something is left to decide.
    #[inline(always)]
    fn settle(&mut self) -> Tried {
        // SAFETY: the kernel is for this processor.
        let tried = unsafe { (self.settle)(self) };
        self.fresh = tried == Tried::Open;
        if !self.fresh {
            self.pop();
        }
        tried
    }
}

/// What becomes impossible when no option more can use a key: its options; for a color, the others of its item.
fn rows(table: &Table, width: usize) -> Vec<u64> {
    let mut rows = vec![0; table.key_count() * width];
    for option in 0..table.len() {
        let keys = table.keys(option).iter();
        for key in keys.flat_map(|&key| [Some(key), table.tinted_item(key)]).flatten() {
            rows[key as usize * width + option / 64] |= 1 << (option % 64);
        }
    }
    for key in 0..table.key_count() {
        if let Some(item) = table.tinted_item(key as Key) {
            for k in 0..width {
                rows[key * width + k] = rows[item as usize * width + k] & !rows[key * width + k];
            }
        }
    }
    rows
}

impl Engine for Bounded {
    type Branch = Branch;

    fn select(&mut self) -> Selected<Branch> {
        let root = !self.fresh;
        if root {
            self.hot = 0;
            self.trail.clear();
            self.passed.clear();
            self.push();
            match self.settle() {
                Tried::Open => (),
                Tried::Dead => return Selected::Dead,
                Tried::Complete => return Selected::Complete,
            }
        }
        let (item, ways) = self.choice;
        let (mark, passed) = (self.trail.len() as u32, self.passed.len() as u32);
        let branch = Branch { item: item as u32, option: NONE, ways: ways as u32, mark, passed, root };
        Selected::Branch { branch, forced: false }
    }

    fn enter(&mut self, branch: &mut Branch) {
        self.fresh = false;
        self.take_in_hand(branch);
    }

    #[inline(always)]
    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        self.trail.truncate(branch.mark as usize);
        self.trail.extend(self.id(branch));
        self.push();
        match branch.in_hand() {
            Some(option) => self.commit(option),
            None => self.close(branch.item as usize),
        }
        self.settle()
    }

    fn retract(&mut self, _: &Branch) {
        self.fresh = false;
        self.pop();
    }

    /// The next option, as long as those from it on are enough for the lower bound; behind the last one no option at all, if
    /// the lower bound is reached.
    fn advance(&mut self, branch: &mut Branch) -> bool {
        let Some(option) = branch.in_hand() else { return false };
        self.passed.extend(OptionId::new(self.table.id(option)));
        self.remove(option);
        self.take_in_hand(branch);
        let item = branch.item as usize;
        let left: u32 = self.left(item).map(u64::count_ones).sum();
        u64::from(left) >= self.asked_for(item)
    }

    fn leave(&mut self, branch: &Branch) {
        self.trail.truncate(branch.mark as usize);
        self.passed.truncate(branch.passed as usize);
        if branch.root {
            self.pop();
        }
    }

    fn collect(&mut self, _: &[Branch], _: usize, assumed: usize, solution: &mut Vec<OptionId>) {
        solution.truncate(assumed);
        solution.extend_from_slice(&self.trail);
    }

    fn follow(&self, branches: &[Branch], at: usize, path: &mut Path) {
        match branches.get(at + 1) {
            Some(above) => {
                path.before.extend_from_slice(&self.trail[branches[at].mark as usize..above.mark as usize]);
            }
            None => path.before.extend(self.id(&branches[at])),
        }
        path.without.extend_from_slice(self.passed_at(branches, at));
    }

    /// Whatever contains none of the options that have been tried: the search for that may branch on other items.
    fn untried(&self, branches: &[Branch], at: usize, _: usize) -> Untried {
        let mut without = self.passed_at(branches, at).to_vec();
        let tried = without.len();
        without.extend(self.id(&branches[at]));
        let behind = (branches[at].ways as usize).saturating_sub(tried + 1);
        Untried { without, tried, behind, hopeless: false, others: Vec::new() }
    }

    fn assume(&mut self, option: OptionId) {
        self.push();
        self.commit(self.table.place(option));
    }

    fn unassume(&mut self, _: OptionId) {
        self.pop();
    }

    fn exclude(&mut self, option: OptionId) {
        let option = self.table.place(option);
        let possible = self.alive()[option / 64] >> (option % 64) & 1 == 1;
        self.excluded.push(possible);
        self.remove(option);
    }

    fn readmit(&mut self, option: OptionId) {
        let option = self.table.place(option);
        if self.excluded.pop() == Some(true) {
            self.alive_mut()[option / 64] |= 1 << (option % 64);
        }
    }

    /// Options are removed by the word, uncounted.
    fn updates(&self) -> u64 {
        0
    }
}

versions! {
    fn settle_version<> = settle as fn(bounded: &mut Bounded) -> Tried
}

/// Chooses all options that are needed in the frame on top, closes items that need nothing and have nothing, and finds the item
/// with the fewest ways of the others.
///
/// # Safety
/// The instruction set is there.
#[inline(always)]
unsafe fn settle<I: Isa>(bounded: &mut Bounded) -> Tried {
    // Blocks are counted in a circle until none has changed since it was counted.
    let (mut block, mut to_go) = (bounded.hot, bounded.blocks);
    // SAFETY: the instruction set is there.
    unsafe {
        let mut best = I::best();
        while to_go > 0 {
            let lanes = (bounded.open()[block / 8] >> (block % 8 * 8)) as u8;
            if lanes != 0 {
                let ways = ways::<I>(bounded, block);
                let few = I::at_most_one(ways, lanes);
                if few != 0 {
                    if I::nothing(ways, lanes) != 0 {
                        bounded.hot = block;
                        return Tried::Dead;
                    }
                    let item = block * 8 + few.trailing_zeros() as usize;
                    match bounded.first(item) {
                        Some(option) => {
                            bounded.trail.extend(OptionId::new(bounded.table.id(option)));
                            bounded.commit(option);
                            best = I::best();
                            to_go = bounded.blocks;
                        }
                        None => bounded.close(item),
                    }
                    continue;
                }
                best = I::improve(best, ways, lanes, &bounded.numbers[block]);
            }
            block = if block + 1 == bounded.blocks { 0 } else { block + 1 };
            to_go -= 1;
        }
        let smallest = I::smallest(best) as usize;
        bounded.choice = (smallest & 0xFF_FFFF_FFFF, smallest >> 40);
    }
    if bounded.open().iter().all(|items| *items == 0) { Tried::Complete } else { Tried::Open }
}

/// The ways of a block's items.
///
/// # Safety
/// The instruction set is there.
#[inline(always)]
unsafe fn ways<I: Isa>(bounded: &Bounded, block: usize) -> I::Counts {
    let masks = &bounded.masks[block * bounded.width..][..bounded.width];
    let alive = bounded.alive();
    // SAFETY: the instruction set is there.
    unsafe {
        let first = bounded.width.min(MOST_WORDS);
        let mut counts = I::count(&masks[..first], &alive[..first]);
        for at in (MOST_WORDS..bounded.width).step_by(MOST_WORDS) {
            let end = bounded.width.min(at + MOST_WORDS);
            counts = I::plus(counts, I::count(&masks[at..end], &alive[at..end]));
        }
        I::ways(counts, &bounded.rooms()[block], &bounded.slack[block])
    }
}

//! Bit sets: a bit for each option that is alive, and no undoing.
//!
//! The problem is searched in layouts of two kinds: [`Wide`], for any size, in the original numbering, and
//! [`Small`], up to 512 options and 128 items. Wherever little is left of a problem and the search
//! below is expected to be long enough, what is left is laid out anew, with new numbers, in fewer words.

use alloc::vec::Vec;

use super::{Engine, Selected, Tried};
use crate::{OptionId, Problem};
use simd::Cpu;
use small::{Scratch, Small};
use table::Table;
use wide::Wide;

mod simd;
mod small;
mod table;
mod wide;

#[cfg(test)]
mod tests;

/// When what is left is laid out anew.
#[derive(Clone, Copy)]
struct Tuning {
    options: usize,  // only with so many options at the most
    items: usize,    // and so many items
    patience: usize, // only if the gain expected is above so many 16ths of the expense
}

impl Default for Tuning {
    fn default() -> Self {
        Self { options: small::MOST_OPTIONS, items: small::MOST_ITEMS, patience: 30 }
    }
}

pub(crate) struct Bits {
    table: Table,
    cpu: Cpu,
    tuning: Tuning,
    wide: Option<Wide>, // the whole problem, unless it is small
    smalls: Vec<Small>, // `active` of them in use, one inside the other
    active: usize,
    scratch: Scratch,
    fresh: bool, // the frame on top is new, and its layout knows the choice
    forecast: Forecast,
}

/// An item being branched on, and the option in hand.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    item: u32, // in the layout on top
    word: u32, // which of the words of the item's options
    base: u32, // the number of the option that bit 0 of that word stands for
    left: u64, // the options of that word to come, the one in hand included
    anew: bool, // the branch has a layout of its own
}

impl Bits {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self::with(problem, Cpu::detect(), Tuning::default())
    }

    fn with(problem: &Problem, cpu: Cpu, tuning: Tuning) -> Self {
        let table = Table::new(problem);
        let mut scratch = Scratch::new(&table);
        let mut smalls = Vec::new();
        let wide = if table.len() <= tuning.options && table.primaries() <= tuning.items {
            scratch.options.extend(0..table.len() as u32);
            scratch.items.extend(0..table.primaries() as u32);
            let mut small = Small::default();
            small.build(&table, &mut scratch, cpu);
            smalls.push(small);
            None
        } else {
            Some(Wide::new(&table, cpu))
        };
        let active = smalls.len();
        Self { table, cpu, tuning, wide, smalls, active, scratch, fresh: false, forecast: Forecast::default() }
    }

    /// The small layout on top, if it is one.
    #[inline]
    fn small(&self) -> Option<&Small> {
        self.active.checked_sub(1).and_then(|at| self.smalls.get(at))
    }

    /// The branching item's candidates in one word of its options, and the number of the first bit.
    #[inline]
    fn candidates(&self, item: u32, word: u32) -> Option<(u64, u32)> {
        let (item, at) = (item as usize, word as usize);
        match (self.small(), &self.wide) {
            (Some(small), _) => (at < small.width()).then(|| (small.candidates(item, at), word * 64)),
            (None, Some(wide)) => wide.candidates(item, at),
            (None, None) => None,
        }
    }

    /// Lays out what is left anew, if that is expected to pay. The number of the item is another one then.
    fn renew(&mut self, item: u32, expected: usize) -> Option<u32> {
        let (left, open, cost) = match (self.small(), &self.wide) {
            (Some(small), _) => (small.left(), small.open_count(), small.cost()),
            (None, Some(wide)) => (wide.left(), wide.open_count(), wide.cost()),
            (None, None) => return None,
        };
        if left > self.tuning.options || open > self.tuning.items {
            return None;
        }
        let new_cost = left.div_ceil(64) * open.div_ceil(8);
        let entries = left * self.table.entry_count() / self.table.len();
        if expected * cost.saturating_sub(new_cost) * 16 <= self.tuning.patience * (entries + 32) {
            return None;
        }
        let key = match (self.small(), &self.wide) {
            (Some(small), _) => {
                let key = small.item(item as usize);
                self.smalls[self.active - 1].residue(&mut self.scratch);
                key
            }
            (None, Some(wide)) => {
                wide.residue(&mut self.scratch);
                item
            }
            (None, None) => return None,
        };
        if self.active == self.smalls.len() {
            self.smalls.push(Small::default());
        }
        self.smalls[self.active].build(&self.table, &mut self.scratch, self.cpu);
        self.active += 1;
        self.scratch.items.binary_search(&key).ok().map(|at| at as u32)
    }

    fn pop(&mut self) {
        match (self.active, &mut self.wide) {
            (0, Some(wide)) => wide.pop(),
            (0, None) => (),
            (active, _) => self.smalls[active - 1].pop(),
        }
    }
}

impl Engine for Bits {
    type Branch = Branch;

    fn select(&mut self) -> Selected<Branch> {
        let branch = |item| Branch { item: item as u32, word: 0, base: 0, left: 0, anew: false };
        if self.fresh {
            self.fresh = false;
            let item = match (self.small(), &self.wide) {
                (Some(small), _) => small.choice(),
                (None, wide) => wide.as_ref().map_or(0, Wide::choice),
            };
            return Selected::Branch { branch: branch(item), forced: false };
        }
        let survey = match (self.small(), &self.wide) {
            (Some(small), _) => small.survey(),
            (None, wide) => wide.as_ref().and_then(Wide::survey),
        };
        match survey {
            None => Selected::Complete,
            Some((_, 0)) => Selected::Dead,
            Some((item, count)) => Selected::Branch { branch: branch(item), forced: count == 1 },
        }
    }

    fn enter(&mut self, branch: &mut Branch) {
        let expected = self.forecast.enter();
        if let Some(item) = self.renew(branch.item, expected) {
            branch.item = item;
            branch.anew = true;
        }
        (branch.left, branch.base) = self.candidates(branch.item, 0).unwrap_or_default();
    }

    #[inline]
    fn current(&self, branch: &mut Branch) -> Option<OptionId> {
        while branch.left == 0 {
            branch.word += 1;
            (branch.left, branch.base) = self.candidates(branch.item, branch.word)?;
        }
        let option = branch.option();
        match self.small() {
            Some(small) => Some(small.id(option)),
            None => OptionId::new(self.table.id(option)),
        }
    }

    #[inline]
    fn attempt(&mut self, branch: &mut Branch, chosen: &mut Vec<OptionId>) -> Tried {
        let option = branch.option();
        let tried = match (self.active, &mut self.wide) {
            (0, Some(wide)) => wide.attempt(&self.table, option, chosen),
            (0, None) => Tried::Dead,
            (active, _) => self.smalls[active - 1].attempt(option, chosen),
        };
        self.fresh = tried == Tried::Open;
        tried
    }

    fn retract(&mut self, _: &Branch) {
        self.fresh = false;
        self.pop();
    }

    #[inline]
    fn advance(&mut self, branch: &mut Branch) {
        branch.left &= branch.left.wrapping_sub(1);
    }

    fn leave(&mut self, branch: &Branch) {
        self.forecast.leave();
        if branch.anew {
            self.active -= 1;
        }
    }

    fn assume(&mut self, option: OptionId) {
        let place = self.table.place(option);
        match (&mut self.wide, self.smalls.first_mut()) {
            (Some(wide), _) => wide.assume(&self.table, place),
            (None, Some(small)) => small.assume(place),
            (None, None) => (),
        }
    }

    fn unassume(&mut self, _: OptionId) {
        self.pop();
    }

    /// Options are removed by the word, uncounted.
    fn updates(&self) -> u64 {
        0
    }
}

impl Branch {
    #[inline]
    fn option(&self) -> usize {
        (self.base + self.left.trailing_zeros()) as usize
    }
}

/// How many branches there are below a branch, expected from those at the same depth so far.
#[derive(Default)]
struct Forecast {
    entered: Vec<u64>, // by depth
    expected: Vec<u32>,
    depth: usize,
    since: u32,
}

impl Forecast {
    /// One more branch. How many are expected below.
    fn enter(&mut self) -> usize {
        if self.depth == self.entered.len() {
            self.entered.push(0);
            self.expected.push(64);
        }
        self.entered[self.depth] += 1;
        self.since += 1;
        if self.since == 256 {
            self.since = 0;
            let mut below = 0;
            for (entered, expected) in self.entered.iter().zip(&mut self.expected).rev() {
                below += entered;
                *expected = (below / entered.max(&1)).min(1 << 20) as u32;
            }
        }
        self.depth += 1;
        self.expected[self.depth - 1] as usize
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

//! Bit sets: a bit for each option that is alive, and no undoing.
//!
//! The problem is searched in layouts of two kinds: [`Wide`], for any size, in the original numbering, and
//! [`Small`], up to 1024 options and 128 items. Wherever little is left of a problem and the search
//! below is expected to be long enough, what is left is laid out anew, with new numbers, in fewer words. Before all that,
//! options that are in no solution are removed, if there seem to be many.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::{Engine, Path, Selected, Tried, Untried};
use crate::{OptionId, Problem};
use simd::Cpu;
use small::{Scratch, Small};
use table::Table;
use weight::Weights;
use wide::Wide;

pub(crate) use bounded::Bounded;

pub(crate) mod bounded;
mod simd;
mod small;
mod table;
mod weight;
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
        Self { options: small::MOST_OPTIONS, items: small::MOST_ITEMS, patience: 80 }
    }
}

pub(crate) struct Bits {
    table: Table,
    cpu: Cpu,
    tuning: Tuning,
    wide: Option<Wide>, // the whole problem, unless it is small
    small: Small,       // the layout on top, if it is small
    in_small: bool,     // whether it is
    outer: Vec<Small>,  // the small layouts below it
    spare: Vec<Small>,  // those not in use
    weights: Weights,   // as the wide layout knows them; those of a small one may be newer
    scratch: Scratch,
    trail: Vec<OptionId>, // the options in hand, without the assumed ones
    fresh: bool,          // the frame on top is new, and its layout knows the choice
    forecast: Forecast,
}

/// An item being branched on, and the option in hand.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    // All fields are of one size: smaller ones, written one by one and then copied together, stall the processor.
    left: u64, // the options of one word that are still to come, the one in hand included
    base: u64, // the number of the option that bit 0 of that word stands for
    word: u64, // which of the words of the item's options
    mark: u64, // how many options were in hand before the branch
    item: u64, // in the layout on top; plus ANEW if the branch has a layout of its own
}

const ANEW: u64 = 1 << 32;

/// So many options are tried to see whether it pays to try all of them before the search.
const PROBES: usize = 64;

/// It pays if at least one in so many is found to be useless.
const WORTH: usize = 16;

/// More vector operations than that are not spent on it.
const MOST_WORK: usize = 1 << 24;

/// Frames of so many bytes are copied faster than lists are mended, whatever the problem.
const LITTLE: usize = 12 << 10;

/// Whether this engine is expected to be faster than links, or nearly so.
///
/// It is where the problem can be laid out small at once, where a frame is little, and where a frame is large but a
/// choice would remove more entries from links than the frame has bytes. That leaves to links what is
/// sparse and has thousands of items.
pub(crate) fn suits(problem: &Problem) -> bool {
    let frame = problem.option_count() / 8 + 4 * problem.primary_count();
    frame <= LITTLE || frame <= updates_of_a_choice(problem)
}

/// How many entries links would remove for an option chosen in the whole problem, on the average; where an item can take
/// several options, its share of that.
fn updates_of_a_choice(problem: &Problem) -> usize {
    let mut uses = vec![(0u64, 0u64); problem.item_count()]; // by item: its options, and their other entries
    for option in problem.options().map(|option| problem.option(option)) {
        for entry in option.entries() {
            let (options, others) = &mut uses[entry.item.index()];
            *options += 1;
            *others += option.len() as u64 - 1;
        }
    }
    let items = problem.items().zip(&uses);
    let updates_of = items.map(|(item, &(options, others))| {
        options.saturating_mul(others) / u64::from(problem.most(item)).max(1)
    });
    let updates = updates_of.fold(0, u64::saturating_add);
    (updates / (problem.option_count() as u64).max(1)) as usize
}

impl Bits {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self::with(problem, Cpu::detect(), Tuning::default())
    }

    fn with(problem: &Problem, cpu: Cpu, tuning: Tuning) -> Self {
        let table = Table::new(problem);
        let mut scratch = Scratch::new(&table);
        let mut small = Small::default();
        let weights = Weights::new(table.primaries());
        let in_small = table.len() <= tuning.options && table.primaries() <= tuning.items;
        if in_small {
            scratch.options.extend(0..table.len() as u32);
            scratch.items.extend(0..table.primaries() as u32);
            small.build(&table, &weights, &mut scratch, cpu);
        }
        let wide = (!in_small).then(|| Wide::new(&table, cpu));
        let mut this = Self {
            table,
            cpu,
            tuning,
            wide,
            small,
            in_small,
            outer: Vec::new(),
            spare: Vec::new(),
            weights,
            scratch,
            trail: Vec::new(),
            fresh: false,
            forecast: Forecast::default(),
        };
        this.reduce();
        this
    }

    /// Removes options that are in no solution at all: those that leave some item with nothing when they are chosen first
    /// (Knuth's Algorithm P, with all that they force). It is done once, for all searches. A few options are tried first:
    /// where hardly any is useless, the others are left alone.
    fn reduce(&mut self) {
        let options = self.table.len();
        if options < PROBES || options * self.wide().map_or(self.small.cost(), Wide::cost) > MOST_WORK {
            return;
        }
        let probes = (0..PROBES).map(|k| k * options / PROBES);
        let mut pays = probes.filter(|&option| self.is_useless(option)).count() * WORTH >= PROBES;
        while pays {
            let mut removed = 0;
            for option in 0..options {
                if self.is_useless(option) {
                    removed += 1;
                    match (self.in_small, &mut self.wide) {
                        (false, Some(wide)) => wide.remove(&self.table, option),
                        _ => self.small.remove(option),
                    }
                }
            }
            pays = removed * WORTH >= options; // another round would find fewer still
        }
        if self.in_small {
            self.small.recount();
        }
    }

    /// Whether an option is alive, but nothing can come of it.
    fn is_useless(&mut self, option: usize) -> bool {
        self.trail.clear();
        let tried = match (self.in_small, &mut self.wide) {
            (false, Some(wide)) if wide.is_alive(option) => {
                wide.attempt(&self.table, &mut self.weights, option, &mut self.trail)
            }
            (true, _) if self.small.is_alive(option) => self.small.attempt(option, &mut self.trail),
            _ => return false,
        };
        if tried == Tried::Open {
            self.pop();
        }
        self.trail.clear();
        tried == Tried::Dead
    }

    /// The layout on top: the wide one, or else the small one.
    #[inline(always)]
    fn wide(&self) -> Option<&Wide> {
        if self.in_small { None } else { self.wide.as_ref() }
    }

    /// The branching item's candidates in one word of its options, and the number of the first bit.
    #[inline(always)]
    fn candidates(&self, item: u64, word: u64) -> Option<(u64, u64)> {
        let (item, at) = (item as u32 as usize, word as usize);
        match self.wide() {
            None => (at < self.small.width()).then(|| (self.small.candidates(item, at), word * 64)),
            Some(wide) => wide.candidates(item, at),
        }
    }

    /// The same in any frame of the layout that has so many others above it.
    fn candidates_in(&self, above: usize, frame: usize, item: u64, word: u64) -> Option<(u64, u64)> {
        let (item, at) = (item as u32 as usize, word as usize);
        match self.layout(above) {
            Some(small) => (at < small.width()).then(|| (small.candidates_in(frame, item, at), word * 64)),
            None => self.wide.as_ref()?.candidates_in(frame, item, at),
        }
    }

    fn id_in(&self, above: usize, option: usize) -> Option<OptionId> {
        match self.layout(above) {
            Some(small) => Some(small.id(option)),
            None => OptionId::new(self.table.id(option)),
        }
    }

    /// The layout that has so many others above it; `None` if it is the wide one.
    fn layout(&self, above: usize) -> Option<&Small> {
        match above {
            0 => self.in_small.then_some(&self.small),
            _ => self.outer.len().checked_sub(above).map(|at| &self.outer[at]),
        }
    }

    /// Goes on to the next word that has an option, if the one in hand has none left. False if there is none.
    #[inline(always)]
    fn find(&self, branch: &mut Branch) -> bool {
        while branch.left == 0 {
            branch.word += 1;
            let Some(next) = self.candidates(branch.item, branch.word) else { return false };
            (branch.left, branch.base) = next;
        }
        true
    }

    /// Lays out what is left anew, if that is expected to pay. The number of the item is another one then.
    #[inline(always)]
    fn renew(&mut self, item: u64, expected: usize) -> Option<u64> {
        let cost = self.wide().map_or(self.small.cost(), Wide::cost);
        if expected * cost <= 2 * self.tuning.patience {
            return None;
        }
        let (left, open) =
            self.wide().map_or((self.small.left(), self.small.open_count()), |w| (w.left(), w.open_count()));
        if left > self.tuning.options || open > self.tuning.items {
            return None;
        }
        let new_cost = small::width_of(left) * open.div_ceil(8);
        let entries = left * self.table.entry_count() / self.table.len();
        if expected * cost.saturating_sub(new_cost) * 16 <= self.tuning.patience * (entries + 32) {
            return None;
        }
        Some(self.lay_anew(item))
    }

    #[cold]
    #[inline(never)]
    fn lay_anew(&mut self, item: u64) -> u64 {
        let key = match (self.in_small, &self.wide) {
            (false, Some(wide)) => {
                wide.residue(&mut self.scratch);
                item as u32
            }
            _ => {
                self.small.residue(&mut self.scratch);
                self.small.teach(&mut self.weights);
                self.small.item(item as usize)
            }
        };
        let mut small = self.spare.pop().unwrap_or_default();
        small.build(&self.table, &self.weights, &mut self.scratch, self.cpu);
        let below = mem::replace(&mut self.small, small);
        if mem::replace(&mut self.in_small, true) {
            self.outer.push(below);
        } else {
            self.spare.push(below);
        }
        // It is an open item, and so among those of the new layout.
        self.scratch.items.binary_search(&key).unwrap_or_default() as u64
    }

    /// Back from a layout to the one below it.
    #[cold]
    #[inline(never)]
    fn restore(&mut self) {
        self.small.teach(&mut self.weights);
        let below = self.outer.pop();
        self.in_small = below.is_some();
        if let Some(below) = below.or_else(|| self.spare.pop()) {
            self.spare.push(mem::replace(&mut self.small, below));
        }
        if self.in_small {
            self.small.learn(&self.weights);
        }
    }

    #[inline(always)]
    fn pop(&mut self) {
        match (self.in_small, &mut self.wide) {
            (false, Some(wide)) => wide.pop(),
            _ => self.small.pop(),
        }
    }

    /// At the root: the smallest item with its size; without one, any item and `usize::MAX`. A search begins, which does
    /// not depend on those before.
    #[cold]
    #[inline(never)]
    fn survey(&mut self) -> (usize, usize) {
        self.weights.clear();
        self.small.learn(&self.weights);
        self.forecast = Forecast::default();
        self.wide().map_or_else(|| self.small.survey(), Wide::survey).unwrap_or((0, usize::MAX))
    }
}

impl Engine for Bits {
    type Branch = Branch;

    #[inline(always)]
    fn select(&mut self) -> Selected<Branch> {
        // A new frame has no item with fewer than two options.
        let (item, size) = match (self.fresh, self.wide()) {
            (false, _) => self.survey(),
            (true, None) => (self.small.choice(), 2),
            (true, Some(wide)) => (wide.choice(), 2),
        };
        match size {
            0 => Selected::Dead,
            usize::MAX => Selected::Complete,
            _ => Selected::Branch { branch: Branch::on(item), forced: size == 1 },
        }
    }

    #[inline(always)]
    fn enter(&mut self, branch: &mut Branch) {
        self.fresh = false;
        let expected = self.forecast.enter();
        if let Some(item) = self.renew(branch.item, expected) {
            branch.item = item | ANEW;
        }
        branch.mark = self.trail.len() as u64;
        (branch.left, branch.base) = self.candidates(branch.item, 0).unwrap_or_default();
        self.find(branch);
    }

    #[inline(always)]
    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        let option = branch.option();
        let Self { table, wide, small, weights, trail, .. } = self;
        trail.truncate(branch.mark as usize);
        let tried = match (self.in_small, wide) {
            (false, Some(wide)) => {
                trail.extend(OptionId::new(table.id(option)));
                wide.attempt(table, weights, option, trail)
            }
            _ => {
                trail.push(small.id(option));
                small.attempt(option, trail)
            }
        };
        self.fresh = tried == Tried::Open;
        tried
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
            None => path.before.extend(self.id_in(0, branches[at].option())),
        }
    }

    fn untried(&self, branches: &[Branch], at: usize, assumed: usize) -> Untried {
        let branch = branches[at];
        let anew = |branch: &Branch| branch.item & ANEW != 0;
        let above = branches[at + 1..].iter().filter(|branch| anew(branch)).count();
        // Each assumption and each branch on the way has pushed a frame; a new layout begins without any.
        let frame = match branches[..=at].iter().rposition(anew) {
            None => assumed + at,
            Some(first) => at - first,
        };
        let words = (0..).map_while(|word| self.candidates_in(above, frame, branch.item, word));
        let all = words.flat_map(|(left, base)| small::bits_of(left).map(move |bit| base as usize + bit));
        let mut others: Vec<_> = all.filter_map(|option| self.id_in(above, option)).collect();
        let in_hand = self.id_in(above, branch.option());
        let tried = others.iter().position(|option| Some(*option) == in_hand).unwrap_or_default();
        others.drain(..(tried + 1).min(others.len()));
        Untried { behind: others.len(), others, tried, without: Vec::new(), hopeless: false }
    }

    #[inline(always)]
    fn retract(&mut self, _: &Branch) {
        self.fresh = false;
        self.pop();
    }

    #[inline(always)]
    fn advance(&mut self, branch: &mut Branch) -> bool {
        branch.left &= branch.left.wrapping_sub(1);
        self.find(branch)
    }

    #[inline(always)]
    fn leave(&mut self, branch: &Branch) {
        self.trail.truncate(branch.mark as usize);
        self.forecast.leave();
        if branch.item & ANEW != 0 {
            self.restore();
        }
    }

    fn assume(&mut self, option: OptionId) {
        let place = self.table.place(option);
        match &mut self.wide {
            Some(wide) => wide.assume(&self.table, place),
            None => self.small.assume(place),
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
    #[inline(always)]
    fn on(item: usize) -> Self {
        Self { left: 0, base: 0, word: 0, item: item as u64, mark: 0 }
    }

    #[inline(always)]
    fn option(&self) -> usize {
        (self.base + u64::from(self.left.trailing_zeros())) as usize
    }
}

/// How many branches there are below a branch, expected from those at the same depth so far.
#[derive(Default)]
struct Forecast {
    branches: Vec<Branches>, // by depth
    depth: usize,
    since: u32,
}

struct Branches {
    entered: u64,
    expected: u64,
}

impl Forecast {
    /// One more branch. How many are expected below.
    #[inline(always)]
    fn enter(&mut self) -> usize {
        self.since += 1;
        if self.depth == self.branches.len() || self.since == 256 {
            self.update();
        }
        let here = &mut self.branches[self.depth];
        here.entered += 1;
        self.depth += 1;
        here.expected as usize
    }

    #[cold]
    #[inline(never)]
    fn update(&mut self) {
        if self.depth == self.branches.len() {
            self.branches.push(Branches { entered: 0, expected: 64 });
        }
        if self.since == 256 {
            self.since = 0;
            let mut below = 0;
            for here in self.branches.iter_mut().rev().filter(|here| here.entered > 0) {
                below += here.entered;
                here.expected = (below / here.entered).min(1 << 20);
            }
        }
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.depth -= 1;
    }
}

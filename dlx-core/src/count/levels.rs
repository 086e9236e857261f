//! A sweep for problems with bounds, option by option: each is chosen, or passed over.
//!
//! A *state* says of each item of which some options are decided and others are not how many options contain it already, as far
//! as that matters, or what color it has. States that agree in that merge. They are dealt with level by level, one for each
//! option; a state is given up as soon as too few options are left for some item.
//!
//! The sweep along the items ([`sweep`](super::sweep)) has fewer states, but every item is covered by one of its choices there.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::plan::Members;
use super::residual::{PLAIN, Residual};
use super::sweep::{Figures, Keep as _, Status, Sweep, Trouble, WIDEST};
use super::table::{Slot, Table};
use super::tape::Tape;

/// The bit of a state that is always set, as tables want it.
const MARK: u64 = 1;

/// A sweep over the options in this order, unless a state would be too large.
pub(super) fn sweep_by_option(problem: &Residual, order: &[u32], keep: Tape) -> Option<Box<dyn Sweep<Tape>>> {
    let (levels, words) = levels(problem, order);
    let hopeful = problem.can_be_covered();
    Some(match words {
        0..=1 => Box::new(Levels::<1>::new(levels, hopeful, keep)),
        2 => Box::new(Levels::<2>::new(levels, hopeful, keep)),
        3..=4 => Box::new(Levels::<4>::new(levels, hopeful, keep)),
        5..=8 => Box::new(Levels::<8>::new(levels, hopeful, keep)),
        9..=WIDEST => Box::new(Levels::<WIDEST>::new(levels, hopeful, keep)),
        _ => return None,
    })
}

/// An option, and what it means for its items.
struct Level {
    option: u32,
    uses: Vec<Use>,
}

/// What deciding an option means for an item of its.
#[derive(Clone, Copy)]
struct Use {
    word: usize, // where the number of the item is in a state
    shift: u32,
    mask: u64,
    effect: Effect,
    floor: u64, // the number must be as large afterwards, or too few options are left
    last: bool, // no other option contains the item
}

/// What becomes of the number of an item when an option with it is chosen.
#[derive(Clone, Copy)]
enum Effect {
    /// It counts up to that, and stays there: more does not matter.
    CountTo(u64),
    /// It counts up to that, and no further option may be chosen then.
    CountBelow(u64),
    /// It becomes this color if it is none yet, or the same.
    Share(u64),
    /// It becomes this one, which nothing else may be, if it is none yet.
    Take(u64),
}

impl Effect {
    fn apply(self, number: u64) -> Option<u64> {
        match self {
            Self::CountTo(most) => Some(most.min(number + 1)),
            Self::CountBelow(most) => (number < most).then_some(number + 1),
            Self::Share(color) => (number == 0 || number == color).then_some(color),
            Self::Take(color) => (number == 0).then_some(color),
        }
    }
}

impl Level {
    /// What it takes to deal with a state: see [`Figures`].
    fn steps(&self) -> u64 {
        2 + self.uses.len() as u64
    }

    /// The state after the option is chosen, or passed over; `None` if it must not be.
    fn decide<const V: usize>(&self, state: &[u64; V], choose: bool) -> Option<[u64; V]> {
        let mut after = *state;
        for part in &self.uses {
            let word = &mut after[part.word];
            let number = *word >> part.shift & part.mask;
            let number = if choose { part.effect.apply(number)? } else { number };
            if number < part.floor {
                return None;
            }
            let kept = if part.last { 0 } else { number };
            *word = *word & !(part.mask << part.shift) | kept << part.shift;
        }
        Some(after)
    }
}

/// What is known of an item while levels are made.
#[derive(Clone, Default)]
struct Item {
    options: u32,     // that contain it
    decided: u32,     // of those
    colors: Vec<u32>, // that it may have
    place: (usize, u32),
}

/// The levels, and how many words a state has.
fn levels(problem: &Residual, order: &[u32]) -> (Vec<Level>, usize) {
    let mut items = vec![Item::default(); problem.primaries + problem.secondaries];
    for option in 0..problem.option_count() {
        problem.items(option).iter().for_each(|&item| items[item as usize].options += 1);
        for &(item, color) in problem.uses(option) {
            let item = &mut items[problem.primaries + item as usize];
            item.options += 1;
            if !item.colors.contains(&color) {
                item.colors.push(color);
            }
        }
    }
    let mut words = Words(vec![MARK]);
    let levels = order.iter().map(|&option| {
        let primary = problem.items(option as usize).iter().map(|&item| {
            let (least, most) = problem.bounds[item as usize];
            let options = items[item as usize].options;
            let effect = match most < options {
                true => Effect::CountBelow(most.into()),
                false => Effect::CountTo(least.into()),
            };
            (item as usize, effect, most.min(if most < options { most } else { least }), least)
        });
        let secondary = problem.uses(option as usize).iter().map(|&(item, color)| {
            let item = problem.primaries + item as usize;
            let colors = &items[item].colors;
            let number = 1 + colors.iter().position(|other| *other == color).unwrap_or(0) as u64;
            let effect = if color == PLAIN { Effect::Take(number) } else { Effect::Share(number) };
            (item, effect, colors.len() as u32, 0)
        });
        let uses: Vec<_> = primary.chain(secondary).collect();
        let uses = uses.into_iter().map(|(at, effect, largest, least)| {
            let item = &mut items[at];
            let bits = u32::BITS - largest.leading_zeros();
            if item.decided == 0 {
                item.place = words.take(bits);
            }
            item.decided += 1;
            let (word, shift) = item.place;
            let left = item.options - item.decided;
            let floor = least.saturating_sub(left).into();
            Use { word, shift, mask: (1 << bits) - 1, effect, floor, last: left == 0 }
        });
        let uses: Vec<Use> = uses.collect();
        uses.iter().filter(|part| part.last).for_each(|part| words.give_back(part));
        Level { option, uses }
    });
    let levels: Vec<_> = levels.collect();
    (levels, words.0.len())
}

/// Which bits of a state are in use.
struct Words(Vec<u64>);

impl Words {
    /// Takes so many bits, less than a word, that lie together: the word, and how many bits are below.
    fn take(&mut self, bits: u32) -> (usize, u32) {
        let mask = (1 << bits) - 1;
        for (word, used) in self.0.iter_mut().enumerate() {
            if let Some(shift) = (0..=u64::BITS - bits).find(|shift| *used & mask << shift == 0) {
                *used |= mask << shift;
                return (word, shift);
            }
        }
        self.0.push(mask);
        (self.0.len() - 1, 0)
    }

    fn give_back(&mut self, part: &Use) {
        self.0[part.word] &= !(part.mask << part.shift);
    }
}

struct Levels<const V: usize> {
    levels: Vec<Level>,
    level: usize,    // in hand,
    slot: usize,     // the slot of its table,
    chosen: bool,    // and whether its option has been chosen already, so that it is to be passed over
    table: Table<V>, // of the level in hand
    next: Table<V>,  // of the next one
    keep: Tape,
    figures: Figures,
}

impl<const V: usize> Levels<V> {
    fn new(levels: Vec<Level>, hopeful: bool, keep: Tape) -> Self {
        let mut this = Self {
            level: 0,
            slot: 0,
            chosen: false,
            table: Table::new(1),
            next: Table::new(1),
            keep,
            figures: Figures::default(),
            levels,
        };
        if !hopeful {
            this.level = this.levels.len();
        } else if this.levels.is_empty() {
            let _ = this.keep.solve(&[1], 0, 1); // a tape has no trouble with that
        } else {
            let first = core::array::from_fn(|word| if word == 0 { MARK } else { 0 });
            let _ = this.hand_on(&first, 0, usize::MAX); // nor with the first state
            mem::swap(&mut this.table, &mut this.next);
        }
        this
    }

    /// Notes that a choice leads to a state of the next level.
    fn hand_on(&mut self, state: &[u64; V], choice: usize, memory: usize) -> Result<(), Trouble> {
        if self.bytes() + self.next.bytes_to_grow() > memory {
            return Err(Trouble::Memory);
        }
        self.next.reserve();
        let at = match self.next.find(state) {
            Slot::Occupied(at) => at,
            Slot::Vacant(at) => {
                self.next.occupy(at, state);
                at
            }
        };
        self.keep.reach(self.next.count_mut(at), &[], choice, 1)
    }

    /// Deals with a state: chooses the option of the level, and passes it over.
    fn expand(&mut self, state: &[u64; V], memory: usize) -> Result<(), Trouble> {
        loop {
            let level = &self.levels[self.level];
            let choice = if self.chosen { Tape::PASS } else { level.option as usize };
            if let Some(after) = level.decide(state, !self.chosen) {
                if self.level + 1 == self.levels.len() {
                    self.keep.solve(&[], choice, 1)?;
                } else {
                    self.hand_on(&after, choice, memory)?;
                }
            }
            self.chosen = !self.chosen;
            if !self.chosen {
                return Ok(());
            }
        }
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.next.bytes() + self.keep.bytes()
    }
}

impl<const V: usize> Sweep<Tape> for Levels<V> {
    fn run(&mut self, budget: u64, memory: usize) -> Status {
        let until = self.figures.steps.saturating_add(budget);
        while self.level < self.levels.len() {
            while self.slot < self.table.slots() {
                if self.figures.steps >= until {
                    return Status::Paused;
                }
                if let Some((state, value)) = self.table.slot(self.slot) {
                    let value = [value[0]];
                    if self.bytes() > memory || self.expand(&state, memory).is_err() {
                        return Status::Full;
                    }
                    self.keep.leave(&value);
                    self.figures.steps += self.levels[self.level].steps();
                    self.figures.states += 1;
                }
                self.slot += 1;
            }
            self.table = mem::replace(&mut self.next, Table::new(1));
            (self.level, self.slot) = (self.level + 1, 0);
        }
        Status::Done
    }

    fn kept(&self) -> &Tape {
        &self.keep
    }

    fn figures(&self) -> Figures {
        Figures { bytes: self.bytes(), ..self.figures }
    }

    fn finish(self: Box<Self>) -> (Tape, Members) {
        (self.keep, Members::each(self.levels.len()))
    }
}

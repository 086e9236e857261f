//! One sweep along a fixed order of the items, through all that may be left of a problem.
//!
//! A *state* is what is left of the problem after some options were chosen; the same state comes about in many ways,
//! and all that matters for counting is in how many. So the states are kept in a table for each lowest uncovered item,
//! with the number of ways that led there; the tables are dealt with in order, and each state hands its number on
//! to the states one option further. A table is dropped when it has been dealt with: only the frontier is in memory.
//!
//! What a sweep keeps is a matter of its own ([`Keep`]): the number of ways ([`Counts`]) or the ways themselves
//! (`tape.rs`).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::plan::{Layout, Members, Plan};
use super::residual::Residual;
use super::table::{self, Slot, Table};

/// The most words that a state may take.
pub(super) const WIDEST: usize = 16;
/// How many of the lowest uncovered items of a new state are looked at, whether they can still be covered.
const LOOKAHEAD: usize = 8;
/// New states between two looks at whether looking ahead pays.
const SAMPLE: u32 = 1024;

/// How a sweep stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// The budget is used up.
    Paused,
    /// All states are dealt with.
    Done,
    /// The tables would need more memory than they may have. Nothing is lost: with more, it goes on.
    Full,
}

/// A sweep whose width is forgotten.
pub(crate) trait Sweep<K>: Send {
    /// Goes on for about `budget` steps, with at most `memory` bytes of tables and of what is kept.
    fn run(&mut self, budget: u64, memory: usize) -> Status;
    /// What it has kept so far.
    fn kept(&self) -> &K;
    /// How far it is.
    fn figures(&self) -> Figures;
    /// Ends it: what it has kept, and which options are behind each choice.
    fn finish(self: Box<Self>) -> (K, Members);
}

/// What a sweep keeps of the ways that it finds. Every state has a *value*, some words that are 0 when it comes about.
pub(super) trait Keep: Send {
    /// A choice, which stands for so many options, leads from a state to another one. Where it cannot be kept, nothing is
    /// changed.
    fn reach(&mut self, value: &mut [u64], from: &[u64], choice: usize, times: u64) -> Result<(), Trouble>;
    /// A choice leads from a state to a solution.
    fn solve(&mut self, from: &[u64], choice: usize, times: u64) -> Result<(), Trouble>;
    /// All choices of a state have been made.
    fn leave(&mut self, _value: &[u64]) {}
    /// Values have so many words from now on.
    fn widen(&mut self, _words: usize) {}
    /// The bytes that it takes, tables apart.
    fn bytes(&self) -> usize {
        0
    }
}

/// Keeps the number of solutions; the value of a state is the number of ways that lead there.
pub(super) struct Counts {
    total: Vec<u64>,
}

impl Counts {
    pub(super) fn new() -> Self {
        Self { total: vec![0] }
    }

    /// The number of solutions that have been reached. All of them, once the sweep is done.
    pub(super) fn total(&self) -> BigUint {
        BigUint::from_slice(
            &self.total.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect::<Vec<_>>(),
        )
    }
}

impl Keep for Counts {
    #[inline]
    fn reach(&mut self, value: &mut [u64], from: &[u64], _choice: usize, times: u64) -> Result<(), Trouble> {
        add(value, from, times)
    }

    #[inline]
    fn solve(&mut self, from: &[u64], _choice: usize, times: u64) -> Result<(), Trouble> {
        add(&mut self.total, from, times)
    }

    fn widen(&mut self, words: usize) {
        self.total.resize(words, 0);
    }
}

/// How far a sweep is. Dealing with a state takes a step, and one more for each option of its item.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
    /// States dealt with.
    pub(crate) states: u64,
    /// Times that a state came about again.
    pub(super) merged: u64,
    /// States that wait to be dealt with.
    pub(super) waiting: u64,
    /// Steps made.
    pub(super) steps: u64,
    /// Steps that the waiting states will take.
    pub(super) to_do: u64,
    /// The most steps that ever were to do.
    pub(super) peak: u64,
    /// Bytes of tables and of what is kept.
    pub(crate) bytes: usize,
}

impl Figures {
    /// How many of the states that came about were there already. Without such, a sweep is a poor way of enumerating.
    pub(super) fn merging(&self) -> f64 {
        self.merged as f64 / (1 + self.merged + self.states + self.waiting) as f64
    }
}

/// A sweep of the problem along the order of a layout, unless a state would be too large.
pub(super) fn sweep<K: Keep + 'static>(
    problem: &Residual,
    layout: &Layout,
    keep: K,
) -> Option<Box<dyn Sweep<K>>> {
    Some(match layout.width {
        0..=1 => Box::new(Along::<1, K>::new(Plan::new(problem, layout), keep)),
        2 => Box::new(Along::<2, K>::new(Plan::new(problem, layout), keep)),
        3..=4 => Box::new(Along::<4, K>::new(Plan::new(problem, layout), keep)),
        5..=8 => Box::new(Along::<8, K>::new(Plan::new(problem, layout), keep)),
        9..=WIDEST => Box::new(Along::<WIDEST, K>::new(Plan::new(problem, layout), keep)),
        _ => return None,
    })
}

struct Along<const V: usize, K> {
    plan: Plan<V>,
    keep: K,
    tables: Vec<Table<V>>, // by rank
    limbs: usize,          // words of a value
    rank: usize,           // in hand,
    slot: usize,           // the slot of its table,
    choice: usize,         // and the choice in that state
    lookahead: Lookahead,
    memory: usize, // the most bytes that the tables may have
    figures: Figures,
}

/// Why a way could not be handed on.
pub(super) enum Trouble {
    /// A value does not fit in the words that it has.
    Overflow,
    /// There is no room: a table would have to grow and may not.
    Memory,
}

impl<const V: usize, K: Keep> Along<V, K> {
    fn new(plan: Plan<V>, keep: K) -> Self {
        let first = plan.next(0, &[0; V]);
        let mut this = Self {
            keep,
            tables: (0..plan.ranks).map(|_| Table::new(1)).collect(),
            limbs: 1,
            rank: 0,
            slot: 0,
            choice: 0,
            lookahead: Lookahead { witness: vec![u32::MAX; plan.ranks], looked: 0, dead: 0, skipped: 0 },
            memory: usize::MAX,
            figures: Figures::default(),
            plan,
        };
        // One way so far, and the first table: there is no trouble.
        let _ = match first {
            Some(rank) => this.hand_on(rank, &[0; V], &[1], 1),
            None => this.keep.solve(&[1], 0, 1),
        };
        this
    }

    /// Deals with the states of the rank in hand until so many steps are made.
    fn run_rank(&mut self, until: u64) -> Status {
        let mut source = core::mem::replace(&mut self.tables[self.rank], Table::new(self.limbs));
        let steps = self.plan.steps(self.rank);
        let mut status = Status::Done;
        while status == Status::Done && self.slot < source.slots() {
            if self.figures.steps >= until {
                status = Status::Paused;
            } else if self.keep.bytes() > self.memory.saturating_sub(self.figures.bytes) {
                status = Status::Full;
            } else if let Some((state, value)) = source.slot(self.slot) {
                match self.expand(state, value) {
                    Ok(()) => {
                        self.keep.leave(value);
                        self.figures.steps += steps;
                        self.figures.states += 1;
                        self.figures.waiting -= 1;
                        self.figures.to_do -= steps;
                        self.slot += 1;
                    }
                    Err(Trouble::Overflow) => status = self.widen(&mut source),
                    Err(Trouble::Memory) => status = Status::Full,
                }
            } else {
                self.slot += 1;
            }
        }
        if status == Status::Done {
            self.figures.bytes -= source.bytes();
            self.rank += 1;
            self.slot = 0;
        } else {
            self.tables[self.rank] = source;
        }
        status
    }

    /// Hands the value of a state on to all that it leads to, from the choice in hand on.
    #[inline]
    fn expand(&mut self, mut state: [u64; V], value: &[u64]) -> Result<(), Trouble> {
        let base = self.plan.base(self.rank);
        state[0] &= !self.plan.bit(self.rank); // the mark of an occupied slot
        while let Some(choice) = self.plan.choices(self.rank).get(self.choice) {
            if (0..V).fold(0, |clash, word| clash | (choice.need[word] & state[word])) == 0 {
                let times = choice.times;
                let after = core::array::from_fn(|word| state[word] | choice.block[word]);
                match self.plan.next(base, &after) {
                    Some(rank) => self.hand_on(rank, &self.plan.shift(base, &after, rank), value, times)?,
                    None => self.keep.solve(value, self.plan.first_choice(self.rank) + self.choice, times)?,
                }
            }
            self.choice += 1;
        }
        self.choice = 0;
        Ok(())
    }

    /// Hands a value on to a state.
    #[inline]
    fn hand_on(&mut self, rank: usize, state: &[u64; V], from: &[u64], times: u64) -> Result<(), Trouble> {
        let mut key = *state;
        key[0] |= self.plan.bit(rank);
        let table = &mut self.tables[rank];
        let more = table.bytes_to_grow();
        if more > 0 {
            let before = table.bytes();
            if self.figures.bytes + self.keep.bytes() + more > self.memory {
                return Err(Trouble::Memory);
            }
            table.reserve();
            self.figures.bytes = self.figures.bytes - before + table.bytes();
        }
        let at = match table.find(&key) {
            Slot::Occupied(at) => {
                self.figures.merged += 1;
                at
            }
            Slot::Vacant(_) if self.lookahead.is_dead(&self.plan, rank, state) => return Ok(()),
            Slot::Vacant(at) => {
                table.occupy(at, &key);
                self.figures.waiting += 1;
                self.figures.to_do += self.plan.steps(rank);
                self.figures.peak = self.figures.peak.max(self.figures.to_do);
                at
            }
        };
        let choice = self.plan.first_choice(self.rank) + self.choice;
        self.keep.reach(table.count_mut(at), from, choice, times)
    }

    /// Gives all values more words.
    #[cold]
    fn widen(&mut self, source: &mut Table<V>) -> Status {
        let limbs = self.limbs + self.limbs.div_ceil(4);
        if self.figures.bytes / (V + self.limbs) * (V + limbs) + source.bytes() > self.memory {
            return Status::Full;
        }
        self.limbs = limbs;
        self.keep.widen(limbs);
        source.widen(limbs);
        self.tables.iter_mut().for_each(|table| table.widen(limbs));
        self.figures.bytes = source.bytes() + self.tables.iter().map(Table::bytes).sum::<usize>();
        Status::Done
    }
}

impl<const V: usize, K: Keep> Sweep<K> for Along<V, K> {
    fn run(&mut self, budget: u64, memory: usize) -> Status {
        self.memory = memory;
        let until = self.figures.steps.saturating_add(budget);
        while self.rank < self.plan.ranks {
            match self.run_rank(until) {
                Status::Done => continue,
                status => return status,
            }
        }
        Status::Done
    }

    fn kept(&self) -> &K {
        &self.keep
    }

    fn figures(&self) -> Figures {
        Figures { bytes: self.figures.bytes + self.keep.bytes(), ..self.figures }
    }

    fn finish(self: Box<Self>) -> (K, Members) {
        (self.keep, self.plan.into_members())
    }
}

/// Adds `times * count`, or nothing if that overflows.
#[inline]
fn add(sum: &mut [u64], count: &[u64], times: u64) -> Result<(), Trouble> {
    if table::add(sum, count, times) {
        table::subtract(sum, count, times);
        return Err(Trouble::Overflow);
    }
    Ok(())
}

/// Drops states of which some item cannot be covered any more, as long as there are enough of them.
struct Lookahead {
    witness: Vec<u32>, // see `Plan::is_dead`
    looked: u32,       // new states of this sample that were looked at,
    dead: u32,         // and how many of them were dead
    skipped: u32,      // new states that were not looked at
}

impl Lookahead {
    #[inline]
    fn is_dead<const V: usize>(&mut self, plan: &Plan<V>, rank: usize, state: &[u64; V]) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return false;
        }
        let dead = plan.is_dead(rank, state, LOOKAHEAD, &mut self.witness);
        self.looked += 1;
        self.dead += u32::from(dead);
        if self.looked == SAMPLE {
            if self.dead < SAMPLE / 32 {
                self.skipped = 16 * SAMPLE;
            }
            (self.looked, self.dead) = (0, 0);
        }
        dead
    }
}

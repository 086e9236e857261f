//! Contradiction nets, the last resort: a candidate is wrong if taking it for right leads by singles, one generation
//! after the other, to a cell without candidates or a house without a place for a digit.
//!
//! In a nested net, candidates are ruled out on the way in the same manner: they lead to a contradiction within a
//! certain number of generations. That number, the smallest with which anything is found, tells how difficult the net is.
//! In a deeply nested net, those contradictions are found by nested nets themselves, and so on: with as many levels as
//! there are blank cells that would be a complete search, so something is always found.

use smallvec::SmallVec;

use super::net_text;
use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{Cells, HOUSES, HOUSES_OF, PLACES_OF, bits};
use super::technique::Technique;

/// As many generations as it takes.
pub(super) const UNLIMITED: u8 = u8::MAX;
/// The numbers of generations that nested nets are tried with.
const DEPTHS: [u8; 8] = [1, 2, 3, 4, 5, 6, 8, UNLIMITED];

/// Where a contradiction shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The cell has no candidates.
    Cell(usize),
    /// The digit has no place in the house.
    House(usize, usize),
}

/// A position in which some candidate is taken for right. Digits that are placed are still candidates of their cells.
#[derive(Clone)]
pub(super) struct Net {
    masks: [u16; 81],
    at: [[u16; 27]; 9],
    placed: Cells,
    next: SmallVec<[Candidate; 48]>, // the singles of the next generation
    end: Option<End>,
}

/// Is told of each candidate that is ruled out by a digit that is placed.
pub(super) trait Log {
    fn removed(&mut self, candidate: Candidate);
}

impl Log for () {
    fn removed(&mut self, _: Candidate) {}
}

impl Net {
    /// A net in which nothing is assumed.
    pub(super) fn new(position: &Position) -> Self {
        let mut net = Self { masks: [0; 81], at: [[0; 27]; 9], placed: 0, next: SmallVec::new(), end: None };
        let grid = position.grid();
        for cell in 0..81 {
            net.masks[cell] = position.mask(cell);
            if let Some(digit) = grid.cells()[cell] {
                net.masks[cell] = 1 << digit.index();
                net.placed |= 1 << cell;
            }
            for digit in bits(net.masks[cell]) {
                for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
                    net.at[digit][usize::from(house)] |= 1 << place;
                }
            }
        }
        net
    }

    /// Takes a candidate for right.
    pub(super) fn assume(&mut self, candidate: Candidate) {
        self.next.push(candidate);
    }

    /// The candidates of a cell.
    pub(super) fn mask(&self, cell: usize) -> u16 {
        self.masks[cell]
    }

    /// Where the contradiction shows, if there is one.
    pub(super) fn end(&self) -> Option<End> {
        self.end
    }

    /// The candidates of cells that have several.
    pub(super) fn open(&self) -> impl Iterator<Item = Candidate> {
        let open = self.masks.iter().enumerate().filter(|(_, mask)| mask.count_ones() > 1);
        open.flat_map(|(cell, &mask)| bits(mask).map(move |digit| Candidate::new(cell, digit)))
    }

    /// The singles of the next generation, which are to be [settled](Self::settle).
    pub(super) fn take_generation(&mut self) -> SmallVec<[Candidate; 48]> {
        core::mem::take(&mut self.next)
    }

    /// Places singles for so many generations. Returns after how many there was a contradiction, if there was one.
    fn run(&mut self, limit: u8) -> Option<u8> {
        for generation in 1..=limit {
            if self.next.is_empty() {
                return None;
            }
            for single in self.take_generation() {
                self.settle(single, &mut ());
                if self.end.is_some() {
                    return Some(generation);
                }
            }
        }
        None
    }

    /// Places a digit, unless that was done before.
    pub(super) fn settle(&mut self, single: Candidate, log: &mut impl Log) {
        let (cell, digit) = (single.at(), single.index());
        if self.placed & 1 << cell != 0 {
            return;
        }
        self.placed |= 1 << cell;
        for other in bits(self.masks[cell] & !single.bit()) {
            self.remove(Candidate::new(cell, other), log);
        }
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
            let house = usize::from(house);
            for place in bits(self.at[digit][house] & !(1 << place)) {
                self.remove(Candidate::new(HOUSES[house][place].into(), digit), log);
            }
        }
    }

    /// Rules a candidate out, and notes what that makes a single or impossible.
    pub(super) fn remove(&mut self, candidate: Candidate, log: &mut impl Log) {
        let (cell, digit) = (candidate.at(), candidate.index());
        if self.masks[cell] & candidate.bit() == 0 {
            return;
        }
        log.removed(candidate);
        self.masks[cell] &= !candidate.bit();
        match self.masks[cell].count_ones() {
            0 => self.end = Some(End::Cell(cell)),
            1 => self.next.push(Candidate::new(cell, self.masks[cell].trailing_zeros() as usize)),
            _ => {}
        }
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
            let house = usize::from(house);
            let places = &mut self.at[digit][house];
            *places &= !(1 << place);
            match places.count_ones() {
                0 => self.end = Some(End::House(digit, house)),
                1 => {
                    let only = HOUSES[house][places.trailing_zeros() as usize];
                    self.next.push(Candidate::new(only.into(), digit));
                }
                _ => {}
            }
        }
    }

    /// Looks for a contradiction: at level 1 by singles within so many generations; at a higher one by all singles, and
    /// by ruling out what has a contradiction at the level below. Returns how many generations, or rounds of ruling out,
    /// that took. The recursion is on the level.
    pub(super) fn refute(&mut self, level: u8, depth: u8) -> Option<u8> {
        if level == 1 {
            return self.run(depth);
        }
        if self.run(UNLIMITED).is_some() {
            return Some(0);
        }
        for round in 1..u8::MAX {
            let wrong = self.refutable(level - 1, depth);
            if wrong.is_empty() {
                return None;
            }
            wrong.into_iter().for_each(|candidate| self.remove(candidate, &mut ()));
            if self.end.is_some() || self.run(UNLIMITED).is_some() {
                return Some(round);
            }
        }
        None
    }

    /// The candidates that have a contradiction of a level and depth.
    pub(super) fn refutable(&self, level: u8, depth: u8) -> Vec<Candidate> {
        let is_refutable = |&candidate: &Candidate| {
            let mut inner = self.clone();
            inner.assume(candidate);
            inner.refute(level, depth).is_some()
        };
        self.open().filter(is_refutable).collect()
    }
}

/// Nets by singles.
pub(super) fn simple(position: &Position, found: &mut Found) {
    add_all(position, 1, UNLIMITED, Technique::Net, |generations| generations.saturating_sub(2), found);
}

/// Nets in which candidates are ruled out by nets of few generations, as few as lead to anything.
pub(super) fn nested(position: &Position, found: &mut Found) {
    for (rank, depth) in (0..).zip(DEPTHS) {
        let tenths = |rounds: u8| 3 * rank + rounds.saturating_sub(1).min(2);
        if add_all(position, 2, depth, Technique::NestedNet, tenths, found) {
            return;
        }
    }
}

/// Nets of more levels.
pub(super) fn deep(position: &Position, found: &mut Found) {
    for level in 3..=81 {
        let tenths = |_| level - 3;
        if add_all(position, level, UNLIMITED, Technique::DeepNet, tenths, found) {
            return;
        }
    }
}

/// Adds all candidates that have a contradiction of this level and depth; false if there are none.
fn add_all(
    position: &Position,
    level: u8,
    depth: u8,
    technique: Technique,
    tenths: impl Fn(u8) -> u8,
    found: &mut Found,
) -> bool {
    let start = Net::new(position);
    let mut any = false;
    for candidate in position.all() {
        if !found.can_be_wrong(candidate) {
            continue;
        }
        let mut net = start.clone();
        net.assume(candidate);
        if let Some(size) = net.refute(level, depth) {
            any = true;
            let text = || net_text::tell(&start, candidate, level, depth);
            let losses = Conclusion::Eliminate(vec![candidate]);
            found.add((technique, tenths(size)), losses, vec![candidate], text);
        }
    }
    any
}

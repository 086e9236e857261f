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

/// Whether a mask has no bit or one: not every processor counts bits at once.
fn is_at_most_one(mask: u16) -> bool {
    mask & mask.wrapping_sub(1) == 0
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
        let left = self.masks[cell] & !candidate.bit();
        self.masks[cell] = left;
        if is_at_most_one(left) {
            match left {
                0 => self.end = Some(End::Cell(cell)),
                _ => self.next.push(Candidate::new(cell, left.trailing_zeros() as usize)),
            }
        }
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
            let house = usize::from(house);
            let left = self.at[digit][house] & !(1 << place);
            self.at[digit][house] = left;
            if is_at_most_one(left) {
                match left {
                    0 => self.end = Some(End::House(digit, house)),
                    _ => {
                        let only = HOUSES[house][left.trailing_zeros() as usize];
                        self.next.push(Candidate::new(only.into(), digit));
                    }
                }
            }
        }
    }

    /// Looks for a contradiction: at level 1 by singles within so many generations; at a higher one by all singles, and
    /// by ruling out, again and again, what has a contradiction at the level below. Returns how many generations that
    /// took at level 1. The recursion is on the level.
    fn refute(&mut self, level: u8, depth: u8) -> Option<u8> {
        if level == 1 {
            return self.run(depth);
        }
        let mut is_refuted = self.run(UNLIMITED).is_some();
        while !is_refuted {
            is_refuted = self.round(level, depth)?;
        }
        Some(0)
    }

    /// Rules out what has a contradiction at the level below, and places the singles that this leads to. Returns whether
    /// that is a contradiction; nothing if there is nothing to rule out.
    fn round(&mut self, level: u8, depth: u8) -> Option<bool> {
        let wrong = self.refutable(level - 1, depth);
        if wrong.is_empty() {
            return None;
        }
        wrong.into_iter().for_each(|candidate| self.remove(candidate, &mut ()));
        Some(self.end.is_some() || self.run(UNLIMITED).is_some())
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
    add_all(position, 1, Technique::Net, |generations| generations.saturating_sub(2), found);
}

/// Nets of more than two levels.
pub(super) fn deep(position: &Position, found: &mut Found) {
    for level in 3..=81 {
        if add_all(position, level, Technique::DeepNet, |_| level - 3, found) {
            return;
        }
    }
}

/// Adds all candidates that have a contradiction of this level; false if there are none.
fn add_all(
    position: &Position,
    level: u8,
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
        if let Some(generations) = net.refute(level, UNLIMITED) {
            any = true;
            add((technique, tenths(generations)), &start, candidate, (level, UNLIMITED), found);
        }
    }
    any
}

fn add(rank: (Technique, u8), start: &Net, wrong: Candidate, (level, depth): (u8, u8), found: &mut Found) {
    let text = || net_text::tell(start, wrong, level, depth);
    found.add(rank, Conclusion::Eliminate(vec![wrong]), vec![wrong], text);
}

/// Nets in which candidates are ruled out by nets of few generations: the fewest that lead to anything, and then the
/// fewest rounds of ruling out. Where the puzzle has needed a nested net before, all that are no harder than that.
pub(super) fn nested(position: &Position, found: &mut Found) {
    for (rank, depth) in (0..).zip(DEPTHS) {
        // The puzzle has needed deeper nets before, so that these would not change its rating.
        let is_last = depth == UNLIMITED;
        if !is_last && found.floor() >= Technique::NestedNet.difficulty(by_depth(rank + 1, 1)) {
            continue;
        }
        if nested_of_depth(position, rank, depth, found) {
            return;
        }
    }
}

/// How many tenths a net is more difficult than the easiest nested ones; they are of the first rank and one round.
fn by_depth(rank: u8, rounds: u8) -> u8 {
    8 * rank + rounds.min(8) - 1
}

/// Adds the candidates that are refuted in the fewest rounds, all nets being a round further at a time.
fn nested_of_depth(position: &Position, rank: u8, depth: u8, found: &mut Found) -> bool {
    let start = Net::new(position);
    let open = position.all().filter(|&candidate| found.can_be_wrong(candidate));
    let mut nets: Vec<_> = open.map(|candidate| (candidate, start.clone())).collect();
    for (candidate, net) in &mut nets {
        net.assume(*candidate);
        net.run(UNLIMITED); // without a contradiction, or it would be a simple net
    }
    let mut any = false;
    for rounds in 1..u8::MAX {
        let rank = (Technique::NestedNet, by_depth(rank, rounds));
        if nets.is_empty() || !found.wants(rank.0.difficulty(rank.1)) {
            break;
        }
        nets.retain_mut(|(candidate, net)| match net.round(2, depth) {
            Some(true) => {
                any = true;
                add(rank, &start, *candidate, (2, depth), found);
                false
            }
            going_on => going_on.is_some(),
        });
    }
    any
}

//! Chains: what a candidate leads to, by links between two candidates each, if it were right.
//!
//! Where two candidates are the only ones of a cell, or the only places of a digit in a house, one of them is right: a
//! strong link. Where two share a cell, or a digit and a house, one of them is wrong: a weak link. If a candidate that is
//! taken for right leads along weak and strong links in turn to its being wrong, it is wrong; the links between make the
//! alternating chain, one of whose ends is right. The chain found for a candidate is a shortest one.

use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{Cells, HOUSES_OF, PEERS, bits, cells};
use super::technique::Technique;
use super::words;

/// The links that a chain may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Strong links in houses, all of one digit.
    OneDigit,
    /// Strong links in cells.
    Cells,
    /// All.
    All,
}

/// A candidate taken for right, and what that makes wrong and right, by the shortest ways.
pub(super) struct Web {
    pub(super) off: [Cells; 9],
    on: [Cells; 9],
    depth: [u8; 729],           // of the candidates that are wrong: by how many links
    from_on: [Candidate; 729],  // which one, taken for right, makes it wrong
    from_off: [Candidate; 729], // which one, taken for wrong, makes it right
}

fn number(candidate: Candidate) -> usize {
    9 * candidate.at() + candidate.index()
}

impl Web {
    pub(super) fn new() -> Self {
        let none = [Candidate::new(0, 0); 729];
        Self { off: [0; 9], on: [0; 9], depth: [0; 729], from_on: none, from_off: none }
    }

    /// Follows the links from a candidate as long as `go_on` says so of the number of links, or until it leads to its own
    /// being wrong, which is then returned as that number.
    pub(super) fn spread(
        &mut self,
        position: &Position,
        start: Candidate,
        links: Links,
        go_on: impl Fn(u8) -> bool,
    ) -> Option<u8> {
        (self.on, self.off) = ([0; 9], [0; 9]);
        self.on[start.index()] = 1 << start.at();
        let (mut right, mut wrong) = (vec![start], Vec::new());
        for depth in (1..u8::MAX).step_by(2) {
            if right.is_empty() || !go_on(depth) {
                return None;
            }
            right
                .drain(..)
                .for_each(|candidate| self.rule_out(position, candidate, links, depth, &mut wrong));
            if self.off[start.index()] & 1 << start.at() != 0 {
                return Some(depth);
            }
            wrong.drain(..).for_each(|candidate| self.conclude(position, candidate, links, &mut right));
        }
        None
    }

    /// Follows the weak links of a candidate that is taken for right.
    fn rule_out(
        &mut self,
        position: &Position,
        candidate: Candidate,
        links: Links,
        depth: u8,
        wrong: &mut Vec<Candidate>,
    ) {
        let (cell, digit) = (candidate.at(), candidate.index());
        let seen = cells(PEERS[cell] & position.spread(digit)).map(|peer| Candidate::new(peer, digit));
        let others = if links == Links::All { position.mask(cell) & !candidate.bit() } else { 0 };
        for other in seen.chain(bits(others).map(|other| Candidate::new(cell, other))) {
            let known = &mut self.off[other.index()];
            if *known & 1 << other.at() == 0 {
                *known |= 1 << other.at();
                self.depth[number(other)] = depth;
                self.from_on[number(other)] = candidate;
                wrong.push(other);
            }
        }
    }

    /// Follows the strong links of a candidate that is taken for wrong.
    fn conclude(
        &mut self,
        position: &Position,
        candidate: Candidate,
        links: Links,
        right: &mut Vec<Candidate>,
    ) {
        let (cell, digit) = (candidate.at(), candidate.index());
        let rest = position.mask(cell) & !candidate.bit();
        let in_cell = (links != Links::OneDigit && rest.count_ones() == 1)
            .then(|| Candidate::new(cell, rest.trailing_zeros() as usize));
        let houses = if links == Links::Cells { [].iter() } else { HOUSES_OF[cell].iter() };
        let partners = houses.filter_map(|&house| position.partner(digit, house.into(), cell));
        for other in in_cell.into_iter().chain(partners.map(|partner| Candidate::new(partner, digit))) {
            let known = &mut self.on[other.index()];
            if *known & 1 << other.at() == 0 {
                *known |= 1 << other.at();
                self.from_off[number(other)] = candidate;
                right.push(other);
            }
        }
    }

    /// By how many links a candidate becomes wrong, if it does.
    pub(super) fn depth(&self, candidate: Candidate) -> u8 {
        self.depth[number(candidate)]
    }

    /// The way from the start to a candidate that becomes wrong, both included.
    pub(super) fn way(&self, start: Candidate, end: Candidate) -> Vec<Candidate> {
        let mut way = vec![end];
        let mut wrong = end;
        loop {
            let right = self.from_on[number(wrong)];
            way.push(right);
            if right == start {
                break;
            }
            wrong = self.from_off[number(right)];
            way.push(wrong);
        }
        way.reverse();
        way
    }
}

/// The tenths that a chain of so many candidates is more difficult than the shortest: one more for each step of 4, 6, 8,
/// 12, 16, 24.., as Sudoku Explainer counts.
pub(super) fn by_length(length: usize) -> u8 {
    let (mut bound, mut tenths) = (4, 0);
    while length > bound {
        bound = if tenths % 2 == 0 { bound * 3 / 2 } else { bound * 4 / 3 };
        tenths += 1;
    }
    tenths
}

/// Chains of one digit.
pub(super) fn x(position: &Position, found: &mut Found) {
    all(position, Links::OneDigit, Technique::XChain, found);
}

/// Chains through cells of two candidates.
pub(super) fn xy(position: &Position, found: &mut Found) {
    all(position, Links::Cells, Technique::XyChain, found);
}

/// Chains of all links.
pub(super) fn alternating(position: &Position, found: &mut Found) {
    all(position, Links::All, Technique::Aic, found);
}

fn all(position: &Position, links: Links, technique: Technique, found: &mut Found) {
    let mut web = Web::new();
    let tenths = |depth: u8| by_length(usize::from(depth) - 1);
    for start in position.all() {
        let wanted = |depth| found.wants(technique.difficulty(tenths(depth)));
        if let Some(depth) = web.spread(position, start, links, wanted) {
            let way = web.way(start, start);
            add(position, &way[1..way.len() - 1], (technique, tenths(depth)), found);
        }
    }
}

/// Adds a chain that begins and ends with a strong link.
fn add(position: &Position, chain: &[Candidate], rank: (Technique, u8), found: &mut Found) {
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let text = |what: &str| format!("{what} {}", words::chain(chain));
    if first == last {
        let text = || format!("{}, whose ends are the same, one of which is right", text("the chain"));
        found.add(rank, Conclusion::Place(vec![first]), chain.to_vec(), text);
    } else if are_weak(first, last) {
        let inner = chain[1..chain.len() - 1].chunks(2).map(|pair| (pair[0], pair[1]));
        let links = inner.chain([(last, first)]);
        let mut losses: Vec<_> = links.flat_map(|(one, other)| between(position, one, other)).collect();
        losses.sort_unstable();
        losses.dedup();
        let text = || {
            format!("{}, a continuous loop, so one of the ends of each link is right", text("the nice loop"))
        };
        found.add(rank, Conclusion::Eliminate(losses), chain.to_vec(), text);
    } else {
        let losses = between(position, first, last).collect();
        let text = || format!("{}, one of whose ends is right", text("the chain"));
        found.add(rank, Conclusion::Eliminate(losses), chain.to_vec(), text);
    }
}

/// Whether one of two candidates must be wrong.
fn are_weak(one: Candidate, other: Candidate) -> bool {
    let same = one.index() == other.index();
    if one.at() == other.at() { !same } else { same && PEERS[one.at()] & 1 << other.at() != 0 }
}

/// The candidates that are wrong if one of the two is right.
fn between(position: &Position, one: Candidate, other: Candidate) -> impl Iterator<Item = Candidate> {
    position.all().filter(move |&candidate| are_weak(candidate, one) && are_weak(candidate, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_chains_are_more_difficult() {
        let tenths: Vec<_> = [1, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25].map(by_length).into();
        assert_eq!(tenths, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    }
}

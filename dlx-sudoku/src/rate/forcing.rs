//! Forcing chains: one of the candidates of a cell, or of the places of a digit in a house, is right, and by whatever
//! way each of them leads along a chain to the same candidate's being wrong.

use super::chains::{Links, Web, by_length};
use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{Cells, DIGITS, HOUSE, bits, cells, house};
use super::technique::Technique;
use super::words;

/// What every candidate leads to.
struct Webs(Vec<Option<Box<Web>>>);

impl Webs {
    fn new(position: &Position) -> Self {
        let mut webs: Vec<_> = (0..729).map(|_| None).collect();
        for start in position.all() {
            let mut web = Box::new(Web::new());
            web.spread(position, start, Links::All, |_| true);
            webs[9 * start.at() + start.index()] = Some(web);
        }
        Self(webs)
    }

    fn of(&self, start: Candidate) -> Option<&Web> {
        self.0[9 * start.at() + start.index()].as_deref()
    }
}

/// From all candidates of a cell, or all places of a digit in a house.
pub(super) fn chains(position: &Position, found: &mut Found) {
    let webs = Webs::new(position);
    for cell in (0..81).filter(|&cell| position.mask(cell).count_ones() > 2) {
        let starts: Vec<_> = bits(position.mask(cell)).map(|digit| Candidate::new(cell, digit)).collect();
        add(position, &webs, &starts, Technique::CellForcing, found, || {
            let digits = words::digit_list(position.mask(cell)).replace(" and ", " or ");
            format!("whether {} is {digits}", starts[0].cell())
        });
    }
    for (number, &set) in HOUSE.iter().enumerate() {
        for digit in (0..9).filter(|&digit| position.at(digit, number).count_ones() > 2) {
            let starts = position.of(digit, set);
            add(position, &webs, &starts, Technique::HouseForcing, found, || {
                let cells = words::list(starts.iter().map(|start| start.cell())).replace(" and ", " or ");
                format!("whether {1} of {0} is in {cells}", house(number), DIGITS[digit])
            });
        }
    }
}

/// Adds what follows from all of these, one of which is right.
fn add(
    position: &Position,
    webs: &Webs,
    starts: &[Candidate],
    technique: Technique,
    found: &mut Found,
    whether: impl Fn() -> String,
) {
    let all: Vec<_> = starts.iter().filter_map(|&start| Some((start, webs.of(start)?))).collect();
    for digit in 0..9 {
        let common =
            all.iter().fold(position.spread(digit), |common: Cells, (_, web)| common & web.off[digit]);
        for end in cells(common).map(|cell| Candidate::new(cell, digit)) {
            let length: usize = all.iter().map(|(_, web)| usize::from(web.depth(end)) + 1).sum();
            let rank = (technique, by_length(length - 2));
            if !found.wants(technique.difficulty(rank.1)) {
                continue;
            }
            let text = || {
                let ways = all.iter().map(|&(start, web)| way_text(&web.way(start, end)));
                format!("{}: {}", whether(), ways.collect::<Vec<_>>().join(", "))
            };
            let ways = all.iter().flat_map(|&(start, web)| web.way(start, end));
            let pattern = ways.filter(|&candidate| candidate != end).collect();
            found.add(rank, Conclusion::Eliminate(vec![end]), pattern, text);
        }
    }
}

/// A way that begins and ends with a weak link: `5r1c1-5r1c7=5r4c7-5r4c2`.
fn way_text(way: &[Candidate]) -> String {
    format!("{}-{}", way[0], words::chain(&way[1..]))
}

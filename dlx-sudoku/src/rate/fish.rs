//! Fish: a digit that can be, within some rows, only in as many columns (or the other way round) is in these columns
//! nowhere else. A finned fish has more places in one box: then that holds only for the cells that see them.

use super::position::Position;
use super::step::{Conclusion, Found};
use super::table::{Cells, DIGITS, HOUSE, bits, common_peers, subsets};
use super::technique::Technique;
use super::words;

/// The lines of a fish.
struct Fish {
    digit: usize,
    base: Vec<usize>,
    cover: Vec<usize>,
    body: Cells, // where the digit can be in the base
}

/// Calls `f` with each digit and each choice of `size` rows, or columns, that have a place for it, and with the cross
/// lines in which these places are.
fn bases(position: &Position, size: usize, mut f: impl FnMut(usize, usize, u16, u16)) {
    for first in [0, 9] {
        for digit in 0..9 {
            let places = |line: usize| position.at(digit, first + line);
            let lines = (0..9).filter(|&line| places(line) != 0).fold(0, |lines, line| lines | 1 << line);
            for base in subsets(lines, size) {
                f(digit, first, base, bits(base).fold(0, |union, line| union | places(line)));
            }
        }
    }
}

impl Fish {
    fn new(position: &Position, digit: usize, first: usize, base: u16, cover: u16) -> Self {
        let base: Vec<_> = bits(base).map(|line| first + line).collect();
        let cover = bits(cover).map(|line| 9 - first + line).collect();
        let body = base.iter().fold(0, |set, &line| set | HOUSE[line]) & position.spread(digit);
        Self { digit, base, cover, body }
    }

    /// Adds the fish, whose base has places outside of the cover at `fins`.
    fn add(&self, position: &Position, fins: Cells, technique: Technique, found: &mut Found) {
        let covered = self.cover.iter().fold(0, |set, &line| set | HOUSE[line]) & !self.body;
        let losses = Conclusion::Eliminate(position.of(self.digit, covered & common_peers(fins)));
        let text = || {
            let (base, cover) = (words::house_list(&self.base), words::house_list(&self.cover));
            let fins = if fins == 0 { String::new() } else { format!(" or in {}", words::cell_list(fins)) };
            format!("{} in {base} only in {cover}{fins}", DIGITS[self.digit])
        };
        found.add((technique, 0), losses, position.of(self.digit, self.body), text);
    }
}

/// X-wing, swordfish or jellyfish.
pub(super) fn plain<const SIZE: usize>(position: &Position, found: &mut Found) {
    let technique = match SIZE {
        2 => Technique::XWing,
        3 => Technique::Swordfish,
        _ => Technique::Jellyfish,
    };
    bases(position, SIZE, |digit, first, base, union| {
        if union.count_ones() as usize == SIZE {
            Fish::new(position, digit, first, base, union).add(position, 0, technique, found);
        }
    });
}

/// The same with fins, sashimi included: the lines of the base need not have two places without them.
pub(super) fn finned<const SIZE: usize>(position: &Position, found: &mut Found) {
    let technique = match SIZE {
        2 => Technique::FinnedXWing,
        3 => Technique::FinnedSwordfish,
        _ => Technique::FinnedJellyfish,
    };
    bases(position, SIZE, |digit, first, base, union| {
        let extra = (union.count_ones() as usize).saturating_sub(SIZE);
        if !(1..=3).contains(&extra) {
            return;
        }
        // The cross lines of the fins go through one box, so they are neighbours.
        for chute in [0b111, 0b11_1000, 0b1_1100_0000] {
            for uncovered in subsets(union & chute, extra) {
                let fish = Fish::new(position, digit, first, base, union & !uncovered);
                let fins = fish.body & bits(uncovered).fold(0, |set, line| set | HOUSE[9 - first + line]);
                if (18..27).any(|number| fins & !HOUSE[number] == 0) {
                    fish.add(position, fins, technique, found);
                }
            }
        }
    });
}

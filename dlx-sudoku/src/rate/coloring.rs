//! Simple colouring: where strong links of a digit hang together, the places alternate, and all of one colour are right.

use super::position::Position;
use super::step::{Conclusion, Found};
use super::table::{Cells, DIGITS, HOUSE, HOUSES_OF, PEERS, cells};
use super::technique::Technique;
use super::words;

/// Two of a colour in one house rule the colour out; a cell that sees both colours cannot have the digit.
pub(super) fn simple(position: &Position, found: &mut Found) {
    for digit in 0..9 {
        let mut seen = 0;
        for cell in cells(position.spread(digit)) {
            if seen & 1 << cell == 0 {
                let colors = color(position, digit, cell);
                seen |= colors[0] | colors[1];
                add(position, digit, colors, found);
            }
        }
    }
}

/// The places that hang together with this one, in two colours.
fn color(position: &Position, digit: usize, start: usize) -> [Cells; 2] {
    let mut colors = [1 << start, 0];
    let mut open = vec![(start, 1)];
    while let Some((cell, other)) = open.pop() {
        for number in HOUSES_OF[cell] {
            if let Some(partner) = position.partner(digit, number.into(), cell)
                && colors[other] & 1 << partner == 0
            {
                colors[other] |= 1 << partner;
                open.push((partner, 1 - other));
            }
        }
    }
    colors
}

fn add(position: &Position, digit: usize, colors: [Cells; 2], found: &mut Found) {
    let [one, other] = colors;
    let pattern = || position.of(digit, one | other);
    let colored = || {
        let (one, other) = (words::cell_list(one), words::cell_list(other));
        format!("all of {one} are {} or all of {other} are", DIGITS[digit])
    };
    for (color, which) in colors.into_iter().zip(["former", "latter"]) {
        if (0..27).any(|number| (HOUSE[number] & color).count_ones() > 1) {
            let losses = Conclusion::Eliminate(position.of(digit, color));
            let text = || format!("{}, but two of the {which} see each other", colored());
            found.add((Technique::SimpleColoring, 0), losses, pattern(), text);
        }
    }
    let sees_both = |&cell: &usize| PEERS[cell] & one != 0 && PEERS[cell] & other != 0;
    let uncolored = cells(position.spread(digit) & !(one | other));
    let trapped = uncolored.filter(sees_both).fold(0, |set, cell| set | 1 << cell);
    let losses = Conclusion::Eliminate(position.of(digit, trapped));
    found.add((Technique::SimpleColoring, 0), losses, pattern(), colored);
}

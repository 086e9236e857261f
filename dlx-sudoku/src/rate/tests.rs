//! Every technique on a small position of its own; those with a plain definition beside the plainest code for it; whole
//! paths beside the solution; and ratings of puzzles that are the same but for their symmetries.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use dlx_core::ProblemBuilder;
use itertools::Itertools as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::*;
use crate::generate::Generator;
use crate::rate::table::{CELLS, DIGITS, HOUSES, PEERS};
use crate::{Candidates, Digit, Puzzle, solutions};

/// Arto Inkala's puzzle of 2012.
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn grid(line: &str) -> Grid {
    line.parse().unwrap()
}

/// The candidates of a position without digits: all but what is said. `r1c1=12` leaves a cell these candidates,
/// `5row2=38` a digit these places in a house, and `5r1c1` is a digit that is placed.
fn position(rules: &str) -> Position {
    let mut position = Position::full();
    for rule in rules.split_whitespace() {
        let (of, left) = rule.split_once('=').unwrap_or((rule, ""));
        let left: Vec<usize> = left.bytes().map(|c| usize::from(c - b'1')).collect();
        let digit = || usize::from(of.as_bytes()[0] - b'1');
        if left.is_empty() {
            let cell = CELLS.iter().position(|cell| of.ends_with(&cell.to_string())).unwrap();
            position.place(Candidate::new(cell, digit()));
        } else if let Some(cell) = CELLS.iter().position(|cell| of == cell.to_string()) {
            let others = (0..9).filter(|digit| !left.contains(digit));
            others.for_each(|digit| position.remove(Candidate::new(cell, digit)));
        } else {
            let named = |&number: &usize| of[1..] == table::house(number).to_string().replace(' ', "");
            let house = HOUSES[(0..27).find(named).unwrap()];
            let others = (0..9).filter(|place| !left.contains(place));
            others.for_each(|place| position.remove(Candidate::new(house[place].into(), digit())));
        }
    }
    position
}

/// What a technique finds where nothing is known of the solution.
fn find(technique: Technique, position: &Position) -> Vec<Step> {
    let blank = Grid::default();
    let mut found = Found::new(&blank, Difficulty::default(), true);
    let technique = if technique == Technique::HouseForcing { Technique::CellForcing } else { technique };
    let (_, finder) = FINDERS.iter().find(|(other, _)| *other == technique).unwrap();
    finder(position, &mut found);
    found.steps()
}

/// Asks the exact cover solver whether some way to fill the cells with their candidates has this one.
fn is_possible(position: &Position, candidate: Candidate) -> bool {
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(324).unwrap();
    let mut assumed = None;
    for cell in CELLS {
        let index = Geometry::CLASSIC.index(cell);
        let digits: Vec<Digit> = position.digit(cell).into_iter().chain(position.candidates(cell)).collect();
        for digit in digits {
            let boxed = Geometry::CLASSIC.box_of(cell);
            let lines = [9 + cell.row(), 18 + cell.column(), 27 + boxed].map(|line| 9 * line + digit.index());
            let of_option = [index, lines[0], lines[1], lines[2]].map(|item| items[item]);
            let option = builder.option(of_option).unwrap();
            if (cell, digit) == (candidate.cell(), candidate.digit()) {
                assumed = Some(option);
            }
        }
    }
    let mut solver = builder.build().unwrap().solver().assume([assumed.unwrap()]).unwrap();
    solver.next_solution().is_some()
}

/// No way to fill the cells contradicts the step.
fn assert_implied(position: &Position, step: &Step) {
    for &wrong in step.eliminates() {
        assert!(!is_possible(position, wrong), "{wrong} is possible: {step}");
    }
    for &right in step.places() {
        let others = position.all().filter(|other| other.cell() == right.cell() && *other != right);
        others.for_each(|other| assert!(!is_possible(position, other), "{other} is possible: {step}"));
    }
}

/// Positions and the only thing that the technique finds in them.
const EXAMPLES: &[(Technique, &str, &str)] = &[
    (
        Technique::FullHouse,
        "1r1c1 2r1c2 3r1c3 4r1c4 5r1c5 6r1c6 7r1c7 8r1c8",
        "(1.0): r1c9 is the last blank cell of row 1: r1c9 is 9",
    ),
    (Technique::HiddenSingleBox, "5box1=5", "(1.2): in box 1, 5 can only be in r2c2: r2c2 is 5"),
    (Technique::HiddenSingleLine, "5row2=7", "(1.5): in row 2, 5 can only be in r2c7: r2c7 is 5"),
    (
        Technique::DirectPointing,
        "5box1=13 5box2=15",
        "(1.7): in box 1, 5 can only be in row 1, so that in box 2 only r2c5 is left for it: r2c5 is 5",
    ),
    (
        Technique::DirectClaiming,
        "5row1=13 5column2=28",
        "(1.9): in row 1, 5 can only be in box 1, so that in column 2 only r8c2 is left for it: r8c2 is 5",
    ),
    (
        Technique::DirectHiddenPair,
        "1row1=12 2row1=12 3row1=29",
        "(2.0): in row 1, 1 and 2 can only be in r1c1 and r1c2, so that only r1c9 is left for 3: r1c9 is 3",
    ),
    (Technique::NakedSingle, "r5c5=7", "(2.3): r5c5 can only be 7: r5c5 is 7"),
    (
        Technique::DirectHiddenTriple,
        "1row1=123 2row1=123 3row1=123 4row1=39",
        "(2.5): in row 1, 1, 2 and 3 can only be in r1c1, r1c2 and r1c3, so that only r1c9 is left for 4: r1c9 is 4",
    ),
    (
        Technique::Pointing,
        "5box1=13 5row1=1359",
        "(2.6): in box 1, 5 can only be in row 1: r1c5, r1c9 lose 5",
    ),
    (
        Technique::Claiming,
        "5row1=13 5box1=1359",
        "(2.8): in row 1, 5 can only be in box 1: r2c2, r3c3 lose 5",
    ),
    (
        Technique::NakedPair,
        "r1c1=12 r1c5=12 1row1=158 2row1=159",
        "(3.0): in row 1, r1c1 and r1c5 have only 1 and 2: r1c8 loses 1; r1c9 loses 2",
    ),
    (
        Technique::XWing,
        "5row2=38 5row7=38 5column3=247 5column8=267",
        "(3.2): 5 in rows 2 and 7 only in columns 3 and 8: r4c3, r6c8 lose 5",
    ),
    (
        Technique::HiddenPair,
        "1row1=15 2row1=15 r1c1=1234 r1c5=1267",
        "(3.4): in row 1, 1 and 2 can only be in r1c1 and r1c5: r1c1 loses 3 and 4; r1c5 loses 6 and 7",
    ),
    (
        Technique::NakedTriple,
        "r1c1=12 r1c5=23 r1c9=13 1row1=179 2row1=15 3row1=59",
        "(3.6): in row 1, r1c1, r1c5 and r1c9 have only 1, 2 and 3: r1c7 loses 1",
    ),
    (
        Technique::Swordfish,
        "5row2=38 5row5=36 5row7=68 5column3=259 5column6=57 5column8=27",
        "(3.8): 5 in rows 2, 5 and 7 only in columns 3, 6 and 8: r9c3 loses 5",
    ),
    (
        Technique::HiddenTriple,
        "1row1=15 2row1=59 3row1=19 r1c1=134 r1c5=127 r1c9=23",
        "(4.0): in row 1, 1, 2 and 3 can only be in r1c1, r1c5 and r1c9: r1c1 loses 4; r1c5 loses 7",
    ),
    (
        Technique::XyWing,
        "r1c1=12 r1c5=13 r5c1=23",
        "(4.2): whether r1c1 is 1 or 2, one of r1c5 and r5c1 is 3: r5c5 loses 3",
    ),
    (
        Technique::XyzWing,
        "r1c1=123 r1c5=13 r2c2=23",
        "(4.4): whether r1c1 is 1, 2 or 3, one of r1c1, r1c5 and r2c2 is 3: r1c2, r1c3 lose 3",
    ),
    (
        Technique::UniqueRectangle,
        "r1c1=12 r1c4=12 r2c1=12 r2c4=123",
        "(4.5): the solution is unique, so r1c1, r1c4, r2c1 and r2c4 are not all 1 or 2; only one of them can be another: r2c4 loses 1 and 2",
    ),
    (
        Technique::UniqueRectangle,
        "r1c1=12 r1c4=12 r2c1=123 r2c4=123 3row2=147",
        "(4.6): the solution is unique, so r1c1, r1c4, r2c1 and r2c4 are not all 1 or 2; one of r2c1 and r2c4 is 3: r2c7 loses 3",
    ),
    (
        Technique::UniqueRectangle,
        "r1c1=12 r1c4=12 r2c1=123 r2c4=124 1row2=14",
        "(4.7): the solution is unique, so r1c1, r1c4, r2c1 and r2c4 are not all 1 or 2; row 2 has 1 in one of r2c1 and r2c4: r2c1, r2c4 lose 2",
    ),
    (
        Technique::UniqueRectangle,
        "r1c1=12 r1c4=12 r2c1=123 r2c4=124 r2c7=34 3row2=179 4row2=47",
        "(4.8): the solution is unique, so r1c1, r1c4, r2c1 and r2c4 are not all 1 or 2; one of r2c1 and r2c4 together with r2c7 has 3 and 4 of row 2: r2c9 loses 3",
    ),
    (
        Technique::NakedQuad,
        "r1c1=12 r1c3=23 r1c5=34 r1c9=14 1row1=179 2row1=13 3row1=35 4row1=59",
        "(5.0): in row 1, r1c1, r1c3, r1c5 and r1c9 have only 1, 2, 3 and 4: r1c7 loses 1",
    ),
    (
        Technique::Jellyfish,
        "5row2=13 5row4=35 5row6=57 5row8=17 5column1=289 5column3=24 5column5=46 5column7=68",
        "(5.2): 5 in rows 2, 4, 6 and 8 only in columns 1, 3, 5 and 7: r9c1 loses 5",
    ),
    (
        Technique::HiddenQuad,
        "1row1=19 2row1=13 3row1=35 4row1=59 r1c1=127 r1c3=23 r1c5=34 r1c9=14",
        "(5.4): in row 1, 1, 2, 3 and 4 can only be in r1c1, r1c3, r1c5 and r1c9: r1c1 loses 7",
    ),
    (
        Technique::FinnedXWing,
        "5row2=38 5row7=389 5column3=27 5column8=2479",
        "(5.8): 5 in rows 2 and 7 only in columns 3 and 8 or in r7c9: r9c8 loses 5",
    ),
    (
        Technique::WWing,
        "r1c1=12 r5c5=12 1column9=15",
        "(6.0): 1 of column 9 is in r1c9 and r5c9, so that one of r1c1 and r5c5 is not 1 but 2: r1c5, r5c1 lose 2",
    ),
    (
        Technique::FinnedSwordfish,
        "5row2=38 5row5=36 5row7=689 5column3=258 5column6=57 5column8=279",
        "(6.1): 5 in rows 2, 5 and 7 only in columns 3, 6 and 8 or in r7c9: r9c8 loses 5",
    ),
    (
        Technique::SimpleColoring,
        "5row1=15 5box2=29 5column6=38",
        "(6.2): all of r1c1 and r3c6 are 5 or all of r1c5 and r8c6 are: r8c1 loses 5",
    ),
    (
        Technique::FinnedJellyfish,
        "5row2=13 5row4=35 5row6=57 5row8=179 5column1=28 5column3=24 5column5=463 5column7=689",
        "(6.3): 5 in rows 2, 4, 6 and 8 only in columns 1, 3, 5 and 7 or in r8c9: r9c7 loses 5",
    ),
    (
        Technique::XChain,
        "5row1=15 5row7=16 5column6=347 5column5=158",
        "(6.5): the chain 5r1c5=5r1c1-5r7c1=5r7c6, one of whose ends is right: r3c6, r8c5 lose 5",
    ),
    (
        Technique::XyChain,
        "r1c1=12 r1c5=23 r5c5=34 r5c9=14",
        "(6.8): the chain 1r1c1=2r1c1-2r1c5=3r1c5-3r5c5=4r5c5-4r5c9=1r5c9, one of whose ends is right: r1c9, r5c1 lose 1",
    ),
    (
        Technique::Aic,
        "r1c1=12 2column9=16 1row6=39 1column3=236 1column1=1289",
        "(7.1): the chain 1r1c1=2r1c1-2r1c9=2r6c9-1r6c9=1r6c3, one of whose ends is right: r2c3, r3c3 lose 1",
    ),
    (
        Technique::CellForcing,
        "r1c1=123 r1c5=19 r5c1=29 r7c1=34 r7c5=49",
        "(8.3): whether r1c1 is 1, 2 or 3: 1r1c1-1r1c5=9r1c5-9r5c5, 2r1c1-2r5c1=9r5c1-9r5c5, 3r1c1-3r7c1=4r7c1-4r7c5=9r7c5-9r5c5: r5c5 loses 9",
    ),
    (
        Technique::HouseForcing,
        "1row1=159 r5c1=19 r9c5=19 r6c9=12 r6c4=29",
        "(8.3): whether 1 of row 1 is in r1c1, r1c5 or r1c9: 1r1c1-1r5c1=9r5c1-9r5c5, 1r1c5-1r9c5=9r9c5-9r5c5, 1r1c9-1r6c9=2r6c9-2r6c4=9r6c4-9r5c5: r5c5 loses 9",
    ),
];

#[test]
fn every_technique_on_a_position_of_its_own() {
    for &(technique, rules, expected) in EXAMPLES {
        let position = position(rules);
        let steps = find(technique, &position);
        let found: Vec<_> = steps.iter().map(ToString::to_string).dedup().collect();
        assert_eq!(found, [format!("{technique} {expected}")], "{rules}");
        if !technique.is_uniqueness() {
            steps.iter().for_each(|step| assert_implied(&position, step));
        }
        // Any candidate of the pattern may be essential, so none of it is ruled out by what it tells.
        for step in &steps {
            assert!(step.pattern().iter().all(|&candidate| position.has(candidate)), "{step}");
        }
    }
}

#[test]
fn what_is_said_to_be_implied_is_checked() {
    let position = position("5row2=38 5row7=38");
    assert!(!is_possible(&position, Candidate::new(2, 4)));
    assert!(is_possible(&position, Candidate::new(0, 4)));
}

#[test]
fn a_rectangle_that_could_be_turned_is_in_no_unique_puzzle() {
    // The solution of a unique puzzle cannot have 1, 2 over 2, 1 here, unless one of these is given.
    let rules = [
        "r1c1=12 r1c4=12 r2c1=12 r2c4=12",
        "r1c1=12 r1c2=12 r2c1=12 r2c2=123", // within a box
        "r1c1=12 r1c4=12 r4c1=12 r4c4=123", // in four boxes
    ];
    for rules in rules {
        assert_eq!(find(Technique::UniqueRectangle, &position(rules)), []);
    }
}

/// Random numbers for the tests.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, end: u64) -> usize {
        (self.0.next_u64() % end) as usize
    }

    fn shuffled(&mut self, end: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..end).collect();
        (1..end).for_each(|last| order.swap(last, self.below(last as u64 + 1)));
        order
    }
}

/// Blank cells with random candidates, the solution's among them, and the solution: few candidates and many.
fn random_positions(number: u64) -> impl Iterator<Item = (Position, Grid)> {
    let solution = solutions(&grid(HARD)).next().unwrap();
    (0..number).map(move |seed| {
        let mut dice = Dice::new(seed);
        let solution = moved(&solution, &mut dice);
        let mut position = Position::full();
        for (cell, digit) in (0..81).cartesian_product(0..9) {
            let is_right = solution.cells()[cell] == Some(DIGITS[digit]);
            if !is_right && dice.below(10) > seed as usize % 6 {
                position.remove(Candidate::new(cell, digit));
            }
        }
        (position, solution)
    })
}

/// The same grid with other digits, and with rows, columns, bands and stacks in another order.
fn moved(grid: &Grid, dice: &mut Dice) -> Grid {
    let digits = dice.shuffled(9);
    let mut lines = || {
        let bands = dice.shuffled(3);
        bands
            .into_iter()
            .flat_map(|band| dice.shuffled(3).into_iter().map(move |line| 3 * band + line))
            .collect()
    };
    let (rows, columns): (Vec<usize>, Vec<usize>) = (lines(), lines());
    let turned = dice.below(2) == 1;
    let mut moved = Grid::default();
    for (number, cell) in CELLS.into_iter().enumerate() {
        let (row, column) = if turned { (cell.column(), cell.row()) } else { (cell.row(), cell.column()) };
        let digit = grid.get(CELLS[9 * rows[row] + columns[column]]);
        moved.set(CELLS[number], digit.map(|digit| DIGITS[digits[digit.index()]]));
    }
    moved
}

type Losses = BTreeSet<Candidate>;

/// What the definition of each technique says, in the plainest code.
mod plain {
    use super::*;

    fn sees(one: usize, other: usize) -> bool {
        PEERS[one] & 1 << other != 0
    }

    fn has(position: &Position, cell: usize, digit: usize) -> bool {
        position.has(Candidate::new(cell, digit))
    }

    fn places(position: &Position, house: usize, digit: usize) -> Vec<usize> {
        HOUSES[house].iter().map(|&cell| cell.into()).filter(|&cell| has(position, cell, digit)).collect()
    }

    pub(super) fn locked(position: &Position, from_boxes: bool) -> Losses {
        let is_box = |house: usize| house >= 18;
        let pairs = (0..27).cartesian_product(0..27);
        let pairs = pairs.filter(|&(from, to)| is_box(from) == from_boxes && is_box(to) != from_boxes);
        let mut losses = Losses::new();
        for ((from, to), digit) in pairs.cartesian_product(0..9) {
            let (inside, target) = (places(position, from, digit), places(position, to, digit));
            if !inside.is_empty() && inside.iter().all(|cell| HOUSES[to].contains(&(*cell as u8))) {
                let lost = target.into_iter().filter(|cell| !inside.contains(cell));
                losses.extend(lost.map(|cell| Candidate::new(cell, digit)));
            }
        }
        losses
    }

    pub(super) fn naked(position: &Position, size: usize) -> Losses {
        let mut losses = Losses::new();
        for cells in HOUSES.iter().flat_map(|house| house.iter().copied().combinations(size)) {
            let digits: Vec<_> =
                (0..9).filter(|&digit| cells.iter().any(|&cell| has(position, cell.into(), digit))).collect();
            if digits.len() == size {
                let seen = (0..81).filter(|&cell| cells.iter().all(|&other| sees(cell, other.into())));
                let lost = seen.cartesian_product(digits).map(|(cell, digit)| Candidate::new(cell, digit));
                losses.extend(lost.filter(|&candidate| position.has(candidate)));
            }
        }
        losses
    }

    pub(super) fn hidden(position: &Position, size: usize) -> Losses {
        let mut losses = Losses::new();
        for (house, digits) in (0..27).cartesian_product((0..9).combinations(size)) {
            let cells: BTreeSet<_> =
                digits.iter().flat_map(|&digit| places(position, house, digit)).collect();
            if cells.len() == size {
                let others = (0..9).filter(|digit| !digits.contains(digit));
                let lost = cells.into_iter().cartesian_product(others);
                let lost = lost.map(|(cell, digit)| Candidate::new(cell, digit));
                losses.extend(lost.filter(|&candidate| position.has(candidate)));
            }
        }
        losses
    }

    pub(super) fn fish(position: &Position, size: usize, finned: bool) -> Losses {
        let mut losses = Losses::new();
        let bases = (0..9).cartesian_product([0, 9]).cartesian_product((0..9).combinations(size));
        for ((digit, first), base) in bases {
            let in_base: Vec<_> =
                base.iter().flat_map(|&line| places(position, first + line, digit)).collect();
            let crosses = |cell: usize| if first == 0 { cell % 9 } else { cell / 9 };
            for cover in (0..9).combinations(size) {
                let fins = || in_base.iter().copied().filter(|&cell| !cover.contains(&crosses(cell)));
                let in_one_box = fins().map(|cell| Geometry::CLASSIC.box_of(CELLS[cell])).all_equal();
                let meets = |line: &usize| in_base.iter().any(|&cell| crosses(cell) == *line);
                if fins().next().is_some() != finned || !in_one_box || !cover.iter().all(meets) {
                    continue;
                }
                let in_cover = cover.iter().flat_map(|&line| places(position, 9 - first + line, digit));
                let lost = in_cover.filter(|cell| !in_base.contains(cell));
                let lost = lost.filter(|&cell| fins().all(|fin| sees(cell, fin)));
                losses.extend(lost.map(|cell| Candidate::new(cell, digit)));
            }
        }
        losses
    }
}

#[test]
fn what_the_plainest_code_finds_is_found() {
    let mut fired = BTreeSet::new();
    for (position, _) in random_positions(36) {
        let expected = [
            (Technique::Pointing, plain::locked(&position, true)),
            (Technique::Claiming, plain::locked(&position, false)),
            (Technique::NakedPair, plain::naked(&position, 2)),
            (Technique::NakedTriple, plain::naked(&position, 3)),
            (Technique::NakedQuad, plain::naked(&position, 4)),
            (Technique::HiddenPair, plain::hidden(&position, 2)),
            (Technique::HiddenTriple, plain::hidden(&position, 3)),
            (Technique::HiddenQuad, plain::hidden(&position, 4)),
            (Technique::XWing, plain::fish(&position, 2, false)),
            (Technique::Swordfish, plain::fish(&position, 3, false)),
            (Technique::FinnedXWing, plain::fish(&position, 2, true)),
            (Technique::FinnedSwordfish, plain::fish(&position, 3, true)),
            (Technique::Jellyfish, plain::fish(&position, 4, false)),
            (Technique::FinnedJellyfish, plain::fish(&position, 4, true)),
        ];
        for (technique, losses) in expected {
            let steps = find(technique, &position);
            let found: Losses = steps.iter().flat_map(|step| step.eliminates()).copied().collect();
            assert_eq!(found, losses, "{technique}: {position:?}");
            if !losses.is_empty() {
                fired.insert(technique);
            }
        }
    }
    assert_eq!(fired.len(), 14, "{fired:?}");
}

#[test]
fn no_technique_contradicts_the_solution_of_a_position() {
    let mut fired = BTreeSet::new();
    for (number, (position, solution)) in random_positions(90).enumerate() {
        for &(technique, _) in FINDERS.iter().filter(|(technique, _)| !technique.is_uniqueness()) {
            // Many candidates make many nets; all of them are found at once elsewhere.
            if technique >= Technique::NestedNet {
                continue;
            }
            let steps = find(technique, &position);
            for step in &steps {
                fired.insert(step.technique());
                assert_sound(step, &solution);
            }
            if number % 10 == 0 {
                steps.iter().take(3).for_each(|step| assert_implied(&position, step));
            }
        }
    }
    let all = Technique::ALL.iter().filter(|&&technique| technique < Technique::NestedNet);
    let missing: Vec<_> =
        all.filter(|technique| !technique.is_uniqueness() && !fired.contains(technique)).collect();
    assert_eq!(missing, [&Technique::FullHouse], "no cells are filled");
}

#[test]
fn nets_never_rule_out_any_of_several_solutions() {
    // With 41 and 50 solutions.
    let puzzles = [
        ".7...8......7...5.....3.41......62..1....5.9.5...9...4......3.....34....24..8.6..",
        "...59..1.....7...89.4..6....4.....53.2...9.....83..2.....63......71..9....3..8.2.",
    ];
    for mut puzzle in puzzles.map(grid) {
        let all: Vec<_> = solutions(&puzzle).collect();
        for technique in [Technique::Net, Technique::NestedNet, Technique::DeepNet] {
            let steps = find(technique, &Position::new(&puzzle));
            assert!(technique == Technique::DeepNet || !steps.is_empty());
            all.iter().for_each(|solution| steps.iter().for_each(|step| assert_sound(step, solution)));
            if technique == Technique::NestedNet {
                // Deep nets take long: so half of what all solutions have in common is given to them.
                let common =
                    CELLS.into_iter().filter(|&cell| all.iter().map(|grid| grid.get(cell)).all_equal());
                common.step_by(2).for_each(|cell| puzzle.set(cell, all[0].get(cell)));
            }
        }
    }
}

fn assert_sound(step: &Step, solution: &Grid) {
    for right in step.places() {
        assert_eq!(solution.get(right.cell()), Some(right.digit()), "{step}");
    }
    for wrong in step.eliminates() {
        assert_ne!(solution.get(wrong.cell()), Some(wrong.digit()), "{step}");
    }
}

/// Puzzles of all grades.
fn puzzles(number: usize) -> impl Iterator<Item = Grid> {
    let mut generator = Generator::new(2026).minimal(true);
    [grid(HARD)].into_iter().chain((0..number).map(move |_| generator.puzzle().unwrap()))
}

#[test]
fn every_step_of_a_path_keeps_the_solution() {
    let mut seen = BTreeSet::new();
    for (puzzle, uniqueness) in puzzles(250).cartesian_product([true, false]) {
        let solution = solutions(&puzzle).next().unwrap();
        let mut rater = Rater::new().uniqueness(uniqueness);
        let steps = rater.explain(&puzzle).unwrap();
        let mut position = Position::new(&puzzle);
        for step in &steps {
            seen.insert(step.technique());
            assert_sound(step, &solution);
            assert!(step.places().len() + step.eliminates().len() > 0, "{step}");
            assert!(!step.pattern().is_empty() && step.to_string().ends_with(|c: char| c.is_ascii_digit()));
            let all = step.places().iter().chain(step.eliminates());
            all.for_each(|&candidate| assert!(position.has(candidate), "{candidate} is gone: {step}"));
            assert!(uniqueness || !step.technique().is_uniqueness());
            let (lowest, highest) = step.technique().range();
            assert!((lowest..=highest).contains(&step.difficulty()));
            position.apply(step);
        }
        assert_eq!(position.grid(), solution);
        assert_eq!(rater.next_step(&puzzle).unwrap().as_ref(), steps.first());
        let rating = rater.rate(&puzzle).unwrap();
        assert_eq!(rating.steps, steps.len());
        assert_eq!(Some(rating.difficulty), steps.iter().map(Step::difficulty).max());
        assert!(steps.iter().any(|step| Some(step.technique()) == rating.hardest));
    }
    assert!(seen.contains(&Technique::Bug) && seen.contains(&Technique::NestedNet), "{seen:?}");
    assert!(seen.len() > 20, "{seen:?}");
}

#[test]
fn a_puzzle_has_the_rating_of_those_that_differ_in_symmetry_only() {
    let mut dice = Dice::new(7);
    let mut rater = Rater::new();
    for puzzle in puzzles(100) {
        let rating = rater.rate(&puzzle).unwrap();
        for _ in 0..2 {
            let moved = moved(&puzzle, &mut dice);
            let other = rater.rate(&moved).unwrap();
            assert_eq!(
                (other.difficulty, other.hardest),
                (rating.difficulty, rating.hardest),
                "{puzzle:?} {moved:?}"
            );
        }
    }
}

#[test]
fn what_has_not_one_solution_is_told() {
    let told = |grid: &Grid| rate(grid).unwrap_err().to_string();
    let empty = Grid::empty(Geometry::new(2, 3).unwrap());
    assert_eq!(told(&empty), "6x6 cells in boxes of 2x3, expected 9x9 in boxes of 3x3");
    assert_eq!(told(&Grid::default()), "more than one solution, expected a puzzle with one");
    let clash = grid(&HARD.replacen("8.", "88", 1));
    assert_eq!(told(&clash), "row 1 has 8 twice, in r1c1 and r1c2, expected a puzzle with one solution");
    let none = grid(&HARD.replacen("8.", "81", 1).replacen("1...3", "1..13", 1));
    assert!(matches!(rate(&none), Err(RateError::Clash(_))));
    let none = grid(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........");
    assert_eq!(explain(&none), Err(RateError::NoSolution(NoSolution::Search)));
    assert_eq!(next_step(&none).unwrap_err().to_string(), "no solution, expected a puzzle with one");
}

#[test]
fn a_full_grid_has_no_steps() {
    let full = solutions(&grid(HARD)).next().unwrap();
    let expected = Rating { difficulty: Difficulty::from_tenths(0), hardest: None, steps: 0 };
    assert_eq!((rate(&full), explain(&full), next_step(&full)), (Ok(expected), Ok(vec![]), Ok(None)));
}

#[test]
fn pencil_marks_of_a_puzzle_are_where_its_position_begins() {
    let grid = grid(HARD);
    let solution = solutions(&grid).next().unwrap();
    let mut marks = Candidates::all(Geometry::CLASSIC);
    let cell = CELLS.into_iter().find(|&cell| grid.get(cell).is_none()).unwrap();
    for digit in DIGITS.into_iter().filter(|&digit| solution.get(cell) != Some(digit)) {
        marks.exclude(cell, digit);
    }
    let mut puzzle = Puzzle::from(grid.clone());
    puzzle.candidates = Some(marks);
    let only = |position: Position| position.candidates(cell).collect_vec();
    assert!(only(Position::new(&grid)).len() > 1);
    assert_eq!(only(Position::new(&puzzle)), [solution.get(cell).unwrap()]);
    let step = next_step(&puzzle).unwrap().unwrap();
    assert!(step.places().iter().all(|place| solution.get(place.cell()) == Some(place.digit())), "{step}");
    assert!(step.difficulty() < next_step(&grid).unwrap().unwrap().difficulty());
    let all = explain(&puzzle).unwrap();
    assert!(all.iter().flat_map(Step::places).all(|place| solution.get(place.cell()) == Some(place.digit())));
}

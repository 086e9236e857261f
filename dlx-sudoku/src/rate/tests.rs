//! Every technique on a small position of its own; those with a plain definition beside the plainest code for it; whole
//! paths beside the solution; and ratings of puzzles that are the same but for their symmetries.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use dlx_core::{OptionId, ProblemBuilder};
use itertools::Itertools as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::*;
use crate::generate::Generator;
use crate::rate::table::{CELLS, DIGITS, HOUSES, PEERS};
use crate::{Digit, HouseKind, solutions};

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
            let option: OptionId = builder.option(of_option).unwrap();
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
    (Technique::FullHouse, "1r1c1 2r1c2 3r1c3 4r1c4 5r1c5 6r1c6 7r1c7 8r1c8", ""),
    (Technique::HiddenSingleBox, "5box1=5", ""),
    (Technique::HiddenSingleLine, "5row2=7", ""),
    (Technique::DirectPointing, "5box1=13 5box2=15", ""),
    (Technique::DirectClaiming, "5row1=13 5column2=28", ""),
    (Technique::DirectHiddenPair, "1row1=12 2row1=12 3row1=29", ""),
    (Technique::NakedSingle, "r5c5=7", ""),
    (Technique::DirectHiddenTriple, "1row1=123 2row1=123 3row1=123 4row1=39", ""),
    (Technique::Pointing, "5box1=13 5row1=1359", ""),
    (Technique::Claiming, "5row1=13 5box1=1359", ""),
    (Technique::NakedPair, "r1c1=12 r1c5=12 1row1=158 2row1=159", ""),
    (Technique::XWing, "5row2=38 5row7=38 5column3=247 5column8=267", ""),
    (Technique::HiddenPair, "1row1=15 2row1=15 r1c1=1234 r1c5=1267", ""),
    (Technique::NakedTriple, "r1c1=12 r1c5=23 r1c9=13 1row1=179 2row1=15 3row1=59", ""),
    (Technique::Swordfish, "5row2=38 5row5=36 5row7=68 5column3=259 5column6=57 5column8=27", ""),
    (Technique::HiddenTriple, "1row1=15 2row1=59 3row1=19 r1c1=134 r1c5=127 r1c9=23", ""),
    (Technique::XyWing, "r1c1=12 r1c5=13 r5c1=23", ""),
    (Technique::XyzWing, "r1c1=123 r1c5=13 r2c2=23", ""),
    (Technique::NakedQuad, "r1c1=12 r1c3=23 r1c5=34 r1c9=14 1row1=179 2row1=13 3row1=35 4row1=59", ""),
    (
        Technique::Jellyfish,
        "5row2=13 5row4=35 5row6=57 5row8=17 5column1=289 5column3=24 5column5=46 5column7=68",
        "",
    ),
    (Technique::HiddenQuad, "1row1=19 2row1=13 3row1=35 4row1=59 r1c1=127 r1c3=23 r1c5=34 r1c9=14", ""),
    (Technique::FinnedXWing, "5row2=38 5row7=389 5column3=27 5column8=2479", ""),
    (Technique::WWing, "r1c1=12 r5c5=12 1column9=15", ""),
    (Technique::FinnedSwordfish, "5row2=38 5row5=36 5row7=689 5column3=25 5column6=57 5column8=279", ""),
    (Technique::SimpleColoring, "5row1=15 5box2=29 5column6=38", ""),
    (
        Technique::FinnedJellyfish,
        "5row2=13 5row4=35 5row6=57 5row8=179 5column1=28 5column3=24 5column5=46 5column7=689",
        "",
    ),
    (Technique::XChain, "5row1=15 5row7=16 5column6=347 5column5=158", ""),
    (Technique::XyChain, "r1c1=12 r1c5=23 r5c5=34 r5c9=14", ""),
    (Technique::Aic, "r1c1=12 2column9=16 1row6=39 1column3=236 1column1=1289", ""),
    (Technique::CellForcing, "r1c1=123 r1c5=19 r5c1=29 r7c1=34 r7c5=49", ""),
    (Technique::HouseForcing, "1row1=159 r5c1=19 r9c5=19 r6c9=12 r6c4=29", ""),
];

#[test]
fn every_technique_on_a_position_of_its_own() {
    for &(technique, rules, expected) in EXAMPLES {
        let position = position(rules);
        let steps = find(technique, &position);
        let found: Vec<_> = steps.iter().map(ToString::to_string).collect();
        println!("{technique:?} {found:#?}");
        steps.iter().for_each(|step| assert_implied(&position, step));
    }
}

//! Whether the digits of a grid break its rules, and where.

use core::fmt;

use itertools::Itertools;

use super::{Area, AreaKind, Layout, Rule, Rules};
use crate::puzzle::{Task, all_digits};
use crate::{Cell, Clash, Digit, why};

/// What one digit, two, or those of a cage break.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breach {
    /// A digit twice in a house, a region, a cage and so on. Written `diagonal 1 has 8 twice, in r1c1 and r4c4`.
    Twice {
        /// Where.
        area: Area,
        /// The digit.
        digit: Digit,
        /// The two cells.
        cells: [Cell; 2],
    },
    /// Two cells that are a move apart with the same digit.
    Move {
        /// [`AntiKnight`](Rule::AntiKnight) or [`AntiKing`](Rule::AntiKing).
        rule: Rule,
        /// The digit.
        digit: Digit,
        /// The two cells.
        cells: [Cell; 2],
    },
    /// Two neighbours that differ by one.
    Consecutive {
        /// Their digits.
        digits: [Digit; 2],
        /// The two cells.
        cells: [Cell; 2],
    },
    /// A cage whose digits have another sum, or too great a one already.
    Sum {
        /// Which cage, from 1.
        cage: u16,
        /// Its cells.
        cells: Vec<Cell>,
        /// The sum of its digits.
        found: u32,
        /// The sum that they should have.
        expected: u32,
    },
    /// A digit that its cell may not have.
    Digit {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
    },
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice { area, digit, cells: [one, other] } => {
                write!(f, "{area} has {digit} twice, in {one} and {other}")
            }
            Self::Move { rule, digit, cells: [one, other] } => {
                let piece = if *rule == Rule::AntiKnight { "knight" } else { "king" };
                write!(f, "{one} and {other}, a {piece}'s move apart, have both {digit}")
            }
            Self::Consecutive { digits: [one, other], cells: [first, second] } => {
                write!(f, "the neighbours {first} and {second} have {one} and {other}, which differ by one")
            }
            Self::Sum { cage, cells, found, expected } => {
                let cells = cells.iter().format(" ");
                write!(f, "cage {cage} ({cells}) adds up to {found}, expected {expected}")
            }
            Self::Digit { cell, digit } => write!(f, "{cell} has {digit}, which it may not have"),
        }
    }
}

impl From<Clash> for Breach {
    fn from(Clash { house, digit, cells }: Clash) -> Self {
        Self::Twice { area: Area { kind: AreaKind::House(house), grid: None }, digit, cells }
    }
}

impl Breach {
    /// What is broken, in a few words: a house, a cage, a rule.
    ///
    /// The digit and the cells go with it in [`digit`](Self::digit) and [`cells`](Self::cells).
    pub fn place(&self) -> String {
        match self {
            Self::Twice { area, .. } => area.to_string(),
            Self::Move { rule, .. } => rule.to_string(),
            Self::Consecutive { .. } => Rule::NonConsecutive.to_string(),
            Self::Sum { cage, .. } => format!("cage {cage}"),
            Self::Digit { .. } => "candidates".to_owned(),
        }
    }

    /// The digit, if it is one only.
    pub fn digit(&self) -> Option<Digit> {
        match self {
            Self::Twice { digit, .. } | Self::Move { digit, .. } | Self::Digit { digit, .. } => Some(*digit),
            Self::Consecutive { .. } | Self::Sum { .. } => None,
        }
    }

    /// The cells.
    pub fn cells(&self) -> &[Cell] {
        match self {
            Self::Twice { cells, .. } | Self::Move { cells, .. } | Self::Consecutive { cells, .. } => cells,
            Self::Sum { cells, .. } => cells,
            Self::Digit { cell, .. } => core::slice::from_ref(cell),
        }
    }
}

impl Rules {
    /// All that a puzzle's digits break: areas first, in their order, then moves, neighbours, cages, and candidates.
    pub(crate) fn breaches(&self, task: Task<'_>) -> Vec<Breach> {
        let layout = Layout::of(self);
        let all: Vec<Cell> = self.canvas.cells().collect();
        let cell = |place: u16| all[usize::from(place)];
        let at = |place: u16| task.grid.cells()[usize::from(place)];
        let twice = |area: Area, places: &[u16]| {
            let filled: Vec<_> = places.iter().filter_map(|&place| Some((cell(place), at(place)?))).collect();
            let pairs = filled.into_iter().array_combinations();
            pairs
                .filter(|[(_, one), (_, other)]| one == other)
                .map(|[(one, digit), (other, _)]| Breach::Twice { area, digit, cells: [one, other] })
                .collect::<Vec<_>>()
        };
        let mut found: Vec<_> = layout.areas.iter().flat_map(|(area, places)| twice(*area, places)).collect();
        found.extend(layout.moves.iter().filter_map(|&(rule, pair)| {
            let digit = at(pair[0]).filter(|_| at(pair[0]) == at(pair[1]))?;
            Some(Breach::Move { rule, digit, cells: pair.map(cell) })
        }));
        found.extend(layout.neighbours.iter().filter_map(|&pair| {
            let digits = [at(pair[0])?, at(pair[1])?];
            let consecutive = digits[0].get().abs_diff(digits[1].get()) == 1;
            consecutive.then(|| Breach::Consecutive { digits, cells: pair.map(cell) })
        }));
        for (number, (sum, places)) in (1..).zip(&layout.cages) {
            found.extend(twice(Area { kind: AreaKind::Cage(number), grid: None }, places));
            let digits: Vec<_> = places.iter().filter_map(|&place| at(place)).collect();
            let total: u32 = digits.iter().map(|digit| u32::from(digit.get())).sum();
            if total > *sum || digits.len() == places.len() && total != *sum {
                let cells = places.iter().map(|&place| cell(place)).collect();
                found.push(Breach::Sum { cage: number, cells, found: total, expected: *sum });
            }
        }
        let forbidden = |(cell, digit): &(Cell, Digit)| {
            !self.is_cell(*cell)
                || digit.index() >= layout.size
                || task.candidates.is_some_and(|all| !all.contains(*cell, *digit))
        };
        let digits = task.grid.givens().filter(forbidden);
        found.extend(digits.map(|(cell, digit)| Breach::Digit { cell, digit }));
        found
    }

    /// The digits that each cell can have: its own if it has one, else those that its peers have not and that its
    /// neighbours and cages allow. None where there is no cell.
    pub(crate) fn candidates(&self, task: Task<'_>) -> Vec<u64> {
        let layout = Layout::of(self);
        let cells = task.grid.cells();
        let free = |place: usize| {
            let digits = self.shape.digits().filter(|&digit| layout.fits(cells, place, digit));
            digits.fold(0, |set, digit| set | why::bit(digit))
        };
        let of = |(place, digit): (usize, &Option<Digit>)| match digit {
            _ if !layout.is_cell[place] => 0,
            Some(digit) => why::bit(*digit) & all_digits(self.shape),
            None => free(place),
        };
        cells.iter().enumerate().map(of).collect()
    }
}

//! A step of an explanation: the technique, what it rests on, what follows, and how difficult it is.

use core::fmt;

use itertools::Itertools as _;

use super::position::Position;
use super::table::{CELLS, DIGITS};
use super::technique::Technique;
use super::words;
use crate::{Cell, Digit, Grid};

/// A digit that a cell may get.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    cell: u8,
    digit: u8, // from 0
}

impl Candidate {
    pub(super) const fn new(cell: usize, digit: usize) -> Self {
        Self { cell: cell as u8, digit: digit as u8 }
    }

    /// The cell.
    pub fn cell(self) -> Cell {
        CELLS[self.at()]
    }

    /// The digit.
    pub fn digit(self) -> Digit {
        DIGITS[self.index()]
    }

    /// The cell's number.
    pub(super) const fn at(self) -> usize {
        self.cell as usize
    }

    /// The digit's number, from 0.
    pub(super) const fn index(self) -> usize {
        self.digit as usize
    }

    /// The digit in a mask.
    pub(super) const fn bit(self) -> u16 {
        1 << self.digit
    }
}

/// As in `5r4c3`.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.digit(), self.cell())
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A difficulty in tenths, 0.0 to 11.9; [the module](super) has the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Difficulty(u8);

impl Difficulty {
    /// The most difficult.
    pub const MAX: Self = Self(119);

    /// The difficulty of so many tenths, at most 11.9.
    ///
    /// ```
    /// # use dlx_sudoku::rate::Difficulty;
    /// assert_eq!(Difficulty::from_tenths(42).to_string(), "4.2");
    /// assert_eq!(Difficulty::from_tenths(200), Difficulty::MAX);
    /// ```
    pub const fn from_tenths(tenths: u8) -> Self {
        if tenths > Self::MAX.0 { Self::MAX } else { Self(tenths) }
    }

    /// The difficulty in tenths.
    pub const fn tenths(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// What follows from a pattern.
#[derive(Clone, Debug)]
pub(super) enum Conclusion {
    /// These cells have these digits.
    Place(Vec<Candidate>),
    /// None of these is right.
    Eliminate(Vec<Candidate>),
}

/// A step: what follows, from what, and by which technique. Displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    technique: Technique,
    difficulty: Difficulty,
    pattern: Vec<Candidate>,
    places: Vec<Candidate>,
    eliminates: Vec<Candidate>,
    text: String,
}

impl Step {
    /// The technique.
    pub fn technique(&self) -> Technique {
        self.technique
    }

    /// How difficult the step is to find.
    pub fn difficulty(&self) -> Difficulty {
        self.difficulty
    }

    /// The candidates on which the conclusion rests.
    pub fn pattern(&self) -> &[Candidate] {
        &self.pattern
    }

    /// The digits that the step writes into cells.
    pub fn places(&self) -> &[Candidate] {
        &self.places
    }

    /// The candidates that it rules out, those apart that the placed digits rule out in their houses.
    pub fn eliminates(&self) -> &[Candidate] {
        &self.eliminates
    }

    /// Drops what has been concluded before; false if nothing is left.
    pub(super) fn still_tells(&mut self, position: &Position) -> bool {
        self.places.retain(|&candidate| position.has(candidate));
        self.eliminates.retain(|&candidate| position.has(candidate));
        !(self.places.is_empty() && self.eliminates.is_empty())
    }
}

/// As in `X-wing (3.2): 5 in rows 2 and 7 only in columns 3 and 8: r4c3, r6c8 lose 5`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}: ", self.technique, self.difficulty, self.text)?;
        let mut first = true;
        for candidate in &self.places {
            write!(f, "{}{} is {}", if first { "" } else { ", " }, candidate.cell(), candidate.digit())?;
            first = false;
        }
        if !self.eliminates.is_empty() {
            write!(f, "{}{}", if first { "" } else { "; " }, Losses(&self.eliminates))?;
        }
        Ok(())
    }
}

/// `r4c3, r6c8 lose 5; r7c1 loses 8 and 9`.
struct Losses<'a>(&'a [Candidate]);

impl fmt::Display for Losses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = self.0.to_vec();
        all.sort_by_key(|candidate| (candidate.digit(), candidate.cell()));
        let by_digit = all.chunk_by(|a, b| a.digit() == b.digit());
        let mut losses: Vec<(Vec<Cell>, Vec<Digit>)> = Vec::new();
        for group in by_digit {
            let cells = group.iter().map(|candidate| candidate.cell()).collect();
            match losses.iter_mut().find(|(others, _)| *others == cells) {
                Some((_, digits)) => digits.push(group[0].digit()),
                None => losses.push((cells, vec![group[0].digit()])),
            }
        }
        for (number, (cells, digits)) in losses.iter().enumerate() {
            let gap = if number > 0 { "; " } else { "" };
            let verb = if cells.len() > 1 { "lose" } else { "loses" };
            write!(f, "{gap}{} {verb} {}", cells.iter().format(", "), words::list(digits))?;
        }
        Ok(())
    }
}

/// Collects the easiest steps of a position: all that are equally difficult and none that is more so.
#[derive(Debug)]
pub(super) struct Found<'a> {
    best: Option<Difficulty>,
    floor: Difficulty,
    steps: Vec<Step>,
    solution: &'a Grid,
    explain: bool,
}

impl<'a> Found<'a> {
    /// Nothing found yet in a puzzle with this solution. What is not more difficult than `floor` is taken also where
    /// something easier was found. Texts are made if they are asked for only.
    pub(super) fn new(solution: &'a Grid, floor: Difficulty, explain: bool) -> Self {
        Self { best: None, floor, steps: Vec::new(), solution, explain }
    }

    /// The difficulty up to which everything is taken.
    pub(super) fn floor(&self) -> Difficulty {
        self.floor
    }

    /// Whether it is worth looking for a proof that a candidate is wrong. A blank solution says so of all.
    pub(super) fn can_be_wrong(&self, candidate: Candidate) -> bool {
        self.solution.get(candidate.cell()) != Some(candidate.digit())
    }

    /// Takes note of a step that is by `extra` tenths more difficult than the technique's easiest, unless an easier one is
    /// known or nothing follows.
    pub(super) fn add(
        &mut self,
        (technique, extra): (Technique, u8),
        conclusion: Conclusion,
        pattern: Vec<Candidate>,
        text: impl FnOnce() -> String,
    ) {
        let difficulty = technique.difficulty(extra);
        let (places, eliminates) = match conclusion {
            Conclusion::Place(places) => (places, Vec::new()),
            Conclusion::Eliminate(eliminates) => (Vec::new(), eliminates),
        };
        if !self.wants(difficulty) || places.is_empty() && eliminates.is_empty() {
            return;
        }
        if self.best.is_some_and(|best| difficulty < best) {
            self.steps.retain(|step| step.difficulty <= difficulty.max(self.floor));
        }
        self.best = Some(self.best.map_or(difficulty, |best| best.min(difficulty)));
        let text = if self.explain { text() } else { String::new() };
        self.steps.push(Step { technique, difficulty, pattern, places, eliminates, text });
    }

    /// Whether a step of this difficulty would be kept.
    pub(super) fn wants(&self, difficulty: Difficulty) -> bool {
        self.best.is_none_or(|best| difficulty <= best.max(self.floor))
    }

    /// Whether something was found, and nothing of this difficulty would be easier.
    pub(super) fn is_done_before(&self, difficulty: Difficulty) -> bool {
        self.best.is_some_and(|best| best <= difficulty)
    }

    /// The steps.
    pub(super) fn steps(self) -> Vec<Step> {
        self.steps
    }
}

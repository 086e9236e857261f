//! Killer sudokus: cages drawn at random on a full grid, cut where they leave other solutions, and joined where they need
//! not be alone.

use core::ops::ControlFlow;
use std::sync::Arc;

use dlx_core::{Outcome, StopReason};

use super::{Attempt, Draft, GenerateError, Generator, Meter};
use crate::generate::random::Random;
use crate::generate::symmetry::Symmetry;
use crate::puzzle::Task;
use crate::variant::Rules;
use crate::{Cell, Grid, Puzzle, why};

/// The most cells of a cage.
const MOST: usize = 5;

impl Generator {
    /// Makes the next killer sudoku: without givens, each cell in a cage of up to five, and with one solution. Its rules,
    /// cages among them, come with it. What is wished of givens, of their pattern and of the rating does not count.
    ///
    /// ```
    /// use dlx_sudoku::generate::Generator;
    /// use dlx_sudoku::{Geometry, is_unique};
    ///
    /// let puzzle = Generator::new(1).geometry(Geometry::new(2, 2)?).killer()?;
    /// assert!(is_unique(&puzzle) && puzzle.grid.given_count() == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the rules leave no grid, or if none was found within the budget.
    pub fn killer(&mut self) -> Result<Puzzle, GenerateError> {
        let geometry = self.geometry;
        self.check_grid(geometry)?;
        let (orbits, random) = (Symmetry::None.orbits(geometry), self.seeds.fork());
        let (rules, candidates) = (self.rules.as_ref(), self.candidates.as_ref());
        let meter = Meter::new(&mut self.solver, rules, candidates, &self.budget, geometry);
        let mut attempt = Attempt { minimal: false, givens: None, orbits: &orbits, random, meter };
        let Draft { solution, .. } = attempt.begin(geometry).map_err(GenerateError::Stopped)?;
        let plain = rules.map_or_else(|| Rules::new(geometry), |rules| (**rules).clone());
        let Attempt { random, meter, .. } = attempt;
        let mut cages = Cages { plain, solution, random, cages: Vec::new() };
        cages.draw();
        let rules = cages
            .settle(meter)
            .map_err(|stopped| stopped.map_or(GenerateError::NoGrid, GenerateError::Stopped))?;
        let mut puzzle = Puzzle::from(Grid::empty(geometry));
        puzzle.rules = Some(rules);
        puzzle.candidates = self.candidates.clone();
        Ok(puzzle)
    }
}

/// Why there are no cages: the budget is spent, or else they cannot be rules.
type Stopped = Option<StopReason>;

/// What is known of a grid with some cages.
enum Found {
    One,
    /// There is this solution as well.
    Another(Grid),
    /// To tell would take too long.
    Unknown,
}

/// The cages so far, of a full grid.
struct Cages {
    plain: Rules,
    solution: Grid,
    random: Random,
    cages: Vec<Vec<Cell>>,
}

impl Cages {
    /// Draws cages of two to four cells, some of one or five where no others fit.
    fn draw(&mut self) {
        let canvas = self.plain.canvas();
        let mut free: Vec<Cell> = canvas.cells().filter(|&cell| self.plain.is_cell(cell)).collect();
        self.random.shuffle(&mut free);
        while let Some(cell) = free.pop() {
            let wanted = 2 + self.random.below(3);
            let cage = self.grow(cell, wanted, &mut free);
            self.cages.push(cage);
        }
        for at in (0..self.cages.len()).rev() {
            let others = if self.is_alone(at) { self.joinable(at) } else { Vec::new() };
            if let Some(&other) = others.first() {
                self.join(at, other);
            }
        }
    }

    /// Whether a cage has one cell, which is as good as a given.
    fn is_alone(&self, at: usize) -> bool {
        self.cages.get(at).is_some_and(|cage| cage.len() == 1)
    }

    /// A cage that begins with a cell, of as many cells as are wanted and can be had of those that are free.
    fn grow(&mut self, first: Cell, wanted: usize, free: &mut Vec<Cell>) -> Vec<Cell> {
        let mut cage = vec![first];
        while cage.len() < wanted {
            let fit =
                |cell: &Cell| is_beside(&cage, *cell) && self.digits(&cage) & self.digits(&[*cell]) == 0;
            let fitting: Vec<usize> = (0..free.len()).filter(|&at| fit(&free[at])).collect();
            if fitting.is_empty() {
                break;
            }
            cage.push(free.remove(fitting[self.random.below(fitting.len())]));
        }
        cage
    }

    /// Cuts and joins cages until there is one solution and little is told needlessly.
    fn settle(&mut self, mut meter: Meter<'_>) -> Result<Arc<Rules>, Stopped> {
        loop {
            let cuttable = |at: &usize| self.cages[*at].len() > 1;
            let large: Vec<usize> = (0..self.cages.len()).filter(cuttable).collect();
            let choices: Vec<usize> = match self.find(&mut meter)? {
                Found::One => break,
                Found::Another(other) => {
                    let differs = |&cell: &Cell| other.get(cell) != self.solution.get(cell);
                    large.into_iter().filter(|&at| self.cages[at].iter().any(differs)).collect()
                }
                Found::Unknown => large,
            };
            if choices.is_empty() {
                return Err(None);
            }
            let at = choices[self.random.below(choices.len())];
            self.cut(at);
        }
        let mut at = 0;
        while at < self.cages.len() {
            let others = if self.is_alone(at) { self.joinable(at) } else { Vec::new() };
            let before = self.cages.clone();
            let mut joined = false;
            for other in others {
                self.join(at, other);
                joined = matches!(self.find(&mut meter)?, Found::One);
                if joined {
                    break;
                }
                self.cages.clone_from(&before);
            }
            at += usize::from(!joined);
        }
        self.cages.iter_mut().for_each(|cage| cage.sort_unstable());
        self.cages.sort_unstable();
        self.rules()
    }

    fn find(&self, meter: &mut Meter<'_>) -> Result<Found, Stopped> {
        meter.check()?;
        let (rules, empty) = (self.rules()?, Grid::empty(self.plain.canvas()));
        let task = Task { grid: &empty, candidates: meter.candidates, rules: Some(&rules) };
        let mut another = None;
        let outcome = meter.solver.for_each(task, |found| {
            if *found == self.solution {
                return ControlFlow::Continue(());
            }
            another = Some(found.clone());
            ControlFlow::Break(())
        });
        meter.nodes += meter.solver.statistics().nodes;
        match (another, outcome) {
            (Some(other), _) => Ok(Found::Another(other)),
            (None, Outcome::Exhausted) => Ok(Found::One),
            (None, Outcome::Stopped(StopReason::Nodes)) => Ok(Found::Unknown),
            (None, Outcome::Stopped(reason)) => Err(Some(reason)),
        }
    }

    fn rules(&self) -> Result<Arc<Rules>, Stopped> {
        let mut rules = self.plain.clone();
        for cage in &self.cages {
            let sum = cage
                .iter()
                .filter_map(|&cell| self.solution.get(cell))
                .map(|digit| u32::from(digit.get()))
                .sum();
            rules = rules.cage(sum, cage).map_err(|_| None)?;
        }
        Ok(rules.into())
    }

    /// Cuts a cage into connected parts, of which one has half of its cells.
    fn cut(&mut self, at: usize) {
        let mut rest = self.cages.swap_remove(at);
        let half = rest.len() / 2;
        self.random.shuffle(&mut rest);
        let mut wanted = half;
        while let Some(first) = rest.pop() {
            let part = self.grow(first, wanted, &mut rest);
            self.cages.push(part);
            wanted = rest.len();
        }
    }

    /// The cages that another can be joined to, in random order.
    fn joinable(&mut self, at: usize) -> Vec<usize> {
        let cage = &self.cages[at];
        let fits = |&other: &usize| {
            let with = &self.cages[other];
            other != at
                && with.len() + cage.len() <= MOST
                && self.digits(with) & self.digits(cage) == 0
                && cage.iter().any(|&cell| is_beside(with, cell))
        };
        let mut others: Vec<usize> = (0..self.cages.len()).filter(fits).collect();
        self.random.shuffle(&mut others);
        others
    }

    /// Joins a cage to another; the last one takes its place.
    fn join(&mut self, at: usize, other: usize) {
        let cells = self.cages[at].clone();
        self.cages[other].extend(cells);
        self.cages.swap_remove(at);
    }

    /// The digits of some cells as a set.
    fn digits(&self, cells: &[Cell]) -> u64 {
        cells.iter().filter_map(|&cell| self.solution.get(cell)).fold(0, |set, digit| set | why::bit(digit))
    }
}

/// Whether a cell shares a side with one of others.
fn is_beside(cage: &[Cell], cell: Cell) -> bool {
    cage.iter().any(|other| other.row().abs_diff(cell.row()) + other.column().abs_diff(cell.column()) == 1)
}

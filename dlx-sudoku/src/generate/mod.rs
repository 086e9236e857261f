//! Puzzles made to order: seeded, with one solution, and as minimal, symmetric and full as is asked for.
//!
//! ```
//! use dlx_sudoku::generate::{Generator, Symmetry};
//! use dlx_sudoku::is_unique;
//!
//! let mut generator = Generator::new(2026).symmetry(Symmetry::Rotational).givens(30);
//! let puzzle = generator.puzzle()?;
//! assert_eq!(puzzle.given_count(), 30);
//! assert!(is_unique(&puzzle));
//! # Ok::<(), dlx_sudoku::generate::GenerateError>(())
//! ```
//!
//! A puzzle begins as a few random digits, to which more are added until there is only one solution. Then, in random
//! order, the givens (with those that stand symmetric to them, if they are to be symmetric) are taken away that the
//! solution does not need. Where this does not lead to what is asked for, the best so far is shaken, some givens less and
//! others more, again and again, and after some time given up for a new one. The digits of a
//! [pattern](Generator::pattern) are changed, one or two at a time, until one solution is left.
//!
//! All that is ever asked of the exact cover solver is how many solutions there are, not which comes first: so the
//! puzzles of a seed are the same on every machine.

mod killer;
mod pattern;
mod random;
mod symmetry;

use core::fmt;
use core::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use dlx_core::{CancelToken, Outcome, StopReason};

use self::random::Random;
pub use self::symmetry::{Symmetry, UnknownSymmetry};
use crate::puzzle::Task;
use crate::rate::{Difficulty, Rater};
use crate::variant::{Layout, Rules};
use crate::{Budget, Candidates, Count, Digit, Engine, Geometry, Grid, Puzzle, Solved, SudokuSolver, why};

/// The most nodes of one search: where larger grids need more to tell whether a given can go, it stays. Puzzles of 9x9
/// never do.
const PROBE: u64 = 10_000;

/// How often the best so far is shaken in vain before it is given up.
const PATIENCE: u32 = 200;

/// Makes puzzles, one after the other. Each has exactly one solution; that is proved by the exact cover solver.
///
/// The same seed and wishes make the same puzzles on every machine, the *n*-th of them whatever became of those before.
///
/// ```
/// use dlx_sudoku::Geometry;
/// use dlx_sudoku::generate::Generator;
///
/// let mut generator = Generator::new(1).minimal(true);
/// let (first, second) = (generator.puzzle()?, generator.puzzle()?);
/// assert_ne!(first, second);
/// assert_eq!(Generator::new(1).minimal(true).puzzle()?, first);
///
/// let small = Generator::new(1).geometry(Geometry::new(2, 3)?).puzzle()?;
/// assert_eq!(small.cells().len(), 36);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Generator {
    geometry: Geometry,
    minimal: bool,
    givens: Option<usize>,
    symmetry: Symmetry,
    pattern: Option<Grid>,
    rules: Option<Arc<Rules>>,
    candidates: Option<Candidates>,
    rating: Option<RangeInclusive<Difficulty>>,
    budget: Budget,
    seeds: Random,
    solver: SudokuSolver,
}

impl Generator {
    /// A generator of 9x9 puzzles from which no given (or symmetric set of givens) can be taken away, with no limits.
    pub fn new(seed: u64) -> Self {
        Self {
            geometry: Geometry::CLASSIC,
            minimal: false,
            givens: None,
            symmetry: Symmetry::None,
            pattern: None,
            rules: None,
            candidates: None,
            rating: None,
            budget: Budget::default(),
            seeds: Random::new(seed),
            solver: probe(&Budget::default()),
        }
    }

    /// Makes puzzles of this shape.
    #[must_use]
    pub fn geometry(mut self, geometry: Geometry) -> Self {
        self.geometry = geometry;
        self
    }

    /// Makes puzzles of a variant, whose canvas takes the place of what is said of the shape. Expect them to take many
    /// times as long.
    ///
    /// ```
    /// use dlx_sudoku::generate::Generator;
    /// use dlx_sudoku::variant::{Rule, Rules};
    /// use dlx_sudoku::{Geometry, Puzzle, is_unique};
    ///
    /// let rules = Rules::new(Geometry::new(2, 2)?).rule(Rule::X)?;
    /// let mut puzzle = Puzzle::from(Generator::new(1).rules(rules.clone()).puzzle()?);
    /// puzzle.rules = Some(rules.into());
    /// assert!(is_unique(&puzzle));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: impl Into<Arc<Rules>>) -> Self {
        let rules = rules.into();
        self.geometry = rules.canvas();
        self.rules = Some(rules);
        self
    }

    /// Makes puzzles of the kind of this one: of its shape, with its rules and the candidates that its cells are restricted
    /// to. Its givens are nothing to them.
    ///
    /// ```
    /// use dlx_sudoku::generate::Generator;
    /// use dlx_sudoku::{Puzzle, is_unique};
    ///
    /// let mut puzzle: Puzzle = "size: 2x2\ngrids: r1c1 r3c3\nodd: r1c1\n".parse()?;
    /// puzzle.grid = Generator::new(1).like(&puzzle).puzzle()?;
    /// assert!(is_unique(&puzzle));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn like(mut self, puzzle: &Puzzle) -> Self {
        self.geometry = puzzle.grid.geometry();
        self.rules = puzzle.rules.clone();
        self.candidates = puzzle.candidates.clone();
        self
    }

    /// Whether every puzzle has to be minimal: without any one of its givens it has several solutions.
    #[must_use]
    pub fn minimal(mut self, minimal: bool) -> Self {
        self.minimal = minimal;
        self
    }

    /// Makes puzzles with so many givens; `None` for as many as it comes to.
    #[must_use]
    pub fn givens(mut self, givens: impl Into<Option<usize>>) -> Self {
        self.givens = givens.into();
        self
    }

    /// Makes puzzles whose givens are symmetric.
    #[must_use]
    pub fn symmetry(mut self, symmetry: Symmetry) -> Self {
        self.symmetry = symmetry;
        self
    }

    /// Makes puzzles that have their givens exactly where this grid has digits, whichever they are. Its shape, too, takes
    /// the place of what is said of shape, symmetry and number of givens.
    ///
    /// ```
    /// use dlx_sudoku::Grid;
    /// use dlx_sudoku::generate::Generator;
    ///
    /// let ring: Grid = "...111.....1...1...1.....1.1...1...11..1.1..11...1...1.1.....1...1...1.....111...".parse()?;
    /// let puzzle = Generator::new(1).pattern(ring.clone()).puzzle()?;
    /// assert!(puzzle.cells().iter().zip(ring.cells()).all(|(digit, mark)| digit.is_some() == mark.is_some()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pattern(mut self, pattern: Grid) -> Self {
        self.pattern = Some(pattern);
        self
    }

    /// Makes puzzles of 9x9 whose [rating](mod@crate::rate) is within this range: one after the other, until one has it.
    ///
    /// ```
    /// use dlx_sudoku::generate::Generator;
    /// use dlx_sudoku::rate::{Difficulty, rate};
    ///
    /// let range = Difficulty::from_tenths(26)..=Difficulty::from_tenths(40);
    /// let puzzle = Generator::new(1).rating(range.clone()).puzzle()?;
    /// assert!(range.contains(&rate(&puzzle)?.difficulty));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rating(mut self, range: impl Into<Option<RangeInclusive<Difficulty>>>) -> Self {
        self.rating = range.into();
        self
    }

    /// Sets the limits for each puzzle: the nodes of all searches that it takes, and its time.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.solver = probe(&budget);
        self.budget = budget;
        self
    }

    /// Passes over so many puzzles, which are not made: so several generators of one seed can share the work.
    ///
    /// ```
    /// use dlx_sudoku::generate::Generator;
    ///
    /// let (mut one, mut other) = (Generator::new(7), Generator::new(7));
    /// other.skip(1);
    /// let second = other.puzzle()?;
    /// assert_eq!([one.puzzle()?, one.puzzle()?][1], second);
    /// # Ok::<(), dlx_sudoku::generate::GenerateError>(())
    /// ```
    pub fn skip(&mut self, puzzles: u64) {
        for _ in 0..puzzles {
            self.seeds.fork();
        }
    }

    /// Makes the next puzzle.
    ///
    /// # Errors
    ///
    /// If there cannot be such a puzzle, as far as that is plain to see, or if none was found within the budget.
    pub fn puzzle(&mut self) -> Result<Grid, GenerateError> {
        let geometry = self.pattern.as_ref().map_or(self.geometry, Grid::geometry);
        let restricts = self.rules.is_some() || self.candidates.is_some();
        if self.rating.is_some() && (geometry != Geometry::CLASSIC || restricts) {
            return Err(GenerateError::Unrated(geometry));
        }
        let symmetry = if self.pattern.is_some() { Symmetry::None } else { self.symmetry };
        let orbits = symmetry.orbits(geometry);
        if let Some(givens) = self.givens.filter(|_| self.pattern.is_none()) {
            if givens > self.geometry.cell_count() {
                return Err(GenerateError::TooManyGivens { givens, cells: self.geometry.cell_count() });
            }
            if !can_sum(&orbits, givens) {
                return Err(GenerateError::Symmetry { givens, symmetry: self.symmetry });
            }
        }
        self.check_grid(geometry)?;
        let (rules, candidates) = (self.rules.as_ref(), self.candidates.as_ref());
        let mut attempt = Attempt {
            minimal: self.minimal,
            givens: self.givens,
            orbits: &orbits,
            random: self.seeds.fork(),
            meter: Meter::new(&mut self.solver, rules, candidates, &self.budget, geometry),
        };
        loop {
            let made = match &self.pattern {
                Some(pattern) => attempt.patterned(pattern),
                None => attempt.run(geometry),
            };
            let puzzle = made.map_err(GenerateError::Stopped)?;
            let fits = |range: &RangeInclusive<Difficulty>| {
                Rater::new().rate(&puzzle).is_ok_and(|rating| range.contains(&rating.difficulty))
            };
            if self.rating.as_ref().is_none_or(fits) {
                return Ok(puzzle);
            }
        }
    }
}

impl Generator {
    /// Whether some grid keeps the rules, and the rules are of this shape; as far as that is plain to see.
    fn check_grid(&mut self, geometry: Geometry) -> Result<(), GenerateError> {
        let (rules, candidates) = (self.rules.as_ref(), self.candidates.as_ref());
        if rules.is_none() && candidates.is_none() {
            return Ok(());
        }
        let empty = Grid::empty(self.geometry);
        let count = self.solver.count(Task { grid: &empty, candidates, rules }, Some(1));
        let none = self.geometry != geometry || count.is_complete() && count.value == 0;
        if none { Err(GenerateError::NoGrid) } else { Ok(()) }
    }
}

/// A solver for short searches.
fn probe(budget: &Budget) -> SudokuSolver {
    SudokuSolver::new(Engine::Dlx).budget(Budget { nodes: Some(PROBE), ..budget.clone() })
}

/// Why there is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// More givens than the grid has cells.
    TooManyGivens {
        /// How many were wanted.
        givens: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// Rules that no grid of this shape, or that of the pattern, keeps.
    NoGrid,
    /// A number of givens that no set of cells with the symmetry has.
    Symmetry {
        /// How many were wanted.
        givens: usize,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// A rating for puzzles that are not 9x9, or of a variant.
    Unrated(Geometry),
    /// The budget was spent, or the search cancelled, before such a puzzle was found. There may be one.
    Stopped(StopReason),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyGivens { givens, cells } => write!(f, "{givens} givens, expected at most {cells}"),
            Self::NoGrid => {
                f.write_str("rules that no grid of this shape keeps, expected ones that some grid does")
            }
            Self::Symmetry { givens, symmetry } => {
                write!(f, "{givens} givens, expected a number that can have the symmetry {symmetry}")
            }
            Self::Unrated(Geometry::CLASSIC) => {
                f.write_str("a rating for puzzles of a variant, expected no rules")
            }
            Self::Unrated(geometry) => {
                write!(f, "a rating for puzzles of {0}x{0}, expected 9x9", geometry.size())
            }
            Self::Stopped(_) => f.write_str("no such puzzle found before a limit was reached"),
        }
    }
}

impl core::error::Error for GenerateError {}

/// Whether some of the orbits have so many cells together.
fn can_sum(orbits: &[Vec<u16>], wanted: usize) -> bool {
    let mut sums = vec![false; wanted + 1];
    sums[0] = true;
    for orbit in orbits {
        for sum in (orbit.len()..=wanted).rev() {
            sums[sum] |= sums[sum - orbit.len()];
        }
    }
    sums[wanted]
}

/// The solver, and what is left of the budget for a puzzle.
struct Meter<'a> {
    solver: &'a mut SudokuSolver,
    rules: Option<&'a Arc<Rules>>,
    candidates: Option<&'a Candidates>,
    /// What the restrictions come to, if there are any.
    layout: Option<Layout>,
    nodes: u64,
    limit: Option<u64>,
    cancel: Option<&'a CancelToken>,
    deadline: Option<Instant>,
}

impl<'a> Meter<'a> {
    fn new(
        solver: &'a mut SudokuSolver,
        rules: Option<&'a Arc<Rules>>,
        candidates: Option<&'a Candidates>,
        budget: &'a Budget,
        geometry: Geometry,
    ) -> Self {
        let (plain, restricts) = (Rules::new(geometry), rules.is_some() || candidates.is_some());
        Self {
            solver,
            rules,
            candidates,
            layout: restricts.then(|| Layout::of(rules.map_or(&plain, |rules| rules))),
            nodes: 0,
            limit: budget.nodes,
            cancel: budget.cancel.as_ref(),
            // A time too long to be added is no limit.
            deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
        }
    }

    /// A grid with the rules.
    fn task<'t>(&self, grid: &'t Grid) -> Task<'t>
    where
        'a: 't,
    {
        Task { grid, candidates: self.candidates, rules: self.rules }
    }

    /// The digits that a blank cell may have, if there are restrictions.
    fn allowed(&self, grid: &Grid, place: usize) -> Option<u64> {
        let layout = self.layout.as_ref().filter(|layout| layout.is_cell[place])?;
        let restricted = |digit: &Digit| self.candidates.is_none_or(|all| all.allow(place, *digit));
        let digits = (1..=layout.size as u8).filter_map(Digit::new).filter(restricted);
        Some(
            digits
                .filter(|&digit| layout.fits(grid.cells(), place, digit))
                .fold(0, |set, digit| set | why::bit(digit)),
        )
    }

    /// How many solutions a grid has.
    fn count(&mut self, grid: &Grid) -> Result<Found, StopReason> {
        let count = self.ask(2, grid)?;
        Ok(match (count.outcome, count.value) {
            (Outcome::Stopped(StopReason::Solutions), _) => Found::Several,
            (Outcome::Stopped(_), _) => Found::Unknown,
            (Outcome::Exhausted, 0) => Found::None,
            (Outcome::Exhausted, _) => Found::One,
        })
    }

    /// The number of a grid's solutions, at most `limit`, and that also where it would take too long.
    fn count_up_to(&mut self, limit: u64, grid: &Grid) -> Result<u64, StopReason> {
        let count = self.ask(limit, grid)?;
        Ok(if count.is_complete() { count.value } else { limit })
    }

    /// Asks the solver, unless the budget is spent.
    fn ask(&mut self, limit: u64, grid: &Grid) -> Result<Count, StopReason> {
        self.check()?;
        let task = self.task(grid);
        let count = self.solver.count(task, Some(limit));
        self.nodes += self.solver.statistics().nodes;
        match count.outcome {
            Outcome::Exhausted | Outcome::Stopped(StopReason::Solutions | StopReason::Nodes) => Ok(count),
            Outcome::Stopped(reason) => Err(reason),
        }
    }

    fn check(&self) -> Result<(), StopReason> {
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            return Err(StopReason::Cancelled);
        }
        if self.limit.is_some_and(|limit| self.nodes >= limit) {
            return Err(StopReason::Nodes);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::Time);
        }
        Ok(())
    }
}

/// How many solutions a grid has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    None,
    One,
    Several,
    /// That would take too long.
    Unknown,
}

/// The making of one puzzle.
struct Attempt<'a> {
    minimal: bool,
    givens: Option<usize>,
    orbits: &'a [Vec<u16>],
    random: Random,
    meter: Meter<'a>,
}

/// A puzzle on the way: the orbits that are given, in random order, and those that are not.
#[derive(Clone)]
struct Draft {
    solution: Grid,
    puzzle: Grid,
    given: Vec<u16>,
    blank: Vec<u16>,
}

impl Attempt<'_> {
    /// Draft after draft, until one is what is wanted.
    fn run(&mut self, geometry: Geometry) -> Result<Grid, StopReason> {
        loop {
            let mut best = self.begin(geometry)?;
            let mut miss = self.finish(&mut best)?;
            let mut in_vain = 0;
            while miss > 0 && in_vain < PATIENCE {
                let mut next = best.clone();
                self.shake(&mut next)?;
                let next_miss = self.finish(&mut next)?;
                in_vain = if next_miss < miss { 0 } else { in_vain + 1 };
                if next_miss <= miss {
                    (best, miss) = (next, next_miss);
                }
            }
            if miss == 0 {
                return Ok(best.puzzle);
            }
        }
    }

    /// A draft that has one solution.
    fn begin(&mut self, geometry: Geometry) -> Result<Draft, StopReason> {
        let (puzzle, solution) = loop {
            let puzzle = self.first_digits(geometry)?;
            let task = self.meter.task(&puzzle);
            match self.meter.solver.solve(task) {
                Solved::Unique(solution) => break (puzzle, solution),
                Solved::Unknown { reason: reason @ (StopReason::Time | StopReason::Cancelled), .. } => {
                    return Err(reason);
                }
                _ => {}
            }
        };
        let is_given = |orbit: &u16| {
            self.orbits[usize::from(*orbit)].iter().any(|&place| puzzle.cells()[usize::from(place)].is_some())
        };
        let (mut given, blank): (Vec<_>, Vec<_>) = (0..self.orbits.len() as u16).partition(is_given);
        self.random.shuffle(&mut given);
        let mut draft = Draft { solution, puzzle, given, blank };
        for orbit in draft.given.clone() {
            self.put(&mut draft, orbit, true);
        }
        Ok(draft)
    }

    /// Random digits in random cells, until there is one solution. Where grids are so large that this leads nowhere, a
    /// full one.
    fn first_digits(&mut self, geometry: Geometry) -> Result<Grid, StopReason> {
        let mut unknown = 0;
        let mut grid = Grid::empty(geometry);
        let mut order: Vec<_> = geometry.cells().collect();
        self.random.shuffle(&mut order);
        let all = u64::MAX >> (64 - geometry.size());
        let mut used = [[0_u64; Geometry::MAX_SIZE]; 3];
        // So few digits are never enough, and hardly ever too many.
        let restricts = self.meter.layout.is_some();
        let mut unchecked = if restricts { 0 } else { geometry.size() };
        for cell in order {
            let houses = [cell.row(), cell.column(), geometry.box_of(cell)];
            let mut allowed = match restricts {
                true => self.meter.allowed(&grid, geometry.index(cell)).unwrap_or(0),
                false => (0..3).fold(all, |digits, kind| digits & !used[kind][houses[kind]]),
            };
            // A digit that is the only one tells nothing new.
            while allowed.count_ones() > 1 {
                let digit = self.random.bit(allowed);
                grid.set(cell, Digit::new(digit as u8 + 1));
                match if unchecked > 0 { Found::Several } else { self.meter.count(&grid)? } {
                    Found::One => return Ok(grid),
                    Found::Several => {}
                    found => {
                        unknown += usize::from(found == Found::Unknown);
                        if unknown > geometry.size() && !restricts {
                            return Ok(self.shifted(geometry));
                        }
                        grid.set(cell, None);
                        allowed &= !(1 << digit);
                        continue;
                    }
                }
                unchecked = unchecked.saturating_sub(1);
                (0..3).for_each(|kind| used[kind][houses[kind]] |= 1 << digit);
                break;
            }
        }
        // It may have none, or several still: whoever asks will see.
        Ok(grid)
    }

    /// The full grid whose rows are shifted copies of one another, with its digits renamed and its rows and columns
    /// moved at random.
    fn shifted(&mut self, geometry: Geometry) -> Grid {
        let (height, width, size) = (geometry.box_rows(), geometry.box_columns(), geometry.size());
        let (rows, columns) = (self.lines(width, height), self.lines(height, width));
        let digits = self.order(size);
        let mut grid = Grid::empty(geometry);
        for cell in geometry.cells() {
            let (row, column) = (rows[cell.row()], columns[cell.column()]);
            let digit = digits[(row % height * width + row / height + column) % size];
            grid.set(cell, Digit::new(digit as u8 + 1));
        }
        grid
    }

    /// A random order of lines in which those of a group stay together.
    fn lines(&mut self, groups: usize, each: usize) -> Vec<usize> {
        let groups = self.order(groups).into_iter();
        groups.flat_map(|group| self.order(each).into_iter().map(move |line| group * each + line)).collect()
    }

    /// The numbers less than this, in a random order.
    fn order(&mut self, end: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..end).collect();
        self.random.shuffle(&mut order);
        order
    }

    /// Gives an orbit, or takes it away.
    fn put(&self, draft: &mut Draft, orbit: u16, given: bool) {
        for &place in &self.orbits[usize::from(orbit)] {
            let place = usize::from(place);
            draft.puzzle.cells_mut()[place] = draft.solution.cells()[place].filter(|_| given);
        }
    }

    /// Takes givens away that the solution does not need, or adds some, to come as near to what is wanted as that leads.
    /// Returns by how much it is missed.
    fn finish(&mut self, draft: &mut Draft) -> Result<usize, StopReason> {
        let wanted = self.givens.unwrap_or(0);
        let floor = if self.minimal { 0 } else { wanted };
        let unknown = self.reduce(draft, floor)?;
        if !self.minimal {
            self.fill_up(draft, wanted);
        }
        let missed = self.givens.map_or(0, |wanted| draft.puzzle.given_count().abs_diff(wanted));
        Ok(missed + if self.minimal { unknown + self.needless(draft)? } else { 0 })
    }

    /// Takes away orbits, in their order, as long as there is one solution and so many givens are left. Returns of how
    /// many single givens it could not be told whether they are needed.
    fn reduce(&mut self, draft: &mut Draft, floor: usize) -> Result<usize, StopReason> {
        let mut unknown = 0;
        let mut left = draft.puzzle.given_count();
        let mut kept = Vec::with_capacity(draft.given.len());
        for orbit in core::mem::take(&mut draft.given) {
            let size = self.orbits[usize::from(orbit)].len();
            if left < floor + size {
                kept.push(orbit);
                continue;
            }
            self.put(draft, orbit, false);
            let found = self.meter.count(&draft.puzzle)?;
            if found == Found::One {
                draft.blank.push(orbit);
                left -= size;
            } else {
                self.put(draft, orbit, true);
                kept.push(orbit);
                unknown += usize::from(size == 1 && found == Found::Unknown);
            }
        }
        draft.given = kept;
        Ok(unknown)
    }

    /// Gives random orbits up to so many givens, or nearly so many.
    fn fill_up(&mut self, draft: &mut Draft, wanted: usize) {
        let mut missing = wanted.saturating_sub(draft.puzzle.given_count());
        if missing == 0 {
            return;
        }
        self.random.shuffle(&mut draft.blank);
        for orbit in core::mem::take(&mut draft.blank) {
            let size = self.orbits[usize::from(orbit)].len();
            if size <= missing {
                missing -= size;
                self.put(draft, orbit, true);
                draft.given.push(orbit);
            } else {
                draft.blank.push(orbit);
            }
        }
    }

    /// How many givens can be taken away, each alone, or perhaps. An orbit of one cell has been tried.
    fn needless(&mut self, draft: &mut Draft) -> Result<usize, StopReason> {
        let mut needless = 0;
        for &orbit in &draft.given {
            let places = &self.orbits[usize::from(orbit)];
            for &place in places.iter().filter(|_| places.len() > 1) {
                let digit = draft.puzzle.cells_mut()[usize::from(place)].take();
                needless += usize::from(self.meter.count(&draft.puzzle)? != Found::Several);
                draft.puzzle.cells_mut()[usize::from(place)] = digit;
            }
        }
        Ok(needless)
    }

    /// Takes one or two orbits away, and adds others until there is one solution again. Brings all into a new order.
    fn shake(&mut self, draft: &mut Draft) -> Result<(), StopReason> {
        let mut taken = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            if !draft.given.is_empty() {
                let orbit = draft.given.swap_remove(self.random.below(draft.given.len()));
                self.put(draft, orbit, false);
                taken.push(orbit);
            }
        }
        self.random.shuffle(&mut draft.blank);
        // Those taken away come last.
        draft.blank.splice(0..0, taken);
        while self.meter.count(&draft.puzzle)? != Found::One {
            let Some(orbit) = draft.blank.pop() else { break };
            self.put(draft, orbit, true);
            draft.given.push(orbit);
        }
        self.random.shuffle(&mut draft.given);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use core::time::Duration;

    use dlx_core::EngineKind;

    use super::*;
    use crate::{encode, is_valid};

    /// One solution, by an engine that has nothing to do with exact cover.
    fn has_one_solution(grid: &Grid) -> bool {
        SudokuSolver::new(Engine::Iterative).count(grid, Some(2)).value == 1
    }

    fn is_minimal(grid: &Grid) -> bool {
        grid.givens().all(|(cell, _)| {
            let mut less = grid.clone();
            less.set(cell, None);
            !has_one_solution(&less)
        })
    }

    fn is_symmetric(grid: &Grid, symmetry: Symmetry) -> bool {
        let last = grid.geometry().size() - 1;
        let given = |row, column| grid.get(grid.geometry().cell(row, column).unwrap()).is_some();
        grid.geometry().cells().all(|cell| {
            let (row, column) = (cell.row(), cell.column());
            let images = match symmetry {
                Symmetry::None => vec![],
                Symmetry::Rotational => vec![(last - row, last - column)],
                Symmetry::QuarterTurn => vec![(column, last - row), (last - column, row)],
                Symmetry::Mirror => vec![(row, last - column)],
                Symmetry::Flip => vec![(last - row, column)],
                Symmetry::Diagonal => vec![(column, row)],
                Symmetry::Antidiagonal => vec![(last - column, last - row)],
                Symmetry::Full => vec![(row, last - column), (column, row)],
            };
            images.into_iter().all(|(to_row, to_column)| given(row, column) == given(to_row, to_column))
        })
    }

    #[test]
    fn puzzles_have_one_solution_and_no_given_too_many() {
        let mut generator = Generator::new(1).minimal(true);
        for _ in 0..10 {
            let puzzle = generator.puzzle().unwrap();
            assert!(has_one_solution(&puzzle) && is_minimal(&puzzle), "{puzzle:?}");
        }
    }

    #[test]
    fn every_symmetry_can_be_had() {
        for symmetry in Symmetry::ALL {
            let mut generator = Generator::new(2).symmetry(symmetry);
            for _ in 0..5 {
                let puzzle = generator.puzzle().unwrap();
                assert!(
                    has_one_solution(&puzzle) && is_symmetric(&puzzle, symmetry),
                    "{symmetry} {puzzle:?}"
                );
            }
        }
        for symmetry in [Symmetry::Rotational, Symmetry::Diagonal, Symmetry::Mirror] {
            let puzzle = Generator::new(2).symmetry(symmetry).minimal(true).puzzle().unwrap();
            assert!(is_minimal(&puzzle) && is_symmetric(&puzzle, symmetry), "{symmetry} {puzzle:?}");
        }
    }

    #[test]
    fn the_number_of_givens_is_kept() {
        for givens in [21, 24, 25, 30, 55, 80, 81] {
            for symmetry in [Symmetry::None, Symmetry::Rotational] {
                if givens > 21 || symmetry == Symmetry::None {
                    let puzzle = Generator::new(3).symmetry(symmetry).givens(givens).puzzle().unwrap();
                    assert_eq!(puzzle.given_count(), givens);
                    assert!(has_one_solution(&puzzle) && is_symmetric(&puzzle, symmetry), "{puzzle:?}");
                }
            }
        }
        for givens in [22, 27] {
            let puzzle = Generator::new(3).givens(givens).minimal(true).puzzle().unwrap();
            assert!(puzzle.given_count() == givens && is_minimal(&puzzle), "{puzzle:?}");
        }
    }

    #[test]
    fn givens_stand_in_the_pattern() {
        let ring = "...111.....1...1...1.....1.1...1...11..1.1..11...1...1.1.....1...1...1.....111...";
        let ring: Grid = ring.parse().unwrap();
        for minimal in [false, true] {
            // The pattern takes the place of the other wishes.
            let mut generator = Generator::new(9).pattern(ring.clone()).minimal(minimal);
            generator = generator.givens(90).symmetry(Symmetry::QuarterTurn);
            let puzzle = generator.puzzle().unwrap();
            let marks = puzzle.cells().iter().zip(ring.cells());
            assert!(marks.into_iter().all(|(digit, mark)| digit.is_some() == mark.is_some()), "{puzzle}");
            assert!(has_one_solution(&puzzle) && (!minimal || is_minimal(&puzzle)), "{puzzle:?}");
        }
        let nodes = Budget { nodes: Some(5_000), ..Budget::default() };
        let nothing = Generator::new(9).pattern(Grid::default()).budget(nodes).puzzle();
        assert_eq!(nothing, Err(GenerateError::Stopped(StopReason::Nodes)));
    }

    #[test]
    fn other_sizes() {
        for (rows, columns) in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (2, 5), (3, 4)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            let puzzle = Generator::new(4).geometry(geometry).minimal(true).puzzle().unwrap();
            assert_eq!(puzzle.geometry(), geometry);
            assert!(crate::is_unique(&puzzle), "{puzzle:?}");
            if geometry.size() < 9 {
                assert!(has_one_solution(&puzzle) && is_minimal(&puzzle), "{puzzle:?}");
            }
        }
        // Too large for the backtrackers: by links, which shares no representation with what generated it.
        let geometry = Geometry::new(4, 4).unwrap();
        let large = Generator::new(4).geometry(geometry).minimal(true).puzzle().unwrap();
        let mut solver = encode::problem(geometry).solver_on(EngineKind::Links);
        solver.reassume(encode::assumptions(&large)).unwrap();
        assert!(solver.next_solution().is_some() && solver.next_solution().is_none(), "{large:?}");
    }

    #[test]
    fn a_seed_has_its_puzzles() {
        let puzzles = |seed| {
            let mut generator = Generator::new(seed);
            [(); 3].map(|()| generator.puzzle().unwrap().one_line().to_string())
        };
        assert_eq!(puzzles(5), puzzles(5));
        assert_ne!(puzzles(5), puzzles(6));
        // Pinned: they must not change from release to release, nor from machine to machine.
        assert_eq!(
            puzzles(1),
            [
                "14.3.......2....19..5.......1...456..2...7...5.3..........96.8...95.....87.14..5.",
                "...9..........147..4..53...4...98..2.5..........26.3..1......2393..4.7..6......9.",
                ".2.....6..6.9.3......4..1.7..1.......3..2...56..78..1......58....82..459....982..",
            ]
        );
    }

    #[test]
    fn what_cannot_be_ends_within_the_budget() {
        let few = || Generator::new(6).givens(16);
        let nodes = Budget { nodes: Some(20_000), ..Budget::default() };
        assert_eq!(few().budget(nodes).puzzle(), Err(GenerateError::Stopped(StopReason::Nodes)));
        let begun = Instant::now();
        let time = Budget { time: Some(Duration::from_millis(100)), ..Budget::default() };
        assert_eq!(few().budget(time).puzzle(), Err(GenerateError::Stopped(StopReason::Time)));
        assert!(begun.elapsed() < Duration::from_secs(10));
        let token = CancelToken::new();
        token.cancel();
        let cancelled = Budget { cancel: Some(token), ..Budget::default() };
        assert_eq!(few().budget(cancelled).puzzle(), Err(GenerateError::Stopped(StopReason::Cancelled)));
    }

    #[test]
    fn what_is_plainly_impossible_is_told_at_once() {
        let error = |generator: Generator| { generator }.puzzle().unwrap_err().to_string();
        assert_eq!(error(Generator::new(7).givens(82)), "82 givens, expected at most 81");
        let turned = Generator::new(7).symmetry(Symmetry::QuarterTurn).givens(30);
        let expected = "30 givens, expected a number that can have the symmetry quarter-turn";
        assert_eq!(error(turned), expected);
    }

    #[test]
    fn a_grid_of_shifted_rows_is_valid() {
        for (rows, columns) in [(1, 5), (2, 3), (3, 3), (5, 5), (8, 8)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            let (mut solver, budget) = (probe(&Budget::default()), Budget::default());
            let meter = Meter::new(&mut solver, None, None, &budget, geometry);
            let mut attempt =
                Attempt { minimal: false, givens: None, orbits: &[], random: Random::new(8), meter };
            let grid = attempt.shifted(geometry);
            assert!(grid.is_full() && is_valid(&grid), "{grid}");
        }
    }
}

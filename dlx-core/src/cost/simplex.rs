//! A bounded dual simplex method for the relaxation of a problem with costs: every option may be chosen in part, every
//! item must be covered as often as its bounds say. It computes in floats and keeps the inverse of its basis whole.
//!
//! Nothing here proves anything. What is used of it are prices of items, from which [`Prices`](super::bound::Prices)
//! derives a bound in integers that holds whatever the prices are; and shares of options, which say where to look first.
//!
//! **Form.** Minimize *c x* where *A x + s = 0*; column *j* has the items of option *j*, and *s* minus the number of
//! chosen options by item lies between minus the upper and minus the lower bound. All variables lie between two bounds, so that
//! any basis can be made dual feasible: a variable outside of the basis stands at the bound that the sign of its reduced
//! cost asks for. The search begins with the basis of all *s* and goes on from the last one after each choice.
//!
//! **Pricing.** The row that leaves is that of the largest infeasibility squared over the squared norm of its row in the
//! inverse (Forrest and Goldfarb, *Steepest-edge simplex algorithms for linear programming*, 1992). As the inverse is there,
//! these norms are corrected exactly wherever it changes.

use alloc::vec;
use alloc::vec::Vec;

/// What is taken for zero among reduced costs, where the largest cost is 1000.
const TOLERANCE: f64 = 1e-9;
/// By how much a variable may be beyond its bounds.
const EXCESS: f64 = 1e-7;
/// Pivots smaller than this are not used.
const PIVOT: f64 = 1e-7;
/// Pivots after which everything but the inverse is computed anew, and those after which it need not be to be believed.
const REFRESH: u32 = 100;
const FRESH: u32 = 20;
/// How often the inverse is computed anew because it contradicts itself.
const DOUBTS: u32 = 8;

/// What [`Simplex::solve`] came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Solved {
    /// The prices are as good as they get.
    Optimal,
    /// There is no solution, if the floats are right: adding more and more of [`Simplex::ray`] to the prices raises the bound
    /// without end.
    Infeasible,
    /// It was stopped; the prices are good for a bound nevertheless.
    Stopped,
}

/// Where a variable stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Lower,
    Upper,
    Basic,
}

/// The relaxation, and the basis reached.
#[derive(Clone)]
pub(super) struct Simplex {
    rows: usize,
    starts: Vec<u32>, // column j has the rows entries[starts[j]..starts[j + 1]]
    entries: Vec<u32>,
    costs: Vec<f64>,
    lower: Vec<f64>, // of the options, then of the items
    upper: Vec<f64>,
    basis: Vec<u32>, // by row
    place: Vec<Place>,
    inverse: Vec<f64>, // row by row
    norms: Vec<f64>,   // of its rows, squared
    values: Vec<f64>,  // of the basic variables, by row
    reduced: Vec<f64>, // costs, by variable
    prices: Vec<f64>,  // by row
    alpha: Vec<f64>,   // by variable: the row of the tableau that leaves
    column: Vec<f64>,  // by row: the column of the tableau that enters
    pattern: Vec<u32>, // where the row of the inverse that leaves is not zero
    ray: Vec<f64>,
    active: Vec<u32>, // options that are not fixed
    stale: u32,       // pivots since everything was computed anew
    /// What all was done so far, in additions.
    pub(super) work: u64,
}

impl Simplex {
    /// The relaxation with all options free, for columns of rows below `rows`.
    pub(super) fn new(rows: usize, starts: Vec<u32>, entries: Vec<u32>, costs: Vec<f64>) -> Self {
        let (options, variables) = (costs.len(), costs.len() + rows);
        let mut simplex = Self {
            rows,
            starts,
            entries,
            costs,
            lower: vec![0.0; variables],
            upper: vec![1.0; variables],
            basis: Vec::new(),
            place: vec![Place::Lower; variables],
            inverse: vec![0.0; rows * rows],
            norms: Vec::new(),
            values: vec![0.0; rows],
            reduced: vec![0.0; variables],
            prices: vec![0.0; rows],
            alpha: vec![0.0; variables],
            column: vec![0.0; rows],
            pattern: Vec::new(),
            ray: vec![0.0; rows],
            active: Vec::with_capacity(options),
            stale: 0,
            work: 0,
        };
        simplex.begin();
        simplex
    }

    /// The basis of the items' variables.
    fn begin(&mut self) {
        let options = self.costs.len();
        self.place[..options].fill(Place::Lower);
        self.place[options..].fill(Place::Basic);
        self.basis = (options as u32..(options + self.rows) as u32).collect();
        self.inverse.fill(0.0);
        for row in 0..self.rows {
            self.inverse[row * self.rows + row] = 1.0;
        }
        self.norms = vec![1.0; self.rows];
    }

    /// How often an item must be covered, at least and at most.
    pub(super) fn set_item(&mut self, row: usize, least: f64, most: f64) {
        let variable = self.costs.len() + row;
        (self.lower[variable], self.upper[variable]) = (-most, -least);
    }

    /// How much of an option may be chosen, at least and at most.
    pub(super) fn set_option(&mut self, option: usize, least: f64, most: f64) {
        (self.lower[option], self.upper[option]) = (least, most);
    }

    /// The prices of the items.
    pub(super) fn prices(&self) -> &[f64] {
        &self.prices
    }

    /// After [`Solved::Infeasible`].
    pub(super) fn ray(&self) -> &[f64] {
        &self.ray
    }

    /// How much of each option is chosen.
    pub(super) fn shares(&self, shares: &mut Vec<f64>) {
        shares.clear();
        shares.extend((0..self.costs.len()).map(|option| self.standing(option)));
        for (row, &variable) in self.basis.iter().enumerate() {
            if let Some(share) = shares.get_mut(variable as usize) {
                *share = self.values[row];
            }
        }
    }

    /// Solves from the last basis on, until the bound is above `enough` or `go_on` says no.
    pub(super) fn solve(&mut self, enough: f64, mut go_on: impl FnMut() -> bool) -> Solved {
        self.active.clear();
        let free = |&option: &u32| self.lower[option as usize] < self.upper[option as usize];
        self.active.extend((0..self.costs.len() as u32).filter(free));
        let mut objective = self.settle();
        let (mut pivots, mut doubts) = (0, 0);
        loop {
            if self.stale >= REFRESH {
                objective = self.refresh();
            }
            if objective > enough || pivots > 20 * self.rows + 1000 || !go_on() {
                return Solved::Stopped;
            }
            let Some((row, excess)) = self.leaving() else {
                if self.stale <= FRESH {
                    return Solved::Optimal;
                }
                objective = self.refresh(); // is it so with everything computed anew?
                continue;
            };
            self.tableau_row(row);
            let Some(entering) = self.entering(excess) else {
                let sign = if excess < 0.0 { 1.0 } else { -1.0 };
                let from = &self.inverse[row * self.rows..(row + 1) * self.rows];
                self.ray.iter_mut().zip(from).for_each(|(ray, value)| *ray = -sign * value);
                return Solved::Infeasible;
            };
            self.tableau_column(entering);
            let (pivot, expected) = (self.column[row], self.alpha[entering]);
            if (pivot - expected).abs() > 1e-6 * (1.0 + pivot.abs()) || pivot.abs() < PIVOT {
                doubts += 1;
                if doubts > DOUBTS {
                    return Solved::Stopped;
                }
                self.invert();
                objective = self.refresh();
                continue;
            }
            objective += self.pivot(row, entering, excess);
            pivots += 1;
            self.stale += 1;
        }
    }

    /// Computes everything but the inverse anew. The bound.
    fn refresh(&mut self) -> f64 {
        self.work += self.inverse.len() as u64;
        self.prices.fill(0.0);
        for row in 0..self.rows {
            let cost = self.cost(self.basis[row] as usize);
            if cost != 0.0 {
                let line = &self.inverse[row * self.rows..(row + 1) * self.rows];
                add_scaled(&mut self.prices, cost, line);
            }
        }
        self.stale = 0;
        self.settle()
    }

    /// Stands every variable outside of the basis where the prices say that it belongs. The bound.
    fn settle(&mut self) -> f64 {
        self.reduce();
        self.work += (self.inverse.len() + 8 * self.entries.len()) as u64;
        let options = self.costs.len();
        let mut rest = vec![0.0; self.rows];
        let mut objective = 0.0;
        for variable in 0..options + self.rows {
            if self.place[variable] == Place::Basic {
                continue;
            }
            let down = self.reduced[variable] >= 0.0;
            self.place[variable] = if down { Place::Lower } else { Place::Upper };
            let value = self.standing(variable);
            if value != 0.0 {
                match variable.checked_sub(options) {
                    Some(row) => rest[row] -= value,
                    None => {
                        objective += self.costs[variable] * value;
                        for &row in &self.entries[self.range(variable)] {
                            rest[row as usize] -= value;
                        }
                    }
                }
            }
        }
        for row in 0..self.rows {
            let line = &self.inverse[row * self.rows..(row + 1) * self.rows];
            self.values[row] = dot(line, &rest);
            objective += self.cost(self.basis[row] as usize) * self.values[row];
        }
        objective
    }

    /// The reduced costs.
    fn reduce(&mut self) {
        let options = self.costs.len();
        for option in 0..options {
            let prices = self.entries[self.range(option)].iter().map(|row| self.prices[*row as usize]);
            self.reduced[option] = self.costs[option] - prices.sum::<f64>();
        }
        for row in 0..self.rows {
            self.reduced[options + row] = -self.prices[row];
        }
        for &variable in &self.basis {
            self.reduced[variable as usize] = 0.0;
        }
    }

    /// The row that leaves, and how far its variable is above its upper bound or, negative, below its lower one.
    fn leaving(&self) -> Option<(usize, f64)> {
        let mut best = (0.0, None);
        for row in 0..self.rows {
            let (variable, value) = (self.basis[row] as usize, self.values[row]);
            let excess = if value < self.lower[variable] - EXCESS {
                value - self.lower[variable]
            } else if value > self.upper[variable] + EXCESS {
                value - self.upper[variable]
            } else {
                continue;
            };
            let score = excess * excess / self.norms[row];
            if score > best.0 {
                best = (score, Some((row, excess)));
            }
        }
        best.1
    }

    /// The row of the tableau, of the variables that may enter.
    fn tableau_row(&mut self, row: usize) {
        let line = &self.inverse[row * self.rows..(row + 1) * self.rows];
        self.pattern.clear();
        self.pattern.extend((0..self.rows as u32).filter(|at| line[*at as usize].abs() > 1e-12));
        for &option in &self.active {
            let option = option as usize;
            if self.place[option] != Place::Basic {
                let range = self.starts[option] as usize..self.starts[option + 1] as usize;
                self.alpha[option] = self.entries[range].iter().map(|row| line[*row as usize]).sum();
            }
        }
        self.alpha[self.costs.len()..].copy_from_slice(line);
    }

    /// The variable that enters: the first whose reduced cost comes to zero, or almost the first if its pivot is larger (Harris).
    fn entering(&self, excess: f64) -> Option<usize> {
        let sign = if excess < 0.0 { 1.0 } else { -1.0 };
        let candidates = || {
            let options = self.active.iter().map(|option| *option as usize);
            let items = self.pattern.iter().map(move |row| self.costs.len() + *row as usize);
            options.chain(items).filter_map(|variable| {
                let alpha = sign * self.alpha[variable];
                let able = match self.place[variable] {
                    Place::Lower => alpha < -PIVOT,
                    Place::Upper => alpha > PIVOT,
                    Place::Basic => false,
                };
                (able && self.lower[variable] < self.upper[variable])
                    .then(|| (variable, alpha.abs(), self.reduced[variable].abs()))
            })
        };
        let farthest = candidates()
            .map(|(_, alpha, reduced)| (reduced + TOLERANCE) / alpha)
            .fold(f64::INFINITY, f64::min);
        let mut best = (0.0, None);
        for (variable, alpha, reduced) in candidates() {
            if reduced <= farthest * alpha && alpha > best.0 {
                best = (alpha, Some(variable));
            }
        }
        best.1
    }

    /// The column of the tableau.
    fn tableau_column(&mut self, variable: usize) {
        let options = self.costs.len();
        for row in 0..self.rows {
            let line = &self.inverse[row * self.rows..(row + 1) * self.rows];
            self.column[row] = match variable.checked_sub(options) {
                Some(at) => line[at],
                None => {
                    let range = self.starts[variable] as usize..self.starts[variable + 1] as usize;
                    self.entries[range].iter().map(|at| line[*at as usize]).sum()
                }
            };
        }
    }

    /// Exchanges the variables. How much the bound rises.
    fn pivot(&mut self, row: usize, entering: usize, excess: f64) -> f64 {
        let pivot = self.column[row];
        let step = self.reduced[entering] / self.alpha[entering];
        for &option in &self.active {
            let option = option as usize;
            if self.place[option] != Place::Basic {
                self.reduced[option] -= step * self.alpha[option];
            }
        }
        let options = self.costs.len();
        for &at in &self.pattern {
            let variable = options + at as usize;
            self.prices[at as usize] += step * self.alpha[variable];
            if self.place[variable] != Place::Basic {
                self.reduced[variable] -= step * self.alpha[variable];
            }
        }
        let leaving = self.basis[row] as usize;
        self.reduced[entering] = 0.0;
        self.reduced[leaving] = -step;
        let move_by = excess / pivot;
        let value = self.standing(entering) + move_by;
        for (value, column) in self.values.iter_mut().zip(&self.column) {
            *value -= move_by * column;
        }
        self.values[row] = value;
        self.place[leaving] = if excess < 0.0 { Place::Lower } else { Place::Upper };
        self.place[entering] = Place::Basic;
        self.basis[row] = entering as u32;
        self.eliminate(row);
        (step * excess).abs()
    }

    /// Brings the inverse up to date after a pivot, and the norms of its rows.
    fn eliminate(&mut self, row: usize) {
        let (rows, pivot) = (self.rows, self.column[row]);
        self.work += (self.inverse.len() + 16 * self.active.len()) as u64;
        let mut line: Vec<f64> = self.inverse[row * rows..(row + 1) * rows].to_vec();
        line.iter_mut().for_each(|value| *value /= pivot);
        let dense = self.pattern.len() * 3 > rows;
        for other in 0..rows {
            let factor = self.column[other];
            if other == row || factor.abs() < 1e-12 {
                continue;
            }
            let target = &mut self.inverse[other * rows..(other + 1) * rows];
            if dense {
                add_scaled(target, -factor, &line);
                self.norms[other] = dot(target, target);
            } else {
                let mut change = 0.0;
                for &at in &self.pattern {
                    let (before, at) = (target[at as usize], at as usize);
                    target[at] = before - factor * line[at];
                    change += target[at] * target[at] - before * before;
                }
                self.norms[other] = (self.norms[other] + change).max(1e-8);
            }
        }
        self.norms[row] = dot(&line, &line).max(1e-8);
        self.inverse[row * rows..(row + 1) * rows].copy_from_slice(&line);
    }

    /// Computes the inverse anew. Variables that do not fit into the basis make room for those of items.
    fn invert(&mut self) {
        let options = self.costs.len();
        let basic: Vec<u32> = self.basis.iter().copied().filter(|v| (*v as usize) < options).collect();
        self.begin();
        let mut taken = vec![false; self.rows];
        // The rows of items that stay in the basis would do for any option; they are found free in the end.
        for variable in basic {
            self.tableau_column(variable as usize);
            let free = (0..self.rows).filter(|row| !taken[*row]);
            let largest = free.max_by(|a, b| self.column[*a].abs().total_cmp(&self.column[*b].abs()));
            let Some(row) = largest.filter(|row| self.column[*row].abs() > PIVOT) else { continue };
            self.pattern.clear();
            let line = &self.inverse[row * self.rows..(row + 1) * self.rows];
            self.pattern.extend((0..self.rows as u32).filter(|at| line[*at as usize] != 0.0));
            taken[row] = true;
            self.place[self.basis[row] as usize] = Place::Lower;
            self.place[variable as usize] = Place::Basic;
            self.basis[row] = variable;
            self.eliminate(row);
        }
    }

    fn range(&self, option: usize) -> core::ops::Range<usize> {
        self.starts[option] as usize..self.starts[option + 1] as usize
    }

    fn cost(&self, variable: usize) -> f64 {
        self.costs.get(variable).copied().unwrap_or(0.0)
    }

    /// The value of a variable outside of the basis.
    fn standing(&self, variable: usize) -> f64 {
        match self.place[variable] {
            Place::Upper => self.upper[variable],
            Place::Lower | Place::Basic => self.lower[variable],
        }
    }
}

/// The inner product. Eight sums at a time are what the compiler can turn into vectors.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for at in 0..8 {
            sums[at] += a[at] * b[at];
        }
    }
    sums.iter().sum::<f64>() + rest
}

fn add_scaled(target: &mut [f64], factor: f64, line: &[f64]) {
    for (target, value) in target.iter_mut().zip(line) {
        *target += factor * value;
    }
}

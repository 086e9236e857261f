//! A lower bound on the costs of all covers, from prices of items, in integers.
//!
//! Whatever the prices are, no cover costs less than
//!
//! * what is chosen already costs,
//! * for each item, its price times how often it must still be covered; or, if the price is negative, how often it may be,
//! * and for each open option its cost minus the prices of its items, if that is negative.
//!
//! This is the Lagrangian bound (Held and Karp, 1970; Fisher, *The Lagrangian relaxation method for solving integer programming
//! problems*, 1981), which the prices of an optimal solution of the relaxation make as large as it gets. An option whose
//! *reduced cost*, its cost minus its prices, would raise the bound beyond what is wanted is in no cover that is wanted.

use alloc::vec;
use alloc::vec::Vec;

use super::residual::Residual;
use super::watch::Watch;

/// Prices are multiples of one part in so many.
const FRACTION: u32 = 20;
/// How many parts a unit has.
pub(crate) const PARTS: u32 = 1 << FRACTION;
/// The largest price, so that no sum can overflow: a bound adds up, for each of at most 2^30 entries of options, a price, and for
/// as many options a cost of at most 2^63.
const LARGEST: i128 = 1 << (66 + FRACTION);
/// Steps of [`Prices::climb`], and how many may fail before they get shorter.
const STEPS: u32 = 400;
const PATIENCE: u32 = 10;
/// More than costs of options can add up to.
pub(super) const BEYOND: i128 = 1 << 94;

/// Integer prices of items, and what follows from them for the options.
#[derive(Clone)]
pub(super) struct Prices {
    of_item: Vec<i128>,
    free: Vec<bool>, // by item: whether it has no price, because several options may agree on its color
    reduced: Vec<i128>, // by option: reduced costs of those that were open
    value: i128,     // the bound, before it is rounded up
    /// What all was done so far, in additions of integers.
    pub(super) work: u64,
}

impl Prices {
    /// All zero.
    pub(super) fn new(residual: &Residual, items: usize, options: usize) -> Self {
        let free = (0..items).map(|item| residual.is_colored(item)).collect();
        Self { of_item: vec![0; items], free, reduced: vec![0; options], value: 0, work: 0 }
    }

    /// Whether an item has no price.
    pub(super) fn is_free(&self, item: usize) -> bool {
        self.free[item]
    }

    /// Sets the price of an item, in units of cost.
    pub(super) fn set(&mut self, item: usize, price: f64) {
        if !self.free[item] {
            // From a float to an integer is to the nearest that there is.
            self.of_item[item] = ((price * f64::from(PARTS)) as i128).clamp(-LARGEST, LARGEST);
        }
    }

    /// The prices that are not zero, in parts, by item.
    pub(super) fn stated(&self) -> Vec<(usize, i128)> {
        self.of_item.iter().copied().enumerate().filter(|(_, price)| *price != 0).collect()
    }

    /// Evaluates the bound for what is left, where what is chosen costs `paid`. Gives it rounded up to an integer.
    pub(super) fn evaluate(&mut self, residual: &Residual, cost: impl Fn(u32) -> i64, paid: i128) -> i128 {
        self.value = paid << FRACTION;
        self.work += self.of_item.len() as u64;
        for (item, &price) in self.of_item.iter().enumerate() {
            if price != 0 {
                let (_, least, most) = residual.need(item);
                self.value += price * i128::from(if price > 0 { least } else { most });
            }
        }
        for &option in residual.open() {
            self.work += residual.items(option).len() as u64;
            let prices = residual.items(option).iter().map(|item| self.of_item[*item as usize]);
            let reduced = (i128::from(cost(option)) << FRACTION) - prices.sum::<i128>();
            self.reduced[option as usize] = reduced;
            self.value += reduced.min(0);
        }
        ceil(self.value)
    }

    /// Raises the bound as far as it goes without a relaxation, by subgradients (Held, Wolfe and Crowder, *Validation of
    /// subgradient optimization*, 1974): an item that is covered too often becomes cheaper, and one that is not dearer. The best
    /// prices on the way stay.
    pub(super) fn climb(
        &mut self,
        residual: &Residual,
        cost: impl Fn(u32) -> i64 + Copy,
        paid: i128,
        watch: &Watch,
    ) {
        let mut prices = vec![0.0; self.of_item.len()];
        let mut best = (self.evaluate(residual, cost, paid), self.of_item.clone());
        let dearest = residual.open().iter().map(|option| cost(*option).unsigned_abs()).max().unwrap_or(0);
        // How far the bound may rise is a guess; steps get shorter where they do not help.
        let (mut aim, mut failures) = (1.0, 0);
        let mut steps = 0;
        while steps < STEPS && !watch.is_over() {
            steps += 1;
            let excess = self.excess(residual);
            let square: f64 = excess.iter().map(|(_, excess)| excess * excess).sum();
            if square == 0.0 {
                break; // it is a cover
            }
            let reach = (best.0 as f64).abs() / 8.0 + dearest as f64;
            let step = aim * (reach + (best.0 - (self.value >> FRACTION)) as f64) / square;
            for (item, excess) in excess {
                prices[item] -= step * excess;
                self.set(item, prices[item]);
            }
            let bound = self.evaluate(residual, cost, paid);
            if bound > best.0 {
                best = (bound, self.of_item.clone());
                failures = 0;
            } else {
                failures += 1;
                if failures == PATIENCE {
                    (aim, failures) = (aim / 2.0, 0);
                }
            }
        }
        self.of_item = best.1;
    }

    /// How much more often than wanted an item is covered, where that is so, if exactly the options with negative reduced costs
    /// are chosen; negative where it is less often.
    fn excess(&self, residual: &Residual) -> Vec<(usize, f64)> {
        let mut times = vec![0_i64; self.of_item.len()];
        for &option in residual.open().iter().filter(|option| self.reduced(**option) < 0) {
            for &item in residual.items(option) {
                times[item as usize] += 1;
            }
        }
        let excess = |(item, &times): (usize, &i64)| {
            let (open, least, most) = residual.need(item);
            let (least, most) = (i64::from(least), i64::from(most));
            let excess = times - times.clamp(least, most.max(least));
            // A price may also go back to zero where its item is covered within the bounds.
            let slack = if self.of_item[item] > 0 { times - least } else { times - most };
            let excess = if self.of_item[item] == 0 { excess } else { slack };
            (!self.free[item] && open > 0 && excess != 0).then_some((item, excess as f64))
        };
        times.iter().enumerate().filter_map(excess).collect()
    }

    /// The reduced cost of an option that was open when the bound was evaluated.
    pub(super) fn reduced(&self, option: u32) -> i128 {
        self.reduced[option as usize]
    }

    /// The least that a cover with this option costs.
    pub(super) fn with(&self, option: u32) -> i128 {
        ceil(self.value + self.reduced[option as usize].max(0))
    }
}

fn ceil(value: i128) -> i128 {
    -((-value) >> FRACTION)
}

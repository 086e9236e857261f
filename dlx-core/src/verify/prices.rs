//! What prices of items prove of the costs of solutions, for the checker of [proofs](super::proof). It shares nothing with
//! the search for cheap solutions, which finds such prices.

use alloc::vec::Vec;

use super::proof::{Cover, number};
use crate::{OptionId, Problem};

/// What is to be proved: that no solution costs less than that. Costs are divided by what divides those of all options.
pub(super) struct Aim {
    costs: Vec<i128>,
    least: i128,
}

impl Aim {
    pub(super) fn new(problem: &Problem, cost: i128) -> Self {
        let possible = problem.options().filter(|option| has_primary_item(problem, *option));
        let divisor = possible.fold(0, |divisor, option| gcd(divisor, problem.cost(option).into())).max(1);
        let costs = problem.options().map(|option| i128::from(problem.cost(option)) / divisor).collect();
        Self { costs, least: cost / divisor }
    }

    /// That there is no solution, which is as much as that none costs less than 1, if options cost nothing.
    pub(super) fn nothing(problem: &Problem) -> Self {
        Self { costs: alloc::vec![0; problem.option_count()], least: 1 }
    }

    /// Whether these options cost as much.
    pub(super) fn is_reached(&self, options: &[OptionId]) -> bool {
        self.paid(options) >= self.least
    }

    fn paid(&self, options: &[OptionId]) -> i128 {
        options.iter().map(|option| self.costs[option.index()]).sum()
    }
}

fn has_primary_item(problem: &Problem, option: OptionId) -> bool {
    problem.option(option).entries().any(|entry| problem.is_primary(entry.item))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A price for each item, in parts of a unit.
pub(super) struct Prices {
    parts: i128,
    of_item: Vec<i128>,
}

impl Prices {
    /// Reads `3:25 4:-1`: items in ascending order, and their prices, none of which is zero. Items have none where options may
    /// share them by a color.
    pub(super) fn read<'t>(
        problem: &Problem,
        parts: i128,
        words: impl Iterator<Item = &'t str>,
    ) -> Option<Self> {
        let mut of_item = alloc::vec![0; problem.item_count()];
        let mut next = 0;
        for word in words {
            let (item, price) = word.split_once(':')?;
            let (at, price) = (number::<usize>(item)?, number(price)?);
            if at < next || price == 0 {
                return None;
            }
            *of_item.get_mut(at)? = price;
            next = at + 1;
        }
        let possible = problem.options().filter(|option| has_primary_item(problem, *option));
        let colored = possible.flat_map(|option| problem.option(option).entries());
        let mut colored = colored.filter(|entry| entry.color.is_some());
        (parts > 0 && colored.all(|entry| of_item[entry.item.index()] == 0))
            .then_some(Self { parts, of_item })
    }

    /// The bound that they give to the costs of all solutions that contain what is chosen, and otherwise options that are left;
    /// in parts. `None` if a number is too large.
    ///
    /// For each item there is its price, as often as it must be covered at least, or where it is negative, at most; for each
    /// option that is left its cost without the prices of its items, if that is negative. No solution costs less in sum.
    pub(super) fn bound(&self, problem: &Problem, cover: &Cover, aim: &Aim) -> Option<Bound> {
        let left = problem.options().filter(|option| cover.is_left(problem, *option));
        let mut times = alloc::vec![0_u32; problem.item_count()]; // that it can be covered
        let mut reduced = Vec::new();
        let mut value = aim.paid(&cover.chosen).checked_mul(self.parts)?;
        for option in left {
            let mut cost = aim.costs[option.index()].checked_mul(self.parts)?;
            for entry in problem.option(option).entries() {
                times[entry.item.index()] += 1;
                cost = cost.checked_sub(self.of_item[entry.item.index()])?;
            }
            value = value.checked_add(cost.min(0))?;
            reduced.push((option, cost));
        }
        for (item, &price) in problem.items().zip(&self.of_item) {
            let often = match price {
                1.. => cover.missing(problem, item),
                _ => cover.room(problem, item).min(times[item.index()]) as usize,
            };
            value = value.checked_add(price.checked_mul(often as i128)?)?;
        }
        Some(Bound { value, reduced, enough: (aim.least - 1).checked_mul(self.parts)? })
    }
}

/// A lower bound on the costs of solutions.
pub(super) struct Bound {
    value: i128,
    reduced: Vec<(OptionId, i128)>,
    enough: i128, // costs are whole, so that more than that is enough
}

impl Bound {
    /// Whether no solution costs less than the aim.
    pub(super) fn is_enough(&self) -> bool {
        self.value > self.enough
    }

    /// The options that no solution contains that costs less than the aim, in ascending order.
    pub(super) fn too_dear(&self) -> Vec<OptionId> {
        let dear = |cost: i128| self.value.checked_add(cost.max(0)).is_none_or(|value| value > self.enough);
        self.reduced.iter().filter(|(_, cost)| dear(*cost)).map(|(option, _)| *option).collect()
    }
}

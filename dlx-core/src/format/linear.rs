//! What a problem says, as linear constraints on 0-1 variables: the ground of the formats [`lp`](super::lp) and
//! [`opb`](super::opb).

use alloc::vec::Vec;
use core::fmt;

use super::cnf::{Variables, clash};
use crate::{OptionId, Problem};

/// What each variable adds to the cost: nothing, for those that are left out.
pub(super) fn objective(problem: &Problem, variables: &Variables) -> impl Iterator<Item = (i64, u32)> {
    variables
        .iter(problem)
        .map(|(option, variable)| (problem.cost(option), variable))
        .filter(|term| term.0 != 0)
}

/// How many of some variables are 1.
pub(super) struct Constraint<'a> {
    pub(super) variables: &'a [u32],
    pub(super) least: u32,
    pub(super) most: u32,
}

/// Calls `f` with each constraint: first those of the primary items, then those of the secondary ones. A constraint that
/// always holds is left out.
///
/// A secondary item that no option gives a color to has one constraint; else there is one for each two options that disagree.
pub(super) fn constraints(
    problem: &Problem,
    variables: &Variables,
    mut f: impl FnMut(Constraint<'_>) -> fmt::Result,
) -> fmt::Result {
    let mut constrain = |variables: &[u32], least, most| {
        let holds = least == 0 && variables.len() <= most as usize;
        if holds { Ok(()) } else { f(Constraint { variables, least, most }) }
    };
    let by_item = variables.by_item(problem);
    let (primary, secondary): (Vec<_>, Vec<_>) =
        problem.items().zip(&by_item).partition(|(item, _)| problem.is_primary(*item));
    let all = |options: &[(OptionId, u32)]| options.iter().map(|(_, variable)| *variable).collect::<Vec<_>>();
    for (item, options) in primary {
        let (least, most) = problem.bounds(item).unwrap_or(1..=1).into_inner();
        constrain(&all(options), least, most)?;
    }
    for (item, options) in secondary {
        let is_colored = |&(option, _): &(OptionId, u32)| {
            problem.option(option).entries().any(|entry| entry.item == item && entry.color.is_some())
        };
        if !options.iter().any(is_colored) {
            constrain(&all(options), 0, 1)?;
            continue;
        }
        for (at, &(one, x)) in options.iter().enumerate() {
            for &(other, y) in &options[at + 1..] {
                if clash(problem, one, other) == Some(item) {
                    constrain(&[x, y], 0, 1)?;
                }
            }
        }
    }
    Ok(())
}

//! The problem as a formula of propositional logic in conjunctive normal form, for SAT solvers and the checkers of their
//! proofs: the DIMACS format, out only.
//!
//! Each option that has a primary item is a variable, from 1 in the order of the problem. The clauses say: of the options that
//! contain a primary item, at least one is chosen; and two options that may not be chosen together are not. So the models of
//! the formula are the solutions of the problem.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::{ItemId, OptionId, Problem};

/// The problem has bounds, which the clauses cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuited {
    /// An item whose bounds are not `1..=1`.
    pub item: ItemId,
    /// Its name, or its index if it has none.
    pub name: String,
}

impl Unsuited {
    /// Refuses problems with bounds.
    pub(crate) fn check(problem: &Problem) -> Result<(), Self> {
        let bounded = |item: &ItemId| problem.bounds(*item).is_some_and(|bounds| bounds != (1..=1));
        problem.items().find(bounded).map_or(Ok(()), |item| {
            let name = problem.item_name(item).map_or_else(|| item.to_string(), String::from);
            Err(Self { item, name })
        })
    }
}

impl fmt::Display for Unsuited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "item {} has bounds, expected items that are covered exactly once", self.name)
    }
}

impl core::error::Error for Unsuited {}

/// Why a formula could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The problem has bounds; nothing has been written.
    Unsuited(Unsuited),
    /// The writer failed.
    Output,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsuited(unsuited) => unsuited.fmt(f),
            Self::Output => f.write_str("the output could not be written"),
        }
    }
}

impl core::error::Error for WriteError {}

impl From<fmt::Error> for WriteError {
    fn from(_: fmt::Error) -> Self {
        Self::Output
    }
}

/// The variables of the options.
pub(crate) struct Variables(Vec<Option<u32>>);

impl Variables {
    pub(crate) fn new(problem: &Problem) -> Self {
        let mut last = 0;
        let number = |option| {
            let has = problem.option(option).entries().any(|entry| problem.is_primary(entry.item));
            last += u32::from(has);
            has.then_some(last)
        };
        Self(problem.options().map(number).collect())
    }

    /// That of an option; `None` if no item of the option is primary.
    pub(crate) fn of(&self, option: OptionId) -> Option<u32> {
        self.0.get(option.index()).copied().flatten()
    }

    /// The options that have one, and which.
    pub(crate) fn iter(&self, problem: &Problem) -> impl Iterator<Item = (OptionId, u32)> {
        problem.options().filter_map(|option| self.of(option).map(|variable| (option, variable)))
    }

    /// The variables of the options that contain each item.
    pub(crate) fn by_item(&self, problem: &Problem) -> Vec<Vec<(OptionId, u32)>> {
        let mut all = alloc::vec![Vec::new(); problem.item_count()];
        for (option, variable) in self.iter(problem) {
            for entry in problem.option(option).entries() {
                all[entry.item.index()].push((option, variable));
            }
        }
        all
    }
}

/// The first item that two options may not share though both contain it. Items that may be covered more than once are none.
pub(crate) fn clash(problem: &Problem, one: OptionId, other: OptionId) -> Option<ItemId> {
    let others = problem.option(other).entries();
    let mut shared = problem.option(one).entries().filter(|entry| {
        let same = others.clone().find(|other| other.item == entry.item);
        same.is_some_and(|other| entry.color.is_none() || entry.color != other.color)
    });
    shared
        .find(|entry| problem.bounds(entry.item).is_none_or(|bounds| *bounds.end() < 2))
        .map(|entry| entry.item)
}

/// Calls `f` with each clause, as literals in the order of the file.
fn clauses(
    problem: &Problem,
    variables: &Variables,
    mut f: impl FnMut(&[i64]) -> fmt::Result,
) -> fmt::Result {
    let by_item = variables.by_item(problem);
    for (item, options) in problem.items().zip(&by_item) {
        if problem.is_primary(item) {
            f(&options.iter().map(|(_, variable)| i64::from(*variable)).collect::<Vec<_>>())?;
        }
    }
    for (item, options) in problem.items().zip(&by_item) {
        for (at, &(one, x)) in options.iter().enumerate() {
            for &(other, y) in &options[at + 1..] {
                if clash(problem, one, other) == Some(item) {
                    f(&[-i64::from(x), -i64::from(y)])?;
                }
            }
        }
    }
    Ok(())
}

/// Writes the formula. Comments say which option each variable stands for: `c option 5 = variable 3: a d:x`, where options are
/// counted from 0.
///
/// Takes time for each two options that share an item.
///
/// # Errors
/// The problem has bounds; or the writer failed.
///
/// ```
/// use dlx_core::format::{cnf, knuth};
///
/// let mut formula = String::new();
/// cnf::write(&knuth::parse(b"a b | x\nx\na x\na b\nb\n")?, &mut formula)?;
/// assert_eq!(formula, "\
/// c option 1 = variable 1: a x
/// c option 2 = variable 2: a b
/// c option 3 = variable 3: b
/// p cnf 3 4
/// 1 2 0
/// 2 3 0
/// -1 -2 0
/// -2 -3 0
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(problem: &Problem, out: &mut impl fmt::Write) -> Result<(), WriteError> {
    Unsuited::check(problem).map_err(WriteError::Unsuited)?;
    let variables = Variables::new(problem);
    super::write_map(problem, &variables, "c ", "variable ", out)?;
    let mut count = 0_u64;
    clauses(problem, &variables, |_| {
        count += 1;
        Ok(())
    })?;
    writeln!(out, "p cnf {} {count}", variables.iter(problem).count())?;
    clauses(problem, &variables, |clause| {
        clause.iter().try_for_each(|literal| write!(out, "{literal} "))?;
        out.write_str("0\n")
    })?;
    Ok(())
}

//! An independent checker of solutions. It reads nothing but the [`Problem`] and shares no code with the engines.

use alloc::collections::BTreeMap;
use core::fmt;

use crate::{Color, ItemId, OptionId, Problem};

mod prices;
pub mod proof;

/// Why a set of options is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The problem has no such option.
    UnknownOption {
        /// The option.
        option: OptionId,
    },
    /// An option is there twice.
    RepeatedOption {
        /// The option.
        option: OptionId,
    },
    /// An option has no primary item, so that it belongs to no solution.
    NoPrimaryItem {
        /// The option.
        option: OptionId,
    },
    /// A primary item is in none of the options.
    Uncovered {
        /// The item.
        item: ItemId,
    },
    /// A primary item is in fewer options than its lower bound says, or in more than its upper bound says.
    OutOfBounds {
        /// The item.
        item: ItemId,
        /// How many options contain it.
        times: u32,
    },
    /// An item is in two options that may not share it.
    Clash {
        /// The item.
        item: ItemId,
        /// The two options, in the order of the input to [`check`].
        options: [OptionId; 2],
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption { option } => write!(f, "there is no option {option}"),
            Self::RepeatedOption { option } => write!(f, "option {option} is chosen twice"),
            Self::NoPrimaryItem { option } => write!(f, "option {option} has no primary item"),
            Self::Uncovered { item } => write!(f, "primary item number {item} is not covered"),
            Self::OutOfBounds { item, times } => {
                write!(f, "primary item number {item} is covered {times} times, which its bounds forbid")
            }
            Self::Clash { item, options: [first, second] } => {
                write!(f, "options {first} and {second} may not share item number {item}")
            }
        }
    }
}

impl core::error::Error for Violation {}

/// Checks that the options, in any order, are a solution of the problem.
///
/// Takes *O*(*n* log *n*) for *n* entries, and the number of items.
///
/// # Errors
/// The first [`Violation`] that is found.
///
/// ```
/// use dlx_core::{ProblemBuilder, verify};
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// let both = b.option([a, c])?;
/// let one = b.option([c])?;
/// let problem = b.build()?;
/// assert_eq!(verify::check(&problem, &[both]), Ok(()));
/// assert_eq!(verify::check(&problem, &[one]), Err(verify::Violation::Uncovered { item: a }));
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub fn check(problem: &Problem, options: &[OptionId]) -> Result<(), Violation> {
    let mut uses: BTreeMap<ItemId, (OptionId, Option<Color>)> = BTreeMap::new();
    let mut times: BTreeMap<ItemId, u32> = BTreeMap::new(); // of items that may be covered more than once, or never
    let mut chosen = alloc::collections::BTreeSet::new();
    for &option in options {
        let Some(view) = problem.get_option(option) else {
            return Err(Violation::UnknownOption { option });
        };
        if !chosen.insert(option) {
            return Err(Violation::RepeatedOption { option });
        }
        if !view.entries().any(|entry| problem.is_primary(entry.item)) {
            return Err(Violation::NoPrimaryItem { option });
        }
        for entry in view.entries() {
            if problem.bounds(entry.item).is_some_and(|bounds| *bounds.end() != 1) {
                *times.entry(entry.item).or_default() += 1;
                continue;
            }
            let Some((before, color)) = uses.insert(entry.item, (option, entry.color)) else {
                continue;
            };
            if color.is_none() || color != entry.color {
                return Err(Violation::Clash { item: entry.item, options: [before, option] });
            }
        }
    }
    for item in problem.items() {
        let Some(bounds) = problem.bounds(item) else { continue };
        let times = times.get(&item).copied().unwrap_or(u32::from(uses.contains_key(&item)));
        if !bounds.contains(&times) {
            return Err(match times {
                0 => Violation::Uncovered { item },
                _ => Violation::OutOfBounds { item, times },
            });
        }
    }
    Ok(())
}

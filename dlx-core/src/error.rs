//! What can be wrong with a problem or a request: typed errors that carry the names and numbers.

use alloc::string::String;
use core::fmt;

use crate::{Color, ItemId, OptionId};

/// Why [`ProblemBuilder`](crate::ProblemBuilder) refused something. The builder stays as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// An item or a color has an empty name.
    EmptyName,
    /// An item with this name exists already.
    DuplicateItem {
        /// The name.
        name: String,
    },
    /// An option contains an item that this builder has not declared.
    UnknownItem {
        /// The option, by the id that it would have had.
        option: OptionId,
        /// The item.
        item: ItemId,
    },
    /// An option contains an item twice.
    RepeatedItem {
        /// The option, by the id that it would have had.
        option: OptionId,
        /// The item.
        item: ItemId,
        /// Its name, or its index if it has none.
        name: String,
    },
    /// An option gives a color to a primary item.
    ColorOnPrimary {
        /// The option, by the id that it would have had.
        option: OptionId,
        /// The item.
        item: ItemId,
        /// Its name, or its index if it has none.
        name: String,
    },
    /// Bounds on an item that this builder has not declared.
    BoundsOnUnknown {
        /// The item.
        item: ItemId,
    },
    /// Bounds on a secondary item.
    BoundsOnSecondary {
        /// The item.
        item: ItemId,
        /// Its name, or its index if it has none.
        name: String,
    },
    /// A lower bound above the upper one.
    EmptyBounds {
        /// The item.
        item: ItemId,
        /// Its name, or its index if it has none.
        name: String,
        /// The lower bound.
        least: u32,
        /// The upper bound.
        most: u32,
    },
    /// An option uses a color that this builder has not made.
    UnknownColor {
        /// The option, by the id that it would have had.
        option: OptionId,
        /// The color.
        color: Color,
    },
    /// A cost on an option that this builder does not have.
    CostOnUnknown {
        /// The option.
        option: OptionId,
    },
    /// There are more of these than 32 bits can number.
    TooLarge {
        /// What there are too many of: `"items"`, `"options"`, `"entries"` or `"colors"`.
        what: &'static str,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyName => f.write_str("a name is empty, expected at least one character"),
            Self::DuplicateItem { name } => write!(f, "item {name} is declared twice"),
            Self::UnknownItem { option, item } => {
                write!(f, "option {option} contains item number {item}, which was not declared")
            }
            Self::RepeatedItem { option, name, .. } => {
                write!(f, "option {option} contains item {name} twice")
            }
            Self::ColorOnPrimary { option, name, .. } => {
                write!(
                    f,
                    "option {option} gives a color to item {name}, which is primary; only secondary items have colors"
                )
            }
            Self::BoundsOnUnknown { item } => {
                write!(f, "bounds on item number {item}, which was not declared")
            }
            Self::BoundsOnSecondary { name, .. } => {
                write!(f, "bounds on item {name}, which is secondary; only primary items have bounds")
            }
            Self::EmptyBounds { name, least, most, .. } => {
                write!(f, "the lower bound {least} of item {name} is above its upper bound {most}")
            }
            Self::UnknownColor { option, color } => {
                write!(f, "option {option} uses color number {color}, which was not made")
            }
            Self::CostOnUnknown { option } => {
                write!(f, "a cost on option {option}, which was not added")
            }
            Self::TooLarge { what } => {
                write!(f, "too many {what}: more than a 32-bit number can count")
            }
        }
    }
}

impl core::error::Error for BuildError {}

/// Why a set of assumptions was refused.
///
/// Assumptions that merely contradict one another are no error: the problem then has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AssumeError {
    /// The problem has no such option.
    UnknownOption {
        /// The option.
        option: OptionId,
        /// How many options there are.
        count: usize,
    },
    /// The option has no primary item, so that no solution contains it.
    NoPrimaryItem {
        /// The option.
        option: OptionId,
    },
}

impl fmt::Display for AssumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption { option, count } => {
                write!(f, "there is no option {option}: the problem has {count} options, numbered from 0")
            }
            Self::NoPrimaryItem { option } => {
                write!(f, "option {option} has no primary item and is never chosen")
            }
        }
    }
}

impl core::error::Error for AssumeError {}

//! The seed of whatever is drawn at random: given, or chosen and told, so that the run can be repeated.

use std::hash::{BuildHasher as _, RandomState};

use crate::report::Report;

/// The seed that was given; without one, another one each time, told on standard error unless `quiet`.
pub(crate) fn given_or_chosen(given: Option<u64>, quiet: bool, report: &mut Report) -> u64 {
    given.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(0) >> 32; // ten digits are enough to type
        if !quiet {
            report.line(format_args!("seed {seed}"));
        }
        seed
    })
}

//! `dlx check` and `dlx check-proof`: what a search says, checked by code that shares nothing with it.

mod proof;
mod solutions;

pub(crate) use proof::proof;
pub(crate) use solutions::solutions;

use std::path::Path;

use crate::outcome::Failure;

/// Refuses two inputs that are both standard input.
fn check_inputs(problem: &Path, other: &Path) -> Result<(), Failure> {
    let is_stdin = |path: &Path| path.as_os_str() == "-";
    if is_stdin(problem) && is_stdin(other) {
        return Err(Failure::new("both inputs are standard input, expected a file for one of them"));
    }
    Ok(())
}

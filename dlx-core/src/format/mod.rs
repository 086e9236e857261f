//! Text formats of exact cover problems.

use alloc::string::ToString as _;
use core::fmt;

use crate::Problem;

pub mod cnf;
pub mod knuth;
mod linear;
pub mod lp;
pub mod opb;
#[cfg(test)]
mod tests;

/// Writes comments that say which variable each option is: a line `c option 5 = variable 3: a d:x` for each.
fn write_map(
    problem: &Problem,
    variables: &cnf::Variables,
    comment: &str,
    name: &str,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    for (option, variable) in variables.iter(problem) {
        let items = problem.option(option).to_string();
        let items = items.replace(char::is_control, "?"); // a name may hold the end of a line
        writeln!(out, "{comment}option {option} = {name}{variable}: {items}")?;
    }
    Ok(())
}

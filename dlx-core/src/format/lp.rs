//! The problem as a 0-1 linear program: the LP format of mixed-integer solvers (CPLEX, SCIP, HiGHS, glpsol, Gurobi), out only.
//!
//! The variables are those of [`cnf`](super::cnf), `x1`, `x2`, and so on, and the rows say what
//! [`opb`](super::opb) says. The objective is the sum of the costs.

use core::fmt;

use super::cnf::Variables;
use super::linear::{Constraint, constraints, objective};
use crate::Problem;

/// How many terms stand in a line: readers have limits.
const TERMS: usize = 16;

/// What comes before the term at this place of a sum.
fn line_end(at: usize) -> &'static str {
    if at > 0 && at.is_multiple_of(TERMS) { "\n " } else { "" }
}

/// Writes the program. Comments say which option each variable stands for, where options are counted from 0.
///
/// # Errors
/// The writer failed.
///
/// ```
/// use dlx_core::format::{knuth, lp};
///
/// let mut text = String::new();
/// lp::write(&knuth::parse(b"a 1:2|b\na b |7\nb\nb |2\n")?, &mut text)?;
/// assert_eq!(text, "\
/// \\ option 0 = x1: a b
/// \\ option 1 = x2: b
/// \\ option 2 = x3: b
/// Minimize
///  obj: +7 x1 +2 x3
/// Subject To
///  c1: x1 = 1
///  c2: x1 + x2 + x3 >= 1
///  c3: x1 + x2 + x3 <= 2
/// Binary
///  x1
///  x2
///  x3
/// End
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(problem: &Problem, out: &mut impl fmt::Write) -> fmt::Result {
    let variables = Variables::new(problem);
    super::write_map(problem, &variables, "\\ ", "x", out)?;
    out.write_str("Minimize\n obj:")?;
    for (at, (cost, variable)) in objective(problem, &variables).enumerate() {
        write!(out, "{} {cost:+} x{variable}", line_end(at))?;
    }
    if !problem.has_costs() {
        out.write_str(" 0 x1")?; // readers want a term
    }
    out.write_str("\nSubject To\n")?;
    let mut row = 0_u64;
    constraints(problem, &variables, |Constraint { variables, least, most }| {
        let mut sum = |relation: &str, number: u32| {
            row += 1;
            write!(out, " c{row}:")?;
            if variables.is_empty() {
                out.write_str(" 0 x1")?;
            }
            for (at, variable) in variables.iter().enumerate() {
                let before = if at == 0 {
                    ""
                } else if at % TERMS == 0 {
                    "\n  +"
                } else {
                    " +"
                };
                write!(out, "{before} x{variable}")?;
            }
            writeln!(out, " {relation} {number}")
        };
        if least == most {
            return sum("=", least);
        }
        if least > 0 {
            sum(">=", least)?;
        }
        if variables.len() > most as usize { sum("<=", most) } else { Ok(()) }
    })?;
    out.write_str("Binary\n")?;
    let count = variables.iter(problem).count().max(1); // what cannot hold needs one as well
    (1..=count).try_for_each(|variable| writeln!(out, " x{variable}"))?;
    out.write_str("End\n")
}

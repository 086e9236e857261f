//! The problem as pseudo-Boolean constraints: the OPB format of pseudo-Boolean solvers, out only.
//!
//! The variables are those of [`cnf`](super::cnf), `x1`, `x2`, and so on; each item is a constraint on how many of its options are
//! chosen, so that bounds are no trouble. Where options have costs, their sum is to be as small as possible.

use core::fmt;

use super::cnf::Variables;
use super::linear::{Constraint, constraints, objective};
use crate::Problem;

/// Writes the constraints. Comments say which option each variable stands for, where options are counted from 0.
///
/// # Errors
/// The writer failed.
///
/// ```
/// use dlx_core::format::{knuth, opb};
///
/// let mut text = String::new();
/// opb::write(&knuth::parse(b"a 1:2|b\na b |7\nb\nb |2\n")?, &mut text)?;
/// assert_eq!(text, "\
/// * #variable= 3 #constraint= 3
/// * option 0 = x1: a b
/// * option 1 = x2: b
/// * option 2 = x3: b
/// min: +7 x1 +2 x3 ;
/// +1 x1 = 1 ;
/// +1 x1 +1 x2 +1 x3 >= 1 ;
/// -1 x1 -1 x2 -1 x3 >= -2 ;
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(problem: &Problem, out: &mut impl fmt::Write) -> fmt::Result {
    let variables = Variables::new(problem);
    let mut count = 0_u64;
    constraints(problem, &variables, |Constraint { variables, least, most }| {
        let both = least > 0 && least != most && variables.len() > most as usize;
        count += if both { 2 } else { 1 };
        Ok(())
    })?;
    let number = variables.iter(problem).count().max(1); // what cannot hold needs one as well
    writeln!(out, "* #variable= {number} #constraint= {count}")?;
    super::write_map(problem, &variables, "* ", "x", out)?;
    if problem.has_costs() {
        out.write_str("min:")?;
        objective(problem, &variables)
            .try_for_each(|(cost, variable)| write!(out, " {cost:+} x{variable}"))?;
        out.write_str(" ;\n")?;
    }
    constraints(problem, &variables, |Constraint { variables, least, most }| {
        let mut sum = |sign: &str, relation: &str, number: i64| {
            if variables.is_empty() {
                out.write_str("0 x1 ")?;
            }
            variables.iter().try_for_each(|variable| write!(out, "{sign}1 x{variable} "))?;
            writeln!(out, "{relation} {number} ;")
        };
        if least == most {
            return sum("+", "=", least.into());
        }
        if least > 0 {
            sum("+", ">=", least.into())?;
        }
        if variables.len() > most as usize { sum("-", ">=", -i64::from(most)) } else { Ok(()) }
    })
}

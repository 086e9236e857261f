//! `dlx check-proof`: is this a proof of how many solutions there are, or of the cheapest?

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use dlx_core::Problem;
use dlx_core::verify::proof::{Checker, Claim, ProofError, ProofErrorKind, Proved};

use super::check_inputs;
use crate::args::CheckProofArgs;
use crate::cover::read_problem;
use crate::input::reason;
use crate::outcome::{Exit, Failure, solutions};
use crate::output::Output;
use crate::report::Report;

/// Checks a proof while it is read.
pub(crate) fn proof(args: &CheckProofArgs, report: &mut Report) -> Result<Exit, Failure> {
    check_inputs(&args.problem, &args.proof)?;
    let (_, problem) = read_problem(&args.problem, report)?;
    let name = args.proof.display();
    let unreadable = |error| Failure::new(format_args!("{name}: cannot read: {}", reason(&error)));
    let input: Box<dyn BufRead> = match args.proof.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(&args.proof).map_err(unreadable)?)),
    };
    let mut output = Output::open(None)?;
    let exit = match replay(&problem, input).map_err(unreadable)? {
        Ok(proved) => {
            writeln!(output, "{}", verdict(&proved))?;
            Exit::Done
        }
        Err(error) if matches!(error.kind, ProofErrorKind::Form | ProofErrorKind::Foreign { .. }) => {
            return Err(Failure::new(format_args!("{name}: {error}")));
        }
        Err(error) => {
            writeln!(output, "rejected: {error}{}", name_of_item(&problem, &error.kind))?;
            Exit::Nothing
        }
    };
    output.finish()?;
    Ok(exit)
}

fn replay(problem: &Problem, mut input: impl BufRead) -> io::Result<Result<Proved, ProofError>> {
    let mut checker = Checker::new(problem);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Err(error) = checker.line(&line) {
            return Ok(Err(error));
        }
        line.clear();
    }
    Ok(checker.finish())
}

fn verdict(proved: &Proved) -> String {
    let claim = match proved.claim {
        Claim::Solutions(count) => solutions(count),
        Claim::Cheapest(cost) => format!("cheapest cost {cost}"),
    };
    let assumed: Vec<String> = proved.assumed.iter().map(ToString::to_string).collect();
    match &assumed[..] {
        [] => format!("{claim}, proved"),
        assumed => format!("{claim} with option {}, proved", assumed.join(" and ")),
    }
}

/// The name of the item that is told by its number.
fn name_of_item(problem: &Problem, kind: &ProofErrorKind) -> String {
    let item = kind.item().filter(|item| item.index() < problem.item_count());
    let name = item.and_then(|item| problem.item_name(item));
    name.map_or_else(String::new, |name| format!(" (its name is {name})"))
}

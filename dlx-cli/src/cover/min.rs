//! `dlx min`: the cheapest solutions.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use dlx_core::{Cheapest, OptionId, Outcome, Parallel, PricedCover, Problem, Solution, Statistics, proof};
use serde::Serialize;

use super::proving::ProofFile;
use super::{read_problem, write_options};
use crate::args::MinArgs;
use crate::file;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped, rate};
use crate::signals::Signals;

/// One solution in JSON. Costs are strings, as counts are.
#[derive(Serialize)]
struct CoverLine {
    options: Vec<usize>,
    cost: String,
}

/// The summary in JSON.
#[derive(Serialize)]
struct SummaryLine {
    count: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<String>, // of the cheapest
    lower_bound: Option<String>,
    optimal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
}

/// What there is to say in the end.
struct Found {
    count: u64,
    summary: String,
    line: SummaryLine,
    outcome: Outcome,
    statistics: Statistics,
}

/// Prints the cheapest solution, several, or all up to a cost.
pub(crate) fn min(args: &MinArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let started = Instant::now();
    file::distinct(
        2,
        &[
            ("--output", args.results.output.as_deref()),
            ("--proof", args.proof.as_deref()),
            ("the problem", Some(&args.problem.file)),
        ],
    )?;
    let (_, problem) = read_problem(&args.problem.file, report)?;
    let mut output = Output::open(args.results.output.as_deref())?;
    let proof = args.proof.as_deref().map(|path| ProofFile::create(path, args.threads())).transpose()?;
    let (limits, token) = (args.limits.limits(), signals.search());
    let mut search = problem.parallel(args.threads()).limit(limits).cancel(&token);
    let begun = Instant::now();
    let mut proved = Outcome::Exhausted;
    let found = match (&proof, args.at_most) {
        (Some(file), _) => {
            let (best, outcome) = proof::min_cost(&problem, limits, Some(&token), file.sink(&token));
            file.finish()?;
            proved = outcome;
            cheapest(args, &problem, best.into(), &mut output)?
        }
        (None, Some(most)) => at_most(args, &problem, &mut search, most, &mut output)?,
        (None, None) => cheapest(args, &problem, search.cheapest(args.k as usize), &mut output)?,
    };
    let searching = begun.elapsed();
    if args.json && !args.results.quiet {
        output.json(&found.line)?;
    }
    output.finish()?; // the summary stands below the solutions
    if let Some(file) = proof.filter(|_| !proved.is_exhausted()) {
        file.say_incomplete("is incomplete", report);
    }
    if !args.json && !args.results.quiet {
        report.line(&found.summary);
    }
    if args.results.stats {
        statistics(report, found.statistics, begun - started, searching);
    }
    let outcome = if found.outcome.is_exhausted() { proved } else { found.outcome };
    let nothing = found.count == 0 && outcome.is_exhausted();
    Ok(if nothing { Exit::Nothing } else { outcome::exit_of(outcome, signals.received()) })
}

/// Prints the solutions that were found to be the cheapest.
fn cheapest(
    args: &MinArgs,
    problem: &Problem,
    found: Cheapest,
    output: &mut Output,
) -> Result<Found, Failure> {
    for PricedCover { options, cost } in &found.covers {
        print(args, problem, options, *cost, output)?;
    }
    let text = |cost: i128| cost.to_string();
    Ok(Found {
        count: found.covers.len() as u64,
        summary: summary(args, &found),
        line: SummaryLine {
            count: found.covers.len().to_string(),
            cost: found.covers.first().map(|cover| text(cover.cost)),
            lower_bound: found.lower_bound.map(text),
            optimal: found.outcome.is_exhausted(),
            stopped: outcome::stop_name(found.outcome),
        },
        outcome: found.outcome,
        statistics: found.statistics,
    })
}

/// `cost 9 (optimal)`, and what else there may be to say.
fn summary(args: &MinArgs, found: &Cheapest) -> String {
    let costs = match &found.covers[..] {
        [] if found.outcome.is_exhausted() => return "0 solutions (complete)".to_owned(),
        [] => "no solution found".to_owned(),
        [only] if args.k == 1 && found.outcome.is_exhausted() => format!("cost {}", only.cost),
        [only] if args.k == 1 => format!("best cost {}", only.cost),
        [only] => format!("1 solution, cost {}", only.cost),
        [first, .., last] => {
            format!("{} solutions, costs {} to {}", found.covers.len(), first.cost, last.cost)
        }
    };
    let reason = match found.outcome {
        Outcome::Exhausted if found.lower_bound.is_none() => return format!("{costs} (all there are)"),
        Outcome::Exhausted => return format!("{costs} (optimal)"),
        Outcome::Stopped(reason) => outcome::stop_words(reason),
    };
    let bound = found.lower_bound.map_or(String::new(), |bound| format!(", lower bound {bound}"));
    let gap = match (&found.covers[..], found.lower_bound) {
        ([best], Some(bound)) if args.k == 1 && best.cost != 0 => {
            let parts = (best.cost - bound) as f64 / best.cost.abs() as f64;
            format!(", gap {:.2} %", 100.0 * parts)
        }
        _ => String::new(),
    };
    format!("{costs}{bound}{gap} ({reason})")
}

/// Prints the solutions up to a cost as they are found.
fn at_most(
    args: &MinArgs,
    problem: &Problem,
    search: &mut Parallel,
    most: i128,
    output: &mut Output,
) -> Result<Found, Failure> {
    let (mut count, mut cheapest, mut failure) = (0, None, None);
    let (outcome, statistics) = search.at_most(most, |solution: Solution<'_>, cost| {
        count += 1;
        cheapest = Some(cheapest.map_or(cost, |before: i128| before.min(cost)));
        let printed = print(args, problem, &solution.sorted(), cost, output);
        match printed.and_then(|()| output.pass_on()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let summary =
        outcome::summary_of(format_args!("{} of cost at most {most}", outcome::solutions(count)), outcome);
    let optimal = outcome.is_exhausted();
    let line = SummaryLine {
        count: count.to_string(),
        cost: cheapest.map(|cost| cost.to_string()),
        lower_bound: cheapest.filter(|_| optimal).map(|cost| cost.to_string()),
        optimal,
        stopped: outcome::stop_name(outcome),
    };
    Ok(Found { count, summary, line, outcome, statistics })
}

/// Prints a solution, its options in ascending order.
fn print(
    args: &MinArgs,
    problem: &Problem,
    options: &[OptionId],
    cost: i128,
    output: &mut Output,
) -> Result<(), Failure> {
    if args.json {
        let options = options.iter().map(|option| option.index()).collect();
        return output.json(&CoverLine { options, cost: cost.to_string() });
    }
    if args.results.quiet {
        writeln!(output, "{cost}")?;
    }
    let mut text = Vec::new();
    write_options(problem, false, options, &mut text);
    output.bytes(&text)
}

fn statistics(report: &mut Report, done: Statistics, reading: Duration, searching: Duration) {
    for (what, figure) in [
        ("nodes", grouped(done.nodes)),
        ("updates", grouped(done.updates)),
        ("deepest", grouped(done.depth as u64)),
        ("reading", format!("{:.3} s", reading.as_secs_f64())),
        ("searching", format!("{:.3} s, {} nodes/s", searching.as_secs_f64(), rate(done.nodes, searching))),
    ] {
        report.line(format_args!("{what:<10}{figure}"));
    }
}

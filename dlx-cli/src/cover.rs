//! `dlx solve` and `dlx count`: exact cover problems in Knuth's text format.

use std::time::{Duration, Instant};

use dlx_core::format::knuth;
use dlx_core::{ItemId, OptionId, Outcome, Problem, Solver, Statistics, Step, StopReason};
use serde::Serialize;

use crate::args::CoverArgs;
use crate::input::Input;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped, rate};
use crate::signals::Signals;

/// Nodes between two looks at the progress line: some milliseconds of work.
const SLICE: u64 = 50_000;

/// One solution in JSON.
#[derive(Serialize)]
struct SolutionLine {
    options: Vec<usize>,
}

/// The summary in JSON. Counts are strings, for they may be larger than what a reader's numbers hold.
#[derive(Serialize)]
struct SummaryLine {
    count: String,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
}

/// Prints the solutions.
pub(crate) fn solve(args: &CoverArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let (mut task, mut solver) = Task::begin(args, signals, report)?;
    let mut options = Vec::new();
    let outcome = loop {
        match solver.step(SLICE) {
            Step::Solution(solution) => {
                options.clear();
                options.extend_from_slice(solution.options());
                options.sort_unstable();
                task.print_solution(&options)?;
                task.pause(solver.statistics())?;
            }
            Step::Paused => task.pause(solver.statistics())?,
            Step::Done(outcome) => break outcome,
        }
    };
    let found = solver.statistics().solutions;
    match (args.json, args.results.quiet) {
        (_, true) => {}
        (true, false) => task.output.json(&SummaryLine::new(found, outcome))?,
        (false, false) => {
            task.output.finish()?; // the summary stands below the solutions
            task.report.line(outcome::summary(found, outcome));
        }
    }
    task.end(outcome, solver.statistics())?;
    let nothing = found == 0 && outcome.is_exhausted();
    Ok(if nothing { Exit::Nothing } else { outcome::exit_of(outcome, signals.received()) })
}

/// Prints how many solutions there are.
pub(crate) fn count(args: &CoverArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let (mut task, mut solver) = Task::begin(args, signals, report)?;
    // Counting in one go is faster than taking solution after solution, so the slices are made by the
    // limit on nodes.
    let asked = args.effort.nodes;
    let outcome = loop {
        let next = solver.statistics().nodes.saturating_add(SLICE);
        let goal = asked.map_or(next, |nodes| nodes.min(next));
        solver = solver.limit(args.effort.limits().nodes(goal));
        match solver.count().outcome {
            Outcome::Stopped(StopReason::Nodes) if asked != Some(goal) => task.pause(solver.statistics())?,
            outcome => break outcome,
        }
    };
    let found = solver.statistics().solutions;
    task.report.erase();
    match (args.json, args.results.quiet) {
        (true, _) => task.output.json(&SummaryLine::new(found, outcome))?,
        (false, true) => writeln!(task.output, "{found}")?,
        (false, false) => writeln!(task.output, "{}", outcome::summary(found, outcome))?,
    }
    task.end(outcome, solver.statistics())?;
    Ok(outcome::exit_of(outcome, signals.received()))
}

impl SummaryLine {
    fn new(count: u64, outcome: Outcome) -> Self {
        Self {
            count: count.to_string(),
            complete: outcome.is_exhausted(),
            stopped: outcome::stop_name(outcome),
        }
    }
}

/// A search under way, with all that it reports to.
struct Task<'a> {
    args: &'a CoverArgs,
    name: String,
    problem: Problem,
    output: Output,
    report: &'a mut Report,
    reading: Duration,
    begun: Instant,
}

impl<'a> Task<'a> {
    /// Reads the problem and opens the output: what can fail fails before the search.
    fn begin(
        args: &'a CoverArgs,
        signals: &Signals,
        report: &'a mut Report,
    ) -> Result<(Self, Solver), Failure> {
        let started = Instant::now();
        let Input { name, bytes } = Input::read(&args.file, report)?;
        let problem = knuth::parse(&bytes).map_err(|error| Failure::new(format_args!("{name}:{error}")))?;
        let output = Output::open(args.results.output.as_deref())?;
        let solver = problem.solver().limit(args.effort.limits()).cancel(&signals.search());
        let begun = Instant::now();
        Ok((Self { args, name, problem, output, report, reading: begun - started, begun }, solver))
    }

    /// Prints a solution: its options in ascending order, or their ids in JSON.
    fn print_solution(&mut self, options: &[OptionId]) -> Result<(), Failure> {
        if self.output.is_terminal() {
            self.report.erase();
        }
        if self.args.json {
            self.output
                .json(&SolutionLine { options: options.iter().map(|option| option.index()).collect() })?;
        } else {
            for &option in options {
                writeln!(self.output, "{}", self.problem.option(option))?;
            }
            self.output.bytes(b"\n")?;
        }
        Ok(())
    }

    /// Between two steps: hands on the solutions found so far and shows the progress, both if it is time.
    fn pause(&mut self, now: Statistics) -> Result<(), Failure> {
        self.output.pass_on()?;
        self.report.progress(|elapsed| {
            let (solutions, nodes) = (grouped(now.solutions), grouped(now.nodes));
            format!(
                "{solutions} solutions, {nodes} nodes, {}/s, {} s",
                rate(now.nodes, elapsed),
                elapsed.as_secs()
            )
        });
        Ok(())
    }

    /// Hands on the rest and adds what was asked for on standard error.
    fn end(&mut self, outcome: Outcome, done: Statistics) -> Result<(), Failure> {
        self.output.finish()?;
        self.report.erase();
        let searching = self.begun.elapsed();
        if done.solutions == 0 && outcome.is_exhausted() && !self.args.results.quiet {
            self.explain_nothing();
        }
        if self.args.results.stats {
            for (what, figure) in [
                ("nodes", grouped(done.nodes)),
                ("forced", grouped(done.forced)),
                ("updates", grouped(done.updates)),
                ("deepest", grouped(done.depth as u64)),
                ("solutions", grouped(done.solutions)),
                ("reading", format!("{:.3} s", self.reading.as_secs_f64())),
                (
                    "searching",
                    format!("{:.3} s, {} nodes/s", searching.as_secs_f64(), rate(done.nodes, searching)),
                ),
            ] {
                self.report.line(format_args!("{what:<10}{figure}"));
            }
        }
        Ok(())
    }

    /// Names the items that no option contains: the usual slip when a problem has no solution at all.
    fn explain_nothing(&mut self) {
        let mut covered = vec![false; self.problem.item_count()];
        for option in self.problem.options() {
            for entry in self.problem.option(option).entries() {
                covered[entry.item.index()] = true;
            }
        }
        let bare = |&item: &ItemId| self.problem.is_primary(item) && !covered[item.index()];
        let bare: Vec<_> = self.problem.items().filter(bare).collect();
        let Some(first) = bare.first().and_then(|&item| self.problem.item_name(item)) else { return };
        let subject = match bare.len() - 1 {
            0 => format!("item {first} is"),
            1 => format!("item {first} and 1 other are"),
            n => format!("item {first} and {n} others are"),
        };
        self.report.message(format_args!("{}: {subject} in no option", self.name));
    }
}

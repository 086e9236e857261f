//! `dlx sample` and `dlx zdd`: what is asked of the decision diagram of all solutions.

use std::time::{Duration, Instant};

use dlx_core::{BigUint, CancelToken, Outcome, Problem, Zdd, ZddError};

use super::{read_problem, write_options};
use crate::args::{DiagramArgs, SampleArgs, ZddArgs};
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped};
use crate::seed;
use crate::signals::Signals;

/// Prints solutions drawn at random.
pub(crate) fn sample(args: &SampleArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let mut task = Task::begin(&args.diagram, signals, report)?;
    let seed = seed::given_or_chosen(args.seed, args.diagram.results.quiet, task.report);
    let zdd = match task.build() {
        Ok(zdd) => zdd,
        Err(error) => return task.refuse(error),
    };
    let mut sampler = match zdd.sampler(seed) {
        Ok(sampler) => sampler,
        Err(error) => return task.refuse(error),
    };
    let (mut drawn, mut text) = (0, Vec::new());
    while drawn < args.count && !task.token.is_cancelled() {
        let Some(solution) = sampler.next() else { break };
        text.clear();
        write_options(&task.problem, args.json, &solution, &mut text);
        task.output.bytes(&text)?;
        drawn += 1;
        task.output.pass_on()?;
        task.report.progress(|elapsed| format!("{} samples, {} s", grouped(drawn), elapsed.as_secs()));
    }
    let count = zdd.count();
    task.end(&zdd, &count, format_args!("{drawn} of {}", outcome::solutions(&count)))?;
    Ok(match task.signals.received() {
        Some(number) if drawn < args.count => Exit::Signal(number),
        _ if zdd.is_empty() => Exit::Nothing,
        _ => Exit::Done,
    })
}

/// Prints the diagram, or how many solutions contain each option.
pub(crate) fn zdd(args: &ZddArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let mut task = Task::begin(&args.diagram, signals, report)?;
    let zdd = match task.build() {
        Ok(zdd) => zdd,
        Err(error) => return task.refuse(error),
    };
    if args.counts {
        let counts = match zdd.counts_by_option() {
            Ok(counts) => counts,
            Err(error) => return task.refuse(error),
        };
        for (option, count) in task.problem.options().zip(counts) {
            writeln!(task.output, "{count} {}", task.problem.option(option))?;
        }
    } else {
        write!(task.output, "{zdd}")?;
    }
    let (nodes, count) = (zdd.node_count(), zdd.count());
    let noun = if nodes == 1 { "node" } else { "nodes" };
    task.end(&zdd, &count, format_args!("{nodes} {noun}, {}", outcome::solutions(&count)))?;
    Ok(Exit::Done)
}

/// A diagram in the making, with all that is reported about it.
struct Task<'a> {
    args: &'a DiagramArgs,
    name: String,
    problem: Problem,
    output: Output,
    signals: &'a Signals,
    report: &'a mut Report,
    token: CancelToken,
    reading: Duration,
    building: Duration,
}

impl<'a> Task<'a> {
    /// Reads the problem and opens the output: what can fail fails before the work.
    fn begin(args: &'a DiagramArgs, signals: &'a Signals, report: &'a mut Report) -> Result<Self, Failure> {
        let started = Instant::now();
        let (name, problem) = read_problem(&args.problem.file, report)?;
        let output = Output::open(args.results.output.as_deref())?;
        let (token, reading) = (signals.search(), started.elapsed());
        Ok(Self { args, name, problem, output, signals, report, token, reading, building: Duration::ZERO })
    }

    fn build(&mut self) -> Result<Zdd, ZddError> {
        let begun = Instant::now();
        let zdd = self.problem.solver().limit(self.args.limits()).cancel(&self.token).zdd();
        self.building = begun.elapsed();
        zdd
    }

    /// Says why there is no answer.
    fn refuse(self, error: ZddError) -> Result<Exit, Failure> {
        let reason = match error {
            ZddError::Stopped(reason) => reason,
            ZddError::Memory { .. } => {
                self.report.message(format_args!("{}: {error}; --memory allows more", self.name));
                return Ok(Exit::Stopped);
            }
            error => return Err(Failure::new(format_args!("{}: {error}", self.name))),
        };
        let words = outcome::stop_words(reason);
        self.report.message(format_args!("{}: no decision diagram yet ({words})", self.name));
        Ok(outcome::exit_of(Outcome::Stopped(reason), self.signals.received()))
    }

    /// Hands on the rest, and says on standard error what it was.
    fn end(&mut self, zdd: &Zdd, count: &BigUint, summary: impl std::fmt::Display) -> Result<(), Failure> {
        self.output.finish()?;
        if !self.args.results.quiet {
            self.report.line(summary);
        }
        if self.args.results.stats {
            for (what, figure) in [
                ("nodes", grouped(zdd.node_count() as u64)),
                ("solutions", count.to_string()),
                ("reading", format!("{:.3} s", self.reading.as_secs_f64())),
                ("building", format!("{:.3} s", self.building.as_secs_f64())),
            ] {
                self.report.line(format_args!("{what:<10}{figure}"));
            }
        }
        Ok(())
    }
}

//! `dlx solve`, `dlx count`, `dlx min`, `dlx split`, `dlx reduce`, `dlx sample` and `dlx zdd`: exact cover problems in Knuth's
//! text format, or that of the OR-Library.

mod diagram;
mod keeping;
mod min;
mod progress;
mod proving;
mod reduce;
mod split;
mod together;

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use dlx_core::format;
use dlx_core::{
    CancelToken, Checkpoint, ItemId, Limits, OptionId, Outcome, OwnedSolution, Problem, Sharp, Shuffled,
    Solution, Solver, Statistics, Step, Weights,
};
use serde::Serialize;

pub(crate) use self::diagram::{sample, zdd};
pub(crate) use self::min::min;
pub(crate) use self::reduce::reduce;
pub(crate) use self::split::split;
use crate::args::{Branch, CountArgs, CoverArgs, SolveArgs};
use crate::file;
use crate::input::Input;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped, rate};
use crate::signals::Signals;
use keeping::{Form, Keeping};
use progress::Progress;
use proving::Proving;

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

/// What a search came to.
struct Found {
    outcome: Outcome,
    count: String, // the solutions within the limits
    statistics: Statistics,
}

/// Prints the solutions.
pub(crate) fn solve(args: &SolveArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let SolveArgs { cover: args, seed, restarts } = args;
    let form = if args.json { Form::Json } else { Form::Text };
    let limits = args.effort.limits();
    let mut task = Task::begin(args, form, limits, seed.filter(|_| !restarts), signals, report)?;
    let found = match (args.effort.threads(), seed) {
        (_, Some(seed)) if *restarts => task.restart(*seed)?,
        (1, _) => task.solve_alone()?,
        (threads, _) => together::solve(&mut task, threads)?,
    };
    match (args.json, args.results.quiet) {
        (_, true) => {}
        (true, false) => task.output.json(&SummaryLine::new(&found))?,
        (false, false) => {
            task.output.finish()?; // the summary stands below the solutions
            task.report.line(found.summary());
        }
    }
    let exit = outcome::exit_of(found.outcome, signals.received());
    Ok(if task.end(&found)? { Exit::Nothing } else { exit })
}

/// Prints how many solutions there are.
pub(crate) fn count(args: &CountArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let limits = args.limits();
    let args = &args.cover;
    let mut task = Task::begin(args, Form::Count, limits, None, signals, report)?;
    let found = match args.effort.threads() {
        1 => task.count_alone()?,
        threads => together::count(&mut task, threads)?,
    };
    task.report.erase();
    match (args.json, args.results.quiet) {
        (true, _) => task.output.json(&SummaryLine::new(&found))?,
        (false, true) => writeln!(task.output, "{}", found.count)?,
        (false, false) => writeln!(task.output, "{}", found.summary())?,
    }
    task.end(&found)?;
    Ok(outcome::exit_of(found.outcome, signals.received()))
}

impl Found {
    fn alone(outcome: Outcome, solver: &Solver) -> Self {
        let statistics = solver.statistics();
        Self { outcome, count: statistics.solutions.to_string(), statistics }
    }

    fn summary(&self) -> String {
        outcome::summary(&self.count, self.outcome)
    }
}

impl SummaryLine {
    fn new(found: &Found) -> Self {
        Self {
            count: found.count.clone(),
            complete: found.outcome.is_exhausted(),
            stopped: outcome::stop_name(found.outcome),
        }
    }
}

/// A search under way, with all that it reports to.
struct Task<'a> {
    args: &'a CoverArgs,
    limits: Limits,
    name: String,
    problem: Problem, // as it is searched
    printer: Printer,
    output: Output,
    report: &'a mut Report,
    token: CancelToken,
    start: Option<Checkpoint>, // where to begin, if not with everything
    keeping: Option<Keeping>,
    proving: Option<Proving>,
    past: Progress, // what was done before
    reading: Duration,
    begun: Instant,
}

/// Refuses to write one file twice, or over the problem. A checkpoint to resume is read before anything takes its place.
fn check_files(args: &CoverArgs) -> Result<(), Failure> {
    let (checkpoint, resume) = (args.keeping.checkpoint(), args.keeping.resume.as_deref());
    let files = [
        ("--output", args.results.output.as_deref()),
        ("--checkpoint", checkpoint.filter(|path| Some(*path) != resume)),
        ("--proof", args.proof.proof.as_deref()),
        ("--resume", resume.filter(|path| Some(*path) == checkpoint)),
        ("--part", args.keeping.part.as_deref()),
        ("the problem", Some(&args.problem.file)),
    ];
    file::distinct(3, &files)
}

impl<'a> Task<'a> {
    /// Reads the problem and opens the output: what can fail fails before the search.
    fn begin(
        args: &'a CoverArgs,
        form: Form,
        limits: Limits,
        seed: Option<u64>,
        signals: &Signals,
        report: &'a mut Report,
    ) -> Result<Self, Failure> {
        let started = Instant::now();
        args.effort.check_branch().map_err(Failure::new)?;
        check_files(args)?;
        let (name, original) = read_problem(&args.problem.file, report)?;
        let order = seed.map(|seed| original.shuffle(seed));
        let problem = order.as_ref().map_or(&original, Shuffled::problem).clone();
        let printer = Printer { original, order, json: args.json };
        let (start, keeping, output) = keeping::begin(args, form, &problem)?;
        let past = start.as_ref().map(Progress::from).unwrap_or_default();
        let proving = Proving::begin(args, &name, &problem)?;
        let token = signals.search();
        let begun = Instant::now();
        let reading = begun - started;
        let mut task = Self {
            args,
            limits,
            name,
            problem,
            printer,
            output,
            report,
            token,
            start,
            keeping,
            proving,
            past,
            reading,
            begun,
        };
        if let Some(start) = task.start.clone() {
            task.keep(start)?;
        }
        Ok(task)
    }

    /// A solver for this thread.
    fn solver(&self) -> Result<Solver, Failure> {
        let solver = match &self.proving {
            Some(proving) => {
                let solver = proving.solver(&self.problem, &self.token)?;
                solver.limit(proving.limits(self.limits))
            }
            None => self.problem.solver_on(self.args.effort.engine).limit(self.limits),
        };
        let solver = solver.cancel(&self.token);
        let solver = match self.args.effort.branch {
            Branch::Mrv => solver,
            Branch::Sharp => solver.branch_by(Sharp::by_name(&self.problem)),
            Branch::Weights => solver.branch_by(Weights::new(&self.problem)),
        };
        match &self.start {
            Some(start) => solver.resume(start).map_err(Failure::new),
            None => Ok(solver),
        }
    }

    /// Writes a checkpoint, if any is wanted.
    fn keep(&mut self, checkpoint: Checkpoint) -> Result<(), Failure> {
        match &mut self.keeping {
            Some(keeping) => keeping.write(checkpoint, &mut self.output),
            None => Ok(()),
        }
    }

    fn solve_alone(&mut self) -> Result<Found, Failure> {
        let mut solver = self.solver()?;
        let mut text = Vec::new();
        loop {
            match solver.step(SLICE) {
                Step::Solution(solution) => {
                    self.proving.as_ref().map_or(Ok(()), Proving::admit_solution)?;
                    text.clear();
                    self.printer.write(solution, &mut text);
                    self.print(&text)?;
                    self.pause(&solver)?;
                }
                Step::Paused => self.pause(&solver)?,
                Step::Done(outcome) => {
                    self.end_alone(&solver, outcome)?;
                    return Ok(Found::alone(outcome, &solver));
                }
            }
        }
    }

    /// Searches for one solution, in another order each time.
    fn restart(&mut self, seed: u64) -> Result<Found, Failure> {
        let mut restarts = self.problem.restarts(seed).limit(self.limits).cancel(&self.token);
        if let Some(solution) = restarts.first_solution() {
            let mut text = Vec::new();
            self.printer.write_sorted(&solution, &mut text);
            self.print(&text)?;
        }
        let statistics = restarts.statistics();
        Ok(Found { outcome: restarts.outcome(), count: statistics.solutions.to_string(), statistics })
    }

    fn count_alone(&mut self) -> Result<Found, Failure> {
        let mut solver = self.solver()?;
        loop {
            match solver.count_step(SLICE) {
                None => self.pause(&solver)?,
                Some(count) => {
                    self.end_alone(&solver, count.outcome)?;
                    let count_text = count.value.to_string();
                    return Ok(Found { count: count_text, ..Found::alone(count.outcome, &solver) });
                }
            }
        }
    }

    /// Prints what has been written of a solution.
    fn print(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.output.is_terminal() {
            self.report.erase();
        }
        self.output.bytes(text)
    }

    /// Between two steps: hands on the solutions found so far, shows the progress and writes a checkpoint, each if it is time.
    fn pause(&mut self, solver: &Solver) -> Result<(), Failure> {
        self.output.pass_on()?;
        let past = self.past;
        self.report.progress(|elapsed| Progress::from(solver).line(past, elapsed));
        if self.keeping.as_ref().is_some_and(Keeping::is_due) {
            self.keep(solver.checkpoint())?;
        }
        Ok(())
    }

    /// Writes the checkpoint and the rest of the proof of a search that is over or stopped.
    fn end_alone(&mut self, solver: &Solver, outcome: Outcome) -> Result<(), Failure> {
        if self.keeping.is_some() {
            self.keep(solver.checkpoint())?;
        }
        match &self.proving {
            Some(proving) => proving.end(outcome, solver.statistics().solutions, self.report),
            None => Ok(()),
        }
    }

    /// Hands on the rest and adds what was asked for on standard error. Whether it is proved that there is no solution.
    fn end(&mut self, found: &Found) -> Result<bool, Failure> {
        self.output.finish()?;
        self.report.erase();
        let searching = self.begun.elapsed();
        let done = found.statistics;
        let nothing = done.solutions == 0 && found.outcome.is_exhausted();
        if nothing && !self.args.results.quiet {
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
                    format!(
                        "{:.3} s, {} nodes/s",
                        searching.as_secs_f64(),
                        rate(done.nodes - self.past.nodes, searching)
                    ),
                ),
            ] {
                self.report.line(format_args!("{what:<10}{figure}"));
            }
        }
        Ok(nothing)
    }

    /// Names the items that no option contains: the usual slip when a problem has no solution at all.
    fn explain_nothing(&mut self) {
        let mut covered = vec![false; self.problem.item_count()];
        for option in self.problem.options() {
            for entry in self.problem.option(option).entries() {
                covered[entry.item.index()] = true;
            }
        }
        let must_be = |item| self.problem.bounds(item).is_some_and(|bounds| !bounds.contains(&0));
        let bare = |&item: &ItemId| must_be(item) && !covered[item.index()];
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

/// Reads the problem; how messages call it.
pub(crate) fn read_problem(path: &Path, report: &mut Report) -> Result<(String, Problem), Failure> {
    let Input { name, bytes } = Input::read(path, report)?;
    let problem = format::parse(&bytes).map_err(|error| Failure::new(format_args!("{name}:{error}")))?;
    Ok((name, problem))
}

/// Writes a solution: its options in ascending order, or their ids in JSON.
fn write_options(problem: &Problem, json: bool, options: &[OptionId], text: &mut Vec<u8>) {
    // A vector takes whatever is written to it.
    if json {
        let line = SolutionLine { options: options.iter().map(|option| option.index()).collect() };
        let _ = serde_json::to_writer(&mut *text, &line);
    } else {
        for &option in options {
            let _ = writeln!(text, "{}", problem.option(option));
        }
    }
    text.push(b'\n');
}

/// Writes solutions in terms of the problem that was read.
#[derive(Clone)]
struct Printer {
    original: Problem,
    order: Option<Shuffled>, // if that is what is searched
    json: bool,
}

impl Printer {
    /// Writes a solution of the problem that is searched.
    fn write(&self, solution: Solution<'_>, text: &mut Vec<u8>) {
        let options = match &self.order {
            Some(order) => order.restore(solution.options()),
            None => solution.sorted(),
        };
        self.write_sorted(&options, text);
    }

    /// Writes a solution of the problem that was read.
    fn write_sorted(&self, options: &OwnedSolution, text: &mut Vec<u8>) {
        write_options(&self.original, self.json, options, text);
    }
}

//! The three engines behind one small trait, and what stops them.

mod backtrack;
mod cover;
mod iterative;

use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;
use core::time::Duration;
use std::time::Instant;

use dlx_core::{CancelToken, Limits, Outcome, StopReason};

use crate::puzzle::Task;
use crate::{Geometry, Grid};

/// How a puzzle is solved. All engines find the same solutions, in orders of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// As an exact cover problem, by Dancing Links.
    #[default]
    Dlx,
    /// The plain baseline: recursive, the first empty cell in reading order, each digit that is not in the cell's row,
    /// column or box.
    Backtrack,
    /// The other plain baseline: the same search with a stack of its own, and tables of each cell's peers.
    Iterative,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Dlx, Self::Backtrack, Self::Iterative];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dlx => "dlx",
            Self::Backtrack => "backtrack",
            Self::Iterative => "iterative",
        }
    }

    /// The engine, with its tables for a geometry.
    pub(crate) fn search(self, geometry: Geometry, budget: &Budget) -> Box<dyn Search + Send> {
        match self {
            Self::Dlx => Box::new(cover::Cover::new(geometry, budget)),
            Self::Backtrack => Box::new(backtrack::Backtrack::new(geometry, budget)),
            Self::Iterative => Box::new(iterative::Iterative::new(geometry, budget)),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown engine, expected one of")?;
        Engine::ALL.iter().try_for_each(|engine| write!(f, " {engine}"))
    }
}

impl core::error::Error for UnknownEngine {}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        Self::ALL.into_iter().find(|engine| engine.name() == text).ok_or(UnknownEngine)
    }
}

/// How much work a puzzle may take. The default is no limit at all.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// At most so many nodes for each puzzle.
    pub nodes: Option<u64>,
    /// At most so much time for each puzzle.
    pub time: Option<Duration>,
    /// Stops the puzzle in hand when it is raised, and the following ones at their root.
    pub cancel: Option<CancelToken>,
}

impl Budget {
    /// The same as limits of the exact cover solver.
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.nodes.map_or(Limits::none(), |nodes| Limits::none().nodes(nodes));
        self.time.map_or(limits, |time| limits.time(time))
    }
}

/// What the search for a puzzle's solutions took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the search tree: the root, and every digit that was put into a cell.
    pub nodes: u64,
    /// The nodes that were a choice among several digits or places; with none the puzzle was solved by forced moves
    /// alone. The baselines do not know which moves are forced: for them every node but the root is a guess.
    pub guesses: u64,
    /// The solutions found.
    pub solutions: u64,
}

/// What is done with each solution; it ends the search by a break.
pub(crate) type Visit<'v> = dyn FnMut(&Grid) -> ControlFlow<()> + 'v;

/// An engine with its tables, which serves one puzzle after the other and allocates nothing for them.
pub(crate) trait Search {
    /// Visits all solutions of a puzzle without clashes, of this engine's geometry. A visitor that breaks the search
    /// off leaves it paused.
    fn run(&mut self, task: Task<'_>, visit: &mut Visit<'_>) -> Outcome;

    /// The same for at most so many solutions (at least one).
    fn run_up_to(&mut self, limit: Option<u64>, task: Task<'_>, visit: &mut Visit<'_>) -> Outcome {
        let mut left = limit;
        let outcome = self.run(task, &mut |solution| {
            left = left.map(|left| left - 1);
            visit(solution)?;
            if left == Some(0) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if left == Some(0) { Outcome::Stopped(StopReason::Solutions) } else { outcome }
    }

    /// The same, but only the figures count.
    fn count_up_to(&mut self, limit: Option<u64>, task: Task<'_>) -> Outcome {
        self.run_up_to(limit, task, &mut |_| ControlFlow::Continue(()))
    }

    /// The figures of the last run.
    fn statistics(&self) -> Statistics;
}

/// Counts the nodes of a baseline and says when to stop.
struct Meter {
    budget: Budget,
    deadline: Option<Instant>,
    statistics: Statistics,
}

impl Meter {
    /// Nodes between two looks at the clock.
    const SLICE: u64 = 4096;

    fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), deadline: None, statistics: Statistics::default() }
    }

    /// Begins a puzzle, whose root is the first node.
    fn start(&mut self) -> ControlFlow<StopReason> {
        self.statistics = Statistics::default();
        // A time too long to be added is no limit.
        self.deadline = self.budget.time.and_then(|time| Instant::now().checked_add(time));
        self.node()
    }

    /// Counts a node, unless the search has to stop before it.
    fn node(&mut self) -> ControlFlow<StopReason> {
        let nodes = self.statistics.nodes;
        if self.budget.nodes.is_some_and(|limit| nodes >= limit) {
            return ControlFlow::Break(StopReason::Nodes);
        }
        if nodes.is_multiple_of(Self::SLICE) {
            if self.budget.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
                return ControlFlow::Break(StopReason::Cancelled);
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return ControlFlow::Break(StopReason::Time);
            }
        }
        self.statistics.nodes += 1;
        self.statistics.guesses = nodes;
        ControlFlow::Continue(())
    }

    /// Hands a solution over.
    fn solution(&mut self, grid: &Grid, visit: &mut Visit<'_>) -> ControlFlow<StopReason> {
        self.statistics.solutions += 1;
        match visit(grid) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(StopReason::Paused),
        }
    }
}

/// How a search stands that ran to its end or was broken off.
fn outcome(flow: ControlFlow<StopReason>) -> Outcome {
    match flow {
        ControlFlow::Continue(()) => Outcome::Exhausted,
        ControlFlow::Break(reason) => Outcome::Stopped(reason),
    }
}

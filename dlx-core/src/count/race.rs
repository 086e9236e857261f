//! Whose turn it is: enumeration's or the sweep's. The solver asks, does it, and says what it took.

use alloc::boxed::Box;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::plan::Layout;
use super::residual::Residual;
use super::sweep::{Counts, Figures, Status, Sweep, sweep};
use super::{CountMethod, estimate, memory, order};
use crate::{Limits, OptionId, Problem};

/// Nanoseconds; all times here are.
type Time = f64;

/// How long a turn should take.
const TURN: Time = 5e5;
/// How long enumeration goes on by itself at first.
const HEAD_START: Time = 5e5;
/// How long it takes to set the sweep up, for each entry of the problem, and how much longer than that enumeration must be
/// expected to take.
const SET_UP: (Time, Time) = (150.0, 10.0);
/// How long each of two orders is tried, at most, and as a part of the time that enumeration is expected to take.
const TRIAL: (Time, Time) = (3e6, 1.0 / 48.0);
/// So many greedy orders are made at the most.
const ATTEMPTS: f64 = 64.0;
/// An order is not tried against another one that needs at the most so many states, and so many times fewer.
const CLEAR: (f64, f64) = (1e9, 8.0);
/// How far the sweep goes whatever it finds, and how far if it does not look hopeless, likewise.
const GAMBLE: (Time, Time) = (1.0 / 48.0, 1.0 / 16.0);
/// It looks hopeless where a smaller part of the states than this merges.
const MERGING: f64 = 1.0 / 16.0;
/// How much longer the sweep may take than what waits would, before the peak.
const GROWTH: Time = 6.0;
/// How many entries the random walks of the estimate look at.
const WALKS: usize = 1 << 18;
/// What is assumed where the clock is not read: the time of a node of enumeration and of a step of the sweep.
const ASSUMED: (Time, Time) = (150.0, 30.0);
/// Bytes that are always there: only beyond that, the default limit is looked up.
const LITTLE_MEMORY: usize = 64 << 20;

/// What to do next.
pub(crate) enum Turn {
    /// Enumerate so many nodes, and tell [`Race::enumerated`].
    Enumerate(u64),
    /// Call [`Race::sweep`].
    Sweep,
    /// Multiply: the factor and the numbers of solutions of these problems. The race is over.
    Split(BigUint, Vec<Problem>),
}

enum Stage {
    /// Enumeration's head start.
    HeadStart,
    /// Along which order?
    Trial,
    /// Enumeration against the sweep along the better order, if that has not retired.
    Final,
}

/// The race between enumeration and the sweep, on a problem with assumptions.
pub(crate) struct Race {
    problem: Problem,
    assumed: Vec<OptionId>,
    method: CountMethod,
    memory: Option<usize>, // bytes
    timed: bool,           // whether the clock may be read; otherwise the race is the same every time
    threads: Time,         // that would enumerate if that wins
    stage: Stage,
    residual: Residual,
    sweeps: Vec<(Box<dyn Sweep<Counts>>, Pace)>,
    enumeration: Pace,
    guesses: u64, // that enumeration has made
    tree: f64,    // and those that it is expected to need
    swept: u64,
}

impl Race {
    pub(crate) fn new(
        problem: &Problem,
        assumed: &[OptionId],
        method: CountMethod,
        limits: &Limits,
        threads: usize,
    ) -> Self {
        Self {
            problem: problem.clone(),
            assumed: assumed.to_vec(),
            method,
            memory: limits.memory,
            timed: limits.nodes.is_none(),
            threads: threads as Time,
            stage: Stage::HeadStart,
            residual: Residual::default(),
            sweeps: Vec::new(),
            enumeration: Pace::new(ASSUMED.0),
            guesses: 0,
            tree: 0.0,
            swept: 0,
        }
    }

    /// How many states were dealt with.
    pub(crate) fn swept(&self) -> u64 {
        self.swept
    }

    /// Whose turn it is.
    pub(crate) fn turn(&mut self) -> Turn {
        if matches!(self.stage, Stage::HeadStart) {
            if self.method == CountMethod::Auto && !self.is_long() {
                return self.enumerate();
            }
            if let Some(split) = self.set_up() {
                return split;
            }
        }
        if matches!(self.stage, Stage::Trial) {
            let trial = TRIAL.0.min(self.to_enumerate() * TRIAL.1);
            if self.sweeps.len() > 1 && self.sweeps.iter().any(|(_, pace)| pace.spent < trial) {
                return Turn::Sweep;
            }
            self.choose_order();
        }
        match self.sweeps.first() {
            Some((sweep, pace)) if self.is_ahead(&sweep.figures(), pace) => Turn::Sweep,
            _ => self.enumerate(),
        }
    }

    /// Whether enumeration has had its head start and still has so far to go that setting the sweep up does not matter.
    fn is_long(&mut self) -> bool {
        let set_up = SET_UP.0 * self.problem.entry_count() as Time;
        if self.enumeration.spent < HEAD_START.max(set_up) {
            return false;
        }
        if self.tree == 0.0 {
            self.residual = Residual::new(&self.problem, &self.assumed);
            self.tree = estimate::tree_size(&self.residual, WALKS);
        }
        self.to_enumerate() > set_up * SET_UP.1
    }

    /// How long enumeration is expected to take from here. Where the estimate is exceeded, another quarter.
    fn to_enumerate(&self) -> Time {
        match self.method {
            CountMethod::Memoize => Time::INFINITY,
            _ => {
                let enumerated = self.enumeration.spent;
                let whole = enumerated * self.tree / self.guesses.max(1) as f64;
                (whole - enumerated).max(enumerated / 4.0) / self.threads
            }
        }
    }

    fn enumerate(&self) -> Turn {
        Turn::Enumerate(self.enumeration.work_for(TURN))
    }

    /// Notes that so many nodes, with so many guesses, took that long.
    pub(crate) fn enumerated(&mut self, nodes: u64, guesses: u64, time: Option<u64>) {
        self.guesses += guesses;
        self.enumeration.note(nodes, time.filter(|_| self.timed));
    }

    /// Splits the problem, or begins to sweep.
    fn set_up(&mut self) -> Option<Turn> {
        if self.method != CountMethod::Auto {
            self.residual = Residual::new(&self.problem, &self.assumed);
        }
        let parts = self.residual.components();
        if parts.len() > 1 {
            let (single, several): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.primaries == 1);
            let factor = single.iter().map(|part| BigUint::from(part.option_count())).product();
            let problems: Option<Vec<_>> = several.iter().map(Residual::to_problem).collect();
            if let Some(problems) = problems {
                return Some(Turn::Split(factor, problems));
            }
        }
        let one = SET_UP.0 * self.problem.entry_count() as Time;
        let attempts = (self.to_enumerate() / (100.0 * one)).min(ATTEMPTS) as u32;
        let given: Vec<u32> = (0..self.residual.primaries as u32).collect();
        let greedy = order::frontier(&self.residual, attempts).filter(|greedy| *greedy != given);
        let orders = [Some(given), greedy];
        let mut layouts: Vec<_> =
            orders.iter().flatten().map(|order| Layout::new(&self.residual, order)).collect();
        layouts.sort_by(|a, b| a.size.total_cmp(&b.size));
        if let [better, worse] = &layouts[..]
            && better.size < CLEAR.0
            && better.size * CLEAR.1 < worse.size
        {
            layouts.truncate(1);
        }
        let sweeps = layouts.iter().filter_map(|layout| sweep(&self.residual, layout, Counts::new()));
        self.sweeps = sweeps.map(|sweep| (sweep, Pace::new(ASSUMED.1))).collect();
        self.stage = Stage::Trial;
        None
    }

    /// Keeps the order along which more states merge.
    fn choose_order(&mut self) {
        self.sweeps.sort_by(|(a, _), (b, _)| b.figures().merging().total_cmp(&a.figures().merging()));
        self.sweeps.truncate(1);
        self.residual = Residual::default();
        self.stage = Stage::Final;
    }

    /// Whether it is known that enumeration promises to be faster, or can still be done only.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.stage, Stage::Final)
            && self.sweeps.first().is_none_or(|(sweep, pace)| !self.promises(&sweep.figures(), pace))
    }

    /// Whether the sweep should go on rather than enumeration.
    fn is_ahead(&self, figures: &Figures, pace: &Pace) -> bool {
        // No estimate is trusted so far that enumeration does nothing.
        let trusted = pace.spent < TRIAL.0 + 8.0 * self.enumeration.spent;
        self.method == CountMethod::Memoize || (trusted && self.promises(figures, pace))
    }

    /// Whether the sweep promises to be faster, or may still turn out to be.
    fn promises(&self, figures: &Figures, pace: &Pace) -> bool {
        let to_enumerate = self.to_enumerate();
        // At least all that waits; before the peak, more will come.
        let waiting = pace.rate() * figures.to_do as Time;
        let growth = if figures.to_do * 4 > figures.peak * 3 { GROWTH } else { 1.5 };
        let gamble = if waiting < to_enumerate && figures.merging() > MERGING { GAMBLE.1 } else { GAMBLE.0 };
        waiting * growth < to_enumerate * 0.8 || pace.spent < to_enumerate * gamble
    }

    /// Looks how much memory there is or, if that is known, leaves all of it to one sweep, or to none.
    fn make_room(&mut self) {
        if self.memory.is_none() {
            self.memory = Some(memory::default_limit());
        } else if self.sweeps.len() > 1 {
            self.choose_order();
        } else {
            self.sweeps.clear();
        }
    }

    /// Sweeps for a turn, through at most so many states. The number of solutions, if that was the end.
    pub(crate) fn sweep(&mut self, most_states: u64, timer: impl Fn() -> Option<u64>) -> Option<BigUint> {
        let steps = self.sweeps.iter().map(|(_, pace)| pace.work_for(TURN)).min()?.min(most_states);
        let memory = self.memory.unwrap_or(LITTLE_MEMORY) / self.sweeps.len();
        let mut full = false;
        let mut left = most_states;
        let mut total = None;
        for (sweep, pace) in &mut self.sweeps {
            let (begun, before) = (timer(), sweep.figures());
            let status = sweep.run(steps.min(left), memory);
            let after = sweep.figures();
            let time = timer().zip(begun).map(|(end, begun)| end - begun);
            pace.note(after.steps - before.steps, time.filter(|_| self.timed));
            left -= after.states - before.states;
            match status {
                Status::Done => total = Some(sweep.kept().total()),
                Status::Full => full = true,
                Status::Paused => (),
            }
        }
        self.swept += most_states - left;
        if full {
            self.make_room();
        }
        total
    }
}

/// How fast something is going.
struct Pace {
    spent: Time,
    rates: [Time; 4], // of the last turns; the least of them counts: others may have been interrupted
    turn: usize,
}

impl Pace {
    fn new(assumed: Time) -> Self {
        Self { spent: 0.0, rates: [assumed; 4], turn: 0 }
    }

    fn rate(&self) -> Time {
        self.rates.iter().copied().fold(Time::INFINITY, Time::min)
    }

    /// How much can be done in that time; little as long as nothing is known.
    fn work_for(&self, time: Time) -> u64 {
        let most = if self.turn == 0 { 1 << 10 } else { 1 << 20 };
        ((time / self.rate()) as u64).clamp(64, most)
    }

    fn note(&mut self, work: u64, time: Option<u64>) {
        if work == 0 {
            return;
        }
        if let Some(time) = time {
            let rate = time as Time / work as Time;
            match self.turn {
                0 => self.rates = [rate; 4],
                turn => self.rates[turn % 4] = rate,
            }
        }
        self.turn += 1;
        self.spent += work as Time * self.rate();
    }
}

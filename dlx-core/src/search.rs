//! Algorithm X as a resumable state machine, generic over the engine. The only search loop there is: it stops when
//! its fuel (nodes) or its quota (solutions) is used up, and goes on from there when it is called again. Its stack is
//! on the heap, so that no problem is too deep.

use alloc::vec::Vec;

use crate::OptionId;
use crate::engine::{Engine, Selected, Tried};

/// What is counted on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the search tree, counted as in Knuth's DLX2: one for the root and one for each option tried,
    /// solutions and dead ends included.
    pub nodes: u64,
    /// How many of those nodes were no choice: the item had a single option left.
    pub forced: u64,
    /// Updates: entries that were removed from the list of an item.
    pub updates: u64,
    /// Solutions found.
    pub solutions: u64,
    /// The largest number of options in hand at one time, assumed ones included.
    pub depth: usize,
}

impl Statistics {
    /// Nodes that were a choice among several options.
    pub const fn guesses(&self) -> u64 {
        (self.nodes - self.forced).saturating_sub(1)
    }
}

/// Why [`Drive::run`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The quota of solutions is used up; the last one is in [`Drive::chosen`].
    Quota,
    /// The fuel is used up.
    Fuel,
    /// The whole tree has been searched.
    Exhausted,
}

/// A search whose engine is forgotten.
pub(crate) trait Drive: Send {
    /// Searches on, for at most `fuel` more nodes and until `quota` more solutions (at least one) are found.
    fn run(&mut self, fuel: u64, quota: u64) -> Event;
    /// The options in hand: after [`Event::Quota`], a solution.
    fn chosen(&self) -> &[OptionId];
    /// Adds an assumption to a search that has not begun; it must not clash with those before.
    fn assume(&mut self, option: OptionId);
    /// Back to the beginning, without assumptions.
    fn reset(&mut self);
    /// The figures so far.
    fn statistics(&self) -> Statistics;
}

/// Where the search stands between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// At the root, which is not counted yet.
    Start,
    /// In a branch: try the option in hand.
    Attempt,
    /// In a branch whose option in hand has been dealt with.
    Advance,
    /// A subtree is finished: back to its parent.
    Return,
    /// All is finished.
    Done,
}

struct Frame<B> {
    branch: B,
    chosen: usize, // how many options were in hand before the branch
}

/// A search with the engine `E`.
pub(crate) struct Search<E: Engine> {
    engine: E,
    stack: Vec<Frame<E::Branch>>, // one for each branching item
    chosen: Vec<OptionId>,
    assumed: usize, // how many of `chosen` are assumptions
    phase: Phase,
    forced: bool, // whether the branch on top has a single option
    statistics: Statistics,
    updates_before: u64, // the engine's count when the search was reset
}

impl<E: Engine> Search<E> {
    pub(crate) fn new(engine: E) -> Self {
        Self {
            engine,
            stack: Vec::new(),
            chosen: Vec::new(),
            assumed: 0,
            phase: Phase::Start,
            forced: false,
            statistics: Statistics::default(),
            updates_before: 0,
        }
    }

    /// Chooses an item and enters its branch.
    #[inline(always)]
    fn descend(&mut self) -> Descent {
        match self.engine.select() {
            Selected::Complete => Descent::Solution,
            Selected::Dead => Descent::Dead,
            Selected::Branch { branch, forced } => {
                self.stack.push(Frame { branch, chosen: self.chosen.len() });
                if let Some(frame) = self.stack.last_mut() {
                    self.engine.enter(&mut frame.branch);
                }
                self.forced = forced;
                Descent::Branch
            }
        }
    }

    /// Commits the option in hand.
    #[inline(always)]
    fn attempt(&mut self, option: OptionId) -> Tried {
        let Some(frame) = self.stack.last_mut() else {
            return Tried::Dead;
        };
        self.chosen.push(option);
        self.statistics.nodes += 1;
        self.statistics.forced += u64::from(self.forced);
        let tried = self.engine.attempt(&mut frame.branch, &mut self.chosen);
        self.statistics.depth = self.statistics.depth.max(self.chosen.len());
        tried
    }

    /// Goes on to the next option of the branch on top.
    #[inline(always)]
    fn advance(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            self.chosen.truncate(frame.chosen);
            self.engine.advance(&mut frame.branch);
        }
    }

    /// Takes the option in hand back, below which all is finished, and goes on to the next. False at the root.
    #[inline(always)]
    fn go_back(&mut self) -> bool {
        let Some(frame) = self.stack.last() else {
            self.phase = Phase::Done;
            return false;
        };
        self.engine.retract(&frame.branch);
        self.forced = false; // a second option, if any, was a choice
        self.advance();
        true
    }

    /// Counts a solution. True if the quota is used up.
    #[inline(always)]
    fn solved(&mut self, quota: &mut u64) -> bool {
        self.statistics.solutions += 1;
        *quota -= 1;
        *quota == 0
    }
}

/// What is found below an option that is committed.
enum Descent {
    Branch,
    Dead,
    Solution,
}

impl<E: Engine + Send> Drive for Search<E> {
    fn run(&mut self, mut fuel: u64, mut quota: u64) -> Event {
        let mut open = false; // the root, or an option that has just been committed: what is below?
        match self.phase {
            Phase::Start if fuel == 0 => return Event::Fuel,
            Phase::Start => {
                fuel -= 1;
                self.statistics.nodes += 1;
                open = true;
            }
            Phase::Attempt => (),
            Phase::Advance => self.advance(),
            Phase::Return => {
                if !self.go_back() {
                    return Event::Exhausted;
                }
            }
            Phase::Done => return Event::Exhausted,
        }
        loop {
            if open {
                let found = self.descend();
                if let Descent::Solution = found
                    && self.solved(&mut quota)
                {
                    self.phase = Phase::Return;
                    return Event::Quota;
                }
                if !matches!(found, Descent::Branch) && !self.go_back() {
                    return Event::Exhausted;
                }
            }
            if fuel == 0 {
                self.phase = Phase::Attempt;
                return Event::Fuel;
            }
            let option = self.stack.last_mut().and_then(|frame| self.engine.current(&mut frame.branch));
            let Some(option) = option else {
                if let Some(frame) = self.stack.pop() {
                    self.engine.leave(&frame.branch);
                }
                if !self.go_back() {
                    return Event::Exhausted;
                }
                open = false;
                continue;
            };
            fuel -= 1;
            let tried = self.attempt(option);
            open = tried == Tried::Open;
            if tried == Tried::Complete && self.solved(&mut quota) {
                self.phase = Phase::Advance;
                return Event::Quota;
            }
            if !open {
                self.advance();
            }
        }
    }

    fn chosen(&self) -> &[OptionId] {
        &self.chosen
    }

    fn assume(&mut self, option: OptionId) {
        debug_assert_eq!(self.phase, Phase::Start);
        self.engine.assume(option);
        self.chosen.push(option);
        self.assumed = self.chosen.len();
    }

    fn reset(&mut self) {
        // What is committed below the top of the stack depends on the phase alone.
        let mut open = self.phase == Phase::Return;
        while let Some(frame) = self.stack.pop() {
            if open {
                self.engine.retract(&frame.branch);
            }
            self.engine.leave(&frame.branch);
            open = true;
        }
        self.chosen.truncate(self.assumed);
        while let Some(option) = self.chosen.pop() {
            self.engine.unassume(option);
        }
        self.assumed = 0;
        self.phase = Phase::Start;
        self.statistics = Statistics::default();
        self.updates_before = self.engine.updates();
    }

    fn statistics(&self) -> Statistics {
        let updates = self.engine.updates() - self.updates_before;
        Statistics { updates, ..self.statistics }
    }
}

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
    fn chosen(&mut self) -> &[OptionId];
    /// Whether assumptions may clash.
    fn sees_clashes(&self) -> bool;
    /// Assumes options, all different, in a search that has not begun and has no assumptions. They must not clash, unless
    /// the engine sees it.
    fn assume(&mut self, options: &[OptionId]);
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
    /// At a new node: choose an item.
    Enter,
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
    forced: bool,   // whether the branch on top has a single option
    unlisted: bool, // whether the engine may have more options of the last solution to tell
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
            unlisted: false,
            statistics: Statistics::default(),
            updates_before: 0,
        }
    }

    /// Chooses an item and enters its branch. True if there is none to choose: a solution.
    fn enter(&mut self) -> bool {
        match self.engine.select(&self.chosen) {
            Selected::Complete => {
                self.phase = Phase::Return;
                return true;
            }
            Selected::Dead => self.phase = Phase::Return,
            Selected::Branch { mut branch, forced } => {
                self.engine.enter(&mut branch);
                self.stack.push(Frame { branch, chosen: self.chosen.len() });
                self.forced = forced;
                self.phase = Phase::Attempt;
            }
        }
        false
    }

    /// Tries the option in hand. True if it completes a solution.
    fn attempt(&mut self, option: OptionId) -> bool {
        let Some(frame) = self.stack.last_mut() else {
            return false;
        };
        self.chosen.push(option);
        self.statistics.nodes += 1;
        self.statistics.forced += u64::from(self.forced);
        let tried = self.engine.attempt(&mut frame.branch);
        self.statistics.depth = self.statistics.depth.max(self.chosen.len());
        self.phase = if tried == Tried::Open { Phase::Enter } else { Phase::Advance };
        tried == Tried::Complete
    }

    /// Leaves what is below the branch on top, and takes the option in hand back.
    fn go_back(&mut self) {
        match self.stack.last() {
            Some(frame) => {
                self.engine.retract(&frame.branch);
                self.forced = false; // a second option, if any, was a choice
                self.phase = Phase::Advance;
            }
            None => self.phase = Phase::Done,
        }
    }
}

impl<E: Engine + Send> Drive for Search<E> {
    fn run(&mut self, mut fuel: u64, mut quota: u64) -> Event {
        self.unlisted = false;
        loop {
            let solved = match self.phase {
                Phase::Start | Phase::Attempt if fuel == 0 => return Event::Fuel,
                Phase::Start => {
                    fuel -= 1;
                    self.statistics.nodes += 1;
                    self.phase = Phase::Enter;
                    false
                }
                Phase::Enter => self.enter(),
                Phase::Attempt => {
                    let Some(frame) = self.stack.last_mut() else {
                        return Event::Exhausted;
                    };
                    match self.engine.current(&mut frame.branch) {
                        Some(option) => {
                            fuel -= 1;
                            self.attempt(option)
                        }
                        None => {
                            self.engine.leave(&frame.branch);
                            self.stack.pop();
                            self.phase = Phase::Return;
                            false
                        }
                    }
                }
                Phase::Advance => {
                    if let Some(frame) = self.stack.last_mut() {
                        self.chosen.truncate(frame.chosen);
                        self.engine.advance(&mut frame.branch);
                    }
                    self.phase = Phase::Attempt;
                    false
                }
                Phase::Return => {
                    self.go_back();
                    false
                }
                Phase::Done => return Event::Exhausted,
            };
            if solved {
                self.statistics.solutions += 1;
                quota -= 1;
                if quota == 0 {
                    self.unlisted = true;
                    return Event::Quota;
                }
            }
        }
    }

    fn chosen(&mut self) -> &[OptionId] {
        if core::mem::take(&mut self.unlisted) {
            self.engine.complete(&mut self.chosen);
        }
        &self.chosen
    }

    fn sees_clashes(&self) -> bool {
        E::SEES_CLASHES
    }

    fn assume(&mut self, options: &[OptionId]) {
        debug_assert_eq!((self.phase, self.assumed), (Phase::Start, 0));
        options.iter().for_each(|option| self.engine.assume(*option));
        self.chosen.extend_from_slice(options);
        self.assumed = options.len();
    }

    fn reset(&mut self) {
        // What is committed below the top of the stack depends on the phase alone.
        let mut open = matches!(self.phase, Phase::Enter | Phase::Return);
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
        self.unlisted = false;
        self.phase = Phase::Start;
        self.statistics = Statistics::default();
        self.updates_before = self.engine.updates();
    }

    fn statistics(&self) -> Statistics {
        let updates = self.engine.updates() - self.updates_before;
        Statistics { updates, ..self.statistics }
    }
}

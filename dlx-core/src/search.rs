//! Algorithm X as a resumable state machine, generic over the engine. The only search loop there is: it stops when
//! its fuel (nodes) or its quota (solutions) is used up, and goes on from there when it is called again. Its stack is
//! on the heap, so that no problem is too deep.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::OptionId;
use crate::engine::{Engine, Path, Selected, Tried, Untried};
use crate::frontier::Frontier;
#[cfg(feature = "parallel")]
use crate::frontier::Piece;
use crate::observe::Observer;

/// What is counted on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the search tree, counted as in Knuth's DLX2: one for the root and one for each option tried,
    /// solutions and dead ends included; with bounds, also one where an item gets no (further) option.
    pub nodes: u64,
    /// How many of those nodes were no choice: the item had a single option left.
    pub forced: u64,
    /// Updates: entries that were removed from the list of an item.
    pub updates: u64,
    /// Solutions found.
    pub solutions: u64,
    /// The most branches that were open at one time.
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
    /// The quota of solutions is used up; the last one is in [`Drive::solution`].
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
    /// After [`Event::Quota`], the last solution, assumed options first. It is put together when it is asked for.
    fn solution(&mut self) -> &[OptionId];
    /// Gives away what is left to try at the lowest branch that has something: the search will not come to that. `None` if
    /// no branch has anything.
    #[cfg(feature = "parallel")]
    fn give(&mut self) -> Option<Piece>;
    /// What is left and not given away, in the order in which the search would come to it. Shares are those of this search.
    fn left(&self) -> Frontier;
    /// How much of the tree that is, by Knuth's estimate: from 0 to 1.
    fn share_left(&self) -> f64;
    /// Begins anew when all or nothing is searched, with another option assumed in place of all but the first `kept`. The figures
    /// go on.
    fn turn_to(&mut self, kept: usize, option: OptionId);
    /// Whether assumptions may clash.
    fn sees_clashes(&self) -> bool;
    /// Assumes options, all different, in a search that has not begun and has no assumptions. They must not clash, unless
    /// the engine sees it.
    fn assume(&mut self, options: &[OptionId]);
    /// Excludes options after assumptions that leave them possible, if the engine does that.
    fn exclude(&mut self, options: &mut dyn Iterator<Item = OptionId>);
    /// Back to the beginning, without assumptions and exclusions.
    fn reset(&mut self);
    /// The figures so far.
    fn statistics(&self) -> Statistics;
}

/// Where the search stands between two calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// At the root, which is not counted yet.
    Start,
    /// The option in hand of the branch on top is to be tried.
    Attempt,
    /// It has been tried and is not committed: on to the next option.
    Advance,
    /// It is committed, and all below it is finished: to be taken back.
    Return,
    /// All is finished.
    Done,
}

/// What going one level down came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Descent {
    Branch,
    Dead,
    Complete,
}

/// A search with the engine `E`, told to `O`.
#[derive(Clone)]
pub(crate) struct Search<E: Engine, O = ()> {
    engine: E,
    observer: O,
    stack: Vec<E::Branch>,
    phase: Phase,
    solution: Vec<OptionId>, // the assumptions, then the options in hand when last asked for
    assumed: usize,          // how many of those are assumptions
    excluded: Vec<OptionId>,
    fresh: usize,    // how many branches are as they were then
    collected: bool, // the last solution has been asked for, or there is none
    given: usize,    // how many branches, from the first, have nothing to try behind the option in hand
    statistics: Statistics,
    updates_before: u64, // the engine's count when the search was reset
}

impl<E: Engine> Search<E> {
    /// A search that nobody looks at.
    pub(crate) fn new(engine: E) -> Self {
        Self::observed(engine, ())
    }
}

impl<E: Engine, O: Observer<E>> Search<E, O> {
    pub(crate) fn observed(engine: E, observer: O) -> Self {
        Self {
            engine,
            observer,
            stack: Vec::new(),
            phase: Phase::Start,
            solution: Vec::new(),
            assumed: 0,
            excluded: Vec::new(),
            fresh: 0,
            collected: true,
            given: 0,
            statistics: Statistics::default(),
            updates_before: 0,
        }
    }

    pub(crate) fn engine(&self) -> &E {
        &self.engine
    }

    /// For what does not touch the representation.
    pub(crate) fn engine_mut(&mut self) -> &mut E {
        &mut self.engine
    }

    /// The open branches, from the root on.
    pub(crate) fn branches(&self) -> &[E::Branch] {
        &self.stack
    }

    /// How many of them, from the first, have nothing to try behind the option in hand, because that was given away.
    #[cfg(feature = "parallel")]
    pub(crate) fn given(&self) -> usize {
        self.given
    }

    /// Ends the search, whatever is left of it.
    pub(crate) fn into_engine(self) -> E {
        self.engine
    }

    /// Searches until the fuel or the quota is used up. The loop is at the same point after each turn, with an option to be
    /// tried: the phases serve to get there when the search is resumed.
    #[inline(always)]
    fn resume(&mut self, fuel: &mut u64, mut quota: u64) -> Event {
        let mut found = false;
        let more = match self.phase {
            Phase::Start if *fuel == 0 => return Event::Fuel,
            Phase::Start => {
                *fuel -= 1;
                self.observer.begin(&self.solution[..self.assumed], &self.excluded);
                let descent = self.descend();
                found = descent == Descent::Complete;
                descent == Descent::Branch
            }
            Phase::Attempt => true,
            Phase::Advance => self.advance(),
            Phase::Return => self.go_back(),
            Phase::Done => false,
        };
        if !more {
            self.phase = Phase::Done;
            self.observer.end();
            self.statistics.solutions += u64::from(found); // the empty one
            return if found && quota == 1 { Event::Quota } else { Event::Exhausted };
        }
        loop {
            if *fuel == 0 {
                self.phase = Phase::Attempt;
                return Event::Fuel;
            }
            *fuel -= 1;
            let (found, open) = match self.attempt() {
                Tried::Dead => (false, false),
                Tried::Complete => (true, false),
                Tried::Open => match self.descend() {
                    Descent::Branch => continue,
                    Descent::Dead => (false, true),
                    Descent::Complete => (true, true),
                },
            };
            if found {
                self.statistics.solutions += 1;
                quota -= 1;
                if quota == 0 {
                    self.phase = if open { Phase::Return } else { Phase::Advance };
                    return Event::Quota;
                }
            }
            let more = if open { self.go_back() } else { self.advance() };
            if !more {
                self.phase = Phase::Done;
                self.observer.end();
                return Event::Exhausted;
            }
        }
    }

    /// Chooses an item and begins to branch on it.
    #[inline(always)]
    fn descend(&mut self) -> Descent {
        let selected = self.engine.select();
        self.observer.selected(&self.engine, &selected);
        match selected {
            Selected::Branch { mut branch, forced } => {
                self.engine.enter(&mut branch);
                self.stack.push(branch);
                self.statistics.forced += u64::from(forced);
                self.statistics.depth = self.statistics.depth.max(self.stack.len());
                Descent::Branch
            }
            Selected::Dead => Descent::Dead,
            Selected::Complete => Descent::Complete,
        }
    }

    #[inline(always)]
    fn attempt(&mut self) -> Tried {
        let Some(branch) = self.stack.last_mut() else { return Tried::Dead };
        let tried = self.engine.attempt(branch);
        self.observer.tried(&mut self.engine, branch, tried);
        tried
    }

    /// Takes the next option of the branch on top in hand or, when there is none, of the next branch below that has
    /// one. False if none has.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        loop {
            let whole = self.stack.len() > self.given;
            let Some(branch) = self.stack.last_mut() else { return false };
            if whole && self.engine.advance(branch) {
                self.fresh = self.fresh.min(self.stack.len() - 1);
                return true;
            }
            self.observer.leaving(&self.engine, branch);
            self.engine.leave(branch);
            self.stack.pop();
            if let Some(branch) = self.stack.last() {
                self.engine.retract(branch);
            }
        }
    }

    /// Goes up the open branches, and calls `visit` for each at which something is left, with its number, the path to it, the
    /// share of the tree that is left there, and what that is. Returns the path through all branches, and the share of what is
    /// in hand.
    fn walk<B>(
        &self,
        mut visit: impl FnMut(usize, &Path, f64, Untried) -> ControlFlow<B>,
    ) -> ControlFlow<B, (Path, f64)> {
        let before = self.solution[..self.assumed].to_vec();
        let mut path = Path { before, without: self.excluded.clone() };
        let mut share = 1.0;
        for at in 0..self.stack.len() {
            let untried = self.engine.untried(&self.stack, at, self.assumed);
            share /= (untried.tried + 1 + untried.behind) as f64;
            if at >= self.given && untried.behind > 0 && !untried.hopeless {
                visit(at, &path, share * untried.behind as f64, untried)?;
            }
            self.engine.follow(&self.stack, at, &mut path);
        }
        ControlFlow::Continue((path, share))
    }

    /// Takes the option in hand back, and the next one in hand.
    #[inline(always)]
    fn go_back(&mut self) -> bool {
        if let Some(branch) = self.stack.last() {
            self.engine.retract(branch);
        }
        self.advance()
    }
}

impl<E: Engine + Send, O: Observer<E> + Send> Drive for Search<E, O> {
    fn run(&mut self, budget: u64, quota: u64) -> Event {
        let mut fuel = budget;
        let event = self.resume(&mut fuel, quota);
        self.statistics.nodes += budget - fuel;
        self.collected = event != Event::Quota;
        event
    }

    fn solution(&mut self) -> &[OptionId] {
        if !self.collected {
            self.engine.collect(&self.stack, self.fresh, self.assumed, &mut self.solution);
            self.fresh = self.stack.len();
            self.collected = true;
        }
        &self.solution
    }

    #[cfg(feature = "parallel")]
    fn give(&mut self) -> Option<Piece> {
        let mut given = self.stack.len();
        let found = self.walk(|at, path, share, untried| {
            given = at + 1;
            ControlFlow::Break(Piece {
                before: path.before[..].into(),
                without: [&path.without[..], &untried.without].concat().into(),
                level: at + usize::from(!untried.others.is_empty()),
                options: untried.others,
                share,
            })
        });
        self.given = given;
        found.break_value()
    }

    fn left(&self) -> Frontier {
        let mut levels = Vec::new();
        let walk = self.walk::<Infallible>(|at, path, share, untried| {
            levels.push((at, path.before.len(), path.without.len(), share, untried));
            ControlFlow::Continue(())
        });
        let ControlFlow::Continue((Path { before, without }, share)) = walk;
        let mut frontier = Frontier::default();
        if matches!(self.phase, Phase::Start | Phase::Attempt) {
            frontier.push_parts(&before, &without, Vec::new(), self.stack.len(), share);
        }
        for (at, chosen, passed, share, untried) in levels.into_iter().rev() {
            let without = [&without[..passed], &untried.without].concat();
            let level = at + usize::from(!untried.others.is_empty());
            frontier.push_parts(&before[..chosen], &without, untried.others, level, share);
        }
        frontier
    }

    fn share_left(&self) -> f64 {
        let mut left = 0.0;
        let walk = self.walk::<Infallible>(|_, _, share, _| {
            left += share;
            ControlFlow::Continue(())
        });
        let ControlFlow::Continue((_, share)) = walk;
        left + if matches!(self.phase, Phase::Start | Phase::Attempt) { share } else { 0.0 }
    }

    fn turn_to(&mut self, kept: usize, option: OptionId) {
        debug_assert!(self.stack.is_empty());
        self.solution.truncate(self.assumed);
        while self.solution.len() > kept {
            self.solution.pop().into_iter().for_each(|option| self.engine.unassume(option));
        }
        self.engine.assume(option);
        self.solution.push(option);
        (self.assumed, self.fresh, self.given) = (kept + 1, 0, 0);
        self.phase = Phase::Start;
    }

    fn sees_clashes(&self) -> bool {
        E::SEES_CLASHES
    }

    fn assume(&mut self, options: &[OptionId]) {
        debug_assert_eq!((self.phase, self.assumed), (Phase::Start, 0));
        self.engine.assume_all(options);
        self.solution.clear();
        self.solution.extend_from_slice(options);
        self.assumed = options.len();
    }

    fn exclude(&mut self, options: &mut dyn Iterator<Item = OptionId>) {
        for option in options {
            self.engine.exclude(option);
            self.excluded.push(option);
        }
    }

    fn reset(&mut self) {
        self.observer.abandon();
        // What is committed below the top of the stack depends on the phase alone.
        let mut open = self.phase == Phase::Return;
        while let Some(branch) = self.stack.pop() {
            if open {
                self.engine.retract(&branch);
            }
            self.engine.leave(&branch);
            open = true;
        }
        while let Some(option) = self.excluded.pop() {
            self.engine.readmit(option);
        }
        self.engine.unassume_all(&self.solution[..self.assumed]);
        self.solution.clear();
        (self.assumed, self.fresh, self.given) = (0, 0, 0);
        self.phase = Phase::Start;
        self.statistics = Statistics::default();
        self.updates_before = self.engine.updates();
    }

    fn statistics(&self) -> Statistics {
        let updates = self.engine.updates() - self.updates_before;
        Statistics { updates, ..self.statistics }
    }
}

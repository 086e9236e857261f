//! An engine whose branching items a rule names. All else is that of the engine within.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{Engine, Path, Selected, Tried, Untried};
use crate::choose::{BranchingRule, Candidate, Mrv};
use crate::{ItemId, OptionId, Problem};

/// What an engine must offer for that.
pub(super) trait Steer: Engine {
    /// The columns on which the search may branch, with the number of choices that each leaves.
    fn choices(&self) -> impl Iterator<Item = (u32, u32)>;

    /// Branches on one of these columns.
    fn branch_on(&mut self, column: u32) -> Selected<Self::Branch>;

    /// Commits the option in hand, whatever it leaves: that is seen at the next choice.
    fn attempt_blindly(&mut self, branch: &mut Self::Branch) -> Tried;
}

pub(super) struct Steered<E> {
    engine: E,
    rule: Box<dyn BranchingRule>,
    items: Vec<ItemId>, // by column - 1: the primary ones
    candidates: Vec<Candidate>,
}

impl<E: Steer> Steered<E> {
    pub(super) fn new(engine: E, problem: &Problem, rule: Box<dyn BranchingRule>) -> Self {
        let items = problem.items().filter(|item| problem.is_primary(*item)).collect();
        Self { engine, rule, items, candidates: Vec::new() }
    }
}

impl<E: Steer> Engine for Steered<E> {
    type Branch = E::Branch;

    fn select(&mut self) -> Selected<E::Branch> {
        self.candidates.clear();
        for (column, choices) in self.engine.choices() {
            let item = self.items[column as usize - 1];
            if choices == 0 {
                self.rule.failed(item);
                return Selected::Dead;
            }
            self.candidates.push(Candidate::new(item, choices, column));
        }
        match self.rule.choose(&self.candidates).or_else(|| Mrv.choose(&self.candidates)) {
            Some(candidate) => self.engine.branch_on(candidate.column),
            None => Selected::Complete,
        }
    }

    fn enter(&mut self, branch: &mut E::Branch) {
        self.engine.enter(branch);
    }

    fn attempt(&mut self, branch: &mut E::Branch) -> Tried {
        self.engine.attempt_blindly(branch)
    }

    fn collect(
        &mut self,
        branches: &[E::Branch],
        fresh: usize,
        assumed: usize,
        solution: &mut Vec<OptionId>,
    ) {
        self.engine.collect(branches, fresh, assumed, solution);
    }

    fn retract(&mut self, branch: &E::Branch) {
        self.engine.retract(branch);
    }

    fn advance(&mut self, branch: &mut E::Branch) -> bool {
        self.engine.advance(branch)
    }

    fn leave(&mut self, branch: &E::Branch) {
        self.engine.leave(branch);
    }

    fn follow(&self, branches: &[E::Branch], at: usize, path: &mut Path) {
        self.engine.follow(branches, at, path);
    }

    fn untried(&self, branches: &[E::Branch], at: usize, assumed: usize) -> Untried {
        self.engine.untried(branches, at, assumed)
    }

    const SEES_CLASHES: bool = E::SEES_CLASHES;

    fn assume(&mut self, option: OptionId) {
        self.engine.assume(option);
    }

    fn unassume(&mut self, option: OptionId) {
        self.engine.unassume(option);
    }

    fn exclude(&mut self, option: OptionId) {
        self.engine.exclude(option);
    }

    fn readmit(&mut self, option: OptionId) {
        self.engine.readmit(option);
    }

    fn updates(&self) -> u64 {
        self.engine.updates()
    }
}

//! What is left to search, as pieces of the tree in terms of the problem: any engine can go on with them. Neighbours
//! in the tree share most of what is chosen before them, so that they are kept as differences.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::OptionId;
use crate::engine::Path;

/// What a search has still to try at one of its branches, or some of it: the solutions that contain all options of
/// `before`, none of `without`, and one of `options` or, if there are none of those, any. Pieces of one search have no
/// solution in common.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// What was chosen before.
    pub(crate) before: Arc<[OptionId]>,
    /// What must not be chosen.
    pub(crate) without: Arc<[OptionId]>,
    /// The options to be tried, one after the other; if there are none, whatever the rest leaves possible.
    pub(crate) options: Vec<OptionId>,
    /// How many branches are open when the search for the piece begins.
    pub(crate) level: usize,
    /// How much of the whole tree it is, from 0 to 1, if all branches at a node are alike (Knuth's estimate).
    pub(crate) share: f64,
}

impl From<Piece> for Frontier {
    fn from(piece: Piece) -> Self {
        let mut frontier = Self::default();
        frontier.push(&piece);
        frontier
    }
}

impl Piece {
    /// All that contains these options.
    pub(crate) fn whole(before: &[OptionId]) -> Self {
        Self { before: before.into(), without: Arc::new([]), options: Vec::new(), level: 0, share: 1.0 }
    }
}

/// A piece, as it differs from the one in front of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) before: Change,
    pub(crate) without: Change,
    pub(crate) options: Vec<OptionId>,
    pub(crate) level: usize,
    pub(crate) share: f64,
}

/// How a list differs from another one: so many are kept from the beginning, and others follow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) kept: usize,
    pub(crate) more: Vec<OptionId>,
}

impl Change {
    fn between(old: &[OptionId], new: &[OptionId]) -> Self {
        let kept = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        Self { kept, more: new[kept..].to_vec() }
    }

    fn apply(&self, list: &mut Vec<OptionId>) {
        list.truncate(self.kept);
        list.extend_from_slice(&self.more);
    }
}

/// Pieces in the order in which they are to be searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    steps: VecDeque<Step>,
    front: Path, // of the piece that was taken last: the first step differs from that
    back: Path,  // of the last piece
}

impl Frontier {
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(crate) fn push(&mut self, piece: &Piece) {
        let Piece { before, without, options, level, share } = piece;
        self.push_parts(before, without, options.clone(), *level, *share);
    }

    pub(crate) fn push_parts(
        &mut self,
        before: &[OptionId],
        without: &[OptionId],
        options: Vec<OptionId>,
        level: usize,
        share: f64,
    ) {
        let before = Change::between(&self.back.before, before);
        let without = Change::between(&self.back.without, without);
        self.push_step(Step { before, without, options, level, share });
    }

    /// Appends a piece as it differs from the last one, of which it must not keep more than there is.
    pub(crate) fn push_step(&mut self, step: Step) {
        debug_assert!(step.before.kept <= self.back.before.len());
        step.before.apply(&mut self.back.before);
        step.without.apply(&mut self.back.without);
        self.steps.push_back(step);
    }

    /// How much the next step may keep of `before` and of `without`.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.back.before.len(), self.back.without.len())
    }

    /// Takes the first piece.
    pub(crate) fn pop(&mut self) -> Option<Piece> {
        let Step { before, without, options, level, share } = self.steps.pop_front()?;
        before.apply(&mut self.front.before);
        without.apply(&mut self.front.without);
        let (before, without) = (self.front.before[..].into(), self.front.without[..].into());
        Some(Piece { before, without, options, level, share })
    }

    /// Takes the latter half of the pieces, or the only one.
    #[cfg(feature = "parallel")]
    pub(crate) fn split_off(&mut self) -> Option<Self> {
        let at = self.steps.len() / 2;
        let mut path = self.front.clone();
        for step in self.steps.range(..at) {
            step.before.apply(&mut path.before);
            step.without.apply(&mut path.without);
        }
        let steps = self.steps.split_off(at);
        let back = core::mem::replace(&mut self.back, path.clone());
        (!steps.is_empty()).then_some(Self { steps, front: path, back })
    }

    /// Appends the pieces of another one.
    pub(crate) fn append(&mut self, mut other: Self) {
        if let Some(first) = other.pop() {
            self.push(&first);
            // The others differ from the one in front of them as before.
            other.steps.into_iter().for_each(|step| self.push_step(step));
        }
    }

    /// Makes pieces of a piece pieces of the whole tree, if that piece is so many branches above the root and such a share.
    pub(crate) fn shift(&mut self, level: usize, share: f64) {
        for step in &mut self.steps {
            step.level = step.level.saturating_add(level);
            step.share *= share;
        }
    }

    pub(crate) fn steps(&self) -> impl ExactSizeIterator<Item = &Step> {
        self.steps.iter()
    }

    /// How much of the whole tree it is.
    pub(crate) fn share(&self) -> f64 {
        self.steps.iter().map(|step| step.share).sum()
    }
}

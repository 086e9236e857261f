//! Dancing links for items with bounds (Knuth, *The Art of Computer Programming* 4B, 7.2.2.1, Algorithm M), on the
//! table of [`Links`].
//!
//! **Branching.** To branch on an item is to choose the first of the options in its list that the solution contains, or none of
//! them where the lower bound is reached. Options that have been passed over are out of the question below: they are
//! *tweaked* out of all lists, one by one, until the branch is left; so a set of options is found in one order only. Where the item
//! can take a single option more, all its options are hidden at once by covering it, as without bounds.
//!
//! **Keys.** The key of a column counts the ways in which the search could branch on it: the options in its list, plus
//! one, minus how many the lower bound still asks for. Without bounds, that is the number of options; and it is 0 where the lower
//! bound cannot be reached any more, so that hiding sees that as it sees an item without options. An option that is tweaked
//! or chosen changes it by one as hiding does, and an option that is chosen gives the one back if the lower bound asked for it.
//!
//! **No choice meets an item whose key is 0**, but perhaps the first, after assumptions. Covering the branching item takes at
//! most as much from another key as the branching item has options, and all of it only if each of these options is in the
//! other item too, to which the one that is chosen gives one back. And when the options that are passed over leave
//! too little for some item, those behind them leave no more, and the branch ends.

use alloc::vec::Vec;

use super::{Column, DOWN, ITEM, Links, Node, STRIDE, UP};
use crate::engine::steered::Steer;
use crate::engine::{Engine, Explain, Path, Selected, Tried, Untried};
use crate::{OptionId, Problem};

/// The links of a problem with bounds, with or without colors.
pub(crate) struct Bounded<const COLORED: bool> {
    links: Links<COLORED>,
    limits: Vec<Limit>, // by primary column - 1
    in_hand: u32,       // how many options are committed, those assumed aside
}

/// How often a column may still be covered.
#[derive(Clone, Copy)]
struct Limit {
    bound: u32, // that often at the most
    slack: u32, // and so much less at the least: the upper bound minus the lower one
}

/// A column being branched on, and the option in hand.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    column: Column,
    node: Node,     // of the option in hand, in that column; its header stands for no option at all
    first: Node,    // the first of its list at the beginning
    ways: u32,      // how many choices there were: of the first option, or of none
    front: u32,     // what it was before the choice
    before: u32,    // how many options were in hand
    optional: bool, // whether the lower bound is reached: behind the last option, none at all is tried
    last: bool, // whether the column cannot take another option than the one in hand: it is covered, and else tweaked
    covered: bool, // whether it has been covered: the first option that is no solution does it
    stuck: bool, // whether the options passed over leave too little for some item
}

impl Branch {
    fn header(&self) -> Node {
        self.column * STRIDE
    }

    fn is_none(&self) -> bool {
        self.node == self.header()
    }
}

/// Whether a column cannot take another option. Secondary ones, which have no limit, take one.
#[inline(always)]
fn is_full(limits: &[Limit], column: Column) -> bool {
    limits.get(column as usize - 1).is_none_or(|limit| limit.bound == 0)
}

impl<const COLORED: bool> Bounded<COLORED> {
    pub(crate) fn new(problem: &Problem) -> Self {
        let mut links = Links::without_keys(problem);
        let all = problem.items().filter_map(|item| problem.bounds(item));
        let limits: Vec<_> =
            all.map(|bounds| Limit { bound: *bounds.end(), slack: bounds.end() - bounds.start() }).collect();
        for (len, limit) in links.lens.iter_mut().zip(&limits) {
            // An item with too few options keeps the key 0 whatever is chosen.
            *len = (*len + 1).saturating_sub_unsigned(limit.bound - limit.slack).max(0);
        }
        links.make_keys();
        let mut bounded = Self { links, limits, in_hand: 0 };
        for column in 1..=bounded.links.primaries {
            if bounded.limit(column).bound == 0 {
                bounded.links.deactivate(column);
            }
        }
        bounded
    }

    fn limit(&mut self, column: Column) -> &mut Limit {
        &mut self.limits[column as usize - 1]
    }

    /// Counts one more option that covers a column. Secondary ones do not count.
    #[inline(always)]
    fn spend(&mut self, column: Column) {
        if column > self.links.primaries {
            return;
        }
        let limit = self.limit(column);
        let asked_for = limit.bound > limit.slack;
        limit.bound -= 1;
        let full = limit.bound == 0;
        if asked_for {
            *self.links.len_mut(column) += self.links.keys.unit;
        }
        if full {
            self.links.deactivate(column);
        }
    }

    /// Undoes [`spend`](Self::spend).
    #[inline(always)]
    fn refund(&mut self, column: Column) {
        if column > self.links.primaries {
            return;
        }
        let limit = self.limit(column);
        let full = limit.bound == 0;
        limit.bound += 1;
        let asked_for = limit.bound > limit.slack;
        if full {
            self.links.reactivate(column);
        }
        if asked_for {
            *self.links.len_mut(column) -= self.links.keys.unit;
        }
    }

    #[inline(always)]
    fn spend_others(&mut self, node: Node) {
        let mut q = self.links.right(node);
        while q != node {
            self.spend(self.links.word(q, ITEM));
            q = self.links.right(q);
        }
    }

    #[inline(always)]
    fn refund_others(&mut self, node: Node) {
        let mut q = self.links.right(node);
        while q != node {
            self.refund(self.links.word(q, ITEM));
            q = self.links.right(q);
        }
    }

    /// Commits the other nodes of an option whose columns cannot take another one.
    #[inline(always)]
    fn commit_others<const CHECK: bool>(&mut self, node: Node) -> bool {
        let Self { links, limits, .. } = self;
        links.commit_others::<CHECK>(node, |column| is_full(limits, column))
    }

    /// Undoes [`commit_others`](Self::commit_others).
    #[inline(always)]
    fn uncommit_others(&mut self, node: Node) {
        let Self { links, limits, .. } = self;
        links.uncommit_others(node, links.left(node), |column| is_full(limits, column));
    }

    /// Removes the row of `node` from all lists. True if some active item is left with too little, unless the option is chosen.
    fn tweak(&mut self, node: Node) -> bool {
        let mut updates = 1;
        let dead = self.links.hide(node, &mut updates);
        self.links.updates += updates;
        let (up, down) = (self.links.word(node, UP), self.links.word(node, DOWN));
        self.links.set(up, DOWN, down);
        self.links.set(down, UP, up);
        *self.links.len_mut(self.links.word(node, ITEM)) -= self.links.keys.unit;
        dead
    }

    /// Undoes [`tweak`](Self::tweak), the last first.
    fn untweak(&mut self, node: Node) {
        let (up, down) = (self.links.word(node, UP), self.links.word(node, DOWN));
        self.links.set(up, DOWN, node);
        self.links.set(down, UP, node);
        *self.links.len_mut(self.links.word(node, ITEM)) += self.links.keys.unit;
        self.links.unhide(node);
    }

    /// Undoes [`tweak`](Self::tweak) for the options of a column from `first` to the one before its present first.
    ///
    /// That is the order in which they were tweaked, as there are no links from the last to the first. It does not
    /// matter: when an option's neighbour below has been tweaked after it, what undoing the former writes into the latter is where
    /// undoing the latter will find its neighbour above.
    fn untweak_all(&mut self, column: Column, first: Node) {
        let header = column * STRIDE;
        let rest = self.links.word(header, DOWN);
        let (mut up, mut node) = (header, first);
        while node != rest {
            self.links.set(node, UP, up);
            *self.links.len_mut(column) += self.links.keys.unit;
            self.links.unhide(node);
            up = node;
            node = self.links.word(node, DOWN);
        }
        self.links.set(rest, UP, up);
        self.links.set(header, DOWN, first);
    }

    /// Covers the branching column, once, if it cannot take another option.
    #[inline(always)]
    fn cover_branch(&mut self, branch: &mut Branch) {
        if branch.last && !branch.covered {
            branch.covered = true;
            self.links.cover::<false>(branch.column);
        }
    }

    /// Goes on without any option of the column's list. Those that were there have been tweaked, or are hidden now.
    fn attempt_none(&mut self, branch: &mut Branch) -> Tried {
        if !branch.last {
            self.links.deactivate(branch.column);
        }
        if self.links.active == 0 {
            self.retract_none(branch);
            return Tried::Complete;
        }
        self.cover_branch(branch);
        Tried::Open
    }

    fn retract_none(&mut self, branch: &Branch) {
        if !branch.last {
            self.links.reactivate(branch.column);
        }
    }

    /// Branches on a column whose first option is that of `node`. `front` is what it was before the choice.
    #[inline(always)]
    fn branch(&mut self, column: Column, node: Node, front: u32) -> Branch {
        let Limit { bound, slack } = *self.limit(column);
        let (optional, last) = (bound <= slack, bound == 1);
        let ways = (*self.links.len_mut(column) >> self.links.keys.unit.trailing_zeros()) as u32;
        let (first, covered, stuck) = (node, false, false);
        let before = self.in_hand;
        Branch { column, node, first, ways, front, before, optional, last, covered, stuck }
    }

    /// Commits the option in hand, or none. With `CHECK`, gives it up as soon as an active item is left with too little.
    #[inline(always)]
    fn choose<const CHECK: bool>(&mut self, branch: &mut Branch) -> Tried {
        if branch.is_none() {
            return self.attempt_none(branch);
        }
        if !branch.last {
            branch.stuck = self.tweak(branch.node);
        }
        self.spend_others(branch.node);
        if self.links.active == 0 {
            self.refund_others(branch.node);
            return Tried::Complete;
        }
        self.cover_branch(branch);
        if !self.commit_others::<CHECK>(branch.node) {
            self.refund_others(branch.node);
            return Tried::Dead;
        }
        self.in_hand += 1;
        Tried::Open
    }

    /// The option in hand of a branch.
    fn chosen(&self, branch: &Branch) -> Option<OptionId> {
        if branch.is_none() { None } else { self.links.option(branch.node) }
    }

    /// The options of a branch that were in hand before. They keep their links to the next ones when they are tweaked.
    fn passed_over(&self, branch: &Branch) -> impl Iterator<Item = OptionId> + use<'_, COLORED> {
        let (first, end) = (Some(branch.first), branch.node);
        let nodes = core::iter::successors(first, |&node| Some(self.links.word(node, DOWN)));
        nodes.take_while(move |&node| node != end).filter_map(|node| self.links.option(node))
    }

    /// All that a search changes and must restore.
    #[cfg(test)]
    pub(crate) fn state(&self) -> Vec<u32> {
        self.links.state().into_iter().chain(self.limits.iter().map(|limit| limit.bound)).collect()
    }
}

impl<const COLORED: bool> Explain for Bounded<COLORED> {
    /// Where there is no option to begin with, there is nothing to decide.
    fn decides(&self, branch: &Branch) -> Option<usize> {
        (branch.first != branch.header()).then_some(branch.column as usize - 1)
    }

    fn in_hand(&self, branch: &Branch) -> Option<OptionId> {
        self.chosen(branch)
    }

    fn lacking(&self) -> Option<usize> {
        self.links.lacking()
    }

    fn lacking_if_tried(&mut self, branch: &Branch) -> Option<usize> {
        let (updates, mut lacking) = (self.links.updates, None);
        self.spend_others(branch.node);
        let Self { links, limits, .. } = self;
        let full = |column| is_full(limits, column);
        let tried = links.commit_others_or::<true>(branch.node, full, |links| lacking = links.lacking());
        debug_assert!(!tried, "it was dead before");
        self.refund_others(branch.node);
        self.links.updates = updates;
        lacking
    }

    fn passed_up(&self, branch: &Branch) -> usize {
        let tried = self.passed_over(branch).count() + 1;
        if branch.stuck { (branch.ways as usize).saturating_sub(tried) } else { 0 }
    }
}

impl<const COLORED: bool> Engine for Bounded<COLORED> {
    type Branch = Branch;

    #[inline(always)]
    fn select(&mut self) -> Selected<Branch> {
        if self.links.active == 0 {
            return Selected::Complete; // at the root: all items have the upper bound 0
        }
        match self.links.select() {
            Selected::Complete => Selected::Complete,
            Selected::Dead => Selected::Dead,
            Selected::Branch { branch: super::Branch { column, node, front, .. }, forced } => {
                Selected::Branch { branch: self.branch(column, node, front), forced }
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, branch: &mut Branch) {
        self.spend(branch.column);
    }

    #[inline(always)]
    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        self.choose::<true>(branch)
    }

    #[inline(always)]
    fn retract(&mut self, branch: &Branch) {
        if branch.is_none() {
            return self.retract_none(branch);
        }
        self.in_hand -= 1;
        self.uncommit_others(branch.node);
        self.refund_others(branch.node);
    }

    /// The next option, as long as those from it on are enough for the lower bound; behind the last one no option at all, if
    /// the lower bound is reached.
    #[inline(always)]
    fn advance(&mut self, branch: &mut Branch) -> bool {
        if branch.is_none() || branch.stuck {
            return false;
        }
        branch.node = self.links.word(branch.node, DOWN);
        if branch.optional {
            true
        } else if branch.last {
            !branch.is_none()
        } else {
            *self.links.len_mut(branch.column) >= 2 * self.links.keys.unit
        }
    }

    #[inline(always)]
    fn leave(&mut self, branch: &Branch) {
        if !branch.last {
            self.untweak_all(branch.column, branch.first);
        } else if branch.covered {
            let bottom = self.links.word(branch.header(), UP);
            self.links.uncover(branch.column, bottom);
        }
        self.refund(branch.column);
        self.links.front = branch.front;
    }

    /// Some branches have no option.
    #[inline(always)]
    fn collect(&mut self, branches: &[Branch], fresh: usize, assumed: usize, solution: &mut Vec<OptionId>) {
        let Some(first) = branches.get(fresh) else { return };
        solution.truncate(assumed + first.before as usize);
        solution.extend(branches[fresh..].iter().filter_map(|branch| self.chosen(branch)));
    }

    fn follow(&self, branches: &[Branch], at: usize, path: &mut Path) {
        path.before.extend(self.chosen(&branches[at]));
        path.without.extend(self.passed_over(&branches[at]));
    }

    /// Whatever contains none of the options that have been tried: the search for that may branch on other items.
    fn untried(&self, branches: &[Branch], at: usize, _: usize) -> Untried {
        let branch = &branches[at];
        let mut without: Vec<_> = self.passed_over(branch).collect();
        let tried = without.len();
        without.extend(self.chosen(branch));
        let behind = (branch.ways as usize).saturating_sub(tried + 1);
        Untried { without, tried, behind, hopeless: branch.stuck, others: Vec::new() }
    }

    fn assume(&mut self, option: OptionId) {
        self.links.unsettled = true;
        let node = self.links.pivot(option);
        let column = self.links.word(node, ITEM);
        self.spend(column);
        self.spend_others(node);
        if is_full(&self.limits, column) {
            self.links.cover::<false>(column);
        } else {
            self.tweak(node);
        }
        self.commit_others::<false>(node);
    }

    fn unassume(&mut self, option: OptionId) {
        self.links.front = 0;
        self.links.unsettled = true;
        let node = self.links.pivot(option);
        let column = self.links.word(node, ITEM);
        self.uncommit_others(node);
        if is_full(&self.limits, column) {
            let bottom = self.links.word(column * STRIDE, UP);
            self.links.uncover(column, bottom);
        } else {
            self.untweak(node);
        }
        self.refund_others(node);
        self.refund(column);
    }

    fn exclude(&mut self, option: OptionId) {
        self.links.unsettled = true;
        self.tweak(self.links.pivot(option));
    }

    fn readmit(&mut self, option: OptionId) {
        self.links.front = 0;
        self.links.unsettled = true;
        self.untweak(self.links.pivot(option));
    }

    fn updates(&self) -> u64 {
        self.links.updates
    }
}

impl<const COLORED: bool> Steer for Bounded<COLORED> {
    fn choices(&self) -> impl Iterator<Item = (Column, u32)> {
        self.links.choices()
    }

    fn branch_on(&mut self, column: Column) -> Selected<Branch> {
        let (node, front) = (self.links.word(column * STRIDE, DOWN), self.links.front);
        let branch = self.branch(column, node, front);
        Selected::Branch { branch, forced: branch.ways == 1 }
    }

    fn attempt_blindly(&mut self, branch: &mut Branch) -> Tried {
        self.choose::<false>(branch)
    }
}

//! Dancing links: the reference engine, which does everything, at a few words an entry (Knuth, *The Art of
//! Computer Programming* 4B, 7.2.2.1, Algorithms X and C).
//!
//! **Layout.** One flat array of 32-bit words. A node takes four consecutive words: UP, DOWN, ITEM and a fourth, which is
//! the COLOR in problems with colors and else NEXT, the next node of the option, cyclically. UP, DOWN and NEXT are the places of
//! the first words of other nodes, so that following a link needs no multiplication. Node *c* is the header of the list of
//! column *c*, with the primary items as columns 1, 2, ..., and the secondary ones after a gap (see [`STRETCH`]); then come
//! a spacer and the options in the order of the input, the nodes of each side by side with a spacer behind them. A
//! spacer has ITEM = 0; its UP is the first node of the option before it, its fourth word the last node of the option behind
//! it, its DOWN the number of the option before it. Options that can never be chosen have a spacer only.
//!
//! **Lengths** are in an array of their own, as [`Keys`], which the choice of the next item scans as it is: the key of a
//! column that is not to be chosen has [`INACTIVE`] added. There is no list of active items.
//!
//! **Less work than in the book**, with the same nodes. Of an option that is tried, all items are made inactive before any
//! list is touched: if no primary item is left then, it is a solution, and no link needs to move. The branching item
//! itself is covered only when the first of its options is not such a solution. And as soon as some active item has no
//! option left, the commitment is given up; Knuth's programs find the same at the next choice. Covering the branching item
//! cannot leave such an item behind: with no more options than that item, all of which contain it, the other has the same ones,
//! and any of them covers both. So no choice meets an item without options, but perhaps the first, after assumptions.
#![allow(unsafe_code)] // INVARIANT: see `Links::word`

use alloc::vec;
use alloc::vec::Vec;

use super::steered::Steer;
use super::{Engine, Explain, Path, Selected, Tried, Untried};
use crate::choose::{INACTIVE, Keys, STRETCH};
use crate::{OptionId, Problem};

mod bounded;
pub(super) use bounded::Bounded;

/// A place in `Links::words`: the first word of a node.
type Node = u32;
/// The number of a column, from 1.
type Column = u32;

const UP: u32 = 0;
const DOWN: u32 = 1;
const ITEM: u32 = 2;
const COLOR: u32 = 3;
const NEXT: u32 = 3;
/// Of a spacer: the last node of the option behind it.
const LAST: u32 = 3;

/// How many words a node takes.
const STRIDE: u32 = 4;

/// The color of a node whose item has been purified to its own color: it is skipped until that is undone.
const AGREED: u32 = u32::MAX;

/// The links of a problem with or without colors.
pub(crate) struct Links<const COLORED: bool> {
    words: Vec<u32>,
    lens: Vec<i32>, // by column - 1: the key of its length, plus INACTIVE where it is not to be chosen
    keys: Keys,
    unsettled: bool, // some active column may be empty: the search has not begun, or there is no solution
    primaries: u32,  // the primary columns are 1..=primaries
    active: u32,     // how many of those are active
    front: u32,      // how many stretches of columns, from the first, are known to be inactive
    option_nodes: Vec<Node>, // by option: its first node (or its spacer if it has no nodes)
    updates: u64,
}

/// A column being branched on, and the option in hand.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    column: Column,
    node: Node,    // of the option in hand, in that column
    front: u32,    // what it was before the choice
    covered: bool, // whether the column has been covered: the first option that is no solution does it
}

impl<const COLORED: bool> Links<COLORED> {
    pub(crate) fn new(problem: &Problem) -> Self {
        let mut links = Self::without_keys(problem);
        links.make_keys();
        links
    }

    /// With plain lengths still.
    fn without_keys(problem: &Problem) -> Self {
        let primaries = problem.primary_count();
        let scanned = primaries.next_multiple_of(STRETCH);
        let columns = columns(problem, scanned);
        let headers = scanned + problem.secondary_count() + 1;
        let nodes = headers + 1 + problem.entry_count() + problem.option_count();
        let mut links = Self {
            words: Vec::with_capacity(nodes * STRIDE as usize),
            lens: vec![0; headers - 1],
            keys: Keys { unit: 1 },
            unsettled: true,
            primaries: primaries as u32,
            active: primaries as u32,
            front: 0,
            option_nodes: Vec::with_capacity(problem.option_count()),
            updates: 0,
        };
        for column in 0..headers as u32 {
            links.words.extend([column * STRIDE, column * STRIDE, column, 0]);
        }
        links.words.extend([0; STRIDE as usize]);
        for option in problem.options() {
            links.push_option(problem, &columns, option);
        }
        links
    }

    fn push_option(&mut self, problem: &Problem, columns: &[Column], option: OptionId) {
        let first = self.words.len() as Node;
        self.option_nodes.push(first);
        let entries = problem.option(option).entries();
        let usable =
            problem.has_primary_item(option) && entries.clone().all(|entry| problem.most(entry.item) > 0);
        for entry in entries.filter(|_| usable) {
            let node = self.words.len() as Node;
            let column = columns[entry.item.index()];
            let header = column * STRIDE;
            let bottom = self.words[(header + UP) as usize];
            let fourth = if COLORED { entry.color.map_or(0, |color| color.raw() + 1) } else { node + STRIDE };
            self.words.extend([bottom, header, column, fourth]);
            self.words[(bottom + DOWN) as usize] = node;
            self.words[(header + UP) as usize] = node;
            self.lens[column as usize - 1] += 1;
        }
        let spacer = self.words.len() as Node;
        if spacer > first {
            self.words[(first - STRIDE + LAST) as usize] = spacer - STRIDE;
            if !COLORED {
                self.words[(spacer - STRIDE + NEXT) as usize] = first;
            }
        }
        self.words.extend([first, option.raw(), 0, 0]);
    }

    /// Turns the lengths into keys.
    fn make_keys(&mut self) {
        let longest = self.lens.iter().max().map_or(0, |&len| len as usize);
        self.keys = Keys::new(self.primaries as usize, longest);
        for (place, len) in self.lens.iter_mut().enumerate() {
            let primary = place < self.primaries as usize;
            *len = *len * self.keys.unit + if primary { self.keys.empty(place) } else { INACTIVE };
        }
    }

    /// One word of the table.
    ///
    /// INVARIANT, of this and the other accesses below: every UP and DOWN in `words` (but the DOWN of a spacer, which is
    /// never followed) and every NEXT is the place of a node of the table, a multiple of STRIDE below `words.len()`; a node's
    /// fields lie within its STRIDE words; every ITEM of an option's node is from 1 to `lens.len()`; and a walk along a row meets a spacer before the end of the
    /// table, since each option ends with one. `new` makes it so, and covering and uncovering (tweaking and untweaking,
    /// in `bounded`) only ever store links that they have read from the table, and headers.
    #[inline(always)]
    fn word(&self, node: Node, field: u32) -> u32 {
        let at = node as usize + field as usize; // in usize, so that it is part of the address
        debug_assert!(at < self.words.len());
        // SAFETY: the invariant above.
        unsafe { *self.words.get_unchecked(at) }
    }

    #[inline(always)]
    fn set(&mut self, node: Node, field: u32, value: u32) {
        let at = node as usize + field as usize;
        debug_assert!(at < self.words.len());
        // SAFETY: the invariant at `word`.
        unsafe { *self.words.get_unchecked_mut(at) = value }
    }

    #[inline(always)]
    fn len_mut(&mut self, column: Column) -> &mut i32 {
        debug_assert!((1..=self.lens.len()).contains(&(column as usize)));
        // SAFETY: the invariant at `word`; spacers, whose ITEM is 0, do not come here.
        unsafe { self.lens.get_unchecked_mut((column as usize).wrapping_sub(1)) }
    }

    /// The next node of the option, cyclically.
    #[inline(always)]
    fn right(&self, node: Node) -> Node {
        if !COLORED {
            return self.word(node, NEXT);
        }
        let next = node + STRIDE;
        if self.word(next, ITEM) == 0 { self.word(next, UP) } else { next }
    }

    /// The node before `node` in its option, cyclically.
    #[inline(always)]
    fn left(&self, node: Node) -> Node {
        let before = node - STRIDE;
        if self.word(before, ITEM) == 0 { self.word(before, LAST) } else { before }
    }

    /// Removes the other nodes of the row of `node` from their lists. True if some active item is left with nothing.
    #[inline(always)]
    fn hide(&mut self, node: Node, updates: &mut u64) -> bool {
        let unit = self.keys.unit;
        let mut dead = false;
        let mut q = self.right(node);
        while q != node {
            if !COLORED || self.word(q, COLOR) != AGREED {
                let (up, down) = (self.word(q, UP), self.word(q, DOWN));
                self.set(up, DOWN, down);
                self.set(down, UP, up);
                let len = self.len_mut(self.word(q, ITEM));
                *len -= unit;
                dead |= *len < unit;
                *updates += 1;
            }
            q = self.right(q);
        }
        dead
    }

    /// Undoes [`hide`](Self::hide). The lists of one row are distinct, so that the order along the row does not matter.
    #[inline(always)]
    fn unhide(&mut self, node: Node) {
        let unit = self.keys.unit;
        let mut q = self.right(node);
        while q != node {
            if !COLORED || self.word(q, COLOR) != AGREED {
                let (up, down) = (self.word(q, UP), self.word(q, DOWN));
                self.set(up, DOWN, q);
                self.set(down, UP, q);
                *self.len_mut(self.word(q, ITEM)) += unit;
            }
            q = self.right(q);
        }
    }

    /// Hides every row of the column. With `CHECK`, stops after the first row that leaves an active item with nothing, and
    /// returns its node.
    #[inline(always)]
    fn cover<const CHECK: bool>(&mut self, column: Column) -> Option<Node> {
        let header = column * STRIDE;
        let mut updates = 0;
        let mut row = self.word(header, DOWN);
        let mut failed = None;
        while row != header {
            if self.hide(row, &mut updates) && CHECK {
                failed = Some(row);
                break;
            }
            row = self.word(row, DOWN);
        }
        self.updates += updates;
        failed
    }

    /// Unhides the rows of the column, from `row` upward: the last one that was hidden.
    #[inline(always)]
    fn uncover(&mut self, column: Column, mut row: Node) {
        let header = column * STRIDE;
        while row != header {
            self.unhide(row);
            row = self.word(row, UP);
        }
    }

    /// Hides every row that gives another color, or none, to the column of `node`; marks those that agree.
    fn purify<const CHECK: bool>(&mut self, node: Node, column: Column) -> Option<Node> {
        let header = column * STRIDE;
        let color = self.word(node, COLOR);
        let mut updates = 0;
        let mut row = self.word(header, DOWN);
        let mut failed = None;
        while row != header {
            if self.word(row, COLOR) == color {
                self.set(row, COLOR, AGREED);
            } else if self.hide(row, &mut updates) && CHECK {
                failed = Some(row);
                break;
            }
            row = self.word(row, DOWN);
        }
        self.updates += updates;
        failed
    }

    /// Undoes [`purify`](Self::purify) from `row` upward.
    fn unpurify(&mut self, node: Node, column: Column, mut row: Node) {
        let header = column * STRIDE;
        let color = self.word(node, COLOR);
        while row != header {
            if self.word(row, COLOR) == AGREED {
                self.set(row, COLOR, color);
            } else {
                self.unhide(row);
            }
            row = self.word(row, UP);
        }
    }

    /// All that a search changes and must restore.
    #[cfg(test)]
    pub(super) fn state(&self) -> Vec<u32> {
        let counts = [self.active, self.front];
        self.words.iter().copied().chain(self.lens.iter().map(|&len| len as u32)).chain(counts).collect()
    }

    /// Makes a column inactive. Secondary ones always are.
    #[inline(always)]
    fn deactivate(&mut self, column: Column) {
        if column <= self.primaries {
            *self.len_mut(column) += INACTIVE;
            self.active -= 1;
        }
    }

    #[inline(always)]
    fn reactivate(&mut self, column: Column) {
        if column <= self.primaries {
            *self.len_mut(column) -= INACTIVE;
            self.active += 1;
        }
    }

    /// Covers, or purifies, the column of one node of an option that is being chosen.
    #[inline(always)]
    fn commit<const CHECK: bool>(&mut self, node: Node) -> Option<Node> {
        let column = self.word(node, ITEM);
        match if COLORED { self.word(node, COLOR) } else { 0 } {
            0 => self.cover::<CHECK>(column),
            AGREED => None,
            _ => self.purify::<CHECK>(node, column),
        }
    }

    /// Undoes [`commit`](Self::commit), from the given row upward or, without one, from the bottom.
    #[inline(always)]
    fn uncommit(&mut self, node: Node, from: Option<Node>) {
        let column = self.word(node, ITEM);
        let row = from.unwrap_or_else(|| self.word(column * STRIDE, UP));
        match if COLORED { self.word(node, COLOR) } else { 0 } {
            0 => self.uncover(column, row),
            AGREED => (),
            _ => self.unpurify(node, column, row),
        }
    }

    /// Makes the other columns of an option inactive.
    #[inline(always)]
    fn deactivate_others(&mut self, node: Node) {
        let mut q = self.right(node);
        while q != node {
            self.deactivate(self.word(q, ITEM));
            q = self.right(q);
        }
    }

    #[inline(always)]
    fn reactivate_others(&mut self, node: Node) {
        let mut q = self.right(node);
        while q != node {
            self.reactivate(self.word(q, ITEM));
            q = self.right(q);
        }
    }

    /// Commits the other nodes of an option, where the column is `full`: it cannot take another option. With `CHECK`, or
    /// nothing at all: false if an active item would be left with nothing.
    #[inline(always)]
    fn commit_others<const CHECK: bool>(&mut self, node: Node, full: impl Fn(Column) -> bool) -> bool {
        self.commit_others_or::<CHECK>(node, full, |_| ())
    }

    /// The same, with a look at where it fails.
    #[inline(always)]
    fn commit_others_or<const CHECK: bool>(
        &mut self,
        node: Node,
        full: impl Fn(Column) -> bool,
        look: impl FnOnce(&Self),
    ) -> bool {
        let mut q = self.right(node);
        while q != node {
            if full(self.word(q, ITEM))
                && let Some(row) = self.commit::<CHECK>(q)
            {
                look(self);
                self.uncommit(q, Some(row));
                self.uncommit_others(node, self.left(q), full);
                return false;
            }
            q = self.right(q);
        }
        true
    }

    /// Undoes [`commit`](Self::commit) for the nodes from `from` leftward until `node`.
    #[inline(always)]
    fn uncommit_others(&mut self, node: Node, from: Node, full: impl Fn(Column) -> bool) {
        let mut q = from;
        while q != node {
            if full(self.word(q, ITEM)) {
                self.uncommit(q, None);
            }
            q = self.left(q);
        }
    }

    /// Branches on a column of this length. `front` is what it was before the choice.
    #[inline(always)]
    fn branch(&mut self, column: Column, len: i32, front: u32) -> Selected<Branch> {
        let node = self.word(column * STRIDE, DOWN);
        let branch = Branch { column, node, front, covered: false };
        Selected::Branch { branch, forced: len == 1 }
    }

    /// Commits the option in hand. With `CHECK`, gives it up as soon as an active item is left with nothing.
    #[inline(always)]
    fn choose<const CHECK: bool>(&mut self, branch: &mut Branch) -> Tried {
        self.deactivate_others(branch.node);
        if self.active == 0 {
            self.reactivate_others(branch.node);
            return Tried::Complete;
        }
        if !branch.covered {
            branch.covered = true;
            self.cover::<false>(branch.column);
        }
        if !self.commit_others::<CHECK>(branch.node, always) {
            self.reactivate_others(branch.node);
            return Tried::Dead;
        }
        Tried::Open
    }

    /// The number of ways to branch on each active column: none where its key has fallen below that of one way.
    fn choices(&self) -> impl Iterator<Item = (Column, u32)> + use<'_, COLORED> {
        let shift = self.keys.unit.trailing_zeros();
        let primary = self.lens.iter().take(self.primaries as usize).zip(1..);
        let active = primary.filter(|(key, _)| **key < INACTIVE);
        active.map(move |(key, column)| (column, (key >> shift).max(0) as u32))
    }

    /// Whether some active column is empty before the search begins.
    #[cold]
    fn is_hopeless(&mut self) -> bool {
        self.unsettled = self.lacking().is_some();
        self.unsettled
    }

    /// The option of a node: the spacer behind it knows.
    fn option(&self, mut node: Node) -> Option<OptionId> {
        while self.word(node, ITEM) != 0 {
            node += STRIDE;
        }
        OptionId::new(self.word(node, DOWN))
    }

    /// The first node of a primary item in an option. Choosing begins with such an item: once it is covered, the option is
    /// hidden, and purifying cannot meet the option's own nodes.
    fn pivot(&self, option: OptionId) -> Node {
        let mut node = self.option_nodes[option.index()];
        while self.word(node, ITEM) > self.primaries {
            node += STRIDE;
        }
        node
    }
}

/// The columns of the items: primary ones first, each kind in the order of declaration.
fn columns(problem: &Problem, scanned: usize) -> Vec<Column> {
    let (mut primary, mut secondary) = (0, scanned as u32);
    let column = |item| {
        let next = if problem.is_primary(item) { &mut primary } else { &mut secondary };
        *next += 1;
        *next
    };
    problem.items().map(column).collect()
}

/// Without bounds, a column takes one option only.
const fn always(_: Column) -> bool {
    true
}

impl<const COLORED: bool> Explain for Links<COLORED> {
    fn decides(&self, branch: &Branch) -> Option<usize> {
        Some(branch.column as usize - 1)
    }

    fn in_hand(&self, branch: &Branch) -> Option<OptionId> {
        self.option(branch.node)
    }

    fn lacking(&self) -> Option<usize> {
        self.lens.iter().position(|&key| key < self.keys.unit)
    }

    fn lacking_if_tried(&mut self, branch: &Branch) -> Option<usize> {
        let (updates, mut lacking) = (self.updates, None);
        self.deactivate_others(branch.node);
        let tried = self.commit_others_or::<true>(branch.node, always, |links| lacking = links.lacking());
        debug_assert!(!tried, "it was dead before");
        self.reactivate_others(branch.node);
        self.updates = updates;
        lacking
    }

    fn passed_up(&self, _: &Branch) -> usize {
        0
    }
}

impl<const COLORED: bool> Engine for Links<COLORED> {
    type Branch = Branch;

    #[inline(always)]
    fn select(&mut self) -> Selected<Branch> {
        if self.unsettled && self.is_hopeless() {
            return Selected::Dead; // at once, and not after all forced choices
        }
        let front = self.front;
        let primary = &self.lens[..(self.primaries as usize).next_multiple_of(STRETCH)];
        match self.keys.fewest(primary, &mut self.front) {
            None => Selected::Complete,
            Some((_, 0)) => Selected::Dead,
            Some((at, len)) => self.branch(at as Column + 1, len, front),
        }
    }

    #[inline(always)]
    fn enter(&mut self, branch: &mut Branch) {
        self.deactivate(branch.column);
    }

    #[inline(always)]
    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        self.choose::<true>(branch)
    }

    #[inline(always)]
    fn retract(&mut self, branch: &Branch) {
        self.uncommit_others(branch.node, self.left(branch.node), always);
        self.reactivate_others(branch.node);
    }

    #[inline(always)]
    fn advance(&mut self, branch: &mut Branch) -> bool {
        branch.node = self.word(branch.node, DOWN);
        branch.node != branch.column * STRIDE
    }

    #[inline(always)]
    fn leave(&mut self, branch: &Branch) {
        if branch.covered {
            let bottom = self.word(branch.column * STRIDE, UP);
            self.uncover(branch.column, bottom);
        }
        self.reactivate(branch.column);
        self.front = branch.front;
    }

    fn collect(&mut self, branches: &[Branch], fresh: usize, assumed: usize, solution: &mut Vec<OptionId>) {
        solution.truncate(assumed + fresh);
        solution.extend(branches[fresh..].iter().filter_map(|branch| self.option(branch.node)));
    }

    fn follow(&self, branches: &[Branch], at: usize, path: &mut Path) {
        path.before.extend(self.option(branches[at].node));
    }

    /// The list of the branching item stays as it is until the branch is left.
    fn untried(&self, branches: &[Branch], at: usize, _: usize) -> Untried {
        let Branch { column, node, .. } = branches[at];
        let below = |&node: &Node| Some(self.word(node, DOWN)).filter(|next| *next != column * STRIDE);
        let first = below(&(column * STRIDE));
        let tried = core::iter::successors(first, below).take_while(|at| *at != node).count();
        let behind = core::iter::successors(below(&node), below);
        let others: Vec<_> = behind.filter_map(|node| self.option(node)).collect();
        Untried { behind: others.len(), tried, others, without: Vec::new(), hopeless: false }
    }

    fn assume(&mut self, option: OptionId) {
        self.unsettled = true;
        let node = self.pivot(option);
        self.deactivate(self.word(node, ITEM));
        self.deactivate_others(node);
        self.cover::<false>(self.word(node, ITEM));
        self.commit_others::<false>(node, always);
    }

    fn unassume(&mut self, option: OptionId) {
        let node = self.pivot(option);
        self.uncommit_others(node, self.left(node), always);
        self.uncommit(node, None);
        self.reactivate_others(node);
        self.reactivate(self.word(node, ITEM));
        self.front = 0;
        self.unsettled = true;
    }

    fn updates(&self) -> u64 {
        self.updates
    }
}

impl<const COLORED: bool> Steer for Links<COLORED> {
    fn choices(&self) -> impl Iterator<Item = (Column, u32)> {
        Links::choices(self)
    }

    fn branch_on(&mut self, column: Column) -> Selected<Branch> {
        let len = *self.len_mut(column) >> self.keys.unit.trailing_zeros();
        self.branch(column, len, self.front)
    }

    fn attempt_blindly(&mut self, branch: &mut Branch) -> Tried {
        self.choose::<false>(branch)
    }
}

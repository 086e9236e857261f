//! Dancing links: the reference engine, which does everything, at a few words an entry (Knuth, *The Art of
//! Computer Programming* 4B, 7.2.2.1, Algorithms X and C).
//!
//! **Layout.** One flat array of 32-bit words. A node takes `S` consecutive words: UP, DOWN, ITEM and, if there are
//! colors (`S` = 4), COLOR; UP and DOWN are the places of the first words of other nodes, so that following a link
//! needs no multiplication. Node 0 is a spacer; node *c* is the header of the list of column *c*, with the
//! primary items as columns 1, 2, ..., then the secondary ones; then come the options in the order of the input, the nodes
//! of each side by side with a spacer behind them. A spacer has ITEM = 0; its UP is the first node of the option before
//! it and its DOWN the number of that option. Options that can never be chosen have a spacer only.
//!
//! **Lengths** are in an array of their own, which the choice of the next item scans as it is: a column that is not to
//! be chosen has [`INACTIVE`] added. There is no list of active items.
//!
//! **Early failure.** Of an option, all items are made inactive before any list is touched. If no primary item is left
//! then, it is a solution, and no link needs to move. Else, as soon as some active item has no option
//! left, the commitment is given up; Knuth's programs find the same at the next choice. Node counts do not differ.
#![allow(unsafe_code)] // INVARIANT: see `Links::word`

use alloc::vec::Vec;

use super::{Engine, Selected, Tried};
use crate::choose::{self, INACTIVE, STRETCH};
use crate::{OptionId, Problem};

/// A place in `Links::words`: the first word of a node.
type Node = u32;
/// The number of a column, from 1.
type Column = u32;

const UP: u32 = 0;
const DOWN: u32 = 1;
const ITEM: u32 = 2;
const COLOR: u32 = 3;

/// The color of a node whose item has been purified to its own color: it is skipped until that is undone.
const AGREED: u32 = u32::MAX;

/// Nodes of `S` words: 3 without colors, 4 with them.
pub(crate) struct Links<const S: usize> {
    words: Vec<u32>,
    lens: Vec<i32>,          // by column; plus INACTIVE where it is not to be chosen
    stretches: Vec<u32>,     // how many of each STRETCH primary columns are active
    primaries: u32,          // the primary columns are 1..=primaries
    active: u32,             // how many of those are active
    option_nodes: Vec<Node>, // by option: its first node (or its spacer if it has no nodes)
    columns: Vec<Column>,    // by item
    updates: u64,
}

/// A column being branched on, and the option in hand.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    column: Column,
    node: Node, // of the option in hand, in that column; the header after the last
    end: Node,  // the spacer behind that option, once it is known to exist
    last: bool, // no other item was active: nothing needs covering
}

impl<const S: usize> Links<S> {
    const STRIDE: u32 = S as u32;
    const COLORED: bool = S == 4;

    pub(crate) fn new(problem: &Problem) -> Self {
        let columns = columns(problem);
        let primaries = problem.primary_count() as u32;
        let headers = problem.item_count() + 1;
        let nodes = headers + problem.entry_count() + problem.option_count();
        let mut links = Self {
            words: Vec::with_capacity(nodes * S),
            lens: Vec::with_capacity(headers),
            stretches: Vec::new(),
            primaries,
            active: primaries,
            option_nodes: Vec::with_capacity(problem.option_count()),
            columns,
            updates: 0,
        };
        for column in 0..headers as u32 {
            let header = column * Self::STRIDE;
            links.push_node(header, header, column, 0);
            links.lens.push(if (1..=primaries).contains(&column) { 0 } else { INACTIVE });
        }
        for option in problem.options() {
            links.push_option(problem, option);
        }
        links.stretches =
            links.lens[1..=primaries as usize].chunks(STRETCH).map(|stretch| stretch.len() as u32).collect();
        links
    }

    fn push_node(&mut self, up: u32, down: u32, item: u32, color: u32) {
        self.words.extend_from_slice(&[up, down, item, color][..S]);
    }

    fn push_option(&mut self, problem: &Problem, option: OptionId) {
        let first = self.words.len() as Node;
        self.option_nodes.push(first);
        let usable = problem.has_primary_item(option);
        for entry in problem.option(option).entries().filter(|_| usable) {
            let node = self.words.len() as Node;
            let column = self.columns[entry.item.index()];
            let header = column * Self::STRIDE;
            let bottom = self.words[(header + UP) as usize];
            let color = entry.color.map_or(0, |color| color.raw() + 1);
            self.push_node(bottom, header, column, color);
            self.words[(bottom + DOWN) as usize] = node;
            self.words[(header + UP) as usize] = node;
            self.lens[column as usize] += 1;
        }
        self.push_node(first, option.raw(), 0, 0);
    }

    /// One word of the table.
    ///
    /// INVARIANT, of this and the other accesses below: every UP and DOWN in `words` (but the DOWN of a spacer, which is
    /// never followed) is the place of a node of the table, a multiple of `S` below `words.len()`; a node's fields lie within
    /// its `S` words; every ITEM is below `lens.len()`; and a walk along a row meets a spacer before the end of the
    /// table, since each option ends with one. `new` makes it so, and covering and uncovering only ever store links that
    /// they have read from the table.
    #[inline(always)]
    fn word(&self, at: u32) -> u32 {
        debug_assert!((at as usize) < self.words.len());
        // SAFETY: the invariant above.
        unsafe { *self.words.get_unchecked(at as usize) }
    }

    #[inline(always)]
    fn set(&mut self, at: u32, value: u32) {
        debug_assert!((at as usize) < self.words.len());
        // SAFETY: the invariant at `word`.
        unsafe { *self.words.get_unchecked_mut(at as usize) = value }
    }

    #[inline(always)]
    fn len_mut(&mut self, column: Column) -> &mut i32 {
        debug_assert!((column as usize) < self.lens.len());
        // SAFETY: the invariant at `word`.
        unsafe { self.lens.get_unchecked_mut(column as usize) }
    }

    /// Removes the other nodes of the row of `node` from their lists. True if some active item is left with nothing.
    #[inline(always)]
    fn hide(&mut self, node: Node, updates: &mut u64) -> bool {
        let mut dead = false;
        let mut q = node + Self::STRIDE;
        while q != node {
            let column = self.word(q + ITEM);
            if column == 0 {
                q = self.word(q + UP);
                continue;
            }
            if !Self::COLORED || self.word(q + COLOR) != AGREED {
                let (up, down) = (self.word(q + UP), self.word(q + DOWN));
                self.set(up + DOWN, down);
                self.set(down + UP, up);
                let len = self.len_mut(column);
                *len -= 1;
                dead |= *len == 0;
                *updates += 1;
            }
            q += Self::STRIDE;
        }
        dead
    }

    /// Undoes [`hide`](Self::hide). The lists of one row are distinct, so that the order along the row does not matter.
    #[inline(always)]
    fn unhide(&mut self, node: Node) {
        let mut q = node + Self::STRIDE;
        while q != node {
            let column = self.word(q + ITEM);
            if column == 0 {
                q = self.word(q + UP);
                continue;
            }
            if !Self::COLORED || self.word(q + COLOR) != AGREED {
                let (up, down) = (self.word(q + UP), self.word(q + DOWN));
                self.set(up + DOWN, q);
                self.set(down + UP, q);
                *self.len_mut(column) += 1;
            }
            q += Self::STRIDE;
        }
    }

    /// Hides every row of the column. With `CHECK`, stops after the first row that leaves an active item with nothing, and
    /// returns its node.
    #[inline(always)]
    fn cover<const CHECK: bool>(&mut self, column: Column) -> Option<Node> {
        let header = column * Self::STRIDE;
        let mut updates = 0;
        let mut row = self.word(header + DOWN);
        let mut failed = None;
        while row != header {
            if self.hide(row, &mut updates) && CHECK {
                failed = Some(row);
                break;
            }
            row = self.word(row + DOWN);
        }
        self.updates += updates;
        failed
    }

    /// Unhides the rows of the column, from `row` upward: the last one that was hidden.
    #[inline(always)]
    fn uncover(&mut self, column: Column, mut row: Node) {
        let header = column * Self::STRIDE;
        while row != header {
            self.unhide(row);
            row = self.word(row + UP);
        }
    }

    /// Hides every row that gives another color, or none, to the column of `node`; marks those that agree.
    fn purify<const CHECK: bool>(&mut self, node: Node, column: Column) -> Option<Node> {
        let header = column * Self::STRIDE;
        let color = self.word(node + COLOR);
        let mut updates = 0;
        let mut row = self.word(header + DOWN);
        let mut failed = None;
        while row != header {
            if self.word(row + COLOR) == color {
                self.set(row + COLOR, AGREED);
            } else if self.hide(row, &mut updates) && CHECK {
                failed = Some(row);
                break;
            }
            row = self.word(row + DOWN);
        }
        self.updates += updates;
        failed
    }

    /// Undoes [`purify`](Self::purify) from `row` upward.
    fn unpurify(&mut self, node: Node, column: Column, mut row: Node) {
        let header = column * Self::STRIDE;
        let color = self.word(node + COLOR);
        while row != header {
            if self.word(row + COLOR) == AGREED {
                self.set(row + COLOR, color);
            } else {
                self.unhide(row);
            }
            row = self.word(row + UP);
        }
    }

    /// Makes a column inactive. Secondary ones always are, and may well be so twice.
    #[inline(always)]
    fn deactivate(&mut self, column: Column) {
        if column <= self.primaries {
            *self.len_mut(column) += INACTIVE;
            self.active -= 1;
            self.stretches[(column - 1) as usize / STRETCH] -= 1;
        }
    }

    #[inline(always)]
    fn reactivate(&mut self, column: Column) {
        if column <= self.primaries {
            *self.len_mut(column) -= INACTIVE;
            self.active += 1;
            self.stretches[(column - 1) as usize / STRETCH] += 1;
        }
    }

    /// The spacer behind the option of `node`.
    #[inline(always)]
    fn end(&self, mut node: Node) -> Node {
        while self.word(node + ITEM) != 0 {
            node += Self::STRIDE;
        }
        node
    }

    /// The first node of a primary item in an option, and the spacer behind the option. Choosing begins with such an item:
    /// once it is covered, the option is hidden, and purifying cannot meet the option's own nodes.
    fn pivot(&self, option: OptionId) -> (Node, Node) {
        let mut node = self.option_nodes[option.index()];
        while self.word(node + ITEM) > self.primaries {
            node += Self::STRIDE;
        }
        (node, self.end(node))
    }

    /// The node after `node` in its option, cyclically; `end` is the spacer.
    #[inline(always)]
    fn right(&self, node: Node, end: Node) -> Node {
        let next = node + Self::STRIDE;
        if next == end { self.word(end + UP) } else { next }
    }

    /// The node before `node` in its option, cyclically.
    #[inline(always)]
    fn left(&self, node: Node, end: Node) -> Node {
        if node == self.word(end + UP) { end - Self::STRIDE } else { node - Self::STRIDE }
    }

    /// Covers, or purifies, the column of one node of an option that is being chosen.
    #[inline(always)]
    fn commit<const CHECK: bool>(&mut self, node: Node) -> Option<Node> {
        let column = self.word(node + ITEM);
        match if Self::COLORED { self.word(node + COLOR) } else { 0 } {
            0 => self.cover::<CHECK>(column),
            AGREED => None,
            _ => self.purify::<CHECK>(node, column),
        }
    }

    /// Undoes [`commit`](Self::commit), from the given row upward or, without one, from the bottom.
    #[inline(always)]
    fn uncommit(&mut self, node: Node, from: Option<Node>) {
        let column = self.word(node + ITEM);
        let row = from.unwrap_or_else(|| self.word(column * Self::STRIDE + UP));
        match if Self::COLORED { self.word(node + COLOR) } else { 0 } {
            0 => self.uncover(column, row),
            AGREED => (),
            _ => self.unpurify(node, column, row),
        }
    }

    fn deactivate_others(&mut self, node: Node, end: Node) {
        let mut q = self.right(node, end);
        while q != node {
            self.deactivate(self.word(q + ITEM));
            q = self.right(q, end);
        }
    }

    fn reactivate_others(&mut self, node: Node, end: Node) {
        let mut q = self.right(node, end);
        while q != node {
            self.reactivate(self.word(q + ITEM));
            q = self.right(q, end);
        }
    }

    /// Commits the other nodes of an option. With `CHECK`, or nothing at all: false if an active item would be left with
    /// nothing.
    fn commit_others<const CHECK: bool>(&mut self, node: Node, end: Node) -> bool {
        let mut q = self.right(node, end);
        while q != node {
            if let Some(row) = self.commit::<CHECK>(q) {
                self.uncommit(q, Some(row));
                self.uncommit_others(node, self.left(q, end), end);
                return false;
            }
            q = self.right(q, end);
        }
        true
    }

    /// Undoes [`commit`](Self::commit) for the nodes from `from` leftward until `node`.
    fn uncommit_others(&mut self, node: Node, from: Node, end: Node) {
        let mut q = from;
        while q != node {
            self.uncommit(q, None);
            q = self.left(q, end);
        }
    }
}

/// The columns of the items: primary ones first, each kind in the order of declaration.
fn columns(problem: &Problem) -> Vec<Column> {
    let (mut primary, mut secondary) = (0, problem.primary_count() as u32);
    let column = |item| {
        let next = if problem.is_primary(item) { &mut primary } else { &mut secondary };
        *next += 1;
        *next
    };
    problem.items().map(column).collect()
}

impl<const S: usize> Engine for Links<S> {
    type Branch = Branch;

    fn select(&mut self, _: &[OptionId]) -> Selected<Branch> {
        let primary = &self.lens[1..=self.primaries as usize];
        match choose::fewest(primary, &self.stretches) {
            None => Selected::Complete,
            Some((_, 0)) => Selected::Dead,
            Some((at, len)) => {
                let column = at as Column + 1;
                let branch = Branch { column, node: 0, end: 0, last: self.active == 1 };
                Selected::Branch { branch, forced: len == 1 }
            }
        }
    }

    fn enter(&mut self, branch: &mut Branch) {
        branch.node = self.word(branch.column * Self::STRIDE + DOWN);
        self.deactivate(branch.column);
        if !branch.last {
            self.cover::<false>(branch.column);
        }
    }

    fn current(&self, branch: &mut Branch) -> Option<OptionId> {
        if branch.node == branch.column * Self::STRIDE {
            return None;
        }
        branch.end = self.end(branch.node);
        OptionId::new(self.word(branch.end + DOWN))
    }

    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        if branch.last {
            return Tried::Complete;
        }
        self.deactivate_others(branch.node, branch.end);
        if self.active == 0 {
            self.reactivate_others(branch.node, branch.end);
            return Tried::Complete;
        }
        if !self.commit_others::<true>(branch.node, branch.end) {
            self.reactivate_others(branch.node, branch.end);
            return Tried::Dead;
        }
        Tried::Open
    }

    fn retract(&mut self, branch: &Branch) {
        let last = self.left(branch.node, branch.end);
        self.uncommit_others(branch.node, last, branch.end);
        self.reactivate_others(branch.node, branch.end);
    }

    fn advance(&mut self, branch: &mut Branch) {
        branch.node = self.word(branch.node + DOWN);
    }

    fn leave(&mut self, branch: &Branch) {
        if !branch.last {
            let bottom = self.word(branch.column * Self::STRIDE + UP);
            self.uncover(branch.column, bottom);
        }
        self.reactivate(branch.column);
    }

    fn assume(&mut self, option: OptionId) {
        let (node, end) = self.pivot(option);
        self.deactivate(self.word(node + ITEM));
        self.deactivate_others(node, end);
        self.cover::<false>(self.word(node + ITEM));
        self.commit_others::<false>(node, end);
    }

    fn unassume(&mut self, option: OptionId) {
        let (node, end) = self.pivot(option);
        self.uncommit_others(node, self.left(node, end), end);
        self.uncommit(node, None);
        self.reactivate_others(node, end);
        self.reactivate(self.word(node + ITEM));
    }

    fn updates(&self) -> u64 {
        self.updates
    }
}

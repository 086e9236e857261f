//! The classic pointer-linked torus, the peer that every index engine has to beat: nodes in a
//! [`typed_arena::Arena`], four links each in `Cell`s, entirely safe. It makes the same choices in the
//! same order as `dlx-core`'s links, so both walk the same tree and their times compare the layouts only.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::ptr;

use dlx_core::{OptionId, Problem};
use typed_arena::Arena;

/// What a search did, in the units of `dlx_core::Statistics`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// One for the root and one for each option tried.
    pub nodes: u64,
    /// Entries removed from the list of their item.
    pub updates: u64,
    /// Solutions visited.
    pub solutions: u64,
}

/// One of the four links of a node. Safe code cannot make the first node of a cycle point to a node, so a
/// link that was never set leads back to the node itself, which is what a fresh circular list needs anyway.
type Link<'a> = Cell<Option<&'a Node<'a>>>;

/// A place in the torus: an option's entry in the list of its item, or the head of such a list.
struct Node<'a> {
    left: Link<'a>,
    right: Link<'a>,
    up: Link<'a>,
    down: Link<'a>,
    item: &'a Item<'a>,
    option: Option<OptionId>, // none in a head
    color: Cell<u32>,         // UNCOLORED, one more than the color's index, or AGREED
}

const UNCOLORED: u32 = 0;
/// The item has got the color that this entry asks for: nothing can take the entry away until that is undone.
const AGREED: u32 = u32::MAX;

impl<'a> Node<'a> {
    fn new(item: &'a Item<'a>, option: Option<OptionId>, color: u32) -> Self {
        let [left, right, up, down] = [const { Cell::new(None) }; 4];
        Self { left, right, up, down, item, option, color: Cell::new(color) }
    }

    fn left(&'a self) -> &'a Self {
        self.left.get().unwrap_or(self)
    }

    fn right(&'a self) -> &'a Self {
        self.right.get().unwrap_or(self)
    }

    fn up(&'a self) -> &'a Self {
        self.up.get().unwrap_or(self)
    }

    fn down(&'a self) -> &'a Self {
        self.down.get().unwrap_or(self)
    }

    fn is(&self, other: &Self) -> bool {
        ptr::eq(self, other)
    }

    /// Appends this fresh node to the row that begins with `first`.
    fn append_to_row(&'a self, first: &'a Self) {
        let last = first.left();
        self.left.set(Some(last));
        self.right.set(Some(first));
        last.right.set(Some(self));
        first.left.set(Some(self));
    }

    /// Appends this fresh node to the list below `head`.
    fn append_to_list(&'a self, head: &'a Self) {
        let last = head.up();
        self.up.set(Some(last));
        self.down.set(Some(head));
        last.down.set(Some(self));
        head.up.set(Some(self));
        self.item.size.update(|size| size + 1);
    }
}

/// An item: its place among the primary items still to be covered, and its list of entries.
struct Item<'a> {
    size: Cell<u32>, // entries in the list, plus INACTIVE if the item need not be covered (any more)
    primary: bool,
    left: Cell<Option<&'a Item<'a>>>,
    right: Cell<Option<&'a Item<'a>>>,
    head: Cell<Option<&'a Node<'a>>>,
}

/// Keeps the size of an item away from 0, so that one comparison tells that an item has run out of options
/// that needs one.
const INACTIVE: u32 = 1 << 31;

impl<'a> Item<'a> {
    fn new(primary: bool) -> Self {
        let [left, right] = [const { Cell::new(None) }; 2];
        let size = Cell::new(if primary { 0 } else { INACTIVE });
        Self { size, primary, left, right, head: Cell::new(None) }
    }

    fn left(&'a self) -> &'a Self {
        self.left.get().unwrap_or(self)
    }

    fn right(&'a self) -> &'a Self {
        self.right.get().unwrap_or(self)
    }

    fn is_active(&self) -> bool {
        self.size.get() < INACTIVE
    }

    /// Takes the item from the list of those to be covered. Secondary items are never there.
    fn deactivate(&'a self) {
        if self.primary {
            let (left, right) = (self.left(), self.right());
            left.right.set(Some(right));
            right.left.set(Some(left));
            self.size.update(|size| size + INACTIVE);
        }
    }

    fn reactivate(&'a self) {
        if self.primary {
            self.left().right.set(Some(self));
            self.right().left.set(Some(self));
            self.size.update(|size| size - INACTIVE);
        }
    }

    /// Appends this fresh primary item to those to be covered.
    fn append_to_active(&'a self, root: &'a Self) {
        let last = root.left();
        self.left.set(Some(last));
        self.right.set(Some(root));
        last.right.set(Some(self));
        root.left.set(Some(self));
    }
}

/// Where the nodes and items of one [`Torus`] live.
#[derive(Default)]
pub struct Memory<'a> {
    nodes: Arena<Node<'a>>,
    items: Arena<Item<'a>>,
}

/// The matrix of a problem as a torus of linked nodes.
///
/// ```
/// use dlx_benches::torus::{Memory, Torus};
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let [a, c, d] = b.primaries(["a", "c", "d"])?;
/// b.option([a, c])?;
/// b.option([d])?;
/// let memory = Memory::default();
/// let torus = Torus::new(&memory, &b.build()?);
/// assert_eq!(torus.count().solutions, 1);
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub struct Torus<'a> {
    root: &'a Item<'a>,
    rows: Vec<Option<&'a Node<'a>>>, // by option: its first entry, if it has a primary item
    assumed: Vec<&'a Node<'a>>,
    colored: bool,
}

impl<'a> Torus<'a> {
    /// Links the problem up. Options without a primary item can never be chosen and are left out.
    pub fn new(memory: &'a Memory<'a>, problem: &Problem) -> Self {
        let root: &Item = memory.items.alloc(Item::new(false));
        let items: Vec<&Item> = problem
            .items()
            .map(|id| {
                let item: &Item = memory.items.alloc(Item::new(problem.is_primary(id)));
                item.head.set(Some(memory.nodes.alloc(Node::new(item, None, UNCOLORED))));
                if item.primary {
                    item.append_to_active(root);
                }
                item
            })
            .collect();
        let mut colored = false;
        let mut row = |option: OptionId| {
            let entries = problem.option(option).entries();
            if !entries.clone().any(|entry| problem.is_primary(entry.item)) {
                return None;
            }
            let mut first: Option<&Node> = None;
            for entry in entries {
                let item = items[entry.item.index()];
                let color = entry.color.map_or(UNCOLORED, |color| color.index() as u32 + 1);
                colored |= color != UNCOLORED;
                let node: &Node = memory.nodes.alloc(Node::new(item, Some(option), color));
                node.append_to_row(first.get_or_insert(node));
                if let Some(head) = item.head.get() {
                    node.append_to_list(head);
                }
            }
            first
        };
        let rows = problem.options().map(&mut row).collect();
        Self { root, rows, assumed: Vec::new(), colored }
    }

    /// Counts all solutions by visiting each.
    pub fn count(&self) -> Tally {
        self.for_each(|_| ControlFlow::Continue(()))
    }

    /// Visits the solutions, depth first, until `visit` breaks off; the torus is then as it was before.
    pub fn for_each(&self, visit: impl FnMut(Cover<'_, 'a>) -> ControlFlow<()>) -> Tally {
        if self.colored {
            Search::<true>::new(self.root).run(visit)
        } else {
            Search::<false>::new(self.root).run(visit)
        }
    }

    /// Chooses an option ahead of the search; `false` if it clashes with those chosen so far (or cannot be
    /// chosen at all), and then nothing has changed.
    pub fn assume(&mut self, option: OptionId) -> bool {
        let Some(row) = self.rows.get(option.index()).copied().flatten() else { return false };
        if !is_available(row) {
            return false;
        }
        let mut search = Search::<true>::new(self.root);
        row.item.deactivate();
        search.deactivate_others(row);
        search.commit(row, false);
        search.commit_others(row, false);
        self.assumed.push(row);
        true
    }

    /// Takes all assumptions back.
    pub fn reset(&mut self) {
        while let Some(row) = self.assumed.pop() {
            let search = Search::<true>::new(self.root);
            search.uncommit_others(row, row.left());
            search.uncommit(row, None);
            search.reactivate_others(row);
            row.item.reactivate();
        }
    }
}

/// Whether the option is still to be had. If it was hidden, then either by one of its primary items, which
/// is no longer active, or by a secondary item, and then its primary entries are out of their lists.
fn is_available<'a>(row: &'a Node<'a>) -> bool {
    let mut node = row;
    loop {
        if node.item.primary && !(node.item.is_active() && node.up().down().is(node)) {
            return false;
        }
        node = node.right();
        if node.is(row) {
            return true;
        }
    }
}

/// A solution in the making of which nothing was copied.
#[derive(Clone, Copy)]
pub struct Cover<'s, 'a> {
    trail: &'s [Level<'a>],
    last: Option<&'a Node<'a>>,
}

impl Cover<'_, '_> {
    /// The options chosen, in the order of their choice and without those assumed.
    pub fn options(&self) -> impl Iterator<Item = OptionId> {
        self.trail.iter().map(|level| level.row).chain(self.last).filter_map(|row| row.option)
    }
}

/// An item being branched on, and its option in hand.
#[derive(Clone, Copy)]
struct Level<'a> {
    /// The option's entry in the item's list; the head after the last option.
    row: &'a Node<'a>,
    /// Whether the item is covered: the first option that is not a solution by itself has that done.
    covered: bool,
}

impl Level<'_> {
    fn next(self) -> Self {
        Self { row: self.row.down(), ..self }
    }
}

/// One walk through the search tree. Problems without colors run the instance that never looks at one.
struct Search<'a, const COLORED: bool> {
    root: &'a Item<'a>,
    trail: Vec<Level<'a>>, // with an option committed in each
    tally: Tally,
    stopped: bool,
}

impl<'a, const COLORED: bool> Search<'a, COLORED> {
    fn new(root: &'a Item<'a>) -> Self {
        Self { root, trail: Vec::new(), tally: Tally::default(), stopped: false }
    }

    fn run(mut self, mut visit: impl FnMut(Cover<'_, 'a>) -> ControlFlow<()>) -> Tally {
        self.tally.nodes = 1;
        let mut level = if self.is_stuck() { None } else { self.enter(&mut visit) };
        loop {
            level = match level {
                Some(level) if level.row.option.is_some() && !self.stopped => self.attempt(level, &mut visit),
                done => {
                    if let Some(Level { row, covered }) = done {
                        if covered {
                            self.uncover(row.item, None);
                        }
                        row.item.reactivate();
                    }
                    let Some(level) = self.trail.pop() else { return self.tally };
                    self.uncommit_others(level.row, level.row.left());
                    self.reactivate_others(level.row);
                    Some(level.next())
                }
            };
        }
    }

    /// Tries the option in hand. The level to go on with: a deeper one, this one with its next option, or
    /// `None` where the option stays in hand and there is nothing below it.
    fn attempt(
        &mut self,
        mut level: Level<'a>,
        visit: &mut impl FnMut(Cover<'_, 'a>) -> ControlFlow<()>,
    ) -> Option<Level<'a>> {
        self.tally.nodes += 1;
        self.deactivate_others(level.row);
        if ptr::eq(self.root.right(), self.root) {
            self.report(Some(level.row), visit);
        } else {
            if !level.covered {
                level.covered = true;
                self.cover(level.row.item, false);
            }
            if self.commit_others(level.row, true) {
                self.trail.push(level);
                return self.enter(visit);
            }
        }
        self.reactivate_others(level.row);
        Some(level.next())
    }

    /// Chooses an item. `None` if all are covered: then the options in hand are a solution.
    fn enter(&mut self, visit: &mut impl FnMut(Cover<'_, 'a>) -> ControlFlow<()>) -> Option<Level<'a>> {
        let Some(head) = self.choose().head.get() else {
            self.report(None, visit); // only the root has no list
            return None;
        };
        head.item.deactivate();
        Some(Level { row: head.down(), covered: false })
    }

    fn report(
        &mut self,
        last: Option<&'a Node<'a>>,
        visit: &mut impl FnMut(Cover<'_, 'a>) -> ControlFlow<()>,
    ) {
        self.tally.solutions += 1;
        self.stopped = visit(Cover { trail: &self.trail, last }).is_break();
    }

    /// The active primary item with the fewest options, the lowest of those; the root if there is none. No item
    /// is without options here, so that the first with one option is good enough.
    fn choose(&self) -> &'a Item<'a> {
        let mut item = self.root.right();
        let mut best = item;
        let mut fewest = u32::MAX;
        while !ptr::eq(item, self.root) {
            let size = item.size.get();
            if size < fewest {
                (best, fewest) = (item, size);
                if size == 1 {
                    break;
                }
            }
            item = item.right();
        }
        best
    }

    /// Whether some active item has no option: at the root nobody has looked yet.
    fn is_stuck(&self) -> bool {
        let mut item = self.root.right();
        while !ptr::eq(item, self.root) {
            if item.size.get() == 0 {
                return true;
            }
            item = item.right();
        }
        false
    }

    fn deactivate_others(&self, row: &'a Node<'a>) {
        let mut node = row.right();
        while !node.is(row) {
            node.item.deactivate();
            node = node.right();
        }
    }

    fn reactivate_others(&self, row: &'a Node<'a>) {
        let mut node = row.left();
        while !node.is(row) {
            node.item.reactivate();
            node = node.left();
        }
    }

    /// Commits all entries of the option but `row` itself, from there to the right. `false` if that leaves
    /// some primary item without an option: then it has taken everything back.
    fn commit_others(&mut self, row: &'a Node<'a>, watch: bool) -> bool {
        let mut node = row.right();
        while !node.is(row) {
            if let Some(stop) = self.commit(node, watch) {
                self.uncommit(node, Some(stop));
                self.uncommit_others(row, node.left());
                return false;
            }
            node = node.right();
        }
        true
    }

    /// Takes back the commits of the entries from `row` (exclusive) to `from`.
    fn uncommit_others(&self, row: &'a Node<'a>, from: &'a Node<'a>) {
        let mut node = from;
        while !node.is(row) {
            self.uncommit(node, None);
            node = node.left();
        }
    }

    /// Makes the entry's item unavailable to the options that clash with it. With `watch` it stops after the
    /// first row whose removal empties an active item, and returns that row.
    fn commit(&mut self, node: &'a Node<'a>, watch: bool) -> Option<&'a Node<'a>> {
        match if COLORED { node.color.get() } else { UNCOLORED } {
            UNCOLORED => self.cover(node.item, watch),
            AGREED => None,
            color => self.purify(node.item, color, watch),
        }
    }

    /// Undoes `commit`, which had gone as far as `from`, or to the end.
    fn uncommit(&self, node: &'a Node<'a>, from: Option<&'a Node<'a>>) {
        match if COLORED { node.color.get() } else { UNCOLORED } {
            UNCOLORED => self.uncover(node.item, from),
            AGREED => {}
            color => self.unpurify(node.item, color, from),
        }
    }

    /// Hides the item's options. If it is to watch: only until an active item is left with nothing; then the row that did it.
    fn cover(&mut self, item: &'a Item<'a>, watch: bool) -> Option<&'a Node<'a>> {
        let head = item.head.get()?;
        let mut row = head.down();
        while !row.is(head) {
            if self.hide(row) && watch {
                return Some(row);
            }
            row = row.down();
        }
        None
    }

    fn uncover(&self, item: &'a Item<'a>, from: Option<&'a Node<'a>>) {
        let Some(head) = item.head.get() else { return };
        let mut row = from.unwrap_or_else(|| head.up());
        while !row.is(head) {
            self.unhide(row);
            row = row.up();
        }
    }

    fn purify(&mut self, item: &'a Item<'a>, color: u32, watch: bool) -> Option<&'a Node<'a>> {
        let head = item.head.get()?;
        let mut row = head.down();
        while !row.is(head) {
            if row.color.get() == color {
                row.color.set(AGREED);
            } else if self.hide(row) && watch {
                return Some(row);
            }
            row = row.down();
        }
        None
    }

    fn unpurify(&self, item: &'a Item<'a>, color: u32, from: Option<&'a Node<'a>>) {
        let Some(head) = item.head.get() else { return };
        let mut row = from.unwrap_or_else(|| head.up());
        while !row.is(head) {
            if row.color.get() == AGREED {
                row.color.set(color);
            } else {
                self.unhide(row);
            }
            row = row.up();
        }
    }

    /// Takes the option out of all lists but that of `row`. Whether that empties an active item.
    #[inline(always)]
    fn hide(&mut self, row: &'a Node<'a>) -> bool {
        let mut emptied = false;
        let mut node = row.right();
        while !node.is(row) {
            if !COLORED || node.color.get() != AGREED {
                let (up, down) = (node.up(), node.down());
                up.down.set(Some(down));
                down.up.set(Some(up));
                let size = node.item.size.get() - 1;
                node.item.size.set(size);
                emptied |= size == 0;
                self.tally.updates += 1;
            }
            node = node.right();
        }
        emptied
    }

    #[inline(always)]
    fn unhide(&self, row: &'a Node<'a>) {
        let mut node = row.left();
        while !node.is(row) {
            if !COLORED || node.color.get() != AGREED {
                node.up().down.set(Some(node));
                node.down().up.set(Some(node));
                node.item.size.set(node.item.size.get() + 1);
            }
            node = node.left();
        }
    }
}

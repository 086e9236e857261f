//! Bit slices: the engine for small dense problems such as sudoku.
//!
//! **Layout.** Each primary item is a *lane*, one bit of a [`Vector`]. *Slice* j has the bit of an item set if
//! the item's j-th option is still alive; so an option is alive in one place of one slice for each of its primary items.
//! Choosing an option is an AND of all slices with the masks of what agrees with it. Secondary items and colors
//! have no lanes: they are in the masks. Primary items have none either where the lanes of others tell what is left of them: see
//! [`across`]. Nothing is undone: a node has a frame of its own.
//!
//! **Counting.** Adding up the slices with carries finds all items that have none, one or two options left, in some
//! twenty operations for all items together. An item without options is a dead end. The options that are the last of their
//! items are chosen, all of a round before the next one is looked at: should two of them disagree, then each
//! removes the other, and the next round finds items with nothing. Therefore a chosen option stays alive in its lanes;
//! `todo` tells which items are still to be covered.
//!
//! **Containment.** When nothing is forced: see [`tables`].
//!
//! **Branching** is on an item with the fewest options, among these on the one that was most often left without
//! any option lately: the weights are bit planes over the items, too. Where all items have two options each, the second
//! branch needs no search: the options that a solution does not have are a solution too.

#![allow(clippy::needless_range_loop)] // the index is that of several arrays of vectors, or of a slice's place

use alloc::boxed::Box;
use alloc::vec::Vec;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64;
use core::hint::select_unpredictable;

use self::across::{Across, Layout, NoneAcross};
use self::tables::{GROUPS, Partner, Row, Shape, Tables, Users, kept_by_any};
use self::vector::{Joined, Kernel, Level, Vector};
use super::{Engine, Path, Selected, Tried, Untried};
use crate::search::{Drive, Search};
use crate::{OptionId, Problem};

mod across;
mod tables;
#[cfg(test)]
mod tests;
mod vector;

/// Planes of the weights: they count to 7.
const WEIGHTS: usize = 3;

/// The most binary digits of the number of a slice.
const CODE: usize = 5;

/// How many pairs of options may share an item: looking at all of them takes about as many nanoseconds.
const MOST_PAIRS: u64 = 1 << 25;

struct Planes<V: Vector, A: Across<V, S>, const S: usize> {
    across: A,
    tables: Tables<V, S>,
    frames: Vec<Frame<V, S>>, // by depth; those above `depth` are scrap
    depth: usize,
    complete: Frame<V, S>, // the last solution
    completed: bool,       // whether the last attempt gave it
    assumed: Vec<OptionId>,
    next: Branch, // where to branch in frames[depth]
    weights: [A::Items; WEIGHTS],
    updates: u64,
}

/// After so many groups that removed nothing, and none before that did, containment is not worth to be looked for: mostly
/// pairs of items have the same options left then.
const VAIN: u32 = 8;

/// A residual problem.
#[derive(Clone, Copy)]
struct Frame<V, const S: usize> {
    slices: [V; S],
    todo: V, // the items that are not covered
    told: V, // the items of the options in hand
}

/// An item, and those of its options that are to be tried.
#[derive(Clone, Copy)]
struct Branch {
    item: u16, // by its place in a set of items
    size: u16, // how many options there were
    slots: u32,
    even: bool,   // all items have two options, and there are no secondary items
    first: Tried, // what came of the first option
}

impl Branch {
    fn next(&mut self) -> bool {
        self.slots &= self.slots - 1;
        self.slots != 0
    }
}

/// Whether this engine is expected to be faster than bit sets: where these cannot have their small layout, and where what
/// a choice removes is much for the width of the slices.
pub(super) fn pays(problem: &Problem) -> bool {
    if problem.primary_count() <= 128 {
        return false;
    }
    let Shape { lanes, slots, .. } = Shape::new(problem);
    let least = if lanes <= 384 && slots <= 9 { 3 } else { 4 };
    lanes <= 1024 && slots <= 16 && problem.entry_count() >= least * problem.option_count()
}

/// A search with bit slices on the best instructions of this processor; `None` if the problem does not suit.
pub(super) fn search(problem: &Problem) -> Option<Box<dyn Drive>> {
    let Shape { lanes, slots, pairs } = Shape::new(problem);
    if pairs > MOST_PAIRS || problem.option_count() >= usize::from(u16::MAX) {
        return None;
    }
    let users = &Users::new(problem);
    let level = Level::detect();
    Some(match (lanes, slots) {
        (..=64, ..=8) => boxed::<[u64; 1], 8>(problem, users),
        (..=64, ..=16) => boxed::<[u64; 1], 16>(problem, users),
        (..=64, ..=32) => boxed::<[u64; 1], 32>(problem, users),
        (..=384, ..=9) => {
            across::<9>(problem, users, level).unwrap_or_else(|| sized::<9>(problem, users, level))
        }
        (..=384, ..=16) => sized::<16>(problem, users, level),
        (..=1024, ..=16) => sized_large::<16>(problem, users, level),
        _ => return None,
    })
}

/// For up to 256 lanes beside items that are read across them.
fn across<const S: usize>(problem: &Problem, users: &Users, level: Level) -> Option<Box<dyn Drive>> {
    let layout = Layout::across(problem, users, 4, S)?;
    Some(match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => boxed_across::<[vector::Ternary; 1], S>(problem, users, &layout),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => boxed_across::<[x86_64::__m256i; 1], S>(problem, users, &layout),
        #[cfg(target_arch = "x86_64")]
        Level::Portable => boxed_across::<[x86_64::__m128i; 2], S>(problem, users, &layout),
        #[cfg(not(target_arch = "x86_64"))]
        _ => boxed_across::<[u64; 4], S>(problem, users, &layout),
    })
}

fn boxed_across<V: Joined, const S: usize>(
    problem: &Problem,
    users: &Users,
    layout: &Layout,
) -> Box<dyn Drive> {
    Box::new(Search::new(Planes::<V, _, S>::new(problem, users, layout, layout.strips::<V, S>())))
}

/// For up to 384 items.
fn sized<const S: usize>(problem: &Problem, users: &Users, level: Level) -> Box<dyn Drive> {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => boxed::<[x86_64::__m512i; 1], S>(problem, users),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => boxed::<[x86_64::__m256i; 2], S>(problem, users),
        #[cfg(target_arch = "x86_64")]
        Level::Portable => boxed::<[x86_64::__m128i; 3], S>(problem, users),
        #[cfg(not(target_arch = "x86_64"))]
        _ => boxed::<[u64; 6], S>(problem, users),
    }
}

fn sized_large<const S: usize>(problem: &Problem, users: &Users, level: Level) -> Box<dyn Drive> {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => boxed::<[x86_64::__m512i; 2], S>(problem, users),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => boxed::<[x86_64::__m256i; 4], S>(problem, users),
        #[cfg(target_arch = "x86_64")]
        Level::Portable => boxed::<[x86_64::__m128i; 8], S>(problem, users),
        #[cfg(not(target_arch = "x86_64"))]
        _ => boxed::<[u64; 16], S>(problem, users),
    }
}

fn boxed<V: Vector, const S: usize>(problem: &Problem, users: &Users) -> Box<dyn Drive> {
    Box::new(Search::new(Planes::<V, _, S>::new(problem, users, &Layout::plain(problem), NoneAcross)))
}

impl<V: Vector, A: Across<V, S>, const S: usize> Planes<V, A, S> {
    fn new(problem: &Problem, users: &Users, layout: &Layout, across: A) -> Self {
        Self {
            across,
            tables: Tables::new(problem, layout, users),
            frames: Vec::new(),
            depth: 0,
            complete: Frame { slices: [V::zero(); S], todo: V::zero(), told: V::zero() },
            completed: false,
            assumed: Vec::new(),
            next: Branch { item: 0, size: 0, slots: 0, even: false, first: Tried::Open },
            weights: [A::Items::zero(); WEIGHTS],
            updates: 0,
        }
    }

    /// Sees what follows from a residual problem, and puts the outcome into `frames[depth]`, unless it is a dead end. If
    /// it stays open, `next` is where to branch.
    #[inline(always)]
    fn propagate(&mut self, mut frame: Frame<V, S>, depth: usize) -> Tried {
        let mut fired = [V::zero(); GROUPS];
        self.completed = false;
        loop {
            let (odd, carries) = add(frame.slices, S);
            let many = union(carries, S / 2);
            let none = self.tables.must.without(odd.or(many));
            let view = self.across.look(&frame.slices);
            if none.or(self.across.lacking(&view)).any() {
                let none = self.across.none(none, &frame.slices);
                self.blame(none);
                return Tried::Dead;
            }
            let open = if self.tables.plain { many.and(self.tables.must).any() } else { frame.todo.any() };
            let single = self.across.single(odd.without(many).and(frame.todo), frame.todo, &view);
            if open && single.any() {
                frame = self.choose_all(frame, single, &view);
                continue;
            }
            if open && depth == 0 {
                let mut contained = frame; // `frame` itself had better not have an address
                if V::run(Contain { tables: &self.tables, frame: &mut contained, fired: &mut fired }) {
                    frame = contained;
                    continue;
                }
            }
            if !open {
                self.complete = frame;
                self.completed = true;
                return Tried::Complete;
            }
            if depth == self.frames.len() {
                self.frames.push(frame);
            } else {
                self.frames[depth] = frame;
            }
            let (two, more) = add(carries, S / 2);
            let pairs = two.without(odd.or(union(more, S / 4))).and(frame.todo);
            let even = self.tables.plain && !frame.todo.without(pairs).any();
            let pairs = self.across.pairs(pairs, &self.frames[depth].slices);
            self.next = self.branch(&self.frames[depth], pairs, even);
            return Tried::Open;
        }
    }

    /// Chooses the only options of the lanes in `single`, of which there are some.
    ///
    /// One loop goes over all words, so that only its end is hard to foresee: a word's last lane is followed by the first one
    /// of the next word without a branch.
    #[inline(always)]
    fn choose_all(&mut self, mut frame: Frame<V, S>, single: A::Items, view: &A::View) -> Frame<V, S> {
        let code = self.across.code(code(frame.slices), view);
        let words = single.words();
        let mut words_left = single.nonzero();
        let mut word = words_left.trailing_zeros() as usize;
        let mut lanes_left = words[word % words.len()];
        let mut chosen = 0;
        while words_left != 0 {
            let bit = lanes_left.trailing_zeros();
            let word_of_lane = A::Items::WORDS - V::WORDS + word % V::WORDS;
            let row = self.tables.row(word_of_lane, bit, slot::<A::Items, S>(&code, word, bit));
            frame = frame.choose(&self.tables.rows[usize::from(row)]);
            lanes_left &= lanes_left - 1;
            let word_done = lanes_left == 0;
            words_left = select_unpredictable(word_done, words_left & (words_left - 1), words_left);
            word = words_left.trailing_zeros() as usize % words.len();
            lanes_left = select_unpredictable(word_done, words[word], lanes_left);
            chosen += 1;
        }
        self.updates += chosen;
        frame
    }

    /// An item with the fewest options: one of `pairs`, if these are any. Items without lanes take part with two options only.
    #[inline(always)]
    fn branch(&self, frame: &Frame<V, S>, pairs: A::Items, even: bool) -> Branch {
        let mut best = if pairs.any() { pairs } else { self.across.only(fewest(frame)) };
        for weight in self.weights.iter().rev() {
            let heavy = best.and(*weight);
            if heavy.any() {
                best = heavy;
            }
        }
        let word = best.nonzero().trailing_zeros() as usize;
        let bit = best.words()[word].trailing_zeros();
        let slots = self.across.slots(&frame.slices, word, bit);
        Branch {
            item: (word as u32 * 64 + bit) as u16,
            size: slots.count_ones() as u16,
            slots,
            even,
            first: Tried::Open,
        }
    }

    /// Adds one to the weights of some items. All are halved when one would grow too large.
    #[inline(always)]
    fn blame(&mut self, items: A::Items) {
        let mut carry = items;
        for weight in &mut self.weights {
            let next = weight.and(carry);
            *weight = weight.xor(carry);
            carry = next;
        }
        if carry.any() {
            for k in 1..WEIGHTS {
                self.weights[k - 1] = self.weights[k];
            }
            self.weights[WEIGHTS - 1] = carry;
        }
    }

    fn option(&self, branch: &Branch) -> Option<OptionId> {
        let (item, slot) = (branch.item, branch.slots.trailing_zeros() as usize);
        let row = || self.tables.row(usize::from(item / 64), u32::from(item % 64), slot);
        OptionId::new(
            (slot < S).then(row).filter(|row| usize::from(*row) + 1 < self.tables.rows.len())?.into(),
        )
    }
}

impl<V: Vector, const S: usize> Frame<V, S> {
    /// Chooses an option.
    #[inline(always)]
    fn choose(mut self, row: &Row<V, S>) -> Self {
        for j in 0..S {
            self.slices[j] = self.slices[j].and(row.keep[j]);
        }
        self.todo = self.todo.without(row.lanes);
        self
    }
}

/// The numbers of the slices that have a lane, as planes of binary digits; for lanes that one slice only has.
#[inline(always)]
fn code<V: Vector, const S: usize>(slices: [V; S]) -> [V; CODE] {
    let mut code = [V::zero(); CODE];
    for j in 0..S {
        for (k, code) in code.iter_mut().enumerate() {
            if j >> k & 1 == 1 {
                *code = code.or(slices[j]);
            }
        }
    }
    code
}

/// The number at one lane.
#[inline(always)]
fn slot<V: Vector, const S: usize>(code: &[V; CODE], word: usize, bit: u32) -> usize {
    let mut slot = 0;
    for k in 0..CODE {
        if S > 1 << k {
            slot |= ((code[k].words()[word] >> bit & 1) as usize) << k;
        }
    }
    slot
}

/// Adds up `count` vectors of bits, lane by lane: the low bits of the sums, and `count / 2` carries.
#[inline(always)]
fn add<V: Vector, const S: usize>(bits: [V; S], count: usize) -> (V, [V; S]) {
    let mut carries = [V::zero(); S];
    let mut low = if count % 2 == 1 { bits[0] } else { V::zero() };
    for k in 0..count / 2 {
        let (a, b) = (bits[count % 2 + 2 * k], bits[count % 2 + 2 * k + 1]);
        carries[k] = V::carry(low, a, b);
        low = V::sum(low, a, b);
    }
    (low, carries)
}

/// The lanes that have a bit in any of `count` vectors.
#[inline(always)]
fn union<V: Vector, const S: usize>(bits: [V; S], count: usize) -> V {
    let mut all = bits[0];
    for k in 1..count {
        all = all.or(bits[k]);
    }
    all
}

/// The lanes with the fewest options among those to do.
#[inline(always)]
fn fewest<V: Vector, const S: usize>(frame: &Frame<V, S>) -> V {
    let mut planes = [V::zero(); 6];
    let (mut bits, mut count, mut used) = (frame.slices, S, 0);
    while count > 0 {
        (planes[used], bits) = add(bits, count);
        (count, used) = (count / 2, used + 1);
    }
    let mut best = frame.todo;
    for plane in planes[..used].iter().rev() {
        let fewer = best.without(*plane);
        if fewer.any() {
            best = fewer;
        }
    }
    best
}

/// Applies containment. False if nothing was removed.
struct Contain<'a, V, const S: usize> {
    tables: &'a Tables<V, S>,
    frame: &'a mut Frame<V, S>,
    fired: &'a mut [V; GROUPS],
}

impl<V: Vector, const S: usize> Kernel for Contain<'_, V, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { tables, frame, fired } = self;
        let Some(groups) = &tables.groups else {
            return false;
        };
        let mut outside = [V::zero(); GROUPS];
        let mut fire = [V::zero(); GROUPS];
        let mut any = V::zero();
        for k in 0..GROUPS {
            for j in 0..S {
                outside[k] = outside[k].or_both(frame.slices[j], groups.outside[k][j]);
            }
            fire[k] = groups.lanes[k].and(frame.todo).without(outside[k]).without(fired[k]);
            fired[k] = fired[k].or(fire[k]);
            any = any.or(fire[k]);
        }
        if !any.any() {
            return false;
        }
        let mut found = false;
        let mut vain = 0;
        for k in 0..GROUPS {
            let mut nonzero = fire[k].nonzero();
            while nonzero != 0 {
                let word = nonzero.trailing_zeros() as usize;
                nonzero &= nonzero - 1;
                let mut bits = fire[k].words()[word];
                while bits != 0 {
                    let lane = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if let Partner::Seen(other, group) = groups.partners[lane][k] {
                        let (group, word, bit) = (group as usize, other as usize / 64, other % 64);
                        if outside[group].words()[word] >> bit & 1 == 0 {
                            fire[group].words_mut()[word] &= !(1 << bit); // that is not to be removed either
                            vain += 1;
                            if vain == VAIN && !found {
                                return false;
                            }
                            continue;
                        }
                    }
                    found = true;
                    let keep = kept_by_any(&tables.rows, groups.options(lane, k));
                    for j in 0..S {
                        frame.slices[j] = frame.slices[j].and(keep[j]);
                    }
                }
            }
        }
        found
    }
}

/// From the start to the root.
struct Begin<'a, V: Vector, A: Across<V, S>, const S: usize> {
    planes: &'a mut Planes<V, A, S>,
}

impl<V: Vector, A: Across<V, S>, const S: usize> Kernel for Begin<'_, V, A, S> {
    type Output = Tried;

    #[inline(always)]
    fn run(self) -> Tried {
        let planes = self.planes;
        let Tables { slices, must, .. } = planes.tables;
        let mut frame = Frame { slices, todo: must, told: V::zero() };
        for option in &planes.assumed {
            frame = frame.choose(&planes.tables.rows[option.index()]);
        }
        frame.told = must.without(frame.todo);
        planes.propagate(frame, 0)
    }
}

/// From a node to a child.
struct Attempt<'a, V: Vector, A: Across<V, S>, const S: usize> {
    planes: &'a mut Planes<V, A, S>,
    option: OptionId,
}

impl<V: Vector, A: Across<V, S>, const S: usize> Kernel for Attempt<'_, V, A, S> {
    type Output = Tried;

    #[inline(always)]
    fn run(self) -> Tried {
        let planes = self.planes;
        let row = &planes.tables.rows[self.option.index()];
        let mut frame = planes.frames[planes.depth].choose(row);
        frame.told = frame.told.or(row.lanes);
        planes.propagate(frame, planes.depth + 1)
    }
}

/// From a node to the other child, if the first one is a solution: where each item has two options, the others of them are a
/// solution too. So there is none either where the first child has none.
struct Complement<'a, V: Vector, A: Across<V, S>, const S: usize> {
    planes: &'a mut Planes<V, A, S>,
    option: OptionId,
}

impl<V: Vector, A: Across<V, S>, const S: usize> Kernel for Complement<'_, V, A, S> {
    type Output = Tried;

    #[inline(always)]
    fn run(self) -> Tried {
        let planes = self.planes;
        let Frame { slices, todo, told } = planes.frames[planes.depth];
        let complete = &mut planes.complete;
        for j in 0..S {
            complete.slices[j] = slices[j].without(complete.slices[j].and(todo));
        }
        complete.told = told.or(planes.tables.rows[self.option.index()].lanes);
        planes.completed = true;
        Tried::Complete
    }
}

/// The options of the last solution, but those in hand.
struct List<'a, V: Vector, A: Across<V, S>, const S: usize> {
    planes: &'a Planes<V, A, S>,
    chosen: &'a mut Vec<OptionId>,
}

impl<V: Vector, A: Across<V, S>, const S: usize> Kernel for List<'_, V, A, S> {
    type Output = ();

    /// An option is alive in the lanes of all its items; its first lane tells it.
    #[inline(always)]
    fn run(self) {
        let Planes { tables, complete: Frame { slices, told, .. }, .. } = self.planes;
        let mut first = V::zero();
        for j in 0..S {
            first = first.or_both(slices[j], tables.first[j]);
        }
        let first = first.without(*told);
        let code = code(*slices);
        self.chosen.reserve(64 * tables.first_words);
        for word in 0..tables.first_words {
            let mut bits = first.words()[word];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                self.chosen.extend(OptionId::new(
                    tables.row(A::Items::WORDS - V::WORDS + word, bit, slot::<V, S>(&code, word, bit)).into(),
                ));
            }
        }
    }
}

impl<V: Vector, A: Across<V, S>, const S: usize> Engine for Planes<V, A, S> {
    type Branch = Branch;

    fn select(&mut self) -> Selected<Branch> {
        if self.depth == 0 {
            self.weights = [A::Items::zero(); WEIGHTS];
            match V::run(Begin { planes: self }) {
                Tried::Open => (),
                Tried::Dead => return Selected::Dead,
                Tried::Complete => return Selected::Complete,
            }
        }
        Selected::Branch { branch: self.next, forced: false }
    }

    fn enter(&mut self, _: &mut Branch) {}

    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        let Some(option) = self.option(branch) else {
            return Tried::Dead;
        };
        let is_second = branch.even && branch.slots.is_power_of_two();
        let tried = match branch.first {
            Tried::Dead if is_second => Tried::Dead,
            Tried::Complete if is_second => V::run(Complement { planes: self, option }),
            _ => V::run(Attempt { planes: self, option }),
        };
        if tried == Tried::Open {
            self.depth += 1;
        }
        branch.first = tried;
        tried
    }

    fn collect(&mut self, branches: &[Branch], _: usize, assumed: usize, solution: &mut Vec<OptionId>) {
        solution.truncate(assumed);
        solution.extend(branches.iter().filter_map(|branch| self.option(branch)));
        if self.completed {
            V::run(List { planes: self, chosen: solution });
        }
    }

    fn follow(&self, branches: &[Branch], at: usize, path: &mut Path) {
        path.before.extend(self.option(&branches[at]));
    }

    fn untried(&self, branches: &[Branch], at: usize, _: usize) -> Untried {
        let mut branch = branches[at];
        let tried = usize::from(branch.size).saturating_sub(branch.slots.count_ones() as usize);
        let mut others = Vec::new();
        while branch.next() {
            others.extend(self.option(&branch));
        }
        Untried { behind: others.len(), others, tried, without: Vec::new(), hopeless: false }
    }

    fn retract(&mut self, _: &Branch) {
        self.depth -= 1;
    }

    fn advance(&mut self, branch: &mut Branch) -> bool {
        branch.next()
    }

    fn leave(&mut self, _: &Branch) {}

    const SEES_CLASHES: bool = true;

    /// Only notes it: the root sees what follows.
    fn assume(&mut self, option: OptionId) {
        self.assumed.push(option);
    }

    fn assume_all(&mut self, options: &[OptionId]) {
        self.assumed.extend_from_slice(options);
    }

    fn unassume(&mut self, _: OptionId) {
        self.assumed.pop();
    }

    fn unassume_all(&mut self, options: &[OptionId]) {
        self.assumed.truncate(self.assumed.len().saturating_sub(options.len()));
    }

    fn updates(&self) -> u64 {
        self.updates
    }
}

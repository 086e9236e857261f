//! Items without lanes of their own: they are read across the lanes of others.
//!
//! Let the options be the squares of grids, so that there is an item for each row of a grid and one for each of its columns. If the
//! lanes of a grid's rows lie side by side, and the options of its column number j are in slice j, then those of a column are
//! adjacent bits of one slice, and the column needs no lane. A sudoku is like that: with a grid for each of its rows,
//! whose rows are its digits and whose columns its cells. A quarter of all lanes is spared, and
//! 256 are enough. Options take less room then; how fast they are fetched decides how fast the engine is.
//!
//! A *strip* is the lanes of a grid's rows, in the first half of a vector; one lane more is its *guard*, which has no item. With
//! the guards set, subtracting one from each strip takes away its lowest bit, and the guard only if there was no bit.
//! That finds all columns with no option or only one, two slices at a time, one in each half of a vector.

use alloc::vec::Vec;

use super::CODE;
use super::tables::Users;
use super::vector::{Joined, Vector};
use crate::{ItemId, OptionId, Problem};

/// How an engine finds the items that have no lanes.
pub(super) trait Across<V: Vector, const S: usize>: Send + 'static {
    /// A set of items: those with lanes, and behind them the others.
    type Items: Vector;
    /// What is seen of the slices in a round.
    type View: Copy;
    fn look(&self, slices: &[V; S]) -> Self::View;
    /// Anything, if an item without lane has no option.
    fn lacking(&self, view: &Self::View) -> V;
    /// Adds the items without lane that have no option.
    fn none(&self, lanes: V, slices: &[V; S]) -> Self::Items;
    /// Adds the items without lane that have two options.
    fn pairs(&self, lanes: V, slices: &[V; S]) -> Self::Items;
    /// Adds nothing.
    fn only(&self, lanes: V) -> Self::Items;
    /// Adds, to lanes that have only one option, those that have the only option of an item without lane, behind them.
    fn single(&self, lanes: V, todo: V, view: &Self::View) -> Self::Items;
    /// The numbers of the slices that have those options.
    fn code(&self, lanes: [V; CODE], view: &Self::View) -> [Self::Items; CODE];
    /// The options of an item that are left, by their places among all its options.
    fn slots(&self, slices: &[V; S], word: usize, bit: u32) -> u32;
}

/// All items have lanes.
pub(super) struct NoneAcross;

impl<V: Vector, const S: usize> Across<V, S> for NoneAcross {
    type Items = V;
    type View = ();

    #[inline(always)]
    fn look(&self, _: &[V; S]) {}

    #[inline(always)]
    fn lacking(&self, (): &()) -> V {
        V::zero()
    }

    #[inline(always)]
    fn none(&self, lanes: V, _: &[V; S]) -> V {
        lanes
    }

    #[inline(always)]
    fn pairs(&self, lanes: V, _: &[V; S]) -> V {
        lanes
    }

    #[inline(always)]
    fn only(&self, lanes: V) -> V {
        lanes
    }

    #[inline(always)]
    fn single(&self, lanes: V, _: V, (): &()) -> V {
        lanes
    }

    #[inline(always)]
    fn code(&self, lanes: [V; CODE], (): &()) -> [V; CODE] {
        lanes
    }

    #[inline(always)]
    fn slots(&self, slices: &[V; S], word: usize, bit: u32) -> u32 {
        slots_of_lane(slices, word, bit)
    }
}

/// The slices that have a lane.
#[inline(always)]
fn slots_of_lane<V: Vector, const S: usize>(slices: &[V; S], word: usize, bit: u32) -> u32 {
    let mut slots = 0;
    for (j, slice) in slices.iter().enumerate() {
        slots |= ((slice.words()[word] >> bit & 1) as u32) << j;
    }
    slots
}

/// Some items are read across others.
pub(super) struct Strips<V> {
    /// In both halves: the first lane of each strip.
    lows: V,
    /// In both halves: the guards.
    guards: V,
    /// In the first half: the lanes of strips.
    lanes: V,
    /// In the first half: the items without lanes. That of strip and slice has the bit of the guard, shifted by the number
    /// of the slice.
    items: V,
}

/// What is seen of the strips.
#[derive(Clone, Copy)]
pub(super) struct View<V, const S: usize> {
    /// Guards of strips that have an option in all slices.
    full: V,
    /// By pair of slices: the lanes of strips, but where two or more of a strip are left.
    single: [V; S],
}

impl<V: Vector, const S: usize> View<V, S> {
    const HALF: usize = S.div_ceil(2);
}

impl<V: Vector> Strips<V> {
    /// Two slices side by side; beside the last one of an odd number, full strips.
    #[inline(always)]
    fn two<const S: usize>(&self, slices: &[V; S], k: usize) -> V {
        V::lows(slices[2 * k], if 2 * k + 1 < S { slices[2 * k + 1] } else { self.lanes })
    }

    /// The strips that have any bit keep their guards, and lose their lowest bits.
    #[inline(always)]
    fn lessened(&self, two: V) -> V {
        two.or(self.guards).minus(self.lows)
    }

    /// The items without lanes that have their guards in `told`, by pair of slices.
    #[inline(always)]
    fn gathered<const S: usize>(&self, told: &[V; S]) -> V {
        let mut items = V::zero();
        for k in 0..S.div_ceil(2) {
            items = items.or(told[k].and(self.guards).shifted(2 * k as u32));
        }
        items.or(items.high().shifted(1)).and(self.items)
    }
}

impl<V: Joined, const S: usize> Across<V, S> for Strips<V> {
    type Items = V::Both;
    type View = View<V, S>;

    #[inline(always)]
    fn look(&self, slices: &[V; S]) -> View<V, S> {
        let mut view = View { full: self.guards, single: [V::zero(); S] };
        for k in 0..View::<V, S>::HALF {
            let two = self.two(slices, k);
            let less = self.lessened(two);
            view.full = view.full.and(less);
            let several = self.lessened(two.and(less)).and(self.guards);
            view.single[k] = two.without(several.minus(several.shifted(S as u32)));
        }
        view
    }

    #[inline(always)]
    fn lacking(&self, view: &View<V, S>) -> V {
        self.guards.without(view.full)
    }

    #[inline(always)]
    fn none(&self, lanes: V, slices: &[V; S]) -> V::Both {
        let mut none = [V::zero(); S];
        for k in 0..View::<V, S>::HALF {
            none[k] = self.guards.without(self.lessened(self.two(slices, k)));
        }
        self.gathered(&none).join(lanes)
    }

    #[inline(always)]
    fn pairs(&self, lanes: V, slices: &[V; S]) -> V::Both {
        let mut pairs = [V::zero(); S];
        for k in 0..View::<V, S>::HALF {
            let two = self.two(slices, k);
            let rest = two.and(self.lessened(two));
            let less = self.lessened(rest);
            pairs[k] = less.without(self.lessened(rest.and(less)));
        }
        self.gathered(&pairs).join(lanes)
    }

    #[inline(always)]
    fn only(&self, lanes: V) -> V::Both {
        V::zero().join(lanes)
    }

    #[inline(always)]
    fn single(&self, lanes: V, todo: V, view: &View<V, S>) -> V::Both {
        let mut all = view.single[0];
        for k in 1..View::<V, S>::HALF {
            all = all.or(view.single[k]);
        }
        lanes.join(all.or(all.high()).and(self.lanes).and(todo.without(lanes)))
    }

    #[inline(always)]
    fn code(&self, lanes: [V; CODE], view: &View<V, S>) -> [V::Both; CODE] {
        let mut all = V::zero();
        let mut code = [V::zero(); CODE];
        for k in 0..View::<V, S>::HALF {
            all = all.or(view.single[k]);
            for (digit, code) in code.iter_mut().enumerate().skip(1) {
                if (2 * k) >> digit & 1 == 1 {
                    *code = code.or(view.single[k]);
                }
            }
        }
        let mut both = [V::zero().join(V::zero()); CODE];
        both[0] = lanes[0].join(all.high());
        for digit in 1..CODE {
            both[digit] = lanes[digit].join(code[digit].or(code[digit].high()));
        }
        both
    }

    #[inline(always)]
    fn slots(&self, slices: &[V; S], word: usize, bit: u32) -> u32 {
        if let Some(word) = word.checked_sub(V::WORDS) {
            return slots_of_lane(slices, word, bit);
        }
        let width = S as u32 + 1;
        let slice = S as u32 - bit % width;
        slices
            .get(slice as usize)
            .map_or(0, |slice| (slice.words()[word] >> (bit / width * width)) as u32 & ((1 << S) - 1))
    }
}

/// Which items have lanes, which are read across, and where.
pub(super) struct Layout {
    /// By item: its lane.
    pub(super) lanes: Vec<Option<u32>>,
    /// By option: the slot in the lane of its strip.
    slots: Vec<u32>,
    /// The items in strips.
    in_strip: Vec<bool>,
    /// The items without lanes: a lane of the strip across which they are read, and the slice.
    across: Vec<(u32, u32)>,
    /// The guards.
    guards: Vec<u32>,
}

/// Items of which each option has exactly one.
type Family = Vec<ItemId>;

impl Layout {
    /// All primary items have lanes, in their order.
    pub(super) fn plain(problem: &Problem) -> Self {
        let mut next_lane = 0..;
        let lanes =
            problem.items().map(|item| if problem.is_primary(item) { next_lane.next() } else { None });
        Self {
            lanes: lanes.collect(),
            slots: Vec::new(),
            in_strip: Vec::new(),
            across: Vec::new(),
            guards: Vec::new(),
        }
    }

    /// Some primary items are read across others, so that so many words and slots are enough; `None` if that cannot be.
    pub(super) fn across(problem: &Problem, users: &Users, words: usize, slots: usize) -> Option<Self> {
        if slots < 3 {
            return None; // a full strip shall have more than a pair of options
        }
        let families = families(problem, users)?;
        let mut pairs =
            itertools::iproduct!(&families, &families).filter(|(across, along)| across[0] != along[0]);
        pairs.find_map(|(across, along)| Self::of(problem, across, along, words, slots))
    }

    fn of(problem: &Problem, across: &Family, along: &Family, words: usize, slots: usize) -> Option<Self> {
        let squares = squares(problem, across, along);
        let grids = grids(problem.item_count(), &squares, slots)?;
        // strips in the first half, as many in a word as there is room for
        let width = slots + 1;
        let in_word = 64 / width;
        if grids.len() > in_word * (words / 2) {
            return None;
        }
        let mut taken = alloc::vec![false; words * 64];
        let mut layout = Self {
            lanes: alloc::vec![None; problem.item_count()],
            slots: Vec::new(),
            in_strip: alloc::vec![false; problem.item_count()],
            across: Vec::new(),
            guards: Vec::new(),
        };
        let mut slice_of = alloc::vec![0; problem.item_count()];
        let mut is_across = alloc::vec![false; problem.item_count()];
        for (number, grid) in grids.iter().enumerate() {
            let first = number / in_word * 64 + number % in_word * width;
            for lane in first..first + width {
                taken[lane] = true;
            }
            layout.guards.push((first + slots) as u32);
            for (place, item) in grid.along.iter().enumerate() {
                layout.lanes[item.index()] = Some((first + place) as u32);
                layout.in_strip[item.index()] = true;
            }
            for (slice, item) in grid.across.iter().enumerate() {
                slice_of[item.index()] = slice as u32;
                is_across[item.index()] = true;
                layout.across.push((first as u32, slice as u32));
            }
        }
        layout.slots.extend(squares.iter().map(|square| slice_of[square.0.index()]));
        let mut free = (0..).zip(&taken).filter(|(_, taken)| !**taken).map(|(lane, _)| lane);
        for item in problem.items().filter(|item| problem.is_primary(*item)) {
            if layout.lanes[item.index()].is_none() && !is_across[item.index()] {
                layout.lanes[item.index()] = Some(free.next()?);
            }
        }
        Some(layout)
    }

    /// Behind how many places the lanes come in a set of items.
    pub(super) fn behind(&self, lanes: usize) -> usize {
        if self.across.is_empty() { 0 } else { lanes }
    }

    /// The slot of an option in the lane of an item, if that is in a strip.
    pub(super) fn slot(&self, option: OptionId, item: ItemId) -> Option<u32> {
        self.in_strip.get(item.index()).copied()?.then(|| self.slots[option.index()])
    }

    /// How the items without lanes are read.
    pub(super) fn strips<V: Vector, const S: usize>(&self) -> Strips<V> {
        let mut strips = Strips { lows: V::zero(), guards: V::zero(), lanes: V::zero(), items: V::zero() };
        let half = V::WORDS / 2 * 64;
        let set = |vector: &mut V, lane: usize| vector.words_mut()[lane / 64] |= 1 << (lane % 64);
        for &guard in &self.guards {
            let guard = guard as usize;
            for half in [0, half] {
                set(&mut strips.lows, half + guard - S);
                set(&mut strips.guards, half + guard);
            }
            (guard - S..guard).for_each(|lane| set(&mut strips.lanes, lane));
        }
        for &(first, slice) in &self.across {
            set(&mut strips.items, first as usize + S - slice as usize);
        }
        strips
    }

    /// The places of the options of items without lanes, for tables by item and place.
    pub(super) fn places_across(&self, problem: &Problem, slots: usize) -> Vec<(usize, usize, OptionId)> {
        let mut places = Vec::new();
        for option in problem.options() {
            for entry in problem.option(option).entries() {
                let Some(lane) =
                    self.lanes[entry.item.index()].filter(|_| self.slot(option, entry.item).is_some())
                else {
                    continue;
                };
                let slice = self.slots[option.index()] as usize;
                let lane = lane as usize;
                let place = lane % 64 % (slots + 1);
                places.push((lane - place + slots - slice, place, option));
            }
        }
        places
    }
}

/// Families of items, found greedily, of which each option has one item. `None` if there are many.
fn families(problem: &Problem, users: &Users) -> Option<Vec<Family>> {
    let mut families: Vec<(Family, usize)> = Vec::new(); // and how many options they have
    let mut bit_of = alloc::vec![0_u64; problem.item_count()];
    for item in problem.items().filter(|item| problem.is_primary(*item)) {
        let options = users.of(item).iter().map(|(option, _)| *option);
        let entries = options.flat_map(|option| problem.option(option).entries());
        let met = entries.fold(0, |met, entry| met | bit_of[entry.item.index()]);
        let number = met.trailing_ones();
        bit_of[item.index()] = 1_u64.checked_shl(number)?;
        if number as usize == families.len() {
            families.push((Vec::new(), 0));
        }
        let (family, count) = &mut families[number as usize];
        family.push(item);
        *count += users.of(item).len();
    }
    families.retain(|(_, count)| *count == problem.option_count());
    Some(families.into_iter().map(|(family, _)| family).collect())
}

/// By option: its items of two families.
fn squares(problem: &Problem, across: &Family, along: &Family) -> Vec<(ItemId, ItemId)> {
    let mut kind = alloc::vec![0; problem.item_count()];
    across.iter().for_each(|item| kind[item.index()] = 1);
    along.iter().for_each(|item| kind[item.index()] = 2);
    let of_option = |option| {
        let item = |wanted| {
            let mut items = problem.option(option).entries().map(|entry| entry.item);
            items.find(|item| kind[item.index()] == wanted)
        };
        item(1).zip(item(2))
    };
    problem.options().filter_map(of_option).collect()
}

/// Items of one family and as many of another, of which any two have an option in common at the most.
struct Grid {
    across: Vec<ItemId>,
    along: Vec<ItemId>,
}

/// The grids of which the options are the squares, if all have `size` rows and columns.
fn grids(items: usize, squares: &[(ItemId, ItemId)], size: usize) -> Option<Vec<Grid>> {
    let mut grid_of: Vec<Option<usize>> = alloc::vec![None; items];
    let mut grids: Vec<Grid> = Vec::new();
    let mut sorted = squares.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|two| two[0] == two[1]) {
        return None;
    }
    let mut by_along = sorted.clone();
    by_along.sort_unstable_by_key(|square| (square.1, square.0));
    for &(start, _) in &sorted {
        if grid_of[start.index()].is_some() {
            continue;
        }
        let number = grids.len();
        let mut grid = Grid { across: alloc::vec![start], along: Vec::new() };
        grid_of[start.index()] = Some(number);
        let (mut seen_across, mut seen_along) = (0, 0);
        while seen_across < grid.across.len() || seen_along < grid.along.len() {
            if grid.across.len() > size || grid.along.len() > size {
                return None;
            }
            if let Some(&item) = grid.across.get(seen_across) {
                seen_across += 1;
                let begin = sorted.partition_point(|square| square.0 < item);
                for square in sorted[begin..].iter().take_while(|square| square.0 == item) {
                    if grid_of[square.1.index()].replace(number).is_none() {
                        grid.along.push(square.1);
                    }
                }
            } else {
                let item = grid.along[seen_along];
                seen_along += 1;
                let begin = by_along.partition_point(|square| square.1 < item);
                for square in by_along[begin..].iter().take_while(|square| square.1 == item) {
                    if grid_of[square.0.index()].replace(number).is_none() {
                        grid.across.push(square.0);
                    }
                }
            }
        }
        if grid.across.len() != size || grid.along.len() != size {
            return None;
        }
        grid.across.sort_unstable();
        grid.along.sort_unstable();
        grids.push(grid);
    }
    Some(grids)
}

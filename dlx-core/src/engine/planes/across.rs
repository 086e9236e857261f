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
use core::mem::replace;

use super::CODE;
use super::tables::{Users, set};
use super::vector::{Joined, Vector};
use crate::{ItemId, OptionId, Problem};

/// How an engine finds the items that have no lanes.
pub(super) trait Across<V: Vector, const S: usize>: Send + 'static {
    /// A set of items: those without lanes, if there are any, and behind them those with lanes. Or two sets of lanes.
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
    /// Lanes that have only one option, and behind them the lanes to do that have the only one of an item without lane.
    fn single(&self, lanes: V, todo: V, view: &Self::View) -> Self::Items;
    /// The numbers of the slices that have those options, as planes of binary digits.
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
        for k in 0..View::<V, S>::HALF {
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
    /// By option, if any items are read across others.
    squares: Vec<Square>,
    guards: Vec<u32>,
}

/// Where an option is in its strip.
struct Square {
    row: ItemId,
    lane: u32,
    /// How far that is from the strip's first lane.
    place: u32,
    slice: u32,
}

/// Items of which each option has exactly one.
type Family = Vec<ItemId>;

impl Layout {
    /// All primary items have lanes, in their order.
    pub(super) fn plain(problem: &Problem) -> Self {
        let mut next_lane = 0..;
        let lanes =
            problem.items().map(|item| if problem.is_primary(item) { next_lane.next() } else { None });
        Self { lanes: lanes.collect(), squares: Vec::new(), guards: Vec::new() }
    }

    /// Some primary items are read across others, so that so many words and slots are enough; `None` if that cannot be.
    pub(super) fn across(problem: &Problem, users: &Users, words: usize, slots: usize) -> Option<Self> {
        if slots < 3 {
            return None; // a full strip shall have more than a pair of options
        }
        let families = families(problem, users)?;
        let mut pairs =
            itertools::iproduct!(&families, &families).filter(|(columns, rows)| columns[0] != rows[0]);
        pairs.find_map(|(columns, rows)| Self::of(problem, columns, rows, words, slots))
    }

    fn of(problem: &Problem, columns: &Family, rows: &Family, words: usize, slots: usize) -> Option<Self> {
        let items = items_of(problem, columns, rows);
        let grids = grids(problem.item_count(), &items, slots)?;
        // Strips are in the first half, as many in a word as there is room for.
        let width = slots + 1;
        let in_word = 64 / width;
        if grids.len() > in_word * (words / 2) {
            return None;
        }
        let mut is_taken = alloc::vec![false; words * 64];
        let mut lanes = alloc::vec![None; problem.item_count()];
        let mut guards = Vec::new();
        let mut place_of = alloc::vec![None; problem.item_count()]; // in its grid
        for (number, grid) in grids.iter().enumerate() {
            let first = number / in_word * 64 + number % in_word * width;
            is_taken[first..first + width].fill(true);
            guards.push((first + slots) as u32);
            for (place, (column, row)) in (0..).zip(grid.columns.iter().zip(&grid.rows)) {
                lanes[row.index()] = Some(first as u32 + place);
                (place_of[row.index()], place_of[column.index()]) = (Some(place), Some(place));
            }
        }
        let mut free = (0..).zip(&is_taken).filter(|(_, is_taken)| !**is_taken).map(|(lane, _)| lane);
        for item in problem.items().filter(|item| problem.is_primary(*item)) {
            if place_of[item.index()].is_none() {
                lanes[item.index()] = Some(free.next()?);
            }
        }
        let square = |&(column, row): &(ItemId, ItemId)| {
            let (lane, place, slice) =
                (lanes[row.index()]?, place_of[row.index()]?, place_of[column.index()]?);
            Some(Square { row, lane, place, slice })
        };
        let squares = items.iter().map(square).collect::<Option<_>>()?;
        Some(Self { lanes, squares, guards })
    }

    /// Behind how many places the lanes come in a set of items.
    pub(super) fn behind(&self, lanes: usize) -> usize {
        if self.squares.is_empty() { 0 } else { lanes }
    }

    /// The slot of an option in the lane of an item, if that is in a strip.
    pub(super) fn slot(&self, option: OptionId, item: ItemId) -> Option<u32> {
        self.squares.get(option.index()).filter(|square| square.row == item).map(|square| square.slice)
    }

    /// The places of the options of items without lanes, for tables by item and place.
    pub(super) fn places_across(&self, slots: usize) -> impl Iterator<Item = (usize, usize)> {
        self.squares.iter().map(move |square| {
            ((square.lane - square.place) as usize + slots - square.slice as usize, square.place as usize)
        })
    }

    /// How the items without lanes are read.
    pub(super) fn strips<V: Vector, const S: usize>(&self) -> Strips<V> {
        let mut strips = Strips { lows: V::zero(), guards: V::zero(), lanes: V::zero(), items: V::zero() };
        for &guard in &self.guards {
            let first = guard - S as u32;
            for half in [0, V::WORDS as u32 / 2 * 64] {
                set(&mut strips.lows, half + first);
                set(&mut strips.guards, half + guard);
            }
            (first..guard).for_each(|lane| set(&mut strips.lanes, lane));
        }
        self.places_across(S).for_each(|(item, _)| set(&mut strips.items, item as u32));
        strips
    }
}

/// Families of items, found greedily, of which each option has one item. `None` if there are many.
fn families(problem: &Problem, users: &Users) -> Option<Vec<Family>> {
    let mut families: Vec<(Family, usize)> = Vec::new(); // and how many options they have
    let mut families_of = alloc::vec![0_u64; problem.option_count()]; // as bits
    for item in problem.items().filter(|item| problem.is_primary(*item)) {
        let options = users.of(item);
        let met = options.iter().fold(0, |met, (option, _)| met | families_of[option.index()]);
        let number = met.trailing_ones();
        let bit = 1_u64.checked_shl(number)?;
        options.iter().for_each(|(option, _)| families_of[option.index()] |= bit);
        if number as usize == families.len() {
            families.push((Vec::new(), 0));
        }
        let (family, count) = &mut families[number as usize];
        family.push(item);
        *count += options.len();
    }
    families.retain(|(_, count)| *count == problem.option_count());
    Some(families.into_iter().map(|(family, _)| family).collect())
}

/// By option: its items of two families.
fn items_of(problem: &Problem, columns: &Family, rows: &Family) -> Vec<(ItemId, ItemId)> {
    let mut is_in = alloc::vec![(false, false); problem.item_count()];
    columns.iter().for_each(|item| is_in[item.index()].0 = true);
    rows.iter().for_each(|item| is_in[item.index()].1 = true);
    let of_option = |option| {
        let items = || problem.option(option).entries().map(|entry| entry.item);
        items().find(|item| is_in[item.index()].0).zip(items().find(|item| is_in[item.index()].1))
    };
    problem.options().filter_map(of_option).collect()
}

/// Items of which any two, a column and a row, have an option in common at the most.
struct Grid {
    columns: Vec<ItemId>,
    rows: Vec<ItemId>,
}

/// The grids of which the options, told by their columns and rows, are the squares, if all have `size` rows and as many columns.
fn grids(items: usize, squares: &[(ItemId, ItemId)], size: usize) -> Option<Vec<Grid>> {
    let mut by_column = squares.to_vec();
    by_column.sort_unstable();
    if by_column.windows(2).any(|two| two[0] == two[1]) {
        return None;
    }
    let mut by_row: Vec<_> = squares.iter().map(|&(column, row)| (row, column)).collect();
    by_row.sort_unstable();
    let mut is_met = alloc::vec![false; items];
    let mut grids: Vec<Grid> = Vec::new();
    for &(start, _) in &by_column {
        if replace(&mut is_met[start.index()], true) {
            continue;
        }
        let mut grid = Grid { columns: alloc::vec![start], rows: Vec::new() };
        let (mut columns_seen, mut rows_seen) = (0, 0);
        while columns_seen < grid.columns.len() || rows_seen < grid.rows.len() {
            if grid.columns.len() > size || grid.rows.len() > size {
                return None;
            }
            let (seen, known, squares, others) = if columns_seen < grid.columns.len() {
                (&mut columns_seen, &grid.columns, &by_column, &mut grid.rows)
            } else {
                (&mut rows_seen, &grid.rows, &by_row, &mut grid.columns)
            };
            let item = known[*seen];
            *seen += 1;
            let begin = squares.partition_point(|square| square.0 < item);
            for &(_, other) in squares[begin..].iter().take_while(|square| square.0 == item) {
                if !replace(&mut is_met[other.index()], true) {
                    others.push(other);
                }
            }
        }
        if grid.columns.len() != size || grid.rows.len() != size {
            return None;
        }
        grid.columns.sort_unstable();
        grid.rows.sort_unstable();
        grids.push(grid);
    }
    Some(grids)
}

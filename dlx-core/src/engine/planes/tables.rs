//! What is known about a problem before any search: where its options lie in the slices, what each of them removes, and
//! what follows by containment.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use itertools::iproduct;

use super::across::Layout;
use super::vector::Vector;
use crate::{Color, ItemId, OptionId, Problem};

/// The most groups of options of an item to which containment is applied.
pub(super) const GROUPS: usize = 6;

/// A problem in slices of lanes.
pub(super) struct Tables<V, const S: usize> {
    /// The primary items.
    pub(super) must: V,
    /// All options alive.
    pub(super) slices: [V; S],
    /// By option: what choosing it does. And one row that leaves nothing, for places without an option.
    pub(super) rows: Vec<Row<V, S>>,
    /// By lane and slot, the slots of a lane being as many as [`Tables::DIGITS`] binary digits can tell apart: the index of
    /// the option, or one more than there are. The lanes come behind the items without lanes, which have places for slots.
    row_at: Vec<u16>,
    /// By slice: the lanes that are the first ones of the options in them.
    pub(super) first: [V; S],
    /// How many words of `first` are used.
    pub(super) first_words: usize,
    /// All items are primary: then options that share no lane agree.
    pub(super) plain: bool,
    /// If there are any.
    pub(super) groups: Option<Box<Groups<V, S>>>,
}

/// What choosing an option does.
pub(super) struct Row<V, const S: usize> {
    /// What may stay: all that agrees with the option, and the option itself.
    pub(super) keep: [V; S],
    /// The lanes of its items.
    pub(super) lanes: V,
}

/// Containment: if all that is left of an item A contains another item B too (with one common color), then the other
/// options of B (those that disagree) can go, for A takes it. A *group* of A is what A and B share, if that is at least
/// two options, but not all.
pub(super) struct Groups<V, const S: usize> {
    /// By number of group and slice: the lanes whose option in that slice is not in the group.
    pub(super) outside: [[V; S]; GROUPS],
    /// By number of group: the lanes that have it.
    pub(super) lanes: [V; GROUPS],
    /// By lane and number of group: the same group seen from B.
    pub(super) partners: Vec<[Partner; GROUPS]>,
    /// By lane and number of group: where its options are in `options`.
    ranges: Vec<[(u32, u32); GROUPS]>,
    options: Vec<OptionId>,
}

impl<V: Vector, const S: usize> Groups<V, S> {
    /// The options of a group.
    #[inline(always)]
    pub(super) fn options(&self, lane: usize, group: usize) -> &[OptionId] {
        let (start, end) = self.ranges[lane][group];
        &self.options[start as usize..end as usize]
    }
}

/// The lane and number of a group that is seen from B. While B has nothing outside it, there is nothing to be removed.
#[derive(Clone, Copy)]
pub(super) enum Partner {
    Unknown,
    Seen(u16, u8),
}

impl<V: Vector, const S: usize> Tables<V, S> {
    /// The binary digits of the number of a slice.
    const DIGITS: u32 = S.next_power_of_two().trailing_zeros();

    /// The index of the row of the option that is in a slice at a lane, which is a bit of a word.
    #[inline(always)]
    pub(super) fn row(&self, word: usize, bit: u32, slot: usize) -> u16 {
        self.row_at[(word * 64 + bit as usize) << Self::DIGITS | slot]
    }

    /// There must be room for all lanes and slots of the problem's [`Shape`].
    pub(super) fn new(problem: &Problem, layout: &Layout, users: &Users) -> Self {
        let places = Places::new(problem, layout);
        let mut at = alloc::vec![[None; S]; V::WORDS * 64];
        let mut slices = [V::zero(); S];
        let mut first = [V::zero(); S];
        let mut first_words = 0;
        for option in problem.options() {
            let cells = places.of(option);
            for &(lane, slot) in cells {
                at[lane as usize][slot as usize] = Some(option);
                set(&mut slices[slot as usize], lane);
            }
            if let Some(&(lane, slot)) = cells.first() {
                set(&mut first[slot as usize], lane);
                first_words = first_words.max(lane as usize / 64 + 1);
            }
        }
        let must = lanes_of(layout.lanes.iter().copied().flatten());
        let behind = layout.behind(at.len());
        let in_lanes = iproduct!(0..at.len(), 0..S)
            .filter_map(|(lane, slot)| Some(((behind + lane, slot), at[lane][slot]?)));
        let mut row_at = alloc::vec![problem.option_count() as u16; (2 * V::WORDS * 64) << Self::DIGITS];
        for ((lane, slot), option) in in_lanes.chain(layout.places_across(S).zip(problem.options())) {
            row_at[lane << Self::DIGITS | slot] = option.index() as u16;
        }
        Self {
            slices,
            must,
            first,
            first_words,
            plain: problem.secondary_count() == 0,
            groups: groups(problem, &places, &at).map(Box::new),
            rows: rows(problem, &places, users),
            row_at,
        }
    }
}

/// What decides whether a problem suits.
pub(super) struct Shape {
    /// Primary items.
    pub(super) lanes: usize,
    /// The most options of any of them.
    pub(super) slots: usize,
    /// How many pairs of options share an item, those with several in common counted several times.
    pub(super) pairs: u64,
}

impl Shape {
    pub(super) fn new(problem: &Problem) -> Self {
        let mut uses = alloc::vec![0_u64; problem.item_count()];
        for option in problem.options() {
            problem.option(option).entries().for_each(|entry| uses[entry.item.index()] += 1);
        }
        let primary = problem.items().filter(|item| problem.is_primary(*item));
        Self {
            lanes: problem.primary_count(),
            slots: primary.map(|item| uses[item.index()]).max().unwrap_or(0) as usize,
            pairs: uses.iter().map(|uses| uses * uses / 2).sum(),
        }
    }
}

/// Where the options lie.
struct Places<'a> {
    cells: Vec<(u32, u32)>,   // lane and slot of each item that has a lane, option by option
    starts: Vec<usize>,       // by option, and one more
    lanes: &'a [Option<u32>], // by item
}

impl<'a> Places<'a> {
    fn new(problem: &Problem, layout: &'a Layout) -> Self {
        let mut places = Self { cells: Vec::new(), starts: alloc::vec![0], lanes: &layout.lanes };
        let mut sizes = alloc::vec![0; problem.item_count()];
        for option in problem.options() {
            for entry in problem.option(option).entries() {
                let Some(lane) = places.lanes[entry.item.index()] else { continue };
                let size = &mut sizes[entry.item.index()];
                places.cells.push((lane, layout.slot(option, entry.item).unwrap_or(*size)));
                *size += 1;
            }
            places.starts.push(places.cells.len());
        }
        places
    }

    fn of(&self, option: OptionId) -> &[(u32, u32)] {
        &self.cells[self.starts[option.index()]..self.starts[option.index() + 1]]
    }
}

/// By item: the options that have it, with their colors there.
pub(super) struct Users {
    starts: Vec<usize>, // by item, and one more
    options: Vec<(OptionId, Option<Color>)>,
}

impl Users {
    pub(super) fn new(problem: &Problem) -> Self {
        let mut starts = alloc::vec![0; problem.item_count() + 1];
        let mut options = Vec::with_capacity(problem.entry_count());
        for option in problem.options() {
            for entry in problem.option(option).entries() {
                starts[entry.item.index() + 1] += 1;
                options.push((option, entry.color)); // to be overwritten
            }
        }
        for item in 0..problem.item_count() {
            starts[item + 1] += starts[item];
        }
        let mut next = starts.clone();
        for option in problem.options() {
            for entry in problem.option(option).entries() {
                let place = &mut next[entry.item.index()];
                options[*place] = (option, entry.color);
                *place += 1;
            }
        }
        Self { starts, options }
    }

    pub(super) fn of(&self, item: ItemId) -> &[(OptionId, Option<Color>)] {
        &self.options[self.starts[item.index()]..self.starts[item.index() + 1]]
    }
}

fn rows<V: Vector, const S: usize>(problem: &Problem, places: &Places<'_>, users: &Users) -> Vec<Row<V, S>> {
    let mark = |gone: &mut [V; S], option: OptionId| {
        places.of(option).iter().for_each(|&(lane, slot)| set(&mut gone[slot as usize], lane));
    };
    // What goes with all options of an item: most of the words have nothing of it.
    let all_of = |item: ItemId| {
        let mut gone = [V::zero(); S];
        users.of(item).iter().for_each(|(option, _)| mark(&mut gone, *option));
        let words = gone.iter().enumerate().flat_map(|(slot, gone)| {
            gone.words().iter().enumerate().map(move |(at, word)| (slot, at, *word))
        });
        words.filter(|(.., word)| *word != 0).collect::<Vec<_>>()
    };
    let by_item: Vec<_> = problem.items().map(all_of).collect();
    // Made in place: rows of large problems are kilobytes.
    let nothing = || Row { keep: [V::zero(); S], lanes: V::zero() };
    let mut rows = Vec::with_capacity(problem.option_count() + 1);
    rows.resize_with(problem.option_count() + 1, nothing);
    for (option, Row { keep, lanes }) in problem.options().zip(&mut rows) {
        for entry in problem.option(option).entries() {
            if entry.color.is_some() {
                let others = users.of(entry.item).iter().filter(|(_, color)| *color != entry.color);
                others.for_each(|(other, _)| mark(keep, *other));
            } else {
                let words = &by_item[entry.item.index()];
                words.iter().for_each(|&(slot, at, word)| keep[slot].words_mut()[at] |= word);
            }
        }
        for &(lane, slot) in places.of(option) {
            clear(&mut keep[slot as usize], lane);
            set(lanes, lane);
        }
        keep.iter_mut().flat_map(|keep| keep.words_mut()).for_each(|word| *word = !*word);
    }
    rows
}

/// Adds a lane.
pub(super) fn set<V: Vector>(lanes: &mut V, lane: u32) {
    lanes.words_mut()[lane as usize / 64] |= 1 << (lane % 64);
}

fn clear<V: Vector>(lanes: &mut V, lane: u32) {
    lanes.words_mut()[lane as usize / 64] &= !(1 << (lane % 64));
}

fn lanes_of<V: Vector>(lanes: impl IntoIterator<Item = u32>) -> V {
    let mut vector = V::zero();
    lanes.into_iter().for_each(|lane| set(&mut vector, lane));
    vector
}

/// What may stay when only a group is left.
#[inline(always)]
pub(super) fn kept_by_any<V: Vector, const S: usize>(rows: &[Row<V, S>], group: &[OptionId]) -> [V; S] {
    let mut keep = [V::zero(); S];
    for option in group {
        for j in 0..S {
            keep[j] = keep[j].or(rows[option.index()].keep[j]);
        }
    }
    keep
}

/// `None` if no lane has groups.
fn groups<V: Vector, const S: usize>(
    problem: &Problem,
    places: &Places<'_>,
    at: &[[Option<OptionId>; S]],
) -> Option<Groups<V, S>> {
    let mut finder = Finder::new(problem);
    let shared: Vec<_> = at.iter().map(|options| finder.shared(problem, options)).collect();
    let mut groups = Groups {
        outside: [[V::zero(); S]; GROUPS],
        lanes: [V::zero(); GROUPS],
        partners: alloc::vec![[Partner::Unknown; GROUPS]; at.len()],
        ranges: alloc::vec![[(0, 0); GROUPS]; at.len()],
        options: Vec::new(),
    };
    for (lane, k) in (0..at.len()).flat_map(|lane| (0..shared[lane].len()).map(move |k| (lane, k))) {
        let group = shared[lane][k];
        set(&mut groups.lanes[k], lane as u32);
        let all = (0..S).filter(|slot| at[lane][*slot].is_some()).fold(0, |all, slot| all | 1 << slot);
        for slot in ones(all & !group.slots) {
            set(&mut groups.outside[k][slot], lane as u32);
        }
        let options = |lane: usize, slots: u32| ones(slots).filter_map(move |slot| at[lane][slot]);
        if let Some(other) = places.lanes[group.item.index()] {
            let same = |seen: &Shared| {
                let has = |option| options(lane, group.slots).any(|own| own == option);
                seen.sum == group.sum
                    && seen.slots.count_ones() == group.slots.count_ones()
                    && options(other as usize, seen.slots).all(has)
            };
            if let Some(number) = shared[other as usize].iter().position(same) {
                groups.partners[lane][k] = Partner::Seen(other as u16, number as u8);
            }
        }
        let start = groups.options.len() as u32;
        groups.options.extend(options(lane, group.slots));
        groups.ranges[lane][k] = (start, groups.options.len() as u32);
    }
    (!groups.options.is_empty()).then_some(groups)
}

/// What an item shares with another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    slots: u32, // where the options are that it shares
    item: ItemId,
    sum: u32, // of their indices
}

/// The places of the ones of a binary number.
fn ones(mut number: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = number.trailing_zeros();
        number &= number.checked_sub(1)?;
        Some(place as usize)
    })
}

/// Finds what items share.
struct Finder {
    /// By item: the number of a color, for those that have any.
    colors: BTreeMap<(ItemId, Color), usize>,
    /// By item, and behind them by number of a color: which options have it, of those that are looked at.
    slots: Vec<u32>,
    /// All that are not 0 of these, with their items.
    found: Vec<(usize, ItemId)>,
}

impl Finder {
    fn new(problem: &Problem) -> Self {
        let mut colors = BTreeMap::new();
        for entry in problem.options().flat_map(|option| problem.option(option).entries()) {
            if let Some(color) = entry.color {
                let next = problem.item_count() + colors.len();
                colors.entry((entry.item, color)).or_insert(next);
            }
        }
        let slots = alloc::vec![0; problem.item_count() + colors.len()];
        Self { colors, slots, found: Vec::new() }
    }

    /// The groups of the item that has these options: the largest first, each once.
    fn shared(&mut self, problem: &Problem, options: &[Option<OptionId>]) -> Vec<Shared> {
        let mut all = 0;
        for (slot, option) in options.iter().enumerate().filter_map(|(slot, option)| Some((slot, (*option)?)))
        {
            all |= 1 << slot;
            for entry in problem.option(option).entries() {
                let colored = entry.color.and_then(|color| self.colors.get(&(entry.item, color)).copied());
                let number = colored.unwrap_or(entry.item.index());
                if self.slots[number] == 0 {
                    self.found.push((number, entry.item));
                }
                self.slots[number] |= 1 << slot;
            }
        }
        let mut groups: Vec<Shared> = Vec::new();
        for (number, item) in self.found.drain(..) {
            let slots = core::mem::take(&mut self.slots[number]);
            if slots != all && !slots.is_power_of_two() {
                let sum =
                    ones(slots).filter_map(|slot| options[slot]).map(|option| option.index() as u32).sum();
                groups.push(Shared { slots, item, sum });
            }
        }
        groups.sort_unstable_by_key(|group| (core::cmp::Reverse(group.slots.count_ones()), *group));
        groups.dedup_by_key(|group| group.slots);
        groups.truncate(GROUPS);
        groups
    }
}

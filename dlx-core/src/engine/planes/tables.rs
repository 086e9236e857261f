//! What is known about a problem before any search: where its options lie in the slices, what each of them removes, and
//! what follows by containment.

use alloc::boxed::Box;
use alloc::vec::Vec;

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
    /// By option: what choosing it does.
    pub(super) rows: Vec<Row<V, S>>,
    /// By lane and slot, the slots of a lane being as many as [`Tables::DIGITS`] binary digits can tell apart: the index of
    /// the option, or [`NO_ROW`].
    row_at: Vec<u32>,
    /// By slice: the lanes that are the first ones of the options in them.
    pub(super) first: [V; S],
    /// How many words of `first` are used.
    pub(super) first_words: usize,
    /// All items are primary: then options that share no lane agree.
    pub(super) plain: bool,
    /// If there are any.
    pub(super) groups: Option<Box<Groups<V, S>>>,
}

/// What stands for no option: no [`OptionId`] has this index.
const NO_ROW: u32 = u32::MAX;

/// What choosing an option does.
pub(super) struct Row<V, const S: usize> {
    /// What may stay: all that agrees with the option, and the option itself.
    pub(super) keep: [V; S],
    /// The lanes of its items.
    pub(super) lanes: V,
}

/// How many slices carry the last slice, and what is to do.
pub(super) const CARRIERS: usize = 6;

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

impl<V, const S: usize> Groups<V, S> {
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

    /// The index of the option that is in a slice at a lane, which is a bit of a word; [`NO_ROW`] if there is none.
    #[inline(always)]
    pub(super) fn row(&self, word: usize, bit: u32, slot: usize) -> u32 {
        self.row_at[(word * 64 + bit as usize) << Self::DIGITS | slot]
    }

    /// There must be room for all lanes and slots of the problem's [`Shape`].
    pub(super) fn new(problem: &Problem) -> Self {
        let places = Places::new(problem);
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
        let must = lanes_of(0..problem.primary_count() as u32);
        let index = |option: Option<OptionId>| option.map_or(NO_ROW, |option| option.index() as u32);
        let row_at = |options: &[Option<OptionId>; S]| {
            let slots = (0..1 << Self::DIGITS).map(|slot| options.get(slot).copied().flatten());
            slots.map(index).collect::<Vec<_>>()
        };
        Self {
            slices: packed(slices, must),
            must,
            first,
            first_words,
            plain: problem.secondary_count() == 0,
            groups: groups(problem, &places, &at).map(Box::new),
            rows: rows(problem, &places),
            row_at: at.iter().flat_map(row_at).collect(),
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
struct Places {
    cells: Vec<(u32, u32)>,  // lane and slot of each primary item, option by option
    starts: Vec<usize>,      // by option, and one more
    lanes: Vec<Option<u32>>, // by item
}

impl Places {
    fn new(problem: &Problem) -> Self {
        let mut next_lane = 0..;
        let lanes =
            problem.items().map(|item| if problem.is_primary(item) { next_lane.next() } else { None });
        let mut places = Self { cells: Vec::new(), starts: alloc::vec![0], lanes: lanes.collect() };
        let mut sizes = alloc::vec![0; problem.primary_count()];
        for option in problem.options() {
            let entries = problem.option(option).entries();
            for lane in entries.filter_map(|entry| places.lanes[entry.item.index()]) {
                let size = &mut sizes[lane as usize];
                places.cells.push((lane, *size));
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

fn rows<V: Vector, const S: usize>(problem: &Problem, places: &Places) -> Vec<Row<V, S>> {
    let mut users: Vec<Vec<(OptionId, Option<Color>)>> = alloc::vec![Vec::new(); problem.item_count()];
    for option in problem.options() {
        for entry in problem.option(option).entries() {
            users[entry.item.index()].push((option, entry.color));
        }
    }
    let row = |option: OptionId| {
        let mut keep = [all(); S];
        for entry in problem.option(option).entries() {
            for &(other, color) in &users[entry.item.index()] {
                if other != option && (color.is_none() || color != entry.color) {
                    places.of(other).iter().for_each(|&(lane, slot)| clear(&mut keep[slot as usize], lane));
                }
            }
        }
        let lanes = lanes_of(places.of(option).iter().map(|cell| cell.0));
        Row { keep: packed(keep, all::<V>().without(lanes)), lanes }
    };
    problem.options().map(row).collect()
}

fn set<V: Vector>(lanes: &mut V, lane: u32) {
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

/// All lanes, and what is beyond them.
fn all<V: Vector>() -> V {
    let mut vector = V::zero();
    vector.words_mut().fill(u64::MAX);
    vector
}

/// Puts two vectors into the spare quarters of others, if there are any: the last slice, and lanes to do or to be kept so.
/// So they take part in all ANDs at no cost. [`Vector::carried`] gets them back.
fn packed<V: Vector, const S: usize>(mut slices: [V; S], lanes: V) -> [V; S] {
    if V::SPARE && S > CARRIERS {
        let quarter = V::WORDS / 4;
        for (from, vector) in [slices[S - 1], lanes].into_iter().enumerate() {
            for (words, slice) in vector.words().chunks(quarter).zip(&mut slices[from * 3..][..3]) {
                slice.words_mut()[quarter * 3..].copy_from_slice(words);
            }
        }
    }
    slices
}

/// What may stay when only a group is left; nothing is covered by that.
#[inline(always)]
pub(super) fn kept_by_any<V: Vector, const S: usize>(rows: &[Row<V, S>], group: &[OptionId]) -> [V; S] {
    let mut keep = packed([V::zero(); S], all());
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
    places: &Places,
    at: &[[Option<OptionId>; S]],
) -> Option<Groups<V, S>> {
    let mut uses = Vec::new();
    let shared = at.iter().map(|options| shared(problem, options, &mut uses)).collect::<Vec<_>>();
    let mut groups = Groups {
        outside: [[V::zero(); S]; GROUPS],
        lanes: [V::zero(); GROUPS],
        partners: alloc::vec![[Partner::Unknown; GROUPS]; at.len()],
        ranges: alloc::vec![[(0, 0); GROUPS]; at.len()],
        options: Vec::new(),
    };
    for (lane, k) in (0..at.len()).flat_map(|lane| (0..shared[lane].len()).map(move |k| (lane, k))) {
        let Shared { item, slots } = shared[lane][k];
        set(&mut groups.lanes[k], lane as u32);
        for slot in (0..S).filter(|slot| at[lane][*slot].is_some() && slots >> slot & 1 == 0) {
            set(&mut groups.outside[k][slot], lane as u32);
        }
        let options = |lane: usize, slots: u32| {
            at[lane]
                .iter()
                .enumerate()
                .filter(move |(slot, _)| slots >> slot & 1 == 1)
                .filter_map(|(_, at)| *at)
        };
        if let Some(other) = places.lanes[item.index()] {
            let same = |shared: &Shared| options(other as usize, shared.slots).eq(options(lane, slots));
            if let Some(group) = shared[other as usize].iter().position(same) {
                groups.partners[lane][k] = Partner::Seen(other as u16, group as u8);
            }
        }
        let start = groups.options.len() as u32;
        groups.options.extend(options(lane, slots));
        groups.ranges[lane][k] = (start, groups.options.len() as u32);
    }
    (!groups.options.is_empty()).then_some(groups)
}

/// What an item shares with another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    slots: u32, // where the options are that it shares
    item: ItemId,
}

/// The groups of the item that has these options: the largest first, each once. `uses` is scratch.
fn shared(
    problem: &Problem,
    options: &[Option<OptionId>],
    uses: &mut Vec<(ItemId, Option<Color>, usize)>,
) -> Vec<Shared> {
    uses.clear();
    let mut size = 0;
    for (slot, option) in options.iter().enumerate().filter_map(|(slot, option)| Some((slot, (*option)?))) {
        size += 1;
        uses.extend(problem.option(option).entries().map(|entry| (entry.item, entry.color, slot)));
    }
    uses.sort_unstable();
    let of_one =
        uses.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|uses| (2..size).contains(&uses.len()));
    let group = |uses: &[(ItemId, _, usize)]| Shared {
        slots: uses.iter().fold(0, |slots, one| slots | 1 << one.2),
        item: uses[0].0,
    };
    let largest_first = |group: &Shared| (core::cmp::Reverse(group.slots.count_ones()), *group);
    let mut groups: Vec<Shared> = of_one.map(group).collect();
    groups.sort_unstable_by_key(largest_first);
    groups.dedup_by_key(|group| group.slots);
    groups.truncate(GROUPS);
    groups
}

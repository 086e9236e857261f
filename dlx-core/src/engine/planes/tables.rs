//! What is known about a problem before any search: where its options lie in the slices, what each of them removes, and
//! what follows by containment.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;
use itertools::Itertools as _;

use super::vector::Vector;
use crate::{Color, ItemId, OptionId, Problem};

/// The most groups of options of an item to which containment is applied.
pub(super) const GROUPS: usize = 6;

/// No row.
const NONE: u32 = u32::MAX;

/// A problem in slices of lanes. A *row* is an option that can be chosen; rows are numbered in the order of the input.
pub(super) struct Tables<V, const S: usize> {
    /// The primary items.
    pub(super) must: V,
    /// All rows alive.
    pub(super) slices: [V; S],
    /// What choosing a row does.
    pub(super) rows: Vec<Row<V, S>>,
    /// By row: the option.
    pub(super) options: Vec<OptionId>,
    /// By option: its row, if it has one.
    pub(super) of_option: Vec<Option<u32>>,
    /// By lane and slot: the row.
    pub(super) at: Vec<[u32; S]>,
    /// By row: the lane of its first primary item.
    pub(super) first_lanes: Vec<u32>,
    /// By slice: the lanes that are the first ones of the rows in them.
    pub(super) first: [V; S],
    /// How many words of `first` are used.
    pub(super) first_words: usize,
    /// All items are primary: then rows that share no lane agree.
    pub(super) plain: bool,
    /// If there are any.
    pub(super) groups: Option<Box<Groups<V, S>>>,
}

/// What choosing a row does.
pub(super) struct Row<V, const S: usize> {
    /// What may stay: all that agrees with the row, and the row itself.
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
    /// What may stay when only a group is left.
    pub(super) keep: Vec<[V; S]>,
}

/// A group seen from B.
#[derive(Clone, Copy, Default)]
pub(super) struct Partner {
    /// Its number and lane there, if it is a group of B, too: while B has nothing outside it, there is nothing to be
    /// removed.
    pub(super) seen: Option<(u16, u16)>,
    /// Into [`Groups::keep`].
    pub(super) keep: u32,
}

impl<V: Vector, const S: usize> Tables<V, S> {
    /// There must be room for all lanes and slots of the problem's [`Shape`].
    pub(super) fn new(problem: &Problem) -> Self {
        let places = Places::new(problem);
        let mut at = alloc::vec![[NONE; S]; V::WORDS * 64];
        let mut slices = Grid::<S>::new(V::WORDS, 0);
        let mut first = Grid::<S>::new(V::WORDS, 0);
        for (row, cells) in places.cells.iter().enumerate() {
            for &(lane, slot) in cells {
                at[lane][slot] = row as u32;
                slices.set(lane, slot, true);
            }
            first.set(cells[0].0, cells[0].1, true);
        }
        let mut of_option = alloc::vec![None; problem.option_count()];
        for (row, option) in places.options.iter().enumerate() {
            of_option[option.index()] = Some(row as u32);
        }
        let rows = rows(problem, &places);
        Self {
            must: lanes_of(0..problem.primary_count()),
            slices: slices.slices(),
            of_option,
            first_lanes: places.cells.iter().map(|cells| cells[0].0 as u32).collect(),
            first: first.slices(),
            first_words: places.cells.iter().map(|cells| cells[0].0 / 64 + 1).max().unwrap_or(0),
            plain: problem.secondary_count() == 0,
            groups: groups(problem, &places, &at, &rows).map(Box::new),
            rows,
            options: places.options,
            at,
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

/// Where the rows lie.
struct Places {
    options: Vec<OptionId>,          // by row
    cells: Vec<Vec<(usize, usize)>>, // by row: lane and slot for each primary item
    lanes: Vec<Option<usize>>,       // by item
}

impl Places {
    fn new(problem: &Problem) -> Self {
        let mut next_lane = 0..;
        let lanes =
            problem.items().map(|item| if problem.is_primary(item) { next_lane.next() } else { None });
        let mut places = Self { options: Vec::new(), cells: Vec::new(), lanes: lanes.collect() };
        let mut sizes = alloc::vec![0; problem.primary_count()];
        for option in problem.options().filter(|option| problem.has_primary_item(*option)) {
            let lanes = problem.option(option).entries().filter_map(|entry| places.lanes[entry.item.index()]);
            let cells = lanes.map(|lane| {
                sizes[lane] += 1;
                (lane, sizes[lane] - 1)
            });
            places.cells.push(cells.collect());
            places.options.push(option);
        }
        places
    }
}

fn rows<V: Vector, const S: usize>(problem: &Problem, places: &Places) -> Vec<Row<V, S>> {
    let mut users: Vec<Vec<(usize, Option<Color>)>> = alloc::vec![Vec::new(); problem.item_count()];
    for (row, option) in places.options.iter().enumerate() {
        for entry in problem.option(*option).entries() {
            users[entry.item.index()].push((row, entry.color));
        }
    }
    let row = |(row, option): (usize, &OptionId)| {
        let mut keep = Grid::<S>::new(V::WORDS, u64::MAX);
        for entry in problem.option(*option).entries() {
            let disagree = |user: &&(usize, Option<Color>)| user.1.is_none() || user.1 != entry.color;
            for (other, _) in users[entry.item.index()].iter().filter(disagree).filter(|user| user.0 != row) {
                places.cells[*other].iter().for_each(|cell| keep.set(cell.0, cell.1, false));
            }
        }
        Row { keep: keep.slices(), lanes: lanes_of(places.cells[row].iter().map(|cell| cell.0)) }
    };
    places.options.iter().enumerate().map(row).collect()
}

/// Slices under construction, bit by bit.
struct Grid<const S: usize> {
    words: Vec<[u64; S]>,
}

impl<const S: usize> Grid<S> {
    fn new(words: usize, value: u64) -> Self {
        Self { words: alloc::vec![[value; S]; words] }
    }

    fn set(&mut self, lane: usize, slot: usize, value: bool) {
        let bit = 1 << (lane % 64);
        let word = &mut self.words[lane / 64][slot];
        *word = if value { *word | bit } else { *word & !bit };
    }

    fn slices<V: Vector>(&self) -> [V; S] {
        core::array::from_fn(|slot| {
            V::from_words(&self.words.iter().map(|word| word[slot]).collect::<Vec<_>>())
        })
    }
}

fn lanes_of<V: Vector>(lanes: impl IntoIterator<Item = usize>) -> V {
    let mut words = alloc::vec![0; V::WORDS];
    for lane in lanes {
        words[lane / 64] |= 1 << (lane % 64);
    }
    V::from_words(&words)
}

/// `None` if no lane has groups.
fn groups<V: Vector, const S: usize>(
    problem: &Problem,
    places: &Places,
    at: &[[u32; S]],
    rows: &[Row<V, S>],
) -> Option<Groups<V, S>> {
    let shared = at.iter().map(|rows_at| shared(problem, places, rows_at)).collect::<Vec<_>>();
    let mut groups = Groups {
        outside: [[V::zero(); S]; GROUPS],
        lanes: [V::zero(); GROUPS],
        partners: alloc::vec![[Partner::default(); GROUPS]; at.len()],
        keep: Vec::new(),
    };
    for k in 0..GROUPS {
        let mut outside = Grid::<S>::new(V::WORDS, 0);
        for (lane, shared_by_lane) in shared.iter().enumerate() {
            let Some(Shared { item, rows: members }) = shared_by_lane.get(k) else {
                continue;
            };
            for slot in (0..S).filter(|slot| at[lane][*slot] != NONE && !members.contains(&at[lane][*slot])) {
                outside.set(lane, slot, true);
            }
            let seen = places.lanes[item.index()].and_then(|other| {
                let group = shared[other].iter().position(|shared| shared.rows == *members)?;
                Some((group as u16, other as u16))
            });
            groups.partners[lane][k] = Partner { seen, keep: groups.keep.len() as u32 };
            let mut keep = [V::zero(); S];
            for row in members {
                keep = core::array::from_fn(|j| keep[j].or(rows[*row as usize].keep[j]));
            }
            groups.keep.push(keep);
        }
        groups.outside[k] = outside.slices();
        let has = |groups: &&Vec<Shared>| groups.len() > k;
        groups.lanes[k] = lanes_of(shared.iter().positions(|groups| has(&groups)));
    }
    (!groups.keep.is_empty()).then_some(groups)
}

/// What an item shares with another.
struct Shared {
    item: ItemId,
    rows: Vec<u32>,
}

/// The groups of one lane: the largest first, each once.
fn shared<const S: usize>(problem: &Problem, places: &Places, rows_at: &[u32; S]) -> Vec<Shared> {
    let mut uses: HashMap<(ItemId, Option<Color>), Vec<u32>> = HashMap::new();
    let mut size = 0;
    for row in rows_at.iter().filter(|row| **row != NONE) {
        size += 1;
        for entry in problem.option(places.options[*row as usize]).entries() {
            uses.entry((entry.item, entry.color)).or_default().push(*row);
        }
    }
    let mut groups: Vec<Shared> = uses
        .into_iter()
        .filter(|(_, rows)| (2..size).contains(&rows.len()))
        .map(|((item, _), rows)| Shared { item, rows })
        .collect();
    groups.sort_unstable_by(|a, b| {
        b.rows.len().cmp(&a.rows.len()).then_with(|| a.rows.cmp(&b.rows)).then(a.item.cmp(&b.item))
    });
    groups.dedup_by(|a, b| a.rows == b.rows);
    groups.truncate(GROUPS);
    groups
}

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

/// A problem in slices of lanes.
pub(super) struct Tables<V, const S: usize> {
    /// The primary items.
    pub(super) must: V,
    /// All options alive.
    pub(super) slices: [V; S],
    /// By option: what choosing it does.
    pub(super) rows: Vec<Row<V, S>>,
    /// By lane and slot: the option.
    pub(super) at: Vec<[Option<OptionId>; S]>,
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
    /// By lane and number of group: into `keep`.
    pub(super) places: Vec<[u32; GROUPS]>,
    /// What may stay when only a group is left.
    pub(super) keep: Vec<[V; S]>,
}

/// The lane and number of a group that is seen from B. While B has nothing outside it, there is nothing to be removed.
#[derive(Clone, Copy)]
pub(super) enum Partner {
    Unknown,
    Seen(u16, u8),
}

impl<V: Vector, const S: usize> Tables<V, S> {
    /// There must be room for all lanes and slots of the problem's [`Shape`].
    pub(super) fn new(problem: &Problem) -> Self {
        let places = Places::new(problem);
        let mut at = alloc::vec![[None; S]; V::WORDS * 64];
        let mut slices = Grid::<S>::new(V::WORDS, 0);
        let mut first = Grid::<S>::new(V::WORDS, 0);
        for (option, cells) in problem.options().zip(&places.cells) {
            for &(lane, slot) in cells {
                at[lane][slot] = Some(option);
                slices.set(lane, slot, true);
            }
            if let Some(&(lane, slot)) = cells.first() {
                first.set(lane, slot, true);
            }
        }
        let first_lanes = places.cells.iter().filter_map(|cells| cells.first()).map(|cell| cell.0);
        let must = lanes_of(0..problem.primary_count());
        let rows = rows(problem, &places);
        Self {
            slices: packed(slices.slices(), must),
            must,
            first: first.slices(),
            first_words: first_lanes.max().map_or(0, |lane| lane / 64 + 1),
            plain: problem.secondary_count() == 0,
            groups: groups(problem, &places, &at, &rows).map(Box::new),
            rows,
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

/// Where the options lie.
struct Places {
    cells: Vec<Vec<(usize, usize)>>, // by option: lane and slot for each primary item
    lanes: Vec<Option<usize>>,       // by item
}

impl Places {
    fn new(problem: &Problem) -> Self {
        let mut next_lane = 0..;
        let lanes =
            problem.items().map(|item| if problem.is_primary(item) { next_lane.next() } else { None });
        let lanes: Vec<Option<usize>> = lanes.collect();
        let mut sizes = alloc::vec![0; problem.primary_count()];
        let mut cells = Vec::with_capacity(problem.option_count());
        for option in problem.options() {
            let of_option = problem.option(option).entries().filter_map(|entry| lanes[entry.item.index()]);
            let place = |lane: usize| {
                sizes[lane] += 1;
                (lane, sizes[lane] - 1)
            };
            cells.push(of_option.map(place).collect());
        }
        Self { cells, lanes }
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
        let mut keep = Grid::<S>::new(V::WORDS, u64::MAX);
        for entry in problem.option(option).entries() {
            let disagree = |user: &&(OptionId, Option<Color>)| user.1.is_none() || user.1 != entry.color;
            let others = users[entry.item.index()].iter().filter(disagree).map(|user| user.0);
            for other in others.filter(|other| *other != option) {
                places.cells[other.index()].iter().for_each(|cell| keep.set(cell.0, cell.1, false));
            }
        }
        let lanes = lanes_of(places.cells[option.index()].iter().map(|cell| cell.0));
        let rest = lanes_of::<V>(0..V::WORDS * 64).without(lanes);
        Row { keep: packed(keep.slices(), rest), lanes }
    };
    problem.options().map(row).collect()
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

/// Puts two vectors into the spare quarters of others, if there are any: the last slice, and lanes to do or to be kept so.
/// So they take part in all ANDs at no cost. [`Vector::carried`] gets them back.
fn packed<V: Vector, const S: usize>(mut slices: [V; S], lanes: V) -> [V; S] {
    if V::SPARE && S > CARRIERS {
        let mut words =
            [slices[S - 1].words(), lanes.words()].map(|words| words[..V::WORDS / 4 * 3].to_vec()).concat();
        for slice in &mut slices[..CARRIERS] {
            let rest = words.split_off(V::WORDS / 4);
            let own = &slice.words()[..V::WORDS / 4 * 3];
            *slice = V::from_words(&[own, &words].concat());
            words = rest;
        }
    }
    slices
}

/// `None` if no lane has groups.
fn groups<V: Vector, const S: usize>(
    problem: &Problem,
    places: &Places,
    at: &[[Option<OptionId>; S]],
    rows: &[Row<V, S>],
) -> Option<Groups<V, S>> {
    let shared = at.iter().map(|options| shared(problem, options)).collect::<Vec<_>>();
    let mut groups = Groups {
        outside: [[V::zero(); S]; GROUPS],
        lanes: [V::zero(); GROUPS],
        partners: alloc::vec![[Partner::Unknown; GROUPS]; at.len()],
        places: alloc::vec![[0; GROUPS]; at.len()],
        keep: Vec::new(),
    };
    for k in 0..GROUPS {
        let mut outside = Grid::<S>::new(V::WORDS, 0);
        for (lane, shared_by_lane) in shared.iter().enumerate() {
            let Some(Shared { item, options }) = shared_by_lane.get(k) else {
                continue;
            };
            for slot in (0..S).filter(|slot| at[lane][*slot].is_some_and(|option| !options.contains(&option)))
            {
                outside.set(lane, slot, true);
            }
            let seen = places.lanes[item.index()].and_then(|other| {
                let group = shared[other].iter().position(|shared| shared.options == *options)?;
                Some(Partner::Seen(other as u16, group as u8))
            });
            groups.partners[lane][k] = seen.unwrap_or(Partner::Unknown);
            groups.places[lane][k] = groups.keep.len() as u32;
            let mut keep = [V::zero(); S];
            for option in options {
                keep = core::array::from_fn(|j| keep[j].or(rows[option.index()].keep[j]));
            }
            groups.keep.push(packed(keep, lanes_of(0..V::WORDS * 64)));
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
    options: Vec<OptionId>,
}

/// The groups of the item that has these options: the largest first, each once.
fn shared(problem: &Problem, options: &[Option<OptionId>]) -> Vec<Shared> {
    let mut uses: HashMap<(ItemId, Option<Color>), Vec<OptionId>> = HashMap::new();
    let mut size = 0;
    for option in options.iter().flatten() {
        size += 1;
        for entry in problem.option(*option).entries() {
            uses.entry((entry.item, entry.color)).or_default().push(*option);
        }
    }
    let groups = uses.into_iter().filter(|(_, options)| (2..size).contains(&options.len()));
    let mut groups: Vec<Shared> = groups.map(|((item, _), options)| Shared { item, options }).collect();
    groups.sort_unstable_by(|a, b| {
        b.options.len().cmp(&a.options.len()).then_with(|| (&a.options, a.item).cmp(&(&b.options, b.item)))
    });
    groups.dedup_by(|a, b| a.options == b.options);
    groups.truncate(GROUPS);
    groups
}

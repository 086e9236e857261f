//! What is left of a problem once the assumptions are taken: the same problem with plain numbers, and its independent
//! components.

use alloc::string::ToString as _;
use alloc::vec;
use alloc::vec::Vec;

use crate::{Color, Entry, OptionId, Problem, ProblemBuilder};

/// Stands for "no color" in [`Residual::uses`].
pub(super) const PLAIN: u32 = u32::MAX;

/// An exact cover problem over items `0..primaries` (to be covered) and `0..secondaries`, in which every option has a
/// primary item.
#[derive(Debug, Default)]
pub(super) struct Residual {
    pub(super) primaries: usize,
    pub(super) secondaries: usize,
    /// By primary item, how often it must be covered and may be; all but a [sweep by options](super::levels) take for granted
    /// that it is once. Of a component, nobody asks.
    pub(super) bounds: Vec<(u32, u32)>,
    /// What each option is called in the problem that this one was made of; of a component, nobody asks.
    pub(super) ids: Vec<OptionId>,
    starts: Vec<(u32, u32)>, // option o has primary[starts[o].0 .. starts[o + 1].0], secondary likewise
    primary: Vec<u32>,
    secondary: Vec<(u32, u32)>, // item and color
}

impl Residual {
    /// What the assumed options, which must not clash, leave.
    pub(super) fn new(problem: &Problem, assumed: &[OptionId]) -> Self {
        let mut taken: Vec<Option<Option<Color>>> = vec![None; problem.item_count()];
        let mut times = vec![0; problem.item_count()];
        let mut chosen = vec![false; problem.option_count()];
        assumed.iter().for_each(|option| chosen[option.index()] = true);
        for entry in assumed.iter().flat_map(|&option| problem.option(option).entries()) {
            taken[entry.item.index()] = Some(entry.color);
            times[entry.item.index()] += 1;
        }
        for item in problem.items().filter(|item| problem.is_primary(*item)) {
            taken[item.index()] = (times[item.index()] >= problem.most(item)).then_some(None);
        }
        let mut this = Self { starts: vec![(0, 0)], ..Self::default() };
        let places: Vec<u32> = problem
            .items()
            .map(|item| {
                let next = match problem.is_primary(item) {
                    true if taken[item.index()].is_some() => return 0, // covered
                    true => {
                        let (times, bounds) = (times[item.index()], problem.bounds(item).unwrap_or(1..=1));
                        this.bounds.push((bounds.start().saturating_sub(times), bounds.end() - times));
                        &mut this.primaries
                    }
                    false => &mut this.secondaries,
                };
                *next += 1;
                *next as u32 - 1
            })
            .collect();
        for option in problem.options() {
            let entries = problem.option(option).entries();
            let open = !chosen[option.index()]
                && entries.clone().all(|entry| match taken[entry.item.index()] {
                    None => true,
                    Some(color) => color.is_some() && color == entry.color,
                });
            if !open {
                continue;
            }
            for entry in entries {
                let place = places[entry.item.index()];
                if problem.is_primary(entry.item) {
                    this.primary.push(place);
                } else if taken[entry.item.index()].is_none() {
                    this.secondary.push((place, entry.color.map_or(PLAIN, Color::raw)));
                }
            }
            if this.close() {
                this.ids.push(option);
            }
        }
        this
    }

    /// Ends the option whose items have been pushed; without a primary one it can never be chosen, and is left out.
    fn close(&mut self) -> bool {
        let (primary, secondary) = self.starts.last().copied().unwrap_or_default();
        let possible = self.primary.len() > primary as usize;
        if possible {
            self.starts.push((self.primary.len() as u32, self.secondary.len() as u32));
        } else {
            self.secondary.truncate(secondary as usize);
        }
        possible
    }

    /// Whether every primary item is in as many options as must cover it.
    pub(super) fn can_be_covered(&self) -> bool {
        let mut options = vec![0; self.primaries];
        self.primary.iter().for_each(|&item| options[item as usize] += 1);
        options.iter().zip(&self.bounds).all(|(options, (least, _))| options >= least)
    }

    pub(super) fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The primary items of an option, at least one.
    pub(super) fn items(&self, option: usize) -> &[u32] {
        &self.primary[self.starts[option].0 as usize..self.starts[option + 1].0 as usize]
    }

    /// The secondary items of an option, with their colors or [`PLAIN`].
    pub(super) fn uses(&self, option: usize) -> &[(u32, u32)] {
        &self.secondary[self.starts[option].1 as usize..self.starts[option + 1].1 as usize]
    }

    /// The same as a problem of its own. `None` if a table cannot hold it, which the larger problem it came from rules out.
    pub(super) fn to_problem(&self) -> Option<Problem> {
        let mut builder = ProblemBuilder::new();
        let primary = builder.unnamed_primaries(self.primaries).ok()?;
        let secondary = builder.unnamed_secondaries(self.secondaries).ok()?;
        for option in 0..self.option_count() {
            let mut entries: Vec<Entry> =
                self.items(option).iter().map(|&item| Entry::from(primary[item as usize])).collect();
            for &(item, color) in self.uses(option) {
                let color = if color == PLAIN { None } else { Some(builder.color(&color.to_string()).ok()?) };
                entries.push(Entry { item: secondary[item as usize], color });
            }
            builder.option(entries).ok()?;
        }
        builder.build().ok()
    }

    /// The problems that have nothing to do with one another and whose numbers of solutions multiply to that of
    /// this one. Every primary item is in one of them.
    pub(super) fn components(&self) -> Vec<Self> {
        let mut groups = Groups::new(self.primaries + self.secondaries);
        for option in 0..self.option_count() {
            let first = self.items(option)[0];
            let rest = self.items(option).iter().copied();
            let uses = self.uses(option).iter().map(|&(item, _)| self.primaries as u32 + item);
            rest.chain(uses).for_each(|item| groups.join(first, item));
        }
        let mut number = vec![u32::MAX; self.primaries + self.secondaries]; // of the component, by leader
        let mut parts: Vec<Self> = Vec::new();
        let mut places = vec![0; self.primaries + self.secondaries];
        for (item, place) in places.iter_mut().enumerate() {
            let leader = groups.leader(item as u32) as usize;
            if number[leader] == u32::MAX {
                if item >= self.primaries {
                    continue; // a secondary item that no option contains
                }
                number[leader] = parts.len() as u32;
                parts.push(Self { starts: vec![(0, 0)], ..Self::default() });
            }
            let part = &mut parts[number[leader] as usize];
            let next = if item < self.primaries { &mut part.primaries } else { &mut part.secondaries };
            *place = *next as u32;
            *next += 1;
        }
        for option in 0..self.option_count() {
            let leader = groups.leader(self.items(option)[0]) as usize;
            let part = &mut parts[number[leader] as usize];
            part.primary.extend(self.items(option).iter().map(|&item| places[item as usize]));
            let place = |&(item, color): &(u32, u32)| (places[self.primaries + item as usize], color);
            part.secondary.extend(self.uses(option).iter().map(place));
            part.close();
        }
        parts
    }
}

/// Disjoint sets.
struct Groups(Vec<u32>);

impl Groups {
    fn new(size: usize) -> Self {
        Self((0..size as u32).collect())
    }

    fn leader(&mut self, mut item: u32) -> u32 {
        while self.0[item as usize] != item {
            let above = self.0[self.0[item as usize] as usize];
            self.0[item as usize] = above;
            item = above;
        }
        item
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.0[a.max(b) as usize] = a.min(b); // the first item leads, so that components keep the order
    }
}

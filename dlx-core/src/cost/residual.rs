//! What is left of a problem with costs: which options are chosen, which are out of the question, which are open, and what
//! follows from that item by item. All is undone in the reverse order from a trail.
//!
//! Unlike the other engines, an option can be ruled out by itself, because of its cost; so there is one flag an option and
//! one count an item in place of lists.

use alloc::vec;
use alloc::vec::Vec;

use crate::{Color, OptionId, Problem};

/// Where an option stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Open,
    Chosen,
    Out,
}

/// The options and items of a problem, and where they stand. Options and items are indices of the problem's.
#[derive(Clone)]
pub(super) struct Residual {
    starts: Vec<u32>, // option o has the items items[starts[o]..starts[o + 1]]
    items: Vec<u32>,
    tints: Vec<Option<Color>>, // as the items; no element at all if there are no colors
    places: Vec<u32>,          // item i is in options[places[i]..places[i + 1]]
    options: Vec<u32>,
    shades: Vec<Option<Color>>, // as the options; no element at all if there are no colors
    least: Vec<u32>,            // by item
    most: Vec<u32>,
    states: Vec<State>, // by option
    used: Vec<u32>,     // by item: chosen options
    open: Vec<u32>,     // by item: open options
    list: Vec<u32>,     // the open options, then the others
    at: Vec<u32>,       // by option: its place in the list
    count: usize,       // of open options
    trail: Vec<u32>,    // options that are not open any more, in the order of the events
    tight: Vec<u32>,    // items that need all their open options: to be done
    /// An item that cannot be covered as often as it must be.
    pub(super) conflict: Option<u32>,
    /// Chosen options, in the order of the events.
    pub(super) chosen: Vec<u32>,
    /// For each of these the item that needed all its options, if that is why it was chosen.
    pub(super) causes: Vec<Option<u32>>,
    /// Entries of options that were taken off an item, ever.
    pub(super) updates: u64,
}

impl Residual {
    /// All of the options that may be chosen at all and that `keep` wants.
    pub(super) fn new(problem: &Problem, keep: impl Fn(OptionId) -> bool) -> Self {
        let (item_count, option_count) = (problem.item_count(), problem.option_count());
        let possible = |option: OptionId| problem.has_primary_item(option) && keep(option);
        let mut residual = Self {
            starts: vec![0],
            items: Vec::new(),
            tints: Vec::new(),
            places: vec![0; item_count + 1],
            options: Vec::new(),
            shades: Vec::new(),
            least: problem.items().map(|item| problem.bounds(item).map_or(0, |b| *b.start())).collect(),
            most: problem.items().map(|item| problem.most(item)).collect(),
            states: vec![State::Open; option_count],
            used: vec![0; item_count],
            open: vec![0; item_count],
            list: (0..option_count as u32).collect(),
            at: (0..option_count as u32).collect(),
            count: option_count,
            trail: Vec::new(),
            tight: Vec::new(),
            conflict: None,
            chosen: Vec::new(),
            causes: Vec::new(),
            updates: 0,
        };
        for option in problem.options() {
            if possible(option) {
                for entry in problem.option(option).entries() {
                    residual.items.push(entry.item.raw());
                    if problem.has_colors() {
                        residual.tints.push(entry.color);
                    }
                    residual.open[entry.item.index()] += 1;
                }
            }
            residual.starts.push(residual.items.len() as u32);
        }
        residual.index();
        for option in problem.options().filter(|option| !possible(*option)) {
            residual.take_off(option.raw(), State::Out);
        }
        residual.trail.clear(); // that is for ever
        residual
    }

    /// Lists the options by item.
    fn index(&mut self) {
        for item in 0..self.open.len() {
            self.places[item + 1] = self.places[item] + self.open[item];
        }
        let mut next = self.places.clone();
        self.options = vec![0; self.items.len()];
        self.shades = vec![None; self.tints.len()];
        for option in 0..self.states.len() {
            for at in self.range(option as u32) {
                let place = &mut next[self.items[at] as usize];
                self.options[*place as usize] = option as u32;
                if let Some(tint) = self.tints.get(at) {
                    self.shades[*place as usize] = *tint;
                }
                *place += 1;
            }
        }
    }

    /// Draws the first conclusions. False if there is no solution.
    pub(super) fn settle(&mut self) -> bool {
        for item in 0..self.open.len() {
            if self.most[item] == 0 {
                self.rule_out_others(item, None);
            }
            self.look_at(item);
        }
        self.propagate()
    }

    /// The number of items.
    pub(super) fn item_count(&self) -> usize {
        self.open.len()
    }

    /// The open options, in no order.
    pub(super) fn open(&self) -> &[u32] {
        &self.list[..self.count]
    }

    pub(super) fn state(&self, option: u32) -> State {
        self.states[option as usize]
    }

    /// The items of an option.
    pub(super) fn items(&self, option: u32) -> &[u32] {
        &self.items[self.range(option)]
    }

    /// The open options of an item.
    pub(super) fn open_options(&self, item: usize) -> impl Iterator<Item = u32> {
        let range = self.places[item] as usize..self.places[item + 1] as usize;
        self.options[range].iter().copied().filter(|option| self.states[*option as usize] == State::Open)
    }

    /// How many open options an item has, and how many of them must be chosen at least and may be at most. The last is too large
    /// where a color has been chosen.
    pub(super) fn need(&self, item: usize) -> (u32, u32, u32) {
        let (used, open) = (self.used[item], self.open[item]);
        (open, self.least[item].saturating_sub(used), self.most[item].saturating_sub(used).min(open))
    }

    /// By item: whether more than one of the options that have it may be chosen because they agree on a color.
    pub(super) fn is_colored(&self, item: usize) -> bool {
        !self.shades.is_empty()
            && self.shades[self.places[item] as usize..self.places[item + 1] as usize]
                .iter()
                .any(Option::is_some)
    }

    /// A point to which [`undo`](Self::undo) can go back.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Chooses an open option, and what follows from that. False if that contradicts something.
    pub(super) fn choose(&mut self, option: u32) -> bool {
        self.commit(option, None);
        self.propagate()
    }

    /// Rules an open option out, and what follows from that. False if that contradicts something.
    pub(super) fn rule_out(&mut self, option: u32) -> bool {
        self.take_off(option, State::Out);
        self.propagate()
    }

    /// Rules several options out, as far as they are open. False if that contradicts something.
    pub(super) fn rule_out_all(&mut self, options: &[u32]) -> bool {
        for &option in options {
            if self.state(option) == State::Open {
                self.take_off(option, State::Out);
            }
        }
        self.propagate()
    }

    /// Undoes everything since the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(option) = self.trail.pop() else { return };
            let chosen = self.states[option as usize] == State::Chosen;
            for at in self.range(option) {
                let item = self.items[at] as usize;
                self.open[item] += 1;
                self.used[item] -= u32::from(chosen);
            }
            if chosen {
                self.chosen.pop();
                self.causes.pop();
            }
            self.states[option as usize] = State::Open;
            self.count += 1; // it is where it was when it was taken off
        }
        self.tight.clear();
        self.conflict = None;
    }

    fn range(&self, option: u32) -> core::ops::Range<usize> {
        self.starts[option as usize] as usize..self.starts[option as usize + 1] as usize
    }

    /// Takes an open option off its items.
    fn take_off(&mut self, option: u32, state: State) {
        let last = self.list[self.count - 1];
        let place = self.at[option as usize];
        self.count -= 1;
        self.list.swap(place as usize, self.count);
        (self.at[last as usize], self.at[option as usize]) = (place, self.count as u32);
        self.states[option as usize] = state;
        self.trail.push(option);
        for at in self.range(option) {
            let item = self.items[at] as usize;
            self.open[item] -= 1;
            self.used[item] += u32::from(state == State::Chosen);
            self.updates += 1;
            if state == State::Out {
                self.look_at(item);
            }
        }
    }

    /// Whether an item has too few options, or needs all of them.
    fn look_at(&mut self, item: usize) {
        let (has, needs) = (self.used[item] + self.open[item], self.least[item]);
        if has < needs {
            self.conflict = Some(item as u32);
        } else if has == needs && self.open[item] > 0 {
            self.tight.push(item as u32);
        }
    }

    fn commit(&mut self, option: u32, cause: Option<u32>) {
        self.chosen.push(option);
        self.causes.push(cause);
        self.take_off(option, State::Chosen);
        for at in self.range(option) {
            let item = self.items[at] as usize;
            let tint = self.tints.get(at).copied().flatten();
            if tint.is_some() || self.used[item] == self.most[item] {
                self.rule_out_others(item, tint);
            }
        }
    }

    /// Rules out the open options of an item, but those that give it the color, if there is one.
    fn rule_out_others(&mut self, item: usize, color: Option<Color>) {
        for place in self.places[item] as usize..self.places[item + 1] as usize {
            let option = self.options[place];
            let agrees = color.is_some() && self.shades.get(place).copied().flatten() == color;
            if self.states[option as usize] == State::Open && !agrees {
                self.take_off(option, State::Out);
            }
        }
    }

    /// Chooses the options of items that need them all.
    fn propagate(&mut self) -> bool {
        while self.conflict.is_none()
            && let Some(cause) = self.tight.pop()
        {
            let item = cause as usize;
            for place in self.places[item] as usize..self.places[item + 1] as usize {
                let option = self.options[place];
                if self.conflict.is_none() && self.states[option as usize] == State::Open {
                    self.commit(option, Some(cause));
                }
            }
        }
        self.tight.clear();
        self.conflict.is_none()
    }
}

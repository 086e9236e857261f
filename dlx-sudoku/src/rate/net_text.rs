//! Tells how a net comes to its contradiction: only those of its steps that lead there.

use core::fmt::Write as _;

use super::nets::{End, Log, Net, UNLIMITED};
use super::step::Candidate;
use super::table::{CELLS, DIGITS, HOUSES, HOUSES_OF, house};

/// Something that was concluded on the way, and what it rests on, by number of the event.
struct Event {
    text: String,
    needs: Vec<usize>,
}

/// All that happened so far, and which event ruled which candidate out.
#[derive(Default)]
struct Story {
    events: Vec<Event>,
    causes: Causes,
}

/// By which event each candidate was ruled out; those of a net within a net follow on those before.
#[derive(Clone)]
struct Causes {
    by: Vec<Option<usize>>,
    now: usize,
}

impl Default for Causes {
    fn default() -> Self {
        Self { by: vec![None; 729], now: 0 }
    }
}

impl Log for Causes {
    fn removed(&mut self, candidate: Candidate) {
        self.by[9 * candidate.at() + candidate.index()] = Some(self.now);
    }
}

impl Causes {
    /// Why other candidates of a cell are ruled out.
    fn in_cell(&self, cell: usize) -> impl Iterator<Item = usize> {
        (0..9).filter_map(move |digit| self.by[9 * cell + digit])
    }

    /// Why other places of a digit in a house are ruled out.
    fn in_house(&self, digit: usize, number: usize) -> impl Iterator<Item = usize> {
        HOUSES[number].iter().filter_map(move |&cell| self.by[9 * usize::from(cell) + digit])
    }

    fn of(&self, end: End) -> Vec<usize> {
        match end {
            End::Cell(cell) => self.in_cell(cell).collect(),
            End::House(digit, number) => self.in_house(digit, number).collect(),
        }
    }
}

/// What happens when a candidate is taken for right, up to the contradiction.
pub(super) fn tell(start: &Net, candidate: Candidate, level: u8, depth: u8) -> String {
    let story = Story::default();
    let told = story.follow(start, candidate, level, depth);
    told.map_or_else(String::new, |(text, _)| format!("supposing {text}"))
}

impl Story {
    /// What happens when a candidate is taken for right, and the events before that it rests on.
    fn follow(
        mut self,
        start: &Net,
        candidate: Candidate,
        level: u8,
        depth: u8,
    ) -> Option<(String, Vec<usize>)> {
        let before = self.events.len();
        let mut net = start.clone();
        net.assume(candidate);
        let limit = if level == 1 { depth } else { UNLIMITED };
        let end = loop {
            if let Some(end) = self.singles(&mut net, limit, before) {
                break end;
            }
            let wrong = if level > 1 { net.refutable(level - 1, depth) } else { Vec::new() };
            if wrong.is_empty() {
                return None;
            }
            if let Some(end) = self.rule_out(&mut net, &wrong, level - 1, depth) {
                break end;
            }
        };
        Some(self.needed(end, before))
    }

    /// Places singles up to a contradiction, or to the end of the generations.
    fn singles(&mut self, net: &mut Net, limit: u8, before: usize) -> Option<End> {
        for _ in 0..limit {
            let generation = net.take_generation();
            if generation.is_empty() {
                return None;
            }
            for single in generation {
                self.causes.now = self.events.len();
                let needs = if self.events.len() == before { Vec::new() } else { self.reasons(net, single) };
                self.events.push(Event { text: format!("{}={}", single.cell(), single.digit()), needs });
                net.settle(single, &mut self.causes);
                if net.end().is_some() {
                    return net.end();
                }
            }
        }
        None
    }

    /// Why a candidate is the last of its cell, or has the last place in a house.
    fn reasons(&self, net: &Net, single: Candidate) -> Vec<usize> {
        let (cell, digit) = (single.at(), single.index());
        if net.mask(cell) == single.bit() {
            return self.causes.in_cell(cell).collect();
        }
        let is_last = |number: &usize| {
            HOUSES[*number].iter().filter(|&&other| net.mask(other.into()) & single.bit() != 0).count() == 1
        };
        let number = HOUSES_OF[cell].into_iter().map(usize::from).find(is_last);
        number.map_or_else(Vec::new, |number| self.causes.in_house(digit, number).collect())
    }

    /// Rules candidates out that have contradictions of their own.
    fn rule_out(&mut self, net: &mut Net, wrong: &[Candidate], level: u8, depth: u8) -> Option<End> {
        let before = net.clone();
        for &candidate in wrong {
            let inner =
                Story { events: self.events.iter().map(Event::mark).collect(), causes: self.causes.clone() };
            let Some((text, needs)) = inner.follow(&before, candidate, level, depth) else { continue };
            self.causes.now = self.events.len();
            let text = format!("{}≠{} (as {text})", candidate.cell(), candidate.digit());
            self.events.push(Event { text, needs });
            net.remove(candidate, &mut self.causes);
            if net.end().is_some() {
                return net.end();
            }
        }
        None
    }

    /// The events since `before` that lead to the end, in words, and those before that they rest on.
    fn needed(&self, end: End, before: usize) -> (String, Vec<usize>) {
        let mut needed = vec![false; self.events.len()];
        self.causes.of(end).into_iter().for_each(|event| needed[event] = true);
        for event in (before..self.events.len()).rev() {
            if needed[event] {
                self.events[event].needs.iter().for_each(|&need| needed[need] = true);
            }
        }
        let mut text = String::new();
        for event in (before..self.events.len()).filter(|&event| needed[event]) {
            let _ = write!(text, "{}, ", self.events[event].text); // writing to a string cannot fail
        }
        let _ = match end {
            End::Cell(cell) => write!(text, "{} has no candidate", CELLS[cell]),
            End::House(digit, number) => write!(text, "{} has no place for {}", house(number), DIGITS[digit]),
        };
        (text, (0..before).filter(|&event| needed[event]).collect())
    }
}

impl Event {
    /// The event as something that is told already.
    fn mark(&self) -> Self {
        Self { text: String::new(), needs: Vec::new() }
    }
}

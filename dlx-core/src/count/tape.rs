//! A sweep that forgets nothing: every state with the choices that lead on from it, for a decision diagram.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::levels::sweep_by_option;
use super::order;
use super::plan::Layout;
use super::residual::Residual;
use super::sweep::{Keep, Sweep, Trouble, WIDEST, sweep};
use crate::{OptionId, Problem};

/// Numbers in a chunk: memory comes and goes by so many.
const CHUNK: usize = 1 << 12;
/// How many entries are looked at for greedy orders, and how many orders there are at the most.
const ATTEMPTS: (usize, u32) = (1 << 17, 64);

/// The course that a sweep takes through a problem with assumptions.
pub(crate) struct Course {
    /// The options that may be in a solution: the assumed ones, then the others by the place of their lowest item in the
    /// order, ascending where it is the same.
    pub(crate) order: Vec<OptionId>,
    /// What [`Members`](super::Members) call an option, as its id.
    pub(crate) ids: Vec<OptionId>,
    /// The sweep, unless a state would be too large.
    pub(crate) sweep: Option<Box<dyn Sweep<Tape>>>,
}

impl Course {
    /// Chooses the order, given or greedy, along which there may be fewer states, if these are not too large.
    pub(crate) fn new(problem: &Problem, assumed: &[OptionId]) -> Self {
        let residual = Residual::new(problem, assumed);
        let attempts = (ATTEMPTS.0 / (problem.entry_count() + 1)).clamp(1, ATTEMPTS.1 as usize) as u32;
        let given: Vec<u32> = (0..residual.primaries as u32).collect();
        let orders = [Some(given), order::frontier(&residual, attempts)];
        let mut layouts: Vec<_> =
            orders.iter().flatten().map(|order| Layout::new(&residual, order)).collect();
        layouts.sort_by(|a, b| a.size.total_cmp(&b.size));
        let fitting = layouts.iter().position(|layout| layout.width <= WIDEST);
        let layout = layouts.swap_remove(fitting.unwrap_or(0));
        let mut others: Vec<u32> = (0..residual.option_count() as u32).collect();
        others.sort_by_key(|&option| layout.rank[option as usize]);
        let mut order = assumed.to_vec();
        order.sort_unstable();
        order.extend(others.iter().map(|&option| residual.ids[option as usize]));
        let sweep = match problem.has_bounds() {
            true => sweep_by_option(&residual, &others, Tape::default()),
            false => sweep(&residual, &layout, Tape::default()),
        };
        Self { order, sweep, ids: residual.ids }
    }
}

/// The states of a sweep, numbered from 1 in the order in which they came about, each with the choices that lead on
/// from it; read from the last one dealt with to the first. What a state leads to was dealt with after it.
#[derive(Default)]
pub(crate) struct Tape {
    // For each state: choice and target of each edge, then its number and how many edges these are.
    chunks: Vec<Vec<u32>>,
    states: u32,
    edges: u32, // of the state in hand
    root: Option<u32>,
}

impl Tape {
    /// The number of a state that is none: all is covered.
    pub(crate) const SOLVED: u32 = 0;
    /// The choice of none of the options that the other edges of the state choose.
    pub(crate) const PASS: usize = u32::MAX as usize;

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.states as usize
    }

    /// The state with which all begins; `None` if it is known to have no solution.
    pub(crate) fn root(&self) -> Option<u32> {
        self.root
    }

    /// Takes the last state away: its number, and its edges, each a choice and the number of a state.
    pub(crate) fn pop(&mut self, edges: &mut Vec<(u32, u32)>) -> Option<u32> {
        edges.clear();
        let count = self.take()?;
        let state = self.take()?;
        for _ in 0..count {
            let target = self.take()?;
            edges.push((self.take()?, target));
        }
        Some(state)
    }

    /// The bytes that it takes, with a number for each state, which the reader needs.
    #[inline]
    pub(crate) fn bytes_left(&self) -> usize {
        (self.chunks.len() * CHUNK + self.states as usize) * size_of::<u32>()
    }

    fn take(&mut self) -> Option<u32> {
        let last = self.chunks.last_mut()?;
        let number = last.pop();
        if last.is_empty() {
            self.chunks.pop();
        }
        number
    }

    #[inline]
    fn put(&mut self, number: u32) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(number),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(number);
                self.chunks.push(chunk);
            }
        }
    }

    /// Notes an edge from the state in hand; before there is one, the root.
    #[inline]
    fn note(&mut self, choice: usize, target: u32) {
        if self.root.is_none() {
            self.root = Some(target);
            return;
        }
        self.put(choice as u32);
        self.put(target);
        self.edges += 1;
    }
}

impl Keep for Tape {
    #[inline]
    fn reach(&mut self, value: &mut [u64], _from: &[u64], choice: usize, _times: u64) -> Result<(), Trouble> {
        if value[0] == 0 {
            if self.states >= u32::MAX - 1 {
                return Err(Trouble::Memory);
            }
            self.states += 1;
            value[0] = self.states.into();
        }
        self.note(choice, value[0] as u32);
        Ok(())
    }

    #[inline]
    fn solve(&mut self, _from: &[u64], choice: usize, _times: u64) -> Result<(), Trouble> {
        self.note(choice, Self::SOLVED);
        Ok(())
    }

    #[inline]
    fn leave(&mut self, value: &[u64]) {
        self.put(value[0] as u32);
        self.put(self.edges);
        self.edges = 0;
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.bytes_left()
    }
}

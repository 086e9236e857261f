//! The second baseline: cell by cell in reading order with a stack of its own, and a look at a cell's peers, which are
//! listed beforehand, before a digit is placed.

use core::ops::ControlFlow;

use dlx_core::{Outcome, StopReason};

use super::{Budget, Meter, Search, Statistics, Visit, outcome};
use crate::puzzle::Task;
use crate::variant::Layout;
use crate::{Candidates, Digit, Geometry, Grid};

pub(super) struct Iterative {
    grid: Grid,
    /// What the cells are restricted to.
    candidates: Option<Candidates>,
    /// What its rules come to, if it has any.
    layout: Option<Layout>,
    /// The peers of each cell, one cell after the other: all have equally many.
    peers: Vec<u16>,
    /// The cells to be filled, in reading order. Those of them that have a digit are the stack.
    empty: Vec<u16>,
    meter: Meter,
}

impl Iterative {
    pub(super) fn new(geometry: Geometry, budget: &Budget) -> Self {
        let place = |cell| geometry.index(cell) as u16;
        Self {
            grid: Grid::empty(geometry),
            candidates: None,
            layout: None,
            peers: geometry.cells().flat_map(|cell| geometry.peers(cell)).map(place).collect(),
            empty: Vec::with_capacity(geometry.cell_count()),
            meter: Meter::new(budget),
        }
    }

    fn fill(&mut self, visit: &mut Visit<'_>) -> ControlFlow<StopReason> {
        self.meter.start()?;
        let mut depth = 0;
        loop {
            if let Some(&place) = self.empty.get(depth) {
                let next = self.next_digit(place.into());
                self.grid.cells_mut()[usize::from(place)] = next;
                if next.is_some() {
                    self.meter.node()?;
                    depth += 1;
                    continue;
                }
            } else {
                self.meter.solution(&self.grid, visit)?;
            }
            if depth == 0 {
                return ControlFlow::Continue(());
            }
            depth -= 1;
        }
    }

    /// The smallest digit above the one in a cell that none of its peers has.
    fn next_digit(&self, place: usize) -> Option<Digit> {
        let cells = self.grid.cells();
        let count = self.peers.len() / cells.len();
        let peers = &self.peers[place * count..][..count];
        let tried = cells[place].map_or(0, Digit::get);
        (tried + 1..=self.grid.geometry().size() as u8)
            .filter_map(Digit::new)
            .filter(|&digit| self.candidates.as_ref().is_none_or(|all| all.allow(place, digit)))
            .find(|&digit| match &self.layout {
                Some(layout) => layout.fits(cells, place, digit),
                None => peers.iter().all(|&peer| cells[usize::from(peer)] != Some(digit)),
            })
    }
}

impl Search for Iterative {
    fn run(&mut self, task: Task<'_>, visit: &mut Visit<'_>) -> Outcome {
        self.grid.cells_mut().copy_from_slice(task.grid.cells());
        self.candidates = task.candidates.cloned();
        self.layout = task.rules.map(|rules| Layout::of(rules));
        let is_cell = |place: usize| self.layout.as_ref().is_none_or(|layout| layout.is_cell[place]);
        let empty = task.grid.cells().iter().enumerate();
        let empty = empty.filter(|&(place, cell)| cell.is_none() && is_cell(place));
        self.empty.clear();
        self.empty.extend(empty.map(|(place, _)| place as u16));
        outcome(self.fill(visit))
    }

    fn statistics(&self) -> Statistics {
        self.meter.statistics
    }
}

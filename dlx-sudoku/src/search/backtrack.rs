//! The first baseline, as it is written everywhere: recursive, cell by cell in reading order, with a look at the row,
//! the column and the box before a digit is placed.

use core::ops::ControlFlow;

use dlx_core::{Outcome, StopReason};

use super::{Budget, Meter, Search, Statistics, Visit, outcome};
use crate::puzzle::Task;
use crate::variant::Layout;
use crate::{Candidates, Digit, Geometry, Grid};

pub(super) struct Backtrack {
    grid: Grid,
    /// What the cells are restricted to.
    candidates: Option<Candidates>,
    /// What its rules come to, if it has any.
    layout: Option<Layout>,
    meter: Meter,
}

impl Backtrack {
    pub(super) fn new(geometry: Geometry, budget: &Budget) -> Self {
        Self { grid: Grid::empty(geometry), candidates: None, layout: None, meter: Meter::new(budget) }
    }

    /// Fills the empty cells from a place on, in every way. Calls itself once for each empty cell.
    fn fill(&mut self, from: usize, visit: &mut Visit<'_>) -> ControlFlow<StopReason> {
        let is_empty = |place: &usize| {
            let is_cell = self.layout.as_ref().is_none_or(|layout| layout.is_cell[*place]);
            is_cell && self.grid.cells()[*place].is_none()
        };
        let Some(place) = (from..self.grid.cells().len()).find(is_empty) else {
            return self.meter.solution(&self.grid, visit);
        };
        for digit in self.grid.geometry().digits() {
            if self.fits(place, digit) && self.candidates.as_ref().is_none_or(|all| all.allow(place, digit)) {
                self.meter.node()?;
                self.grid.cells_mut()[place] = Some(digit);
                self.fill(place + 1, visit)?;
                self.grid.cells_mut()[place] = None;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a digit is neither in the row nor in the column nor in the box of a place; or what its rules are, if it has
    /// any.
    fn fits(&self, place: usize, digit: Digit) -> bool {
        if let Some(layout) = &self.layout {
            return layout.fits(self.grid.cells(), place, digit);
        }
        let geometry = self.grid.geometry();
        let size = geometry.size();
        let (row, column) = (place / size, place % size);
        let top = row - row % geometry.box_rows();
        let left = column - column % geometry.box_columns();
        let cells = self.grid.cells();
        let is_free = |place: usize| cells[place] != Some(digit);
        (0..size).all(|other| is_free(row * size + other))
            && (0..size).all(|other| is_free(other * size + column))
            && (top..top + geometry.box_rows())
                .all(|row| (left..left + geometry.box_columns()).all(|column| is_free(row * size + column)))
    }
}

impl Search for Backtrack {
    fn run(&mut self, task: Task<'_>, visit: &mut Visit<'_>) -> Outcome {
        self.grid.cells_mut().copy_from_slice(task.grid.cells());
        self.candidates = task.candidates.cloned();
        self.layout = task.rules.map(|rules| Layout::of(rules));
        if let ControlFlow::Break(reason) = self.meter.start() {
            return Outcome::Stopped(reason);
        }
        outcome(self.fill(0, visit))
    }

    fn statistics(&self) -> Statistics {
        self.meter.statistics
    }
}

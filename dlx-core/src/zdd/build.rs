//! How a diagram is made: a race of two ways that lead to the same one.
//!
//! The *sweep* (along the items, or where these have bounds, along the options) merges partial solutions that leave the same
//! problem, and keeps all of them: what a diagram is for, but where few partial solutions can be completed it drowns in the
//! others. *Visiting* the solutions finds few of these soon, and needs room for all. They take turns, measured by their work
//! and not by the clock, until one is done. What does not fit in the memory is given up.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::reduce::{Full, Reducer};
use super::{BOTTOM, Node, TOP, Zdd, ZddError};
use crate::count::{Course, Members, Status, Sweep, Tape, default_memory};
use crate::{OptionId, Outcome, Solver, Step, StopReason};

/// What is done in a turn: nodes visited, steps of the sweep.
const TURN: (u64, u64) = (2048, 8192);
/// So many bytes the solutions may take while the sweep takes little.
const LITTLE_MEMORY: usize = 1 << 20;
/// States that become nodes between two looks at the limits.
const SLICE: usize = 4096;

/// Makes the diagram of the solutions that a solver, which has not begun, finds. Its limits hold.
pub(crate) fn build(mut visitor: Solver, assumed: &[OptionId]) -> Result<Zdd, ZddError> {
    if let Some(reason) = visitor.stopped() {
        return Err(ZddError::Stopped(reason)); // the clock runs from here on
    }
    let course = Course::new(visitor.problem(), assumed);
    let memory = visitor.memory().unwrap_or_else(default_memory);
    Build::new(visitor, course, memory).run(assumed)
}

/// A diagram in the making.
pub(super) struct Build {
    visitor: Solver,
    memory: usize, // limit
    order: Vec<OptionId>,
    ids: Vec<OptionId>,
    pub(super) list: Option<List>,                  // unless given up
    pub(super) sweep: Option<Box<dyn Sweep<Tape>>>, // likewise
}

impl Build {
    pub(super) fn new(visitor: Solver, course: Course, memory: usize) -> Self {
        let list = Some(List::new(visitor.problem().option_count(), &course.order));
        Self { visitor, memory, order: course.order, ids: course.ids, list, sweep: course.sweep }
    }

    pub(super) fn run(mut self, assumed: &[OptionId]) -> Result<Zdd, ZddError> {
        loop {
            self.check()?;
            if self.visit()?
                && let Some(list) = self.list.take()
            {
                return self.fold_list(list);
            }
            if self.sweep()?
                && let Some(sweep) = self.sweep.take()
            {
                return self.fold_sweep(sweep, assumed);
            }
            if self.list.is_none() && self.sweep.is_none() {
                return Err(self.full());
            }
        }
    }

    fn full(&self) -> ZddError {
        ZddError::Memory { limit: self.memory }
    }

    /// Whether a limit is reached.
    fn check(&mut self) -> Result<(), ZddError> {
        match self.visitor.stopped() {
            Some(reason) => Err(ZddError::Stopped(reason)),
            None => Ok(()),
        }
    }

    /// Visits solutions for a turn, unless the list is large beside what the sweep takes. Whether all are listed.
    fn visit(&mut self) -> Result<bool, ZddError> {
        let Some(list) = &mut self.list else { return Ok(false) };
        let swept = self.sweep.as_ref().map(|sweep| sweep.figures().bytes);
        if swept.is_some_and(|bytes| list.bytes() > LITTLE_MEMORY + bytes / 2) {
            return Ok(false);
        }
        let room = self.memory.saturating_sub(swept.unwrap_or(0));
        let end = self.visitor.statistics().nodes + TURN.0;
        loop {
            let left = end.saturating_sub(self.visitor.statistics().nodes);
            match self.visitor.step(left) {
                Step::Solution(solution) => {
                    if !list.push(solution.options(), room) {
                        self.list = None;
                        return Ok(false);
                    }
                }
                Step::Done(Outcome::Exhausted) => return Ok(true),
                Step::Paused | Step::Done(Outcome::Stopped(StopReason::Paused)) => return Ok(false),
                Step::Done(Outcome::Stopped(reason)) => return Err(ZddError::Stopped(reason)),
            }
            if left == 0 {
                return Ok(false);
            }
        }
    }

    /// Sweeps for a turn. Whether that was the end.
    fn sweep(&mut self) -> Result<bool, ZddError> {
        let Some(sweep) = &mut self.sweep else { return Ok(false) };
        let room = self.memory.saturating_sub(self.list.as_ref().map_or(0, List::bytes));
        let before = sweep.figures().states;
        let status = sweep.run(TURN.1, room);
        self.visitor.note_states(sweep.figures().states - before);
        if status == Status::Full {
            self.sweep = None;
        }
        Ok(status == Status::Done)
    }

    /// Makes nodes of the listed solutions, from the last one in the order of paths to the first.
    fn fold_list(self, mut list: List) -> Result<Zdd, ZddError> {
        list.sort();
        let mut reducer = Reducer::default();
        reducer.room = self.memory.saturating_sub(list.bytes());
        // By depth: the diagram of what comes after the options before, as far as it is made.
        let mut open = vec![BOTTOM];
        let mut solutions = list.iter().rev().peekable();
        while let Some(solution) = solutions.next() {
            let common = solutions
                .peek()
                .map_or(0, |next| next.iter().zip(solution).take_while(|(next, this)| next == this).count());
            open.resize(solution.len(), BOTTOM);
            open.push(TOP);
            for depth in (common..solution.len()).rev() {
                let hi = open.pop().unwrap_or(TOP);
                let node = Node { option: self.order[solution[depth] as usize], lo: open[depth], hi };
                open[depth] = reducer.node(node).map_err(|Full| self.full())?;
            }
        }
        let root = if list.is_empty() { BOTTOM } else { open[0] };
        Ok(self.end(reducer, root))
    }

    /// Makes nodes of the states, from the last one to the first.
    fn fold_sweep(mut self, sweep: Box<dyn Sweep<Tape>>, assumed: &[OptionId]) -> Result<Zdd, ZddError> {
        self.list = None;
        let (mut tape, members): (Tape, Members) = sweep.finish();
        let mut successors = vec![BOTTOM; tape.states() + 1]; // by state
        successors[Tape::SOLVED as usize] = TOP;
        let mut reducer = Reducer::default();
        let (mut edges, mut options) = (Vec::new(), Vec::new());
        while let Some(state) = tape.pop(&mut edges) {
            if (state as usize).is_multiple_of(SLICE) {
                self.check()?;
            }
            options.clear();
            let mut lo = BOTTOM;
            for &(choice, target) in &edges {
                let hi = successors[target as usize];
                if choice as usize == Tape::PASS {
                    lo = hi;
                    continue;
                }
                options.extend(members.of(choice as usize).iter().map(|&option| (option, hi)));
            }
            options.sort_unstable();
            reducer.room = self.memory.saturating_sub(tape.bytes_left());
            for &(option, hi) in options.iter().rev() {
                let node = Node { option: self.ids[option as usize], lo, hi };
                lo = reducer.node(node).map_err(|Full| self.full())?;
            }
            successors[state as usize] = lo;
        }
        reducer.room = self.memory;
        let mut root = tape.root().map_or(BOTTOM, |state| successors[state as usize]);
        for &option in self.order[..assumed.len()].iter().rev() {
            let node = Node { option, lo: BOTTOM, hi: root };
            root = reducer.node(node).map_err(|Full| self.full())?;
        }
        Ok(self.end(reducer, root))
    }

    fn end(&self, reducer: Reducer, root: u32) -> Zdd {
        let options = self.visitor.problem().option_count();
        Zdd { nodes: reducer.into_nodes(), root, options, memory: self.memory }
    }
}

/// Solutions, each as the ascending places of its options in the order.
pub(super) struct List {
    places: Vec<u32>,          // by option
    all: Vec<u32>,             // of one solution after the other
    starts: Vec<(usize, u32)>, // and lengths
}

impl List {
    fn new(options: usize, order: &[OptionId]) -> Self {
        let mut places = vec![0; options];
        order.iter().zip(0..).for_each(|(option, place)| places[option.index()] = place);
        Self { places, all: Vec::new(), starts: Vec::new() }
    }

    /// Adds a solution, unless the list may need more than `room` bytes for that, the copying included.
    fn push(&mut self, solution: &[OptionId], room: usize) -> bool {
        if self.bytes() + 2 * size_of_val(solution) > room {
            return false;
        }
        let start = self.all.len();
        self.all.extend(solution.iter().map(|option| self.places[option.index()]));
        self.all[start..].sort_unstable();
        self.starts.push((start, solution.len() as u32));
        true
    }

    /// The bytes that it takes, and will take while it grows.
    fn bytes(&self) -> usize {
        3 * (size_of_val(&self.all[..]) + size_of_val(&self.starts[..]))
    }

    fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Brings the solutions into lexicographic order, in which one comes behind those that have all of it and more: bounds
    /// allow that.
    fn sort(&mut self) {
        let all = &self.all;
        let of = |&(start, length): &(usize, u32)| &all[start..start + length as usize];
        self.starts.sort_unstable_by(|a, b| {
            let (a, b) = (of(a), of(b));
            let both = a.len().min(b.len());
            a[..both].cmp(&b[..both]).then(b.len().cmp(&a.len()))
        });
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[u32]> {
        self.starts.iter().map(|&(start, length)| &self.all[start..start + length as usize])
    }
}

//! Checkpoints: what a search has found and what is left, to go on from another day.

use alloc::string::String;
use alloc::vec::Vec;

use crate::frontier::{Frontier, Piece};
use crate::saved::{self, Reader, Writer};
use crate::{Fingerprint, Part, Problem, SavedError, Solver, Statistics};

const KIND: &str = "dlx checkpoint";

/// What a search has done, in figures, and what is left of it, as pieces in terms of the problem: options that are chosen,
/// options that are excluded, options to be tried. Pieces have no solution in common with one another, nor with what is done; so
/// whoever goes on, with any engine and any number of threads, finds each of the other solutions once.
///
/// A checkpoint is small: about a line for each open branch of the search.
///
/// ```
/// use dlx_core::{Checkpoint, Limits, ProblemBuilder};
///
/// let mut b = ProblemBuilder::new();
/// for item in b.unnamed_primaries(10)? {
///     b.option([item])?;
///     b.option([item])?;
/// }
/// let problem = b.build()?;
/// let mut solver = problem.solver();
/// solver.owned().take(100).for_each(drop);
/// let bytes = solver.checkpoint().to_bytes();
///
/// let checkpoint = Checkpoint::from_bytes(&bytes)?;
/// assert_eq!(checkpoint.statistics().solutions, 100);
/// let mut solver = problem.solver().resume(&checkpoint)?;
/// assert_eq!(solver.owned().count(), 924);
/// assert_eq!(solver.statistics().solutions, 1024);
/// assert!(solver.checkpoint().is_finished());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint {
    fingerprint: Fingerprint,
    note: String,
    done: Statistics,
    pub(crate) left: Frontier,
}

impl Checkpoint {
    pub(crate) fn new(problem: &Problem, (left, done): (Frontier, Statistics)) -> Self {
        Self { fingerprint: problem.fingerprint(), note: String::new(), done, left }
    }

    /// That of a search for all solutions that has not begun.
    pub fn beginning(problem: &Problem) -> Self {
        Self::new(problem, (Piece::whole(&[]).into(), Statistics::default()))
    }

    /// Checks that it belongs to this problem, as everyone does who goes on from it.
    ///
    /// # Errors
    /// It belongs to another one.
    pub fn check(&self, problem: &Problem) -> Result<(), SavedError> {
        saved::check(problem, self.fingerprint, &self.left)
    }

    /// Which problem it belongs to.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The figures of what is done.
    pub fn statistics(&self) -> Statistics {
        self.done
    }

    /// Whether nothing is left: the figures are final.
    pub fn is_finished(&self) -> bool {
        self.left.is_empty()
    }

    /// How much of the tree is done, as [`Solver::progress`] says.
    pub fn progress(&self) -> f64 {
        (1.0 - self.left.share()).clamp(0.0, 1.0)
    }

    /// What the caller has noted.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Adds a line of the caller's, in place of the one before; how long a file of solutions is, for example. Line breaks in it
    /// become blanks.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Self {
        self.note = note.replace(['\n', '\r'], " ");
        self
    }

    /// Its form in a file: lines of text, with a version in the first and a check sum in the last.
    ///
    /// ```text
    /// dlx checkpoint 1
    /// problem 7a9e0c61d0a1b2c3d4e5f60718293a4b
    /// note
    /// solutions 12
    /// nodes 34
    /// forced 5
    /// updates 67
    /// depth 8
    /// pieces 2
    /// 2 1.25e-1 before 0 4 7 without 0 options 8 9
    /// 1 5e-1 before 1 without 0 options 5 6
    /// crc 89abcdef
    /// ```
    ///
    /// A piece is: how many branches are above it; how much of the tree it is; the options that are chosen, which are so
    /// many of the piece before, and others; likewise those that are excluded; and the options of which one is in
    /// each solution, if there are any.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = Writer::new(KIND);
        text.line("problem", self.fingerprint);
        text.line("note", &self.note);
        let Statistics { nodes, forced, updates, solutions, depth } = self.done;
        text.line("solutions", solutions);
        text.line("nodes", nodes);
        text.line("forced", forced);
        text.line("updates", updates);
        text.line("depth", depth);
        text.pieces(&self.left);
        text.end()
    }

    /// Reads that.
    ///
    /// # Errors
    /// Something else, another version, or anything that was cut off or changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedError> {
        let mut text = Reader::new(KIND, bytes)?;
        let fingerprint = text.value("problem")?;
        let note = text.text("note")?.into();
        let solutions = text.value("solutions")?;
        let nodes = text.value("nodes")?;
        let forced = text.value("forced")?;
        text.expected((forced <= nodes).then_some(()), "no more than all nodes")?;
        let updates = text.value("updates")?;
        let depth = text.value("depth")?;
        let done = Statistics { nodes, forced, updates, solutions, depth };
        Ok(Self { fingerprint, note, done, left: text.pieces()? })
    }
}

/// A part, of which nothing is done.
impl From<Part> for Checkpoint {
    fn from(part: Part) -> Self {
        let Part { fingerprint, pieces: left } = part;
        Self { fingerprint, note: String::new(), done: Statistics::default(), left }
    }
}

impl Solver {
    /// What this search has found and what is left; the search itself goes on as if nothing had been asked. The solutions done are
    /// those that were visited: what [`count`](Self::count) has found in other ways is not in it.
    ///
    /// Takes as long as some hundred nodes, and the fingerprint of the problem a few nanoseconds an entry.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint::new(self.problem(), self.left())
    }

    /// Goes on from a checkpoint, in place of all that was assumed or searched before. The figures go on from those of the
    /// checkpoint, and limits on solutions and nodes are on the sums; time begins now. Counting visits every solution. To assume
    /// something afterwards is to begin anew.
    ///
    /// The order of the solutions is that of the first search with links, another one with engines that learn as they go.
    ///
    /// # Errors
    /// A checkpoint of another problem.
    pub fn resume(mut self, checkpoint: &Checkpoint) -> Result<Self, SavedError> {
        checkpoint.check(self.problem())?;
        self.pursue(checkpoint.left.clone(), checkpoint.done);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::contract::{Dice, any_problem, random_bounded_problem, random_problem};
    use crate::{EngineKind, Limits, OwnedSolution, Step};
    use alloc::collections::BTreeSet;

    /// Stops after every `nodes` nodes, and has another engine go on each time.
    fn by_turns(problem: &Problem, dice: &mut Dice, nodes: u64) -> BTreeSet<OwnedSolution> {
        let mut found = BTreeSet::new();
        let mut checkpoint = problem.solver().checkpoint();
        while !checkpoint.is_finished() {
            let mut solver = problem.solver_on(EngineKind::ALL[dice.below(4)]).resume(&checkpoint).unwrap();
            match solver.step(nodes) {
                Step::Solution(solution) => assert!(found.insert(solution.sorted()), "found twice"),
                Step::Paused | Step::Done(_) => (),
            }
            checkpoint = Checkpoint::from_bytes(&solver.checkpoint().to_bytes()).unwrap();
            assert_eq!(checkpoint.statistics(), solver.statistics());
            assert!((checkpoint.progress() - solver.progress().unwrap()).abs() < 1e-9);
        }
        assert_eq!(checkpoint.statistics().solutions, found.len() as u64);
        found
    }

    #[test]
    fn any_engine_goes_on_where_another_one_stopped() {
        let mut dice = Dice(5);
        for _ in 0..1500 {
            let problem = any_problem(&mut dice);
            let expected: BTreeSet<_> = problem.solver_on(EngineKind::Links).owned().collect();
            // A piece with bounds may begin with items that take no option more, each of which is a node.
            let least = if problem.has_bounds() { 1 + problem.primary_count() as u64 } else { 1 };
            for nodes in least..least + 5 {
                assert_eq!(by_turns(&problem, &mut dice, nodes), expected, "{nodes} nodes: {problem:?}");
            }
        }
    }

    #[test]
    fn links_keep_their_order() {
        let mut dice = Dice(6);
        for _ in 0..1000 {
            let colored = dice.below(2) == 0;
            let problem = random_problem(&mut dice, colored);
            let expected: Vec<_> = problem.solver_on(EngineKind::Links).owned().collect();
            for solutions in 0..expected.len() {
                let mut solver = problem.solver_on(EngineKind::Links);
                let mut all: Vec<_> = solver.owned().take(solutions).collect();
                let mut solver = problem.solver_on(EngineKind::Links).resume(&solver.checkpoint()).unwrap();
                all.extend(solver.owned());
                assert_eq!(all, expected);
            }
        }
    }

    #[test]
    fn limits_are_on_the_sums() {
        let mut b = crate::ProblemBuilder::new();
        for item in b.unnamed_primaries(6).unwrap() {
            (0..3).for_each(|_| _ = b.option([item]).unwrap());
        }
        let problem = b.build().unwrap();
        for kind in EngineKind::ALL {
            let mut solver = problem.solver_on(kind);
            assert_eq!(solver.owned().take(100).count(), 100);
            let (checkpoint, limits) = (solver.checkpoint(), Limits::none().solutions(250));
            let mut solver = problem.solver_on(kind).resume(&checkpoint).unwrap().limit(limits);
            assert_eq!(solver.count().value, 150u32.into());
            assert_eq!(solver.statistics().solutions, 250);
            let nodes = solver.statistics().nodes + 10;
            let mut solver = problem.solver_on(kind).resume(&solver.checkpoint()).unwrap();
            solver.set_limit(Limits::none().nodes(nodes));
            assert!(!solver.count().outcome.is_exhausted());
            assert_eq!(solver.statistics().nodes, nodes);
            let mut solver = problem.solver_on(kind).resume(&solver.checkpoint()).unwrap();
            assert!(solver.count().outcome.is_exhausted());
            assert_eq!(solver.statistics().solutions, 729);
        }
    }

    #[test]
    fn what_is_damaged_cut_off_or_foreign_is_refused() {
        let mut dice = Dice(8);
        let problem = random_bounded_problem(&mut dice, true);
        let mut solver = problem.solver();
        let _ = solver.step(3);
        let bytes = solver.checkpoint().with_note("a\nb").to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes).unwrap().note(), "a b");
        for length in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "of {length} bytes");
        }
        for at in 0..bytes.len() {
            for flip in 1..=255 {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
            }
        }
        let longer = [&bytes[..], b"\n"].concat();
        assert_eq!(Checkpoint::from_bytes(&longer).err(), Some(SavedError::Damaged));
        let other = random_problem(&mut dice, true);
        let error = other.solver().resume(&solver.checkpoint()).err();
        let (found, expected) = (problem.fingerprint(), other.fingerprint());
        assert_eq!(error, Some(SavedError::Foreign { found, expected }));
        assert!(problem.solver().part(&other.split(1)[0]).is_err());
        for piece in [[0, 99], [99, 0]] {
            let [before, without] = piece.map(|option| [crate::OptionId::new(option).unwrap()]);
            let mut left = Frontier::default();
            left.push_parts(&before, &without, Vec::new(), 0, 1.0);
            let forged = Checkpoint { left, ..solver.checkpoint() };
            let error = problem.solver().resume(&forged).err();
            assert_eq!(error, Some(SavedError::Unfit { option: crate::OptionId::new(99).unwrap() }));
        }
        let part = problem.split(1)[0].to_bytes();
        assert_eq!(Checkpoint::from_bytes(&part).err(), Some(SavedError::Kind { expected: KIND }));
    }
}

//! Splitting: a search cut into parts before it begins, for machines that do not know of one another.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::frontier::{Frontier, Piece};
use crate::saved::{Reader, Writer};
use crate::search::Event;
use crate::{EngineKind, Fingerprint, OptionId, Problem, SavedError, Solver, Statistics};

const KIND: &str = "dlx part";

/// How many pieces of the tree a part has, about. Pieces that look alike may differ by any factor; several even that out.
const PIECES: usize = 8;

/// A part of the search for the solutions of a problem. It says which problem, and is searched without knowing the others.
///
/// ```
/// use dlx_core::{Part, ProblemBuilder};
///
/// let mut b = ProblemBuilder::new();
/// for item in b.unnamed_primaries(10)? {
///     b.option([item])?;
///     b.option([item])?;
/// }
/// let problem = b.build()?;
/// let files: Vec<_> = problem.split(7).iter().map(Part::to_bytes).collect();
/// let mut sum = 0;
/// for file in files {
///     let mut solver = problem.solver().part(&Part::from_bytes(&file)?)?;
///     sum += solver.owned().count();
/// }
/// assert_eq!(sum, 1024);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Part {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) pieces: Frontier,
}

impl Part {
    /// Which problem it belongs to.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Whether there is nothing in it: the problem has too few branches for so many parts.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Its form in a file: as that of a [`Checkpoint`](crate::Checkpoint::to_bytes), but for figures.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = Writer::new(KIND);
        text.line("problem", self.fingerprint);
        text.pieces(&self.pieces);
        text.end()
    }

    /// Reads that.
    ///
    /// # Errors
    /// Something else, another version, or anything that was cut off or changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedError> {
        let mut text = Reader::new(KIND, bytes)?;
        Ok(Self { fingerprint: text.value("problem")?, pieces: text.pieces()? })
    }
}

impl Problem {
    /// Cuts the search for the solutions into so many parts (at least one). Each solution is in one of them.
    ///
    /// The tree is cut at the piece that seems to be the largest, again and again, until there are several pieces for each part;
    /// pieces are dealt out so that parts look alike. Dead ends that are met are left out. Where the tree is too small, some
    /// parts are [empty](Part::is_empty). The same problem gives the same parts. Takes the time of some ten nodes a part.
    pub fn split(&self, parts: usize) -> Vec<Part> {
        let parts = parts.max(1);
        let pieces = cut(self, parts.saturating_mul(PIECES));
        let empty = Part { fingerprint: self.fingerprint(), pieces: Frontier::default() };
        let mut dealt = alloc::vec![empty; parts];
        for (number, piece) in pieces.iter().enumerate() {
            // To and fro, so that the first parts do not get the larger pieces in each round.
            let (round, at) = (number / parts, number % parts);
            let at = if round % 2 == 0 { at } else { parts - 1 - at };
            dealt[at].pieces.push(piece);
        }
        dealt
    }
}

impl Solver {
    /// Searches one part alone, in place of all that was assumed or searched before. Counting visits every solution.
    ///
    /// # Errors
    /// A part of another problem.
    pub fn part(self, part: &Part) -> Result<Self, SavedError> {
        self.resume(&part.clone().into())
    }
}

/// A piece in the order of shares, of equal ones the first to be found before the others.
struct Ranked {
    piece: Piece,
    number: usize,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.piece.share.total_cmp(&other.piece.share).then(other.number.cmp(&self.number))
    }
}

/// At least so many pieces, or all there are; the largest first.
fn cut(problem: &Problem, wanted: usize) -> Vec<Piece> {
    let mut solver = problem.solver_on(EngineKind::Links);
    let mut open = BinaryHeap::from([Ranked { piece: Piece::whole(&[]), number: 0 }]);
    let mut number = 0;
    let mut solutions = Vec::new(); // pieces that are one each
    while open.len() + solutions.len() < wanted
        && let Some(Ranked { piece, .. }) = open.pop()
    {
        match branches(&mut solver, &piece) {
            None => solutions.push(piece),
            Some(branches) => {
                for piece in branches {
                    number += 1;
                    open.push(Ranked { piece, number });
                }
            }
        }
    }
    let open = open.into_sorted_vec().into_iter().rev().map(|ranked| ranked.piece);
    open.chain(solutions).collect()
}

/// What a piece falls into at the first choice that it asks for. `None` if it is a single solution.
fn branches(solver: &mut Solver, piece: &Piece) -> Option<Vec<Piece>> {
    solver.pursue(piece.clone().into(), Statistics::default());
    loop {
        match solver.advance(1, 1) {
            Event::Quota => return None,
            Event::Exhausted => return Some(Vec::new()),
            Event::Fuel => (),
        }
        let Statistics { nodes, forced, .. } = solver.statistics();
        if forced < nodes {
            break;
        }
    }
    let (mut left, _) = solver.left();
    let mut branches = Vec::new();
    while let Some(piece) = left.pop() {
        let share = piece.share / piece.options.len() as f64;
        let choose = |&option: &OptionId| Piece {
            before: piece.before.iter().copied().chain([option]).collect(),
            options: Vec::new(),
            share,
            ..piece.clone()
        };
        branches.extend(piece.options.iter().map(choose));
        if piece.options.is_empty() {
            branches.push(piece);
        }
    }
    Some(branches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OwnedSolution;
    use crate::engine::contract::{Dice, any_problem};
    use alloc::collections::BTreeSet;

    fn all(mut solver: Solver) -> Vec<OwnedSolution> {
        solver.owned().collect()
    }

    #[test]
    fn each_solution_is_in_one_part() {
        let mut dice = Dice(7);
        for _ in 0..3000 {
            let problem = any_problem(&mut dice);
            let expected: BTreeSet<_> = all(problem.solver_on(EngineKind::Links)).into_iter().collect();
            for parts in 1..=8 {
                let split = problem.split(parts);
                assert_eq!(split.len(), parts);
                let mut found = BTreeSet::new();
                for part in split {
                    let part = Part::from_bytes(&part.to_bytes()).unwrap();
                    let kind = EngineKind::ALL[dice.below(4)];
                    for solution in all(problem.solver_on(kind).part(&part).unwrap()) {
                        assert!(found.insert(solution), "found twice");
                    }
                }
                assert_eq!(found, expected, "in {parts} parts: {problem:?}");
            }
        }
    }

    #[test]
    fn what_is_asked_of_the_whole_problem_is_not_confined_to_a_part() {
        let mut b = crate::ProblemBuilder::new();
        let items = b.unnamed_primaries(6).unwrap();
        for (at, &one) in items.iter().enumerate() {
            for &other in &items[..at] {
                let option = b.option([one, other]).unwrap();
                b.set_cost(option, [5, -7, 3, 0][option.index() % 4]).unwrap();
            }
        }
        let problem = b.build().unwrap();
        let whole = problem.solver().min_cost().cover.map(|cover| cover.cost);
        for part in problem.split(5) {
            let mut solver = problem.solver().part(&part).unwrap();
            let _ = solver.step(1);
            assert_eq!(solver.min_cost().cover.map(|cover| cover.cost), whole);
            assert_eq!(solver.zdd().unwrap().count(), 15_u32.into());
        }
    }
}

//! Who takes part, and what each does: from a text to an answer.

use std::hint::black_box;
use std::ops::ControlFlow;

use dlx_benches::crates;
use dlx_core::format::knuth;
use dlx_core::{EngineKind, Limits, OptionId, Problem, ProblemBuilder};
use dlx_sudoku::{Engine, Grid, SudokuSolver, encode, records};

use crate::puzzles;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The number of solutions, in any way.
    Count,
    /// Every solution, visited.
    Enumerate,
    /// Sudokus: none, one, or several solutions.
    Sudoku,
}

impl Mode {
    const ALL: [Self; 3] = [Self::Count, Self::Enumerate, Self::Sudoku];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Enumerate => "enumerate",
            Self::Sudoku => "sudoku",
        }
    }
}

/// Somebody who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contestant {
    /// `dlx-core` with one of its engines.
    Ours(EngineKind),
    /// `dlx-sudoku`, for sudokus only.
    Sudoku(Engine),
    /// The crate dlx, in its fastest build.
    Dlx,
    /// The crate exact-covers.
    ExactCovers,
    /// The crate dlx-rs.
    DlxRs,
    /// The crate rustoku-lib.
    #[cfg(feature = "rustoku")]
    Rustoku,
    /// The crate sudoku.
    #[cfg(feature = "agpl")]
    SudokuCrate,
}

/// The crates for exact cover.
pub(crate) const CRATES: [Contestant; 3] = [Contestant::Dlx, Contestant::ExactCovers, Contestant::DlxRs];

/// The crates for sudoku that this build has.
const SUDOKU_CRATES: &[Contestant] = &[
    #[cfg(feature = "rustoku")]
    Contestant::Rustoku,
    #[cfg(feature = "agpl")]
    Contestant::SudokuCrate,
];

impl Contestant {
    /// What it is called in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ours(kind) => kind.name(),
            Self::Sudoku(Engine::Dlx) => "dlx-sudoku",
            Self::Sudoku(engine) => engine.name(),
            Self::Dlx => "crate dlx",
            Self::ExactCovers => "crate exact-covers",
            Self::DlxRs => "crate dlx-rs",
            #[cfg(feature = "rustoku")]
            Self::Rustoku => "crate rustoku-lib",
            #[cfg(feature = "agpl")]
            Self::SudokuCrate => "crate sudoku",
        }
    }

    /// Whether it is an engine of this project, the sudoku baselines apart.
    pub(crate) fn is_ours(self) -> bool {
        matches!(self, Self::Ours(_) | Self::Sudoku(Engine::Dlx))
    }

    /// Whether it is a plain baseline.
    pub(crate) fn is_baseline(self) -> bool {
        matches!(self, Self::Sudoku(Engine::Backtrack | Engine::Iterative))
    }
}

/// All engines of ours, one entry each.
fn engines() -> impl Iterator<Item = Contestant> {
    EngineKind::ALL.into_iter().map(Contestant::Ours)
}

/// Who does an exact cover problem, and how. The crates can only visit.
pub(crate) fn for_covers() -> Vec<(Contestant, Mode)> {
    let count = engines().map(|engine| (engine, Mode::Count));
    let visit = engines().chain(CRATES).map(|contestant| (contestant, Mode::Enumerate));
    count.chain(visit).collect()
}

/// Who does a set of sudokus.
pub(crate) fn for_sudokus(set: &puzzles::Set) -> Vec<Contestant> {
    let mut all = vec![Contestant::Sudoku(Engine::Dlx)];
    all.extend(engines());
    all.extend(SUDOKU_CRATES);
    if set.crates {
        all.extend(CRATES);
    }
    if set.baselines {
        all.extend([Engine::Backtrack, Engine::Iterative].map(Contestant::Sudoku));
    }
    all
}

/// The contestant and the mode of these names.
pub(crate) fn named(contestant: &str, mode: &str) -> Option<(Contestant, Mode)> {
    let baselines = Engine::ALL.map(Contestant::Sudoku);
    let mut all = engines().chain(baselines).chain(CRATES).chain(SUDOKU_CRATES.iter().copied());
    let contestant = all.find(|one| one.name() == contestant)?;
    Some((contestant, Mode::ALL.into_iter().find(|one| one.name() == mode)?))
}

/// From the text to the answer: the number of solutions, or for sudokus how many puzzles have none, one and several.
/// `None` if the contestant cannot do it.
pub(crate) fn answer(contestant: Contestant, mode: Mode, text: &str) -> Option<String> {
    match mode {
        Mode::Sudoku => tally(contestant, text).map(|[none, one, several]| format!("{none}/{one}/{several}")),
        Mode::Count => count(contestant, &knuth::parse(text.as_bytes()).ok()?),
        Mode::Enumerate => visit(contestant, &knuth::parse(text.as_bytes()).ok()?).map(|n| n.to_string()),
    }
}

fn count(contestant: Contestant, problem: &Problem) -> Option<String> {
    let Contestant::Ours(kind) = contestant else { return None };
    Some(problem.solver_on(kind).count().value.to_string())
}

fn visit(contestant: Contestant, problem: &Problem) -> Option<u64> {
    match contestant {
        Contestant::Ours(kind) => {
            let mut solutions = 0;
            let outcome = problem.solver_on(kind).for_each(|solution| {
                black_box(solution.options());
                solutions += 1;
                ControlFlow::Continue(())
            });
            outcome.is_exhausted().then_some(solutions)
        }
        Contestant::Dlx => crates::dlx(problem),
        Contestant::ExactCovers => crates::exact_covers(problem),
        Contestant::DlxRs => crates::dlx_rs(problem),
        _ => None,
    }
}

/// How many puzzles have none, one and several solutions.
fn tally(contestant: Contestant, text: &str) -> Option<[u32; 3]> {
    match contestant {
        Contestant::Sudoku(engine) => {
            let mut solver = SudokuSolver::new(engine);
            by_grid(text, |grid| Some(solver.count(grid, Some(2)).value))
        }
        Contestant::Ours(kind) => {
            let template = encode::problem(puzzles::geometry(text)?);
            let mut solver = template.solver_on(kind).limit(Limits::none().solutions(2));
            by_grid(text, |grid| {
                solver.reassume(encode::assumptions(grid)).ok()?;
                while solver.next_solution().is_some() {}
                Some(solver.statistics().solutions)
            })
        }
        Contestant::Dlx | Contestant::ExactCovers | Contestant::DlxRs => {
            let template = encode::problem(puzzles::geometry(text)?);
            by_grid(text, |grid| match residual(&template, encode::assumptions(grid)) {
                None => Some(0), // two givens clash
                Some(rest) => visit(contestant, &rest),
            })
        }
        #[cfg(feature = "rustoku")]
        Contestant::Rustoku => add_up(text.lines().map(rustoku)),
        #[cfg(feature = "agpl")]
        Contestant::SudokuCrate => add_up(text.lines().map(sudoku_crate)),
    }
}

#[cfg(feature = "rustoku")]
fn rustoku(line: &str) -> Option<u64> {
    match rustoku_lib::Rustoku::new_from_str(line) {
        Ok(mut puzzle) => Some(puzzle.count_solutions_until(2) as u64),
        Err(rustoku_lib::RustokuError::DuplicateValues) => Some(0),
        Err(_) => None,
    }
}

#[cfg(feature = "agpl")]
fn sudoku_crate(line: &str) -> Option<u64> {
    Some(sudoku::Sudoku::from_str_line(line).ok()?.solutions_count_up_to(2) as u64)
}

/// Reads the puzzles, in the project's own way where it reads that size, and adds up.
fn by_grid(text: &str, mut solutions: impl FnMut(&Grid) -> Option<u64>) -> Option<[u32; 3]> {
    let geometry = puzzles::geometry(text)?;
    if geometry == dlx_sudoku::Geometry::CLASSIC {
        add_up(records(text.as_bytes()).map(|record| solutions(&record.ok()?.puzzle.grid)))
    } else {
        add_up(text.lines().map(|line| solutions(&puzzles::grid(geometry, line))))
    }
}

fn add_up(solutions: impl Iterator<Item = Option<u64>>) -> Option<[u32; 3]> {
    let mut tally = [0; 3];
    for number in solutions {
        tally[number?.min(2) as usize] += 1;
    }
    Some(tally)
}

/// What is left of a problem when some options are taken, for those who know no assumptions; `None` if they clash.
fn residual(problem: &Problem, taken: impl Iterator<Item = OptionId>) -> Option<Problem> {
    let mut covered = vec![false; problem.item_count()];
    for option in taken {
        for entry in problem.option(option).entries() {
            if std::mem::replace(&mut covered[entry.item.index()], true) {
                return None;
            }
        }
    }
    let mut builder = ProblemBuilder::new();
    let left = builder.unnamed_primaries(covered.iter().filter(|covered| !**covered).count()).ok()?;
    let mut left = left.into_iter();
    let items: Vec<_> = covered.iter().map(|covered| if *covered { None } else { left.next() }).collect();
    for option in problem.options() {
        let entries = problem.option(option).entries().map(|entry| items[entry.item.index()]);
        if let Some(entries) = entries.collect::<Option<Vec<_>>>() {
            builder.option(entries).ok()?;
        }
    }
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Small ones with known answers, one of them colored.
    const SMALL: [(&str, &str); 5] =
        [("queens10", "724"), ("langford8", "300"), ("latin4", "576"), ("sts9", "840"), ("debruijn4", "32")];

    #[test]
    fn everybody_counts_right() {
        let covers = crate::instances::covers().unwrap();
        for (id, expected) in SMALL {
            let cover = covers.iter().find(|cover| cover.id == id).unwrap();
            assert_eq!(cover.expected().as_deref(), Some(expected), "{id}");
            let text = cover.text().unwrap();
            for (contestant, mode) in for_covers() {
                let answer = answer(contestant, mode, &text);
                if contestant == Contestant::DlxRs && id == "debruijn4" {
                    assert_eq!(answer, None, "it knows no colors");
                } else {
                    assert_eq!(answer.as_deref(), Some(expected), "{} {}", contestant.name(), mode.name());
                }
            }
        }
    }

    /// One solution, none, and givens that clash; the number of several is not known, and some count them all.
    const PUZZLES: &str = "\
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
53..7..4.6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
.3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8...9
";

    #[test]
    fn everybody_tells_none_one_and_several_sudoku_solutions_apart() {
        let set = puzzles::SETS.iter().find(|set| set.baselines).unwrap();
        for contestant in for_sudokus(set) {
            let answer = answer(contestant, Mode::Sudoku, PUZZLES);
            assert_eq!(answer.as_deref(), Some("2/1/1"), "{}", contestant.name());
        }
        let text = set.text().unwrap().unwrap();
        let all = format!("0/{}/0", text.lines().count());
        for contestant in for_sudokus(set).into_iter().filter(|contestant| !contestant.is_baseline()) {
            assert_eq!(answer(contestant, Mode::Sudoku, &text), Some(all.clone()), "{}", contestant.name());
        }
    }

    #[test]
    fn larger_grids_are_read_and_solved() {
        let mut line: String = "123456789ABCDEFG".chars().cycle().take(16).collect();
        line.push_str(&".".repeat(240));
        let geometry = puzzles::geometry(&line).unwrap();
        assert_eq!(geometry.size(), 16);
        assert_eq!(puzzles::grid(geometry, &line).given_count(), 16);
        let several = answer(Contestant::Ours(EngineKind::Auto), Mode::Sudoku, &line);
        assert_eq!(several.as_deref(), Some("0/0/1"));
    }

    #[test]
    fn names_lead_back_to_the_contestants() {
        for (contestant, mode) in for_covers() {
            assert_eq!(named(contestant.name(), mode.name()), Some((contestant, mode)));
        }
        for contestant in for_sudokus(&puzzles::SETS[0]) {
            assert_eq!(named(contestant.name(), "sudoku"), Some((contestant, Mode::Sudoku)));
        }
        assert_eq!(named("nobody", "count"), None);
    }
}

//! Whom the engine is measured against: a pointer-linked torus, other crates, and (for sudoku) backtracking.
//!
//! Every contestant takes a [`dlx_core::Problem`] and counts its solutions by visiting each, from the problem as
//! it is: building its own tables is part of the time.

pub mod crates;
pub mod sudoku;
pub mod torus;

use dlx_core::{CountMethod, EngineKind, Problem};

/// A way to count the solutions of an exact cover problem.
pub struct Contestant {
    /// Its name in reports.
    pub name: &'static str,
    /// Whether it can do secondary items with colors.
    pub colors: bool,
    /// The number of solutions; `None` if it cannot do the problem.
    pub count: fn(&Problem) -> Option<u64>,
}

/// The engines under test and everybody they must not be slower than.
///
/// ```
/// use dlx_benches::CONTESTANTS;
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// b.option([a])?;
/// b.option([c])?;
/// b.option([a, c])?;
/// let problem = b.build()?;
/// for contestant in CONTESTANTS {
///     assert_eq!((contestant.count)(&problem), Some(2), "{}", contestant.name);
/// }
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
pub const CONTESTANTS: [Contestant; 6] = [
    Contestant { name: "auto", colors: true, count: auto },
    Contestant { name: "links", colors: true, count: links },
    Contestant { name: "torus", colors: true, count: torus },
    Contestant { name: "crate dlx", colors: true, count: crates::dlx },
    Contestant { name: "exact-covers", colors: true, count: crates::exact_covers },
    Contestant { name: "dlx-rs", colors: false, count: crates::dlx_rs },
];

/// `dlx-core` with the engine that it chooses itself.
fn auto(problem: &Problem) -> Option<u64> {
    u64::try_from(problem.solver().count_by(CountMethod::Enumerate).value).ok()
}

/// `dlx-core`'s dancing links: the classic method, and so the one to compare with the others here.
fn links(problem: &Problem) -> Option<u64> {
    u64::try_from(problem.solver_on(EngineKind::Links).count().value).ok()
}

fn torus(problem: &Problem) -> Option<u64> {
    let memory = torus::Memory::default();
    Some(torus::Torus::new(&memory, problem).count().solutions)
}

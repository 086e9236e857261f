//! What several modules use: the contract that every solver must keep, and conversions between ids and places.

use std::io::Write as _;
use std::ops::ControlFlow;

use dlx_core::{
    CountMethod, EngineKind, OptionId, Outcome, OwnedSolution, Problem, Solver, Statistics, Step, verify,
};

/// Option ids for places in the input.
pub(crate) fn ids(places: &[usize]) -> Vec<OptionId> {
    places.iter().map(|&place| OptionId::new(u32::try_from(place).unwrap()).unwrap()).collect()
}

/// Places in the input for option ids, ascending.
pub(crate) fn places(options: &[OptionId]) -> Vec<usize> {
    let mut places: Vec<usize> = options.iter().map(|option| option.index()).collect();
    places.sort_unstable();
    places
}

/// All solutions that are left, as ascending places, in lexicographic order.
pub(crate) fn rest(solver: &mut Solver) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    while let Some(solution) = solver.next_solution() {
        found.push(places(solution.options()));
    }
    found.sort_unstable();
    found
}

/// Says something on the terminal. The test harness would keep what `eprintln` says of a test that passes.
#[allow(clippy::explicit_write)]
pub(crate) fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").unwrap();
}

/// Says that a test had nothing to work on.
pub(crate) fn skipped(test: &str) {
    say(&format!("{test}: skipped: no ../shared here"));
}

/// The solutions in the order in which a solver gave them, and its figures at the end.
type Run = (Vec<OwnedSolution>, Statistics);

/// Every engine but the one that stands for a choice among the others.
pub(crate) fn engines() -> impl Iterator<Item = EngineKind> + Clone {
    EngineKind::ALL.into_iter().filter(|engine| *engine != EngineKind::Auto)
}

/// Every way to ask any engine for the solutions of `problem` gives exactly `expected` (as [`rest`] gives them), in
/// one order for each engine, with the same statistics, and ends for good.
pub(crate) fn assert_contract(problem: &Problem, expected: &[Vec<usize>], name: &str) {
    assert_eq!(rest(&mut problem.solver()), expected, "{name}");
    for engine in engines() {
        assert_contract_of(engine, problem, expected, name);
    }
}

fn assert_contract_of(engine: EngineKind, problem: &Problem, expected: &[Vec<usize>], name: &str) {
    let mut solver = problem.solver_on(engine);
    let (order, statistics) = one_by_one(&mut solver, problem, name);
    let mut sorted: Vec<_> = order.iter().map(|solution| places(solution)).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, expected, "{name} on {engine}");
    assert_eq!(statistics.solutions, expected.len() as u64, "{name} on {engine}");

    solver.reset();
    let again = one_by_one(&mut solver, problem, name);
    assert_eq!(again, (order.clone(), statistics), "{name} on {engine}: after reset");
    // The same solver all the time, for most of the work would be to make others.
    let ways: [fn(&mut Solver) -> Run; 3] = [by_for_each, by_owned, by_steps];
    for (way, ask) in ways.iter().enumerate() {
        solver.reset();
        assert_eq!(ask(&mut solver), (order.clone(), statistics), "{name} on {engine}: way {way}");
    }
    for method in [CountMethod::Auto, CountMethod::Enumerate, CountMethod::Memoize] {
        solver.reset();
        let count = solver.count_by(method);
        assert_eq!(count.value.to_string(), expected.len().to_string(), "{name} on {engine}: {method:?}");
        assert!(count.outcome.is_exhausted(), "{name} on {engine}: {method:?}");
    }
}

fn one_by_one(solver: &mut Solver, problem: &Problem, name: &str) -> Run {
    let mut order = Vec::new();
    while let Some(solution) = solver.next_solution() {
        assert_eq!(verify::check(problem, solution.options()), Ok(()), "{name}");
        order.push(solution.sorted());
    }
    assert_eq!(solver.outcome(), Outcome::Exhausted, "{name}");
    let statistics = solver.statistics();
    assert!(solver.next_solution().is_none(), "{name}: asked after the end");
    assert_eq!(solver.outcome(), Outcome::Exhausted, "{name}: asked after the end");
    assert_eq!(solver.statistics(), statistics, "{name}: asked after the end");
    (order, statistics)
}

fn by_for_each(solver: &mut Solver) -> Run {
    let mut order = Vec::new();
    let outcome = solver.for_each(|solution| {
        order.push(solution.sorted());
        ControlFlow::Continue(())
    });
    assert_eq!(outcome, Outcome::Exhausted);
    (order, solver.statistics())
}

fn by_owned(solver: &mut Solver) -> Run {
    let order = solver.owned().collect();
    assert_eq!(solver.outcome(), Outcome::Exhausted);
    (order, solver.statistics())
}

fn by_steps(solver: &mut Solver) -> Run {
    let mut order = Vec::new();
    loop {
        match solver.step(1) {
            Step::Solution(solution) => order.push(solution.sorted()),
            Step::Paused => {}
            Step::Done(outcome) => {
                assert_eq!(outcome, Outcome::Exhausted);
                return (order, solver.statistics());
            }
        }
    }
}

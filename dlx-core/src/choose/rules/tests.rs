//! Every rule finds what the engines find, on all small problems, also when it chooses badly; and the nodes of those that come
//! with the crate are those of the same search written down plainly, with sets in place of links.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use itertools::iproduct;

use super::{BranchingRule, Candidate, Mrv, Sharp, Weights};
use crate::small::{BOUNDS, ONCE, by_brute_force, lists, problem, rows, sorted};
use crate::{EngineKind, ItemId, Limits, Problem, ProblemBuilder};

/// The last of the items with the most choices.
struct Worst;

impl BranchingRule for Worst {
    fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
        candidates.iter().max_by_key(|candidate| candidate.choices())
    }
}

/// Another item each time, now and then none.
struct Fickle(usize);

impl BranchingRule for Fickle {
    fn choose<'a>(&mut self, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
        self.0 += 5;
        candidates.get(self.0 % (candidates.len() + 1))
    }
}

/// Compares all rules with all sets of options. Each search is run twice.
fn check(problem: &Problem) {
    let all = by_brute_force(problem);
    let sharp = Sharp::new(problem.items().skip(1));
    let solvers = [
        problem.solver().branch_by(Mrv),
        problem.solver().branch_by(Worst),
        problem.solver().branch_by(Fickle(0)),
        problem.solver().branch_by(sharp),
        problem.solver().branch_by(Weights::new(problem)),
    ];
    for (at, mut solver) in solvers.into_iter().enumerate() {
        for _ in 0..2 {
            assert_eq!(sorted(solver.owned()), all, "rule {at}");
            solver.reset();
        }
        let Some(option) = problem.options().find(|option| problem.has_primary_item(*option)) else {
            continue;
        };
        let with: Vec<_> = all.iter().filter(|solution| solution.contains(&option)).cloned().collect();
        solver.reassume([option]).unwrap();
        assert_eq!(sorted(solver.owned()), with, "rule {at}");
    }
}

/// All problems with these items and `n` options.
fn check_all(bounds: &[(u32, u32)], secondary: u32, n: usize) {
    let rows = rows(bounds.len() as u32, secondary);
    for list in lists(n, rows.len()) {
        check(&problem(bounds, &list.iter().map(|&at| &rows[at]).collect::<Vec<_>>(), &[]));
    }
}

#[test]
fn all_small_problems() {
    (0..=5).for_each(|n| check_all(&[ONCE; 3], 0, n));
    (0..=4).for_each(|n| check_all(&[ONCE; 2], 1, n));
}

#[test]
fn all_small_problems_with_bounds() {
    for first in BOUNDS {
        for second in BOUNDS {
            (0..=5).for_each(|n| check_all(&[first, second], 0, n));
            check_all(&[first, second], 1, 3);
            check_all(&[first, second, ONCE], 0, 3);
        }
    }
}

/// The `n` queens problem, whose ranks and files are primary; the files' names begin with `#`.
fn queens(n: usize) -> Problem {
    let mut b = ProblemBuilder::new();
    let ranks: Vec<_> = (0..n).map(|r| b.primary(&format!("r{r}")).unwrap()).collect();
    let files: Vec<_> = (0..n).map(|f| b.primary(&format!("#f{f}")).unwrap()).collect();
    let diagonals = b.unnamed_secondaries(4 * n).unwrap();
    for (r, f) in iproduct!(0..n, 0..n) {
        b.option([ranks[r], files[f], diagonals[r + f], diagonals[3 * n + r - f]]).unwrap();
    }
    b.build().unwrap()
}

/// Told the failures so far, an item and its number of options; the item with the least score is chosen.
type Score<'a> = dyn Fn(&[u64], ItemId, usize) -> (usize, f64) + 'a;

/// The search without bounds and colors, for which each node is a list of options and of open items.
struct Plain<'a> {
    problem: &'a Problem,
    score: &'a Score<'a>,
    failures: Vec<u64>,
    nodes: u64,
}

impl Plain<'_> {
    fn node(&mut self, left: &[Vec<ItemId>], open: &[ItemId]) {
        self.nodes += 1;
        let count = |item: ItemId| left.iter().filter(|option| option.contains(&item)).count();
        if let Some(item) = open.iter().find(|item| count(**item) == 0) {
            self.failures[item.index()] += 1;
            return;
        }
        let score = |item: &ItemId| (self.score)(&self.failures, *item, count(*item));
        let least = open.iter().min_by(|a, b| score(a).partial_cmp(&score(b)).unwrap());
        let Some(&item) = least else { return };
        for option in left.iter().filter(|option| option.contains(&item)) {
            let clear = |other: &&Vec<ItemId>| !other.iter().any(|item| option.contains(item));
            let left: Vec<_> = left.iter().filter(clear).cloned().collect();
            let open: Vec<_> = open.iter().copied().filter(|item| !option.contains(item)).collect();
            self.node(&left, &open);
        }
    }

    fn nodes(problem: &Problem, score: &Score<'_>) -> u64 {
        let mut plain = Plain { problem, score, failures: vec![0; problem.item_count()], nodes: 0 };
        let options = problem.options().map(|option| problem.option(option).entries());
        let left: Vec<Vec<_>> = options.map(|entries| entries.map(|entry| entry.item).collect()).collect();
        let open: Vec<_> = plain.problem.items().filter(|item| problem.is_primary(*item)).collect();
        plain.node(&left, &open);
        plain.nodes
    }
}

fn nodes(problem: &Problem, rule: impl BranchingRule + 'static) -> u64 {
    let mut solver = problem.solver().branch_by(rule);
    assert_eq!(solver.count().value, problem.solver().count().value);
    solver.statistics().nodes
}

#[test]
fn nodes_are_those_of_the_plain_search() {
    let problem = queens(7);
    let mrv = |_: &[u64], _: ItemId, count| (count, 0.0);
    assert_eq!((nodes(&problem, Mrv), Plain::nodes(&problem, &mrv)), (372, 372));
    let mut links = problem.solver_on(EngineKind::Links);
    links.count();
    assert_eq!(links.statistics().nodes, 372);
    let sharp = |_: &[u64], item: ItemId, count| {
        let is_sharp = problem.item_name(item).is_some_and(|name| name.starts_with('#'));
        (usize::from(count > 1 && !is_sharp), count as f64)
    };
    assert_eq!((nodes(&problem, Sharp::by_name(&problem)), Plain::nodes(&problem, &sharp)), (378, 378));
    let weights = |failures: &[u64], item: ItemId, count: usize| {
        (usize::from(count > 1), count as f64 / (1 + failures[item.index()]) as f64)
    };
    assert_eq!((nodes(&problem, Weights::new(&problem)), Plain::nodes(&problem, &weights)), (381, 381));
}

#[test]
fn what_was_not_searched_is_searched_later() {
    let problem = queens(6);
    let mut solver = problem.solver().branch_by(Worst).limit(Limits::none().nodes(40));
    let mut found = sorted(solver.owned());
    let mut rest = problem.solver().branch_by(Fickle(3)).resume(&solver.checkpoint()).unwrap();
    assert!(found.len() < 4);
    found.extend(rest.owned());
    assert_eq!(sorted(found), sorted(problem.solver().owned()));
}

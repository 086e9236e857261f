//! Other crates for exact cover, each fed from a `dlx_core::Problem` and asked to count the solutions by
//! visiting every one. A function returns `None` where the crate cannot do the problem.
//!
//! All of them want the primary items first. Options without a primary item are left out: they are never
//! chosen, and exact-covers gives them a meaning of its own.

use std::ops::ControlFlow;

use dlx::choose::{mrv_chooser, no_tiebreak, prefer_any};
use dlx::{Int, OptOrder, Solve, Uint};
use dlx_core::{Color, Entry, OptionView, Problem};
use exact_covers::{DlSolver, Solver as _};

/// Counts with `dlx` 0.8: Algorithm X, or C where there are colors, or M where there are bounds.
///
/// `None` if there is no primary item or no option with one; there the crate panics.
pub fn dlx(problem: &Problem) -> Option<u64> {
    if problem.primary_count() == 0 || options(problem).next().is_none() {
        return None;
    }
    let places = primaries_first(problem);
    let place = |entry: Entry| places[entry.item.index()];
    let (primary, secondary) = (problem.primary_count() as Uint, problem.secondary_count() as Uint);
    let bounds = problem.items().filter_map(|item| problem.bounds(item));
    let bounds = bounds.map(|bounds| (*bounds.start() as Int, *bounds.end() as Int));
    if problem.has_colors() {
        let color = |color: Color| color.index() as Int + 1;
        let entry = |entry: Entry| (place(entry), entry.color.map_or(0, color));
        let options: Vec<Vec<_>> = options(problem).map(|o| o.entries().map(entry).collect()).collect();
        Some(if problem.has_bounds() {
            let options = dlx::c::ONodes::new(primary + secondary, primary, &options, OptOrder::Seq);
            visit_all(dlx::mc::Problem::new(dlx::m::INodes::new(bounds, secondary), options))
        } else {
            visit_all(dlx::c::make_problem(primary, secondary, &options, OptOrder::Seq))
        })
    } else {
        let options: Vec<Vec<_>> = options(problem).map(|o| o.entries().map(place).collect()).collect();
        Some(if problem.has_bounds() {
            let options = dlx::x::ONodes::new(primary + secondary, primary, &options, OptOrder::Seq);
            visit_all(dlx::m::Problem::new(dlx::m::INodes::new(bounds, secondary), options))
        } else {
            visit_all(dlx::x::make_problem(primary, secondary, &options, OptOrder::Seq))
        })
    }
}

fn visit_all<P: Solve>(mut problem: P) -> u64 {
    let mut solver = dlx::Solver::new(&mut problem);
    let mut chooser = mrv_chooser(prefer_any(), no_tiebreak());
    let mut solutions = 0;
    while solver.next_solution(&mut chooser) {
        solutions += 1;
    }
    solutions
}

/// Counts with `exact-covers` 0.3: dancing links, since its dancing
/// cells are not written yet.
///
/// `None` if there are bounds, which it does not know.
pub fn exact_covers(problem: &Problem) -> Option<u64> {
    if problem.has_bounds() {
        return None;
    }
    let (primary, secondary): (Vec<_>, Vec<_>) = problem.items().partition(|item| problem.is_primary(*item));
    let mut solver = DlSolver::new(&primary, &secondary);
    for option in options(problem) {
        let (primary, secondary): (Vec<_>, Vec<_>) =
            option.entries().partition(|entry| problem.is_primary(entry.item));
        let primary: Vec<_> = primary.iter().map(|entry| entry.item).collect();
        let secondary: Vec<_> = secondary.iter().map(|entry| (entry.item, entry.color)).collect();
        solver.add_option(primary, secondary);
    }
    let mut solutions = 0;
    solver.solve(|_| {
        solutions += 1;
        ControlFlow::Continue(())
    });
    Some(solutions)
}

/// Counts with `dlx-rs` 1.3.
///
/// `None` if there are colors or bounds, which it does not know, and if there is something to cover but no option with a
/// primary item: there it panics.
pub fn dlx_rs(problem: &Problem) -> Option<u64> {
    let hopeless = problem.primary_count() > 0 && options(problem).next().is_none();
    if problem.has_colors() || problem.has_bounds() || hopeless {
        return None;
    }
    let places = primaries_first(problem);
    let mut solver = dlx_rs::Solver::new_optional(problem.primary_count(), problem.secondary_count());
    for option in options(problem) {
        let items: Vec<usize> = option.entries().map(|e| places[e.item.index()] as usize + 1).collect();
        // Unnamed: names would be copied for every solution, and nobody reads them here.
        solver.add_option((), &items);
    }
    Some(solver.count() as u64)
}

/// The options that can be chosen: those with a primary item.
fn options(problem: &Problem) -> impl Iterator<Item = OptionView<'_>> {
    let options = problem.options().map(|option| problem.option(option));
    options.filter(|option| option.entries().any(|entry| problem.is_primary(entry.item)))
}

/// By item, its place when the primary items come first, each kind in the order of declaration.
fn primaries_first(problem: &Problem) -> Vec<u32> {
    let (mut primary, mut secondary) = (0, problem.primary_count() as u32);
    let place = |item| {
        let next = if problem.is_primary(item) { &mut primary } else { &mut secondary };
        *next += 1;
        *next - 1
    };
    problem.items().map(place).collect()
}

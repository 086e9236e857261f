//! Sudoku, through every engine: published puzzles with their answers, puzzles of our own for clones without
//! `../shared`, and samples of the large collections. What is called a solution is checked by the rules, here.

use std::fs;

use dlx_core::{Outcome, StopReason, verify};
use dlx_sudoku::rate::{Position, Rater, explain};
use dlx_sudoku::{
    Budget, Engine, Geometry, Grid, NoSolution, Solved, SudokuSolver, count, decode, encode, is_unique,
    records, solutions, solve, validate,
};
use dlx_tests::corpus;
use itertools::Itertools as _;
use serde_json::Value;

use crate::support::skipped;

/// Made for these tests: puzzles with one solution, with 34 to 23 givens, none of which can go in the last four.
const UNIQUE: [(&str, &str); 6] = [
    (
        "4...1.97.1..2....8..769.2.47..9.....9.4..67...5374...95.142.6...4......1836....2.",
        "462813975195274368387695214728931546914586732653742189571428693249367851836159427",
    ),
    (
        "4..........72..1..31.46.28..761....9...94.761.94......85...697.6..7....2.2981...3",
        "482571396967283145315469287276158439538942761194637528851326974643795812729814653",
    ),
    (
        "...9.486.9...5.......26.9.....8.......6.3.1.2.8......54...7..3..7...6......3..2..",
        "527914863963758421814263957235841796746539182189627345458172639372496518691385274",
    ),
    (
        "3..2..9......7..36.6..4..5..4......5.2...7...19....24....3.2.....6...5....87.4..3",
        "354286971982571436761943852643829715825417369197635248579362184436198527218754693",
    ),
    (
        ".7...8......7...5.....3.41......62..1....5.9.5...9...4......3...9.34....24..8.6..",
        "471258936369714852852639417934176285186425793527893164715962348698347521243581679",
    ),
    (
        "...59..1.....7...89.4..6....4.....53.2..59.....83..2.....63......71..9....3..8.2.",
        "872593614516274398934816572649782153321459867758361249295637481487125936163948725",
    ),
];

/// The last two with one given less, and how many solutions they have then.
const SEVERAL: [(&str, usize); 2] = [
    (".7...8......7...5.....3.41......62..1....5.9.5...9...4......3.....34....24..8.6..", 41),
    ("...59..1.....7...89.4..6....4.....53.2...9.....83..2.....63......71..9....3..8.2.", 50),
];

/// The last two with one given changed: nothing clashes, but there is no solution.
const NONE: [&str; 2] = [
    ".3...8......7...5.....3.41......62..1....5.9.5...9...4......3...9.34....24..8.6..",
    "...58..1.....7...89.4..6....4.....53.2..59.....83..2.....63......71..9....3..8.2.",
];

fn grid(line: &str) -> Grid {
    line.parse().unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Do 81 characters solve the puzzle of 81 characters? All givens kept, every house with all nine digits.
fn solves(solution: &str, puzzle: &str) -> bool {
    let cells: Vec<char> = solution.chars().collect();
    let kept = || puzzle.chars().zip(&cells).all(|(given, digit)| !given.is_ascii_digit() || given == *digit);
    let full = |house: Vec<usize>| house.iter().map(|&cell| cells[cell]).sorted().eq('1'..='9');
    let row = |n: usize| (0..9).map(|i| 9 * n + i).collect();
    let column = |n: usize| (0..9).map(|i| 9 * i + n).collect();
    let in_box = |n: usize| (0..9).map(|i| n / 3 * 27 + n % 3 * 3 + i / 3 * 9 + i % 3).collect();
    cells.len() == 81 && kept() && (0..9).all(|n| full(row(n)) && full(column(n)) && full(in_box(n)))
}

#[test]
fn the_rules_are_checked() {
    let (puzzle, solution) = UNIQUE[0];
    assert!(solves(solution, puzzle));
    assert!(!solves(solution, UNIQUE[1].0), "a given is not kept");
    assert!(!solves(&solution.replacen("46", "64", 1), &".".repeat(81)), "two columns have a digit twice");
    assert!(!solves(&solution[..80], puzzle), "too short");
}

#[test]
fn our_own_puzzles_through_every_engine() {
    for engine in Engine::ALL {
        let mut solver = SudokuSolver::new(engine);
        for (puzzle, solution) in UNIQUE {
            assert!(solves(solution, puzzle));
            assert_eq!(solver.solve(&grid(puzzle)), Solved::Unique(grid(solution)), "{engine}: {puzzle}");
        }
        for (puzzle, number) in SEVERAL {
            let solved = solver.solve(&grid(puzzle));
            let Solved::Several(first) = &solved else { panic!("{engine}: {solved:?}") };
            assert!(solves(&first.one_line().to_string(), puzzle), "{engine}: {puzzle}");
            assert_eq!(solver.count(&grid(puzzle), None).value, number as u64, "{engine}: {puzzle}");
        }
        for puzzle in NONE {
            assert!(matches!(solver.solve(&grid(puzzle)), Solved::None(_)), "{engine}: {puzzle}");
        }
    }
}

#[test]
fn all_solutions_are_different_and_by_the_rules() {
    for (puzzle, number) in SEVERAL {
        let lines: Vec<String> =
            solutions(&grid(puzzle)).map(|solution| solution.one_line().to_string()).collect();
        assert_eq!(lines.len(), number);
        assert!(lines.iter().all_unique());
        assert!(lines.iter().all(|line| solves(line, puzzle)));
    }
    assert_eq!(
        solutions(&Grid::default()).take(1000).map(|s| s.one_line().to_string()).unique().count(),
        1000
    );
}

#[test]
fn a_minimal_puzzle_has_several_solutions_without_any_of_its_givens() {
    for (puzzle, _) in &UNIQUE[2..] {
        assert!(is_unique(&grid(puzzle)));
        for (at, _) in puzzle.match_indices(|c: char| c != '.') {
            let mut less = (*puzzle).to_owned();
            less.replace_range(at..=at, ".");
            assert_eq!(count(&grid(&less), Some(2)).value, 2, "{less}");
        }
    }
}

#[test]
fn the_exact_cover_problem_has_324_items_and_729_options() {
    let problem = encode::problem(Geometry::CLASSIC);
    assert_eq!((problem.primary_count(), problem.secondary_count()), (324, 0));
    assert_eq!((problem.option_count(), problem.entry_count()), (729, 4 * 729));
    for (puzzle, solution) in UNIQUE {
        let mut solver = problem.solver().assume(encode::assumptions(&grid(puzzle))).unwrap();
        let options = solver.next_solution().unwrap().sorted();
        assert_eq!(verify::check(&problem, &options), Ok(()));
        assert_eq!(decode(Geometry::CLASSIC, &options), Ok(grid(solution)));
        assert!(decode(Geometry::CLASSIC, &options[1..]).is_err(), "a cell is empty");
        assert!(solver.next_solution().is_none());
        assert!(solver.outcome().is_exhausted());
    }
}

#[test]
fn small_and_oblong_grids_are_counted_as_published() {
    let empty = |rows, columns| Grid::empty(Geometry::new(rows, columns).unwrap());
    assert_eq!(count(&empty(2, 2), None).value, 288); // OEIS A107739
    // 6x6 with the first row given: 28,200,960 grids in 6! orders of the digits.
    let mut row_given = empty(2, 3);
    for (cell, digit) in row_given.geometry().cells().take(6).zip(row_given.geometry().digits()) {
        row_given.set(cell, Some(digit));
    }
    assert_eq!(count(&row_given, None).value, 28_200_960 / 720);
}

#[test]
fn seed_puzzles_through_every_engine() {
    let Some(seeds) = seeds() else { return skipped("seed_puzzles_through_every_engine") };
    let puzzles = seeds["solve"].as_array().unwrap();
    assert_eq!(puzzles.len(), 4);
    for puzzle in puzzles {
        let text = puzzle["puzzle"].as_str().unwrap();
        let solution = puzzle["solution"].as_str().unwrap();
        assert!(solves(solution, text));
        // As numbers in arrays, 0 or -1 for blank, and in one line.
        assert_eq!(grid(&puzzle["input"].to_string()), grid(text), "{}", puzzle["name"]);
        for engine in Engine::ALL {
            let solved = SudokuSolver::new(engine).solve(&grid(text));
            assert_eq!(solved, Solved::Unique(grid(solution)), "{engine}: {}", puzzle["name"]);
        }
    }
}

#[test]
fn seed_grids_are_valid_or_clash_as_told() {
    let Some(seeds) = seeds() else { return skipped("seed_grids_are_valid_or_clash_as_told") };
    let examples = seeds["validate"].as_array().unwrap();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let clashes = validate(&grid(&example["input"].to_string()));
        assert_eq!(clashes.is_empty(), example["valid"].as_bool().unwrap());
        let told = clashes.iter().map(|clash| {
            serde_json::json!({
                "house": clash.house.kind.to_string(),
                "number": clash.house.number,
                "digit": clash.digit.get(),
                "cells": clash.cells.map(|cell| cell.to_string()),
            })
        });
        assert_eq!(told.collect::<Vec<_>>(), *example["clashes"].as_array().unwrap());
    }
}

fn seeds() -> Option<Value> {
    let path = corpus::shared("cases/seed-puzzles.json")?;
    Some(serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
}

/// Every `step`-th puzzle of a collection.
fn sample(file: &str, step: usize) -> Option<Vec<Grid>> {
    let text = fs::read(corpus::shared("data/sudoku")?.join(file)).unwrap();
    let grids: Vec<Grid> = records(&text).step_by(step).map(|record| record.unwrap().puzzle.grid).collect();
    assert!(grids.len() >= 10, "{file}");
    Some(grids)
}

#[test]
fn samples_of_puzzles_with_one_solution() {
    let files = [("puzzles2_17_clue.txt", 10), ("top1465.txt", 3), ("easy_5000.txt", 25), ("top95.txt", 1)];
    for (file, step) in files.into_iter().chain([("hardest.txt", 1), ("hardest_11plus_first3000.txt", 30)]) {
        let Some(grids) = sample(file, step) else { return skipped("samples_of_puzzles_with_one_solution") };
        let mut solver = SudokuSolver::new(Engine::Dlx);
        for puzzle in grids {
            let solved = solver.solve(&puzzle);
            let Solved::Unique(solution) = &solved else {
                panic!("{file}: {}: {solved:?}", puzzle.one_line())
            };
            let line = puzzle.one_line().to_string();
            assert!(solves(&solution.one_line().to_string(), &line), "{file}: {line}");
        }
    }
}

#[test]
fn samples_of_puzzles_with_several_solutions() {
    let Some(grids) = sample("two_or_more_solutions.txt", 10) else {
        return skipped("samples_of_puzzles_with_several_solutions");
    };
    let mut solver = SudokuSolver::new(Engine::Dlx);
    for puzzle in grids {
        let line = puzzle.one_line().to_string();
        let two: Vec<String> =
            solutions(&puzzle).take(2).map(|solution| solution.one_line().to_string()).collect();
        assert!(two.len() == 2 && two[0] != two[1] && two.iter().all(|two| solves(two, &line)), "{line}");
        assert!(
            matches!(solver.solve(&puzzle), Solved::Several(first) if first.one_line().to_string() == two[0])
        );
    }
}

#[test]
fn famous_puzzles_have_the_listed_solutions() {
    let Some(path) = corpus::shared("data/sudoku/famous_singles.tsv") else {
        return skipped("famous_puzzles_have_the_listed_solutions");
    };
    for line in fs::read_to_string(path).unwrap().lines() {
        let [name, puzzle, kind, ..] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        match (kind, solve(&grid(puzzle))) {
            ("unique", Solved::Unique(solution)) => {
                assert!(line.ends_with(&solution.one_line().to_string()), "{name}");
            }
            ("unique", other) => panic!("{name}: {other:?}"),
            (_, solved) => assert!(!matches!(solved, Solved::Unique(_) | Solved::Unknown { .. }), "{name}"),
        }
    }
}

#[test]
fn engines_agree_on_random_clues() {
    let Some(grids) = sample("random_clues_5000.txt", 25) else {
        return skipped("engines_agree_on_random_clues");
    };
    let few = Budget { nodes: Some(1_000_000), ..Budget::default() };
    let mut baseline = SudokuSolver::new(Engine::Iterative).budget(few);
    let mut solver = SudokuSolver::new(Engine::Dlx);
    let mut compared = 0;
    for puzzle in &grids {
        let expected = baseline.count(puzzle, Some(100));
        // What the baseline cannot tell with so few nodes proves nothing.
        if expected.outcome != Outcome::Stopped(StopReason::Nodes) {
            assert_eq!(solver.count(puzzle, Some(100)), expected, "{}", puzzle.one_line());
            compared += 1;
        }
    }
    assert!(compared * 4 > grids.len() * 3, "only {compared} of {} compared", grids.len());
}

/// The median of the ratings of a sample, in tenths.
fn median_rating(file: &str, step: usize) -> Option<u8> {
    let mut rater = Rater::new();
    let grids = sample(file, step)?;
    let mut ratings: Vec<_> =
        grids.iter().map(|grid| rater.rate(grid).unwrap().difficulty.tenths()).collect();
    ratings.sort_unstable();
    Some(ratings[ratings.len() / 2])
}

#[test]
fn ratings_rank_the_collections() {
    let files = [
        ("easy_5000.txt", 50),
        ("p096_sudoku.txt", 1),
        ("top95.txt", 1),
        ("top1465.txt", 10),
        ("hardest_11plus_first3000.txt", 300),
    ];
    let medians: Option<Vec<_>> = files.into_iter().map(|(file, step)| median_rating(file, step)).collect();
    let Some(medians) = medians else {
        return skipped("ratings_rank_the_collections");
    };
    assert!(medians.is_sorted_by(|easier, harder| easier < harder), "{medians:?}");
}

#[test]
fn every_step_of_an_explanation_keeps_the_solution() {
    let files = [("easy_5000.txt", 500), ("top95.txt", 5), ("hardest_11plus_first3000.txt", 300)];
    let sampled = files.into_iter().map(|(file, step)| sample(file, step)).collect::<Option<Vec<_>>>();
    if sampled.is_none() {
        skipped("every_step_of_an_explanation_keeps_the_solution, but for our own puzzles");
    }
    let own = UNIQUE.map(|(puzzle, _)| grid(puzzle));
    for puzzle in sampled.into_iter().flatten().flatten().chain(own) {
        let Solved::Unique(solution) = solve(&puzzle) else { panic!("{puzzle:?}") };
        let mut position = Position::new(&puzzle);
        for step in explain(&puzzle).unwrap() {
            let kept = |cell, digit| solution.get(cell) == Some(digit);
            assert!(step.places().iter().all(|right| kept(right.cell(), right.digit())), "{step}");
            assert!(!step.eliminates().iter().any(|wrong| kept(wrong.cell(), wrong.digit())), "{step}");
            position.apply(&step);
        }
        assert_eq!(position.grid(), solution);
    }
}

#[test]
fn clashing_givens_are_told_as_the_reason() {
    let puzzle = UNIQUE[0].0.replacen('1', "4", 1);
    let clashes = validate(&grid(&puzzle));
    let told = clashes.iter().map(|clash| clash.to_string()).collect_vec();
    assert_eq!(told, ["row 1 has 4 twice, in r1c1 and r1c5", "column 5 has 4 twice, in r1c5 and r6c5"]);
    assert_eq!(solve(&grid(&puzzle)), Solved::None(NoSolution::Clash(clashes)));
}

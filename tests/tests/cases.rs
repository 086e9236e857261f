//! The collected cases of other solvers' bugs, through the library: those that are within reach of plain enumeration.

use std::fs;

use dlx_core::format::knuth;
use dlx_core::{Limits, Problem};
use dlx_tests::corpus;
use dlx_tests::generators::{self, QueenOrder};
use itertools::iproduct;
use serde_json::Value;

use crate::support::skipped;

#[test]
fn collected_cases() {
    let Some(path) = corpus::shared("cases/exact-cover-cases.json") else {
        return skipped("collected_cases");
    };
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut tried = 0;
    for case in cases.iter().filter(|case| is_within_reach(case)) {
        let id = case["id"].as_str().unwrap();
        let text = text(case);
        let expect = &case["expect"];
        // Where several answers are acceptable, the first is the preferred one.
        let expect = expect["either"].get(0).unwrap_or(expect);
        match knuth::parse(&text) {
            Ok(problem) => {
                let expected = expect["count"].as_str().unwrap_or_else(|| panic!("{id}: not refused"));
                assert_eq!(count_as_asked(&problem, &case["ask"], id), expected, "{id}");
                let cheapest = expect["min_cost"].as_str().map(str::to_owned);
                let cheapest = cheapest.or(expect["min_cost"].as_i64().map(|cost| cost.to_string()));
                if let Some(cheapest) = cheapest {
                    let best = problem.solver().min_cost().lower_bound.unwrap();
                    assert_eq!(best.to_string(), cheapest, "{id}");
                }
            }
            Err(error) => {
                assert!(expect["error"].is_string(), "{id}: {error}");
                let line = expect["line"].as_u64().unwrap_or(error.line as u64);
                assert_eq!(error.line as u64, line, "{id}: {error}");
                let words = expect["mention"].as_array().into_iter().flatten();
                for word in words.map(|word| word.as_str().unwrap()) {
                    assert!(error.to_string().contains(word), "{id}: {error} does not mention {word}");
                }
            }
        }
        tried += 1;
    }
    assert!(tried > 30, "only {tried} cases");
}

fn is_within_reach(case: &Value) -> bool {
    case["heavy"] != true
}

fn text(case: &Value) -> Vec<u8> {
    if let Some(text) = case["problem"].as_str().or(case["input"].as_str()) {
        return text.into();
    }
    if let Some(base64) = case["input_base64"].as_str() {
        return decode_base64(base64);
    }
    generated(case["generate"].as_str().unwrap()).into_bytes()
}

fn count_as_asked(problem: &Problem, ask: &Value, id: &str) -> String {
    if let Some(limit) = ask["limit"].as_u64() {
        return problem.solver().limit(Limits::none().solutions(limit)).count().value.to_string();
    }
    if let Some(first) = ask["interrupt_after"].as_u64() {
        let mut solver = problem.solver();
        let first = solver.owned().take(usize::try_from(first).unwrap()).count();
        return (solver.count().value + first).to_string();
    }
    let mut solver = problem.solver();
    let count = solver.count().value;
    for _ in 1..ask["repeat"].as_u64().unwrap_or(1) {
        assert_eq!(problem.solver().count().value, count, "{id}: a second solver");
        solver.reset();
        assert_eq!(solver.count().value, count, "{id}: the same solver again");
    }
    count.to_string()
}

/// The text of a generated case: a name and its sizes.
fn generated(specification: &str) -> String {
    let mut words = specification.split_whitespace();
    let name = words.next().unwrap();
    let arguments: Vec<&str> = words.collect();
    if name == "sudoku" {
        return sudoku(arguments[0]);
    }
    let n: usize = arguments[0].parse().unwrap();
    let instance = match name {
        "identity" => generators::identity(n),
        "cycle" => generators::cycle(n),
        "triangles" => generators::triangles(n),
        "choices" => generators::choices(n),
        "duplicates" => generators::duplicates(n),
        "wide" => generators::wide(n),
        "subsets" => generators::set_partitions(n),
        "queens" => generators::queens(n, QueenOrder::Natural),
        "domino" => generators::domino_tilings(arguments[0].parse().unwrap(), arguments[1].parse().unwrap()),
        "longname" => {
            let x = "x".repeat(n);
            return format!("{x} {x}y\n{x}\n{x}y\n");
        }
        _ => panic!("no generator for {specification}"),
    };
    instance.to_string()
}

/// A sudoku of 81 characters as exact cover, with the options that agree with the givens.
fn sudoku(givens: &str) -> String {
    let item = |kind: char, a: usize, b: usize| format!("{kind}{a}{b}");
    let items: Vec<_> =
        iproduct!(['p', 'r', 'c', 'b'], 0..9, 0..9).map(|(kind, a, b)| item(kind, a, b)).collect();
    let mut text = items.join(" ") + "\n";
    for ((row, column), given) in iproduct!(0..9, 0..9).zip(givens.chars()) {
        let given = given.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as usize - 1);
        for digit in (0..9).filter(|&digit| given.is_none_or(|given| given == digit)) {
            let in_box = item('b', row / 3 * 3 + column / 3, digit);
            let entries = [item('p', row, column), item('r', row, digit), item('c', column, digit), in_box];
            text += &(entries.join(" ") + "\n");
        }
    }
    text
}

fn decode_base64(text: &str) -> Vec<u8> {
    let digits = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect::<String>();
    let values: Vec<u32> = text.chars().filter_map(|c| digits.find(c)).map(|value| value as u32).collect();
    let mut bytes = Vec::new();
    for chunk in values.chunks(4) {
        let bits = chunk.iter().fold(0, |bits, value| bits << 6 | value) << (6 * (4 - chunk.len()));
        bytes.extend(bits.to_be_bytes()[1..].iter().take(chunk.len() * 6 / 8));
    }
    bytes
}

#[test]
fn base64_decodes() {
    assert_eq!(decode_base64("YSBiCmEAIGIK"), b"a b\na\0 b\n");
    assert_eq!(decode_base64("YQ=="), b"a");
    assert_eq!(decode_base64("YWI="), b"ab");
}

//! The comparison runner from the outside, on problems that take no time.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

fn compare(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_compare")).args(arguments).output().unwrap()
}

/// Runs it and reads its JSON file, which has a name of its own for each test.
fn figures(name: &str, arguments: &[&str]) -> Value {
    let file = std::env::temp_dir().join(format!("dlx-compare-{name}-{}.json", std::process::id()));
    let output = compare(&[arguments, &["--json", file.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let text = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn everybody_has_a_time_on_small_problems() {
    let figures = figures("small", &["--runs", "1", "latin4", "langford8"]);
    let contests = figures["exact covers"].as_array().unwrap();
    let solutions = |name: &str| {
        let contest = contests.iter().find(|contest| contest["instance"] == name).unwrap();
        let results = contest["results"].as_array().unwrap();
        // Each engine counts and enumerates; three crates enumerate.
        assert_eq!(results.len(), 2 * dlx_core::EngineKind::ALL.len() + 3);
        assert!(
            results.iter().all(|result| result["median"].as_f64().is_some_and(|s| s > 0.0)),
            "{results:?}"
        );
        assert!(contest["best peer"]["count"]["ratio"].as_f64().is_some_and(|ratio| ratio > 0.0));
        contest["solutions"].clone()
    };
    assert_eq!((solutions("latin4"), solutions("langford8")), ("576".into(), "300".into()));
}

#[test]
fn who_takes_too_long_is_given_up() {
    let figures = figures("long", &["--runs", "1", "--longest", "0.15", "domino8x8"]);
    let results = figures["exact covers"][0]["results"].as_array().unwrap();
    let slow = results.iter().find(|result| result["contestant"] == "crate dlx-rs").unwrap();
    assert_eq!(slow["missing"], "too long");
    assert_eq!(slow["median"], Value::Null);
}

#[test]
fn what_cannot_be_measured_ends_with_2() {
    assert_eq!(compare(&["--core", "1000000"]).status.code(), Some(2));
    assert_eq!(compare(&["--runs", "0"]).status.code(), Some(2));
    assert_eq!(compare(&["--one", "nobody", "count", "latin4", "1"]).status.code(), Some(2));
}

#[test]
fn what_is_not_asked_for_is_not_measured() {
    let output = compare(&["no such problem"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

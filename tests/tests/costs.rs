//! Costs: the listed optima, what is proved before the end, and the files of the OR-Library.

use std::fs;
use std::ops::ControlFlow;

use dlx_core::format::{self, knuth, orlib};
use dlx_core::{Limits, Problem, verify};
use dlx_tests::corpus::{self, Kind};

use crate::support::{say, skipped};

/// The optimum, with a cover that costs so much.
fn optimum(problem: &Problem, name: &str) -> i128 {
    let best = problem.solver().min_cost();
    assert!(best.outcome.is_exhausted(), "{name}");
    let cover = best.cover.unwrap();
    assert_eq!(verify::check(problem, &cover.options), Ok(()), "{name}");
    assert_eq!(problem.total_cost(&cover.options), cover.cost, "{name}");
    assert_eq!(best.lower_bound, Some(cover.cost), "{name}");
    let together = problem.parallel(2).min_cost();
    assert!(together.outcome.is_exhausted(), "{name}");
    let found = together.cover.unwrap();
    assert_eq!(verify::check(problem, &found.options), Ok(()), "{name}");
    assert_eq!(problem.total_cost(&found.options), cover.cost, "{name}");
    assert_eq!((found.cost, together.lower_bound), (cover.cost, best.lower_bound), "{name}");
    cover.cost
}

#[test]
fn listed_optima() {
    let Some(listed) = corpus::instances().unwrap() else { return skipped("listed_optima") };
    for entry in listed.iter().filter(|entry| entry.kind == Kind::Cost) {
        let problem = knuth::parse(&fs::read(&entry.path).unwrap()).unwrap();
        let cost = optimum(&problem, &entry.name());
        assert_eq!(format!("opt={cost}"), entry.expected, "{}", entry.name());
    }
}

/// Crew schedules; not the largest, which take seconds.
#[test]
fn set_partitioning() {
    let Some(list) = corpus::shared("data/spp/manifest.tsv") else { return skipped("set_partitioning") };
    let mut done = 0;
    for line in fs::read_to_string(&list).unwrap().lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let [name, rows, columns, expected, ..] = fields[..] else { panic!("{line}") };
        if columns.parse::<usize>().unwrap() > 9000 || name == "sppaa05.txt" {
            continue;
        }
        let problem = format::parse(&fs::read(list.with_file_name(name)).unwrap()).unwrap();
        assert_eq!(problem.primary_count().to_string(), rows, "{name}");
        assert_eq!(problem.option_count().to_string(), columns, "{name}");
        assert_eq!(optimum(&problem, name).to_string(), expected, "{name}");
        done += 1;
    }
    say(&format!("set_partitioning: {done} files"));
    assert!(done > 20, "{done}");
}

/// Stopped anywhere, the bound is below the optimum and the best cover above it.
#[test]
fn bounds_hold_when_stopped() {
    let Some(path) = corpus::shared("data/spp/sppnw06.txt") else {
        return skipped("bounds_hold_when_stopped");
    };
    let problem = orlib::parse(&fs::read(path).unwrap()).unwrap();
    let mut bounds = Vec::new();
    for nodes in [0, 1, 2, 5, 20, 60, 80, 100] {
        let best = problem.solver().limit(Limits::none().nodes(nodes)).min_cost();
        assert!(best.statistics.nodes <= nodes);
        assert!(best.cover.is_none_or(|cover| cover.cost >= 7810));
        bounds.push(best.lower_bound.unwrap());
    }
    assert!(bounds.iter().all(|bound| *bound <= 7810), "{bounds:?}");
    assert!(bounds[1] >= 7600, "the root alone proves more: {bounds:?}");
}

/// All covers up to a cost are those that enumeration finds.
#[test]
fn covers_up_to_a_cost() {
    let Some(path) = corpus::shared("data/spp/sppnw41.txt") else { return skipped("covers_up_to_a_cost") };
    let problem = orlib::parse(&fs::read(path).unwrap()).unwrap();
    let mut costs = Vec::new();
    let _ = problem.solver().for_each(|cover| {
        costs.push(problem.total_cost(cover.options()));
        ControlFlow::Continue(())
    });
    assert_eq!(costs.len(), 163_155);
    costs.sort_unstable();
    for most in [costs[0] - 1, costs[0], costs[200]] {
        let mut found = Vec::new();
        let (outcome, _) = problem.solver().at_most(most, |_, cost| {
            found.push(cost);
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        assert!(outcome.is_exhausted());
        assert_eq!(found, costs[..costs.partition_point(|cost| *cost <= most)], "at most {most}");
    }
    for cheapest in [problem.solver().cheapest(50), problem.parallel(2).cheapest(50)] {
        let found: Vec<_> = cheapest.covers.iter().map(|cover| cover.cost).collect();
        assert_eq!(found, costs[..50]);
    }
}

/// More items than the relaxation takes.
#[test]
fn a_path_of_many_items() {
    let items: Vec<_> = (0..4000).map(|item| format!("i{item}")).collect();
    let mut text = items.join(" ") + "\n";
    for (place, pair) in items.windows(2).enumerate() {
        text += &format!("{} {} |{}\n", pair[0], pair[1], place * 7919 % 101);
    }
    let expected: usize = (0..4000).step_by(2).map(|place| place * 7919 % 101).sum();
    let problem = knuth::parse(text.as_bytes()).unwrap();
    assert_eq!(optimum(&problem, "path"), expected as i128);
}

#[test]
fn costs_in_the_text() {
    let problem = knuth::parse(b"a b $1\n$4 a |3 b |-9\nb\n$1 $2 a $-2\n").unwrap();
    let costs: Vec<_> = problem.options().map(|option| problem.cost(option)).collect();
    assert_eq!(costs, [-2, 0, 0]); // the item $1 is no cost
    let mut text = String::new();
    knuth::write(&problem, &mut text).unwrap();
    assert_eq!(text, "a b $1\na b |-2\nb\n$1 a\n");
    let largest = knuth::parse(b"a\na |9223372036854775807\na |-9223372036854775808\n").unwrap();
    assert_eq!(optimum(&largest, "largest"), i64::MIN.into());
}

#[test]
fn recognised_formats() {
    for text in [
        "3 2\n40 2 1 3\n25 1 2\n",
        "\n\n 1 1 \r\n 5 1 1\r\n",
        "\u{feff}2 1\n-3 2 1 2\n",
        "2 2\n2 1 1\n2 1 2\n",
    ] {
        assert!(orlib::recognise(text.as_bytes()), "{text}");
        assert!(format::parse(text.as_bytes()).is_ok(), "{text}");
    }
    for text in [
        "3 2\n3\n2\n3 2\n",
        "3 2\n| comment\n3 2\n",
        "1 2 3\n1 2\n",
        "a b\na b\n",
        "",
        "3\n3\n",
        "3 2\n3 2 |40\n",
    ] {
        assert!(!orlib::recognise(text.as_bytes()), "{text}");
    }
}

#[test]
fn malformed_files_of_the_library() {
    for (text, message) in [
        ("", "1:1: no sizes, expected the numbers of rows and columns in the first line"),
        ("3 2 1\n", "1:1: no sizes, expected the numbers of rows and columns in the first line"),
        ("3 2\n40 2 1 3\n", "2:1: column 1 ends the text, expected 2 columns as the first line says"),
        ("3 1\n40 2 1 3\n\n1 1 1\n", "4:1: column 2 is one too many, expected 1 as the first line says"),
        ("3 1\n40 2 1 4\n", "2:8: there is no row 4, expected one from 1 to 3"),
        ("3 1\n40 2 0 1\n", "2:6: there is no row 0, expected one from 1 to 3"),
        ("3 1\n40 2 1 1\n", "2:8: row 1 is there twice, expected each once in a column"),
        ("3 1\n40 3 1 3\n", "2:9: the line ends too soon, expected a row"),
        ("3 1\n40\n", "2:3: the line ends too soon, expected the number of its rows"),
        ("3 1\n40 1 1 3\n", "2:8: more rows than the column says, expected 1"),
        ("3 1\n4.5 1 1\n", "2:1: '4.5' is not the cost of a column, expected a whole number that fits"),
        (
            "3 1\n9223372036854775808 1 1\n",
            "2:1: '9223372036854775808' is not the cost of a column, expected a whole number that fits",
        ),
        ("3 1\n4 x 1\n", "2:3: 'x' is not the number of its rows, expected a whole number that fits"),
    ] {
        let error = orlib::parse(text.as_bytes()).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(message), "{text}");
    }
}

#[test]
fn rows_that_a_text_cannot_have_are_refused() {
    let error = orlib::parse(b"99999999 1\n1 1 1\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "1:1: 99999999 rows, expected no more than a text of 17 bytes can have in columns"
    );
    // There may be some that are in no column.
    assert!(orlib::parse(b"60000 1\n1 1 1\n").unwrap().solver().next_solution().is_none());
}

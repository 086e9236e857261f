//! Knuth's text format: what is accepted, and what is said, with line and column, of what is not.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dlx_core::format::knuth::{self, ParseError, ParseErrorKind, WriteError};
use dlx_core::{ItemId, Problem, ProblemBuilder};
use dlx_tests::{Instance, generators};
use itertools::Itertools as _;
use proptest::prelude::*;

use crate::random::problems;

/// Items and options of a problem, spelled out: two texts with equal listings are the same problem.
fn listing(problem: &Problem) -> Vec<String> {
    let items = problem.items().map(|item| {
        let kind = if problem.is_primary(item) { "primary" } else { "secondary" };
        let bounds = problem.bounds(item).filter(|bounds| *bounds != (1..=1));
        let bounds = bounds.map(|bounds| format!(" {bounds:?}")).unwrap_or_default();
        format!("{kind} {}{bounds}", problem.item_name(item).unwrap_or("?"))
    });
    items.chain(problem.options().map(|option| problem.option(option).to_string())).collect()
}

fn parsed(text: &str) -> Vec<String> {
    listing(&knuth::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in {text:?}")))
}

#[test]
fn every_error_names_its_place_and_what_was_expected() {
    let texts: [&[u8]; 47] = [
        b"",
        b"\n  \n\t\n",
        b"| only\n| comments\n",
        b"\xef\xbb\xbf",
        b"a | s | t\na s\n",
        b"a b| s\na b\n",
        b"3:2|a b\na b\n",
        b"a | 2|s\na s\n",
        b"a x:2|b\na b\n",
        b"a -1:2|b\na b\n",
        b"a +1|b\na b\n",
        b"a 1:|b\na b\n",
        b"a 1:2:3|b\na b\n",
        b"a |b\na b\n",
        b"a 2|\na b\n",
        b"a 1|2|b\na b\n",
        b"a 4294967296|b\na b\n",
        b"a 2|b:c\na b\n",
        b"a 2|a\na\n",
        b"a | s:1\na s\n",
        b"a b a\na b\n",
        b"a b | a\na b\n",
        b"| comment\n\na b\na b\n a zz\n",
        b"a b\na b a\n",
        b"a | s\na s:1 s:2\n",
        b"a b | s\nb\na:1 s:1\n",
        b"a | s\na s:1:2\n",
        b"a | s\na s:\n",
        b"a | s\na :x\n",
        b"a | s\na :\n",
        b"a | s\na s ::\n",
        b"a b\na b|3\n",
        b"a b\na |1.5\n",
        b"a b\nb\na b |\n",
        b"a b\na |x b\n",
        b"a b\na $x:1\n",
        b"a b\na |+3\n",
        b"a b\na |9223372036854775808\n",
        b"a b\na |9223372036854775807 b $1 |1\n",
        b"a b\n$4 a |2 a\n",
        b"a b\n $4 $3\n",
        b"a b\na\0 b\n",
        b"a b\n\x1b[31ma b\n",
        b"a b\na\n\xff\n",
        b"a \xc3\xa9 b\r\na \xc3\xa9 x\r\n",
        b"\xef\xbb\xbfa b\na \xc3\n",
        b"\xef\xbb\xbfa b a\n",
    ];
    let mut table = String::new();
    for text in texts {
        let error = knuth::parse(text).expect_err("an error");
        writeln!(table, "{:<44} {error}", text.escape_ascii().to_string()).unwrap();
    }
    insta::assert_snapshot!(table, @r"
                                                 1:1: no item line, expected the names of the items first
    \n  \n\t\n                                   3:1: no item line, expected the names of the items first
    | only\n| comments\n                         2:1: no item line, expected the names of the items first
    \xef\xbb\xbf                                 1:1: no item line, expected the names of the items first
    a | s | t\na s\n                             1:7: second bar in the item line, expected one bar at most, before the secondary items
    a b| s\na b\n                                1:3: bar within 'b|', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    3:2|a b\na b\n                               1:1: the lower bound 3 of item a is above its upper bound 2, expected no more than that
    a | 2|s\na s\n                               1:5: item s is secondary and cannot have bounds, expected bounds on primary items only
    a x:2|b\na b\n                               1:3: bar within 'x:2|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a -1:2|b\na b\n                              1:3: bar within '-1:2|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a +1|b\na b\n                                1:3: bar within '+1|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a 1:|b\na b\n                                1:3: bar within '1:|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a 1:2:3|b\na b\n                             1:3: bar within '1:2:3|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a |b\na b\n                                  1:3: bar within '|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a 2|\na b\n                                  1:3: bar within '2|', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a 1|2|b\na b\n                               1:3: bar within '1|2|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a 4294967296|b\na b\n                        1:3: bar within '4294967296|b', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks
    a 2|b:c\na b\n                               1:3: colon in '2|b:c' of the item line, expected an item name (colors belong to the options)
    a 2|a\na\n                                   1:3: item a is declared twice, expected different names
    a | s:1\na s\n                               1:5: colon in 's:1' of the item line, expected an item name (colors belong to the options)
    a b a\na b\n                                 1:5: item a is declared twice, expected different names
    a b | a\na b\n                               1:7: item a is declared twice, expected different names
    | comment\n\na b\na b\n a zz\n               5:4: item zz is not declared, expected a name from the item line
    a b\na b a\n                                 2:5: item a is named twice, expected each item once in an option
    a | s\na s:1 s:2\n                           2:7: item s is named twice, expected each item once in an option
    a b | s\nb\na:1 s:1\n                        3:1: item a is primary and cannot have a color, expected a color on secondary items only
    a | s\na s:1:2\n                             2:3: second colon in 's:1:2', expected name:color
    a | s\na s:\n                                2:3: no color behind the colon of 's:', expected name:color
    a | s\na :x\n                                2:3: no name before the colon of ':x', expected name:color
    a | s\na :\n                                 2:3: no color behind the colon of ':', expected name:color
    a | s\na s ::\n                              2:5: second colon in '::', expected name:color
    a b\na b|3\n                                 2:3: bar in 'b|3', expected item names and, behind a blank, |COST
    a b\na |1.5\n                                2:3: cost '1.5' is not a whole number, expected digits, as in |12 or |-3
    a b\nb\na b |\n                              3:5: cost '' is not a whole number, expected digits, as in |12 or |-3
    a b\na |x b\n                                2:3: cost 'x' is not a whole number, expected digits, as in |12 or |-3
    a b\na $x:1\n                                2:3: cost 'x:1' is not a whole number, expected digits, as in |12 or |-3
    a b\na |+3\n                                 2:3: cost '+3' is not a whole number, expected digits, as in |12 or |-3
    a b\na |9223372036854775808\n                2:3: cost '9223372036854775808' is too large, expected costs of an option that add up to no more than 64 bits hold
    a b\na |9223372036854775807 b $1 |1\n        2:29: cost '9223372036854775809' is too large, expected costs of an option that add up to no more than 64 bits hold
    a b\n$4 a |2 a\n                             2:9: item a is named twice, expected each item once in an option
    a b\n $4 $3\n                                2:2: a cost without items, expected at least one item in an option
    a b\na\x00 b\n                               2:2: control character U+0000, expected text
    a b\n\x1b[31ma b\n                           2:1: control character U+001B, expected text
    a b\na\n\xff\n                               3:1: invalid UTF-8, expected text
    a \xc3\xa9 b\r\na \xc3\xa9 x\r\n             2:5: item x is not declared, expected a name from the item line
    \xef\xbb\xbfa b\na \xc3\n                    2:3: invalid UTF-8, expected text
    \xef\xbb\xbfa b a\n                          1:5: item a is declared twice, expected different names
    ");
}

#[test]
fn kinds_of_errors_carry_the_words() {
    let kind = |text: &str| knuth::parse(text.as_bytes()).unwrap_err().kind;
    assert_eq!(kind("a | s | t\n"), ParseErrorKind::SecondBar);
    assert_eq!(kind("a b|c\n"), ParseErrorKind::Bounds("b|c".into()));
    assert_eq!(kind("a 3:2|b\n"), ParseErrorKind::EmptyBounds { name: "b".into(), least: 3, most: 2 });
    assert_eq!(kind("a | 2|b\n"), ParseErrorKind::BoundsOnSecondary("b".into()));
    assert_eq!(kind("a b:c\n"), ParseErrorKind::ColonInItemLine("b:c".into()));
    assert_eq!(kind("a a\n"), ParseErrorKind::DuplicateItem("a".into()));
    assert_eq!(kind("a\nb\n"), ParseErrorKind::UnknownItem("b".into()));
    assert_eq!(kind("a\nb:x\n"), ParseErrorKind::UnknownItem("b".into()));
    assert_eq!(kind("a\na a\n"), ParseErrorKind::RepeatedItem("a".into()));
    assert_eq!(kind("a\na:x\n"), ParseErrorKind::ColorOnPrimary("a".into()));
}

#[test]
fn a_very_long_word_does_not_fill_the_message() {
    let name = "é".repeat(100_000);
    let error = knuth::parse(format!("a b\na {name}\n").as_bytes()).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::UnknownItem(name));
    assert!(error.to_string().chars().count() < 200, "{error}");
}

#[test]
fn line_ends_blanks_comments_and_marks_make_no_difference() {
    let plain = parsed("a b | s\na s:red\nb s:red\na b\n");
    for text in [
        "a b | s\r\na s:red\r\nb s:red\r\na b\r\n",
        "\u{feff}a b | s\na s:red\nb s:red\na b\n",
        "\u{feff}a b | s\r\na s:red\r\nb s:red\r\na b",
        "a b | s\na s:red\nb s:red\na b",
        "a b | s\na s:red\nb s:red\na b\r",
        "a\tb\t|\ts\na\ts:red\nb\ts:red\na\tb\n",
        "  a  b  |  s  \n\ta s:red\t\n b s:red \r\na b \t \n\n\n",
        "| one\na b | s\n| two\na s:red\n  | three\nb s:red\n\n|\n|four|\na b\n| five",
        "\u{feff}| one\n\na b | s\na s:red\nb s:red\na b\n",
    ] {
        assert_eq!(parsed(text), plain, "{text:?}");
    }
}

#[test]
fn names_and_colors_are_any_text_without_blanks_bars_and_colons() {
    let text = "# $5 <x> [y] (0,1) ; \" \\ é ж 日 😀 00 0 A a | * ß\n# é *:ß\n00 0 A a ß:rose\n日 😀 *:red\n";
    let problem = knuth::parse(text.as_bytes()).unwrap();
    assert_eq!((problem.primary_count(), problem.secondary_count(), problem.option_count()), (16, 2, 3));
    let mut written = String::new();
    knuth::write(&problem, &mut written).unwrap();
    assert_eq!(written, text);
}

#[test]
fn bounds_are_read_and_written() {
    let text = "2|a 2:3|b 0:4294967295|c d :2|2 01|é 1:1|f 00:0|g | s\na b\n";
    let listed = ["a 2..=2", "b 2..=3", "c 0..=4294967295", "d", "2 0..=2", "é", "f", "g 0..=0"];
    let expected = listed.map(|item| format!("primary {item}"));
    assert_eq!(parsed(text)[..8], expected);
    let mut written = String::new();
    knuth::write(&knuth::parse(text.as_bytes()).unwrap(), &mut written).unwrap();
    assert_eq!(written, "2|a 2:3|b 0:4294967295|c d 0:2|2 é f 0|g | s\na b\n");
}

#[test]
fn a_bar_without_secondary_items_is_fine() {
    assert_eq!(parsed("a b |\na b\n"), ["primary a", "primary b", "a b"]);
}

#[test]
fn an_item_line_alone_is_a_problem_without_options() {
    let problem = knuth::parse(b"a b").unwrap();
    assert_eq!((problem.item_count(), problem.option_count()), (2, 0));
}

#[test]
fn long_names_are_not_cut() {
    let long = "x".repeat(10_000);
    let problem = knuth::parse(format!("{long} {long}y\n{long}\n{long}y\n").as_bytes()).unwrap();
    assert_eq!(problem.solver().count().value.to_string(), "1");
}

#[test]
fn what_the_format_cannot_hold_is_not_written() {
    let written = |builder: ProblemBuilder| {
        let mut text = String::new();
        let result = knuth::write(&builder.build().unwrap(), &mut text);
        assert!(result.is_ok() || text.is_empty(), "{text}");
        result
    };
    assert_eq!(written(ProblemBuilder::new()), Err(WriteError::NoPrimaryItem));
    let mut builder = ProblemBuilder::new();
    builder.secondary("s").unwrap();
    assert_eq!(written(builder), Err(WriteError::NoPrimaryItem));

    for name in ["a b", "a\tb", "a|b", "a:b", "|", "\u{feff}a", "a\0"] {
        let mut builder = ProblemBuilder::new();
        let item = builder.primary(name).unwrap();
        assert_eq!(written(builder), Err(WriteError::Name(item)), "{name:?}");
    }
    let mut builder = ProblemBuilder::new();
    let unnamed = builder.unnamed_primaries(1).unwrap()[0];
    assert_eq!(written(builder), Err(WriteError::Name(unnamed)));

    let mut builder = ProblemBuilder::new();
    builder.primary("a").unwrap();
    let option = builder.option([] as [ItemId; 0]).unwrap();
    assert_eq!(written(builder), Err(WriteError::EmptyOption(option)));

    let mut builder = ProblemBuilder::new();
    builder.primary("a").unwrap();
    let s = builder.secondary("s").unwrap();
    let color = builder.color("dark red").unwrap();
    let option = builder.option([(s, color)]).unwrap();
    assert_eq!(written(builder), Err(WriteError::Color(option)));
}

#[test]
fn secondary_items_are_written_behind_the_primary_ones() {
    let mut builder = ProblemBuilder::new();
    let s = builder.secondary("s").unwrap();
    let a = builder.primary("a").unwrap();
    let red = builder.color("red").unwrap();
    builder.option([(s, Some(red)), (a, None)]).unwrap();
    let mut text = String::new();
    knuth::write(&builder.build().unwrap(), &mut text).unwrap();
    assert_eq!(text, "a | s\ns:red a\n");
}

#[test]
fn a_million_options_are_read_in_seconds() {
    let items = (0..1000).map(|item| format!("item{item}")).collect_vec();
    let mut text = items.join(" ") + " | s\n";
    for option in 0..1_000_000_usize {
        let (a, b, c) = (option % 1000, (option / 7 + 1 + option % 1000) % 1000, option % 10);
        if a == b {
            writeln!(text, "{} s:{c}", items[a]).unwrap();
        } else {
            writeln!(text, "{} {} s:{c}", items[a], items[b]).unwrap();
        }
    }
    let started = Instant::now();
    let problem = knuth::parse(text.as_bytes()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(90), "{:?}", started.elapsed());
    assert_eq!(problem.option_count(), 1_000_000);
}

#[test]
fn a_million_items_in_one_option_are_read_in_seconds() {
    let text = generators::wide(1_000_000).to_string();
    let started = Instant::now();
    let problem = knuth::parse(text.as_bytes()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(90), "{:?}", started.elapsed());
    assert_eq!((problem.item_count(), problem.entry_count()), (1_000_000, 2_000_000));
}

/// Parses; an error must lie within the text.
fn assert_sound(bytes: &[u8]) -> Option<Problem> {
    let error = match knuth::parse(bytes) {
        Ok(problem) => return Some(problem),
        Err(error) => error,
    };
    let ParseError { line, column, .. } = error;
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    assert!((1..=lines.len()).contains(&line), "{error} in {}", bytes.escape_ascii());
    assert!((1..=lines[line - 1].len() + 1).contains(&column), "{error} in {}", bytes.escape_ascii());
    None
}

/// What a text may be decorated with, and cut to pieces by.
const PIECES: [&str; 21] = [
    "a", "b", "s", "t", "a:x", "s:x", "s:y", "é", " ", " ", "\t", "\n", "\n", "\r\n", "|", ":", "\u{feff}",
    "\0", "2", "2|", ":3|a",
];

/// Random problems that the format can hold.
fn writable_problems() -> impl Strategy<Value = Instance> {
    let without_empty_options = |mut instance: Instance| {
        instance.options.retain(|option| !option.is_empty());
        instance
    };
    problems()
        .prop_map(without_empty_options)
        .prop_filter("an item line", |instance| !instance.primary.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn written_problems_are_read_again(instance in problems()) {
        let problem = instance.problem().unwrap();
        let mut text = String::new();
        match knuth::write(&problem, &mut text) {
            Ok(()) => {
                prop_assert_eq!(&text, &instance.to_string());
                prop_assert_eq!(parsed(&text), listing(&problem));
            }
            Err(WriteError::NoPrimaryItem) => prop_assert!(instance.primary.is_empty()),
            Err(WriteError::EmptyOption(option)) => prop_assert!(instance.options[option.index()].is_empty()),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn decorated_texts_are_the_same_problem(
        instance in writable_problems(),
        blanks in prop::collection::vec(prop::sample::select(vec![" ", "\t", "  ", " \t "]), 40),
        ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", " \n", "\n\n", "\n| x\n", "\n \t| a b:\n"]), 40),
        mark in any::<bool>(),
        last in any::<bool>(),
    ) {
        let plain = instance.to_string();
        let mut blanks = blanks.iter().cycle();
        let mut ends = ends.iter().cycle();
        let mut text = String::from(if mark { "\u{feff}" } else { "" });
        for c in plain.chars() {
            match c {
                ' ' => text += blanks.next().unwrap(),
                '\n' => text += ends.next().unwrap(),
                c => text.push(c),
            }
        }
        let text = if last { text.trim_end_matches(['\n', '\r']) } else { &text };
        prop_assert_eq!(parsed(text), parsed(&plain));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_sound(&bytes);
    }

    #[test]
    fn any_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..30)) {
        if let Some(problem) = assert_sound(pieces.concat().as_bytes()) {
            let mut text = String::new();
            if knuth::write(&problem, &mut text).is_ok() {
                prop_assert_eq!(parsed(&text), listing(&problem));
            }
        }
    }

    #[test]
    fn damaged_texts_are_read_or_refused(
        instance in problems(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..4),
    ) {
        let mut bytes = instance.to_string().into_bytes();
        for (at, byte, damage) in damages {
            let at = at.index(bytes.len() + 1);
            match damage {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 => bytes.truncate(at),
                _ => bytes.insert(at, b" |:\n\r\tap0"[usize::from(byte) % 9]),
            }
        }
        assert_sound(&bytes);
    }
}

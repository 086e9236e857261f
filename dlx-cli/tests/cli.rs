//! What the command does with signals, with a reader that leaves, and with standard input: on Unix, where the
//! first two can be had.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const EXAMPLE_SOLUTION: &str =
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452";

/// The domino tilings of a square board, far too many to be listed.
fn endless() -> String {
    tilings(40)
}

/// The domino tilings of a square board.
fn tilings(size: usize) -> String {
    let cells = || (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let mut text: String = cells().map(|(row, column)| format!("{row},{column} ")).collect();
    for (row, column) in cells() {
        for (below, right) in [(row, column + 1), (row + 1, column)] {
            if below < size && right < size {
                text += &format!("\n{row},{column} {below},{right}");
            }
        }
    }
    text
}

fn dlx(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dlx"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the command and gives it `input` whole.
fn start(args: &[&str], input: &str) -> Child {
    let mut child = dlx(args).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child
}

/// Runs the command to its end: exit code, standard output, standard error.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let output = start(args, input).wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn read_all(mut from: impl Read) -> String {
    let mut text = String::new();
    from.read_to_string(&mut text).unwrap();
    text
}

/// The exit code as a shell tells it, within a time that leaves no doubt.
fn wait(child: &mut Child) -> i32 {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or_else(|| 128 + status.signal().unwrap());
        }
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    panic!("still running");
}

#[test]
fn the_first_signal_stops_the_search_and_prints_what_is_known() {
    for (name, code, threads) in [("-INT", 130, "1"), ("-TERM", 143, "1"), ("-INT", 130, "2")] {
        let mut child = start(&["solve", "-j", threads], &endless());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().unwrap().unwrap();
        signal(&child, name);
        let printed = lines.filter(|line| line.as_ref().unwrap().is_empty()).count();
        assert_eq!(wait(&mut child), code);
        let summary = read_all(child.stderr.take().unwrap());
        assert_eq!(summary, format!("at least {printed} solutions (interrupted)\n"));
    }
}

#[test]
fn an_interrupted_count_says_so() {
    for (args, pattern) in [
        (&["count"][..], "at least N solutions (interrupted)\n"),
        (&["count", "--json"], "{\"count\":\"N\",\"complete\":false,\"stopped\":\"interrupted\"}\n"),
        (&["count", "-q"], "N\n"),
        (&["count", "-j2"], "at least N solutions (interrupted)\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("count");
        let mut child = start(&[args, &["--output", file.to_str().unwrap()]].concat(), &endless());
        while !file.exists() {
            sleep(Duration::from_millis(5)); // the output is opened when the problem has been read
        }
        sleep(Duration::from_millis(500));
        signal(&child, "-INT");
        assert_eq!(wait(&mut child), 130);
        let printed = std::fs::read_to_string(&file).unwrap();
        let count: String = printed.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(printed.replace(&count, "N"), pattern);
        assert!(count.parse::<u64>().unwrap() > 0);
    }
}

#[test]
fn the_second_signal_ends_at_once() {
    let mut child = start(&["solve"], &endless());
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    sleep(Duration::from_secs(1)); // the pipe is full again and nobody reads it
    signal(&child, "-INT");
    sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "what is known is still to be printed");
    signal(&child, "-INT");
    assert_eq!(wait(&mut child), 130);
}

#[test]
fn a_signal_while_reading_ends_at_once() {
    let mut child = dlx(&["count"]).spawn().unwrap();
    sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    assert_eq!(wait(&mut child), 130);
    assert_eq!(read_all(child.stdout.take().unwrap()), "");
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    for threads in ["1", "2"] {
        let mut child = start(&["solve", "-j", threads], &endless());
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        reader.read_line(&mut String::new()).unwrap();
        drop(reader);
        assert_eq!(wait(&mut child), 141);
        assert_eq!(read_all(child.stderr.take().unwrap()), "");
    }
}

#[test]
fn threads_print_what_one_prints() {
    let problem = tilings(6); // 6728 of them (OEIS A004003)
    let solve = |more: &[&str]| run(&[&["solve"], more].concat(), &problem);
    let sorted = |text: &str| {
        let mut solutions: Vec<_> = text.split_terminator("\n\n").map(str::to_owned).collect();
        solutions.sort();
        solutions
    };
    let alone = solve(&[]);
    let two = solve(&["-j2"]);
    assert_eq!((two.0, &*two.2, sorted(&two.1).len()), (0, "6728 solutions (complete)\n", 6728));
    assert_eq!(sorted(&two.1), sorted(&alone.1));
    assert_eq!(solve(&["-j2"]), two, "another order in another run");

    let (code, three, summary) = solve(&["-j2", "--solutions", "3"]);
    assert_eq!((code, &*summary), (0, "at least 3 solutions (solution limit)\n"));
    assert_eq!(sorted(&three).len(), 3);
    assert!(two.1.starts_with(&three));
    for limit in ["0", "6728"] {
        assert_eq!(solve(&["-j2", "--solutions", limit]).2, solve(&["--solutions", limit]).2);
    }
}

#[test]
fn threads_count_what_one_counts() {
    let problem = tilings(6); // OEIS A004003
    for threads in ["0", "2", "5"] {
        let (code, count, figures) = run(&["count", "-q", "--stats", "-j", threads], &problem);
        assert_eq!((code, &*count), (0, "6728\n"));
        assert!(figures.contains("\nsolutions 6,728\n"), "{figures}");
    }
    let some = |limit: [&str; 2]| run(&[&["count", "-j2"], &limit[..]].concat(), &problem);
    assert_eq!(some(["--solutions", "5"]).1, "at least 5 solutions (solution limit)\n");
    assert_eq!((some(["--nodes", "1"]).0, some(["--time", "0"]).0), (3, 3));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let (code, _, error) = run(&["count", "--output", "/dev/full"], "a\na\n");
    assert_eq!((code, &*error), (2, "dlx: /dev/full: cannot write: no space left on device\n"));
}

#[test]
fn a_problem_comes_from_standard_input_by_a_dash_or_without_a_name() {
    for args in [&["count", "-q"][..], &["count", "-q", "-"], &["count", "--quiet", "--", "-"]] {
        assert_eq!(run(args, "a b\na\nb\na b\n"), (0, "2\n".to_owned(), String::new()));
    }
    let (code, output, error) = run(&["solve"], "");
    assert_eq!((code, &*output), (2, ""));
    assert!(error.starts_with("dlx: -:1:1: no item line"), "{error}");
}

#[test]
fn an_output_file_gets_the_results_and_the_terminal_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solutions");
    let (code, output, error) = run(&["solve", "--output", file.to_str().unwrap()], "a b\na\nb\na b\n");
    assert_eq!((code, &*output, &*error), (0, "", "2 solutions (complete)\n"));
    let mut solutions: Vec<_> =
        std::fs::read_to_string(&file).unwrap().split_terminator("\n\n").map(str::to_owned).collect();
    solutions.sort();
    assert_eq!(solutions, ["a\nb", "a b"]);

    let (code, _, error) = run(&["solve", "--output", file.to_str().unwrap()], "a b\nc\n");
    assert_eq!(code, 2, "{error}");
    assert!(file.metadata().unwrap().len() > 0, "an unusable problem must not cost the old results");
}

#[test]
fn a_count_in_slices_is_the_whole_count() {
    // 2^20 solutions in about 2^21 nodes: several slices.
    let items: Vec<_> = (0..20).map(|i| format!("p{i}")).collect();
    let options: String = items.iter().map(|item| format!("\n{item}\n{item}")).collect();
    let problem = items.join(" ") + &options;
    for more in [&[][..], &["-j2"], &["--engine", "links"], &["--engine", "links", "-j2"]] {
        assert_eq!(run(&[&["count", "-q"], more].concat(), &problem).1, "1048576\n");
    }
    assert_eq!(run(&["count", "-q", "--solutions", "1000000"], &problem).1, "1000000\n");
    let (code, _, figures) =
        run(&["count", "-q", "--stats", "--engine", "links", "--nodes", "150001"], &problem);
    assert_eq!(code, 3);
    assert!(figures.starts_with("nodes     150,001\n"), "{figures}");
}

#[test]
fn a_count_beyond_64_bits_is_printed_whole() {
    for threads in ["1", "2"] {
        let (code, output, _) = run(&["count", "-q", "-j", threads], &tilings(16));
        assert_eq!((code, &*output), (0, "2444888770250892795802079170816\n")); // OEIS A004003
    }
    for memory in ["0", "10K", "1G"] {
        assert_eq!(run(&["count", "-q", "--memory", memory], &tilings(6)).1, "6728\n");
    }
}

#[test]
fn without_a_puzzle_the_example_is_solved() {
    for input in [Stdio::null(), Stdio::piped()] {
        let output = dlx(&["sudoku", "solve", "--one-line"]).stdin(input).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), EXAMPLE_SOLUTION);
    }
}

#[test]
fn a_piped_puzzle_is_solved_in_place_of_the_example() {
    let puzzle = EXAMPLE_SOLUTION.replacen("81", "..", 1);
    for args in [&["sudoku", "solve", "-q", "--one-line"][..], &["sudoku", "solve", "-q", "--one-line", "-"]]
    {
        assert_eq!(run(args, &puzzle), (0, format!("{EXAMPLE_SOLUTION}\n"), String::new()));
    }
    let (code, output, error) = run(&["sudoku", "solve"], "no puzzle here\n");
    assert_eq!((code, &*output), (2, ""));
    assert!(error.starts_with("dlx: -:1:"), "{error}");
    assert_eq!(run(&["sudoku", "count"], "").0, 2, "only solve has an example");
}

/// Puzzles of every kind, good and bad, many of each.
fn mixed_puzzles() -> String {
    let several = format!("{}{}", &EXAMPLE_SOLUTION[..45], ".".repeat(36));
    let clash = format!("11{}", ".".repeat(79));
    let puzzle = EXAMPLE_SOLUTION.replacen("812", "...", 1);
    format!("{puzzle}\n{several}\n{clash}\n{}\n{EXAMPLE_SOLUTION}\n", ".".repeat(80)).repeat(300)
}

#[test]
fn threads_keep_the_order_of_the_puzzles_and_of_the_messages() {
    let puzzles = mixed_puzzles();
    for args in [
        &["solve"][..],
        &["solve", "--grid"],
        &["solve", "--json"],
        &["count", "--limit", "10"],
        &["count", "--nodes", "60", "--json"],
        &["solve", "--engine", "iterative", "-q"],
    ] {
        let args = [&["sudoku"], args].concat();
        let alone = run(&args, &puzzles);
        assert_eq!(alone.0, 2);
        for threads in ["0", "2", "5"] {
            assert_eq!(run(&[&args[..], &["-j", threads]].concat(), &puzzles), alone);
        }
    }
}

#[test]
fn a_signal_ends_a_batch_at_the_puzzle_that_it_stops() {
    let endless = ".".repeat(81);
    let puzzles = [EXAMPLE_SOLUTION, &endless, EXAMPLE_SOLUTION, &endless].join("\n");
    for threads in ["1", "2"] {
        let args = ["sudoku", "count", "--limit", "18446744073709551615", "-j", threads];
        let mut child = start(&args, &puzzles);
        sleep(Duration::from_millis(500));
        signal(&child, "-INT");
        assert_eq!(wait(&mut child), 130);
        let printed = read_all(child.stdout.take().unwrap());
        let lines: Vec<_> = printed.lines().collect();
        assert_eq!((lines.len(), lines[0]), (2, "1 solution (complete)"), "{printed}");
        assert!(lines[1].starts_with("at least ") && lines[1].ends_with(" solutions (interrupted)"));
    }
}

#[test]
fn a_reader_that_leaves_ends_a_batch_quietly() {
    for threads in ["1", "2"] {
        let mut child = dlx(&["sudoku", "solve", "--grid", "-q", "-j", threads]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || input.write_all(mixed_puzzles().repeat(5).as_bytes()));
        feeder.join().unwrap().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        reader.read_line(&mut String::new()).unwrap();
        drop(reader);
        assert_eq!(wait(&mut child), 141);
    }
}

#[test]
fn generating_ends_by_a_signal_or_when_nobody_reads() {
    // No puzzle has 16 givens.
    let mut child = start(&["sudoku", "generate", "--seed", "1", "--givens", "16", "--time", "1h"], "");
    sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    assert_eq!(wait(&mut child), 130);
    assert_eq!(
        read_all(child.stderr.take().unwrap()),
        "dlx: no such puzzle found: gave up number 1 (interrupted)\n"
    );

    let mut child = start(&["sudoku", "generate", "--seed", "1", "--count", "1000000000"], "");
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    drop(reader);
    assert_eq!(wait(&mut child), 141);
    assert_eq!(run(&["sudoku", "generate", "--seed", "1"], "").1, first);
}

#[test]
fn a_seed_that_was_chosen_is_told() {
    let (code, puzzle, told) = run(&["sudoku", "generate"], "");
    let seed = told.strip_prefix("seed ").unwrap().trim_end();
    assert_eq!((code, run(&["sudoku", "generate", "--seed", seed], "")), (0, (0, puzzle, String::new())));
    assert_eq!(run(&["sudoku", "generate", "-q"], "").2, "");
}

#[test]
fn threads_keep_the_order_of_canonical_forms() {
    let puzzles = mixed_puzzles();
    for json in [&[][..], &["--json"]] {
        let args = [&["sudoku", "canonical"], json].concat();
        let alone = run(&args, &puzzles);
        assert_eq!((alone.0, alone.1.lines().count()), (2, 5 * 300));
        assert_eq!(run(&[&args[..], &["-j2"]].concat(), &puzzles), alone);
    }
}

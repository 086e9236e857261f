//! `dlx check` and `dlx check-proof` on what `dlx solve` writes, and on what may become of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Items of every kind, options that are equal, and eleven solutions.
const PROBLEM: &str = "\
a b 0:2|c | x y
a x:red
a b x:red
b y x:red
b y x:blue
c y
c x:red
c x:red
y
";

/// Three items in pairs: no solution.
const TRIANGLE: &str = "a b c\na b\nb c\nc a\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.path("problem"), PROBLEM).unwrap();
        fs::write(folder.path("triangle"), TRIANGLE).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a command to its end: exit code, standard output, standard error.
    fn run(&self, args: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dlx"));
        command.args(args.split(' ')).current_dir(self.0.path()).stdin(Stdio::null());
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// What `dlx check` says of a text: exit code and standard output.
    fn check(&self, solutions: &str) -> (i32, String) {
        fs::write(self.path("solutions"), solutions).unwrap();
        let (code, output, error) = self.run("check problem solutions");
        assert_eq!(error.is_empty(), code != 2, "{error}");
        (code, output)
    }
}

#[test]
fn what_solve_prints_is_right() {
    let folder = Folder::new();
    for form in ["", " --json", " --engine bits", " -j 2 --engine links"] {
        let (code, text, _) = folder.run(&format!("solve problem -q{form}"));
        assert_eq!(code, 0);
        let expected = folder.run("count problem -q").1;
        assert_eq!(folder.check(&text), (0, format!("{} solutions, all right\n", expected.trim())), "{text}");
    }
    let (_, text, _) = folder.run("solve problem --json");
    assert!(text.contains("\"count\"") && folder.check(&text).0 == 0, "{text}");
    assert_eq!(folder.check(""), (0, "0 solutions, all right\n".into()));
}

#[test]
fn order_and_spacing_do_not_matter() {
    let folder = Folder::new();
    for text in ["a b x:red\n\n", "x:red b a\n\n", " \tx:red   b  a \r\n\r\n", "a b x:red", "b a x:red\n"] {
        assert_eq!(folder.check(text), (0, "1 solution, all right\n".into()), "{text:?}");
    }
}

#[test]
fn each_kind_of_damage_is_told_with_its_place() {
    let folder = Folder::new();
    let cases = [
        ("a b x:green\n\n", "solutions:1: solution 1: the problem has no option `a b x:green`"),
        ("a b x:red\n\na b\n\n", "solutions:3: solution 2: the problem has no option `a b`"),
        ("b y x:blue\na x:red\n\n", "solutions:2: solution 1: item x is red, but blue in line 1"),
        ("a b x:red\na x:red\n\n", "solutions:2: solution 1: item a is covered again, as in line 1"),
        ("a b x:red\na b x:red\n\n", "solutions:2: solution 1: option `a b x:red` is chosen twice"),
        ("a x:red\n\n", "solutions:1: solution 1: item b is not covered"),
        ("a b x:red\ny\n\n", "solutions:2: solution 1: option `y` has no primary item"),
        (
            "a b x:red\nc y\nc x:red\nc x:red\n\n",
            "solutions:1: solution 1: item c is covered 3 times, expected 0 to 2",
        ),
        ("a b x:red\n\n\n", "solutions:3: solution 2: item a is not covered"),
        ("a b x:red\n\na b x:red\n\n", "solutions:3: solution 2: it is there already, in line 1"),
        ("{\"options\":[1]}\n{\"options\":[1]}\n", "solutions:2: solution 2: it is there already, in line 1"),
        ("{\"options\":[1,9]}\n", "solutions:1: solution 1: there is no option 9"),
        ("{\"options\":[1,4294967295]}\n", "solutions:1: solution 1: there is no option 4294967295"),
        ("{\"options\":[0]}\n", "solutions:1: solution 1: item b is not covered"),
        ("{\"options\":[0,3]}\n", "solutions:1: solution 1: item x is blue, but red in line 1"),
        (
            "{\"options\":[1]}\n{\"count\":\"2\",\"complete\":true}\n",
            "solutions:2: it says 2, but here are 1 solutions",
        ),
    ];
    for (text, expected) in cases {
        let (code, output) = folder.check(text);
        assert_eq!((code, output.lines().next().unwrap()), (1, expected), "{text}");
        assert!(output.ends_with(" 1 wrong\n"), "{output}");
    }
}

/// Two solutions that look alike are there as often as the problem has their options.
#[test]
fn equal_options_make_equal_texts() {
    let folder = Folder::new();
    let one = "a b x:red\nc x:red\n\n";
    assert_eq!(folder.check(&one.repeat(2)), (0, "2 solutions, all right\n".into()));
    let (code, output) = folder.check(&one.repeat(3));
    assert_eq!((code, output.lines().count()), (1, 2), "{output}");
    let both = "a b x:red\nc x:red\nc x:red\n\n";
    assert_eq!(folder.check(both).0, 0);
    assert_eq!(folder.check(&both.repeat(2)).0, 1);
}

#[test]
fn solutions_that_cannot_be_read() {
    let folder = Folder::new();
    assert_eq!(folder.check("{\"options\":[1]}\n{\"options\":[1,\n").0, 2);
    for args in [
        "check problem nothing",
        "check nothing problem",
        "check - -",
        "check-proof - -",
        "check-proof problem nothing",
    ] {
        let (code, output, error) = folder.run(args);
        assert_eq!((code, &output[..], error.starts_with("dlx: ")), (2, "", true), "{args}: {error}");
    }
}

#[test]
fn every_line_of_a_solution_is_necessary() {
    let folder = Folder::new();
    let text = folder.run("solve problem -q").1;
    let lines: Vec<&str> = text.lines().collect();
    // The last line is blank; at the end of a text it may be missing.
    for at in 0..lines.len() - 1 {
        let fewer = [&lines[..at], &lines[at + 1..]].concat().join("\n") + "\n";
        let (code, output) = folder.check(&fewer);
        // Options of item c may be missing, but then the solution is one of the others.
        assert_eq!(code, 1, "without line {}:\n{fewer}\n{output}", at + 1);
    }
}

#[test]
fn proofs_are_written_and_checked() {
    let folder = Folder::new();
    for (command, problem) in
        [("solve", "problem"), ("count", "problem"), ("solve", "triangle"), ("count", "triangle")]
    {
        let expected = folder.run(&format!("count {problem}")).1.replace(" (complete)", ", proved");
        folder.run(&format!("{command} {problem} --proof proof"));
        let (code, output, error) = folder.run(&format!("check-proof {problem} proof"));
        assert_eq!((code, &output, &error[..]), (0, &expected, ""));
        let proof = folder.read("proof");
        for (at, line) in proof.lines().enumerate() {
            for other in ["", "x\n"] {
                let lines = proof.lines().enumerate();
                let damaged: String =
                    lines.map(|(n, text)| if n == at { other.into() } else { format!("{text}\n") }).collect();
                fs::write(folder.path("damaged"), damaged).unwrap();
                let (code, output, error) = folder.run(&format!("check-proof {problem} damaged"));
                let expected = if at == 0 { (2, true, false) } else { (1, false, true) };
                assert_eq!((code, output.is_empty(), error.is_empty()), expected, "{line}: {output}{error}");
            }
        }
    }
}

#[test]
fn stopped_searches_and_other_problems() {
    let folder = Folder::new();
    let (code, _, error) = folder.run("count problem --nodes 3 --proof proof");
    assert_eq!((code, &error[..]), (3, "dlx: proof: the proof is incomplete, for the search was stopped\n"));
    let (code, output, _) = folder.run("check-proof problem proof");
    assert!(code == 1 && output.contains("incomplete"), "{output}");
    let (code, output, error) = folder.run("check-proof triangle proof");
    assert!(code == 2 && output.is_empty() && error.contains("line 2: it is about the problem"), "{error}");
    let (code, _, error) = folder.run("count triangle --nodes 1 --proof proof --proof-format drat");
    assert!(code == 3 && error.contains("was not kept"), "{error}");
    assert!(!folder.path("proof").exists());
}

#[test]
fn drat_proofs_are_kept_where_there_is_no_solution() {
    let folder = Folder::new();
    let (code, ..) = folder.run("solve triangle --proof proof --proof-format drat");
    assert_eq!((code, &folder.read("proof")[..]), (1, "-1 0\n-3 0\n0\n"));
    fs::write(folder.path("easy"), "a b\na\nb\na b\n").unwrap();
    for command in ["solve", "count"] {
        let (code, output, error) = folder.run(&format!("{command} easy --proof proof --proof-format drat"));
        assert_eq!((code, &output[..]), (2, ""));
        assert!(error.starts_with("dlx: easy: has a solution, so that proof was not kept"), "{error}");
        assert!(!folder.path("proof").exists());
    }
    let (code, _, error) = folder.run("solve problem --proof proof --proof-format drat");
    assert!(code == 2 && error.contains("item c has bounds") && !folder.path("proof").exists(), "{error}");
}

#[cfg(unix)]
#[test]
fn a_proof_that_cannot_be_written_ends_the_search() {
    let folder = Folder::new();
    for file in ["/dev/full", "no/such/folder"] {
        let (code, _, error) = folder.run(&format!("count problem --proof {file}"));
        assert!(code == 2 && error.contains("cannot write"), "{error}");
    }
}

//! Long runs: killed at any moment and resumed, they come to the same end; searches that are split add up; and
//! files that are not what they should be are refused.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

/// Ways to place 11 queens (OEIS A000170).
const QUEENS: usize = 11;
const PLACEMENTS: usize = 2680;

/// n queens that do not attack one another; diagonals are secondary items.
fn queens(n: usize) -> String {
    let all = |name: char, count: usize| (0..count).map(move |i| format!("{name}{i} "));
    let mut text: String = all('r', n).chain(all('c', n)).collect();
    text.push_str("| ");
    text.extend(all('a', 2 * n).chain(all('b', 2 * n)));
    for row in 0..n {
        for column in 0..n {
            text += &format!("\nr{row} c{column} a{} b{}", row + column, n + row - column);
        }
    }
    text
}

/// Sets of 4 to 6 among 17, of which at most two have the same remainder by 6.
fn bounded() -> String {
    let mut text = "4:6|size".to_owned();
    (0..6).for_each(|rest| text += &format!(" 0:2|rest{rest}"));
    (0..17).for_each(|number| text += &format!("\nsize rest{}", number % 6));
    text
}

/// By all sets.
fn bounded_sets() -> usize {
    let fits = |set: &u32| {
        let rests = (0..6).map(|rest| (0..17).filter(|n| n % 6 == rest && set >> n & 1 == 1).count());
        (4..=6).contains(&set.count_ones()) && rests.max() <= Some(2)
    };
    (0u32..1 << 17).filter(fits).count()
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dlx"));
        command.args(args.split(' ')).current_dir(self.0.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs to the end: exit code, standard output, standard error.
    fn run(&self, args: &str) -> (i32, String, String) {
        end(&self.command(args).output().unwrap())
    }

    /// The command must refuse to begin, with these words.
    fn refuses(&self, args: &str, words: &str) {
        let (code, output, error) = self.run(args);
        assert_eq!((code, output.as_str()), (2, ""), "{args}: {error}");
        assert!(error.starts_with("dlx: ") && error.contains(words), "{args}: {error}");
    }
}

fn end(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Begins a search and kills it, again and again, until it comes to its end: what it has printed. Each run has another of
/// the ways to go on.
fn killed_and_resumed(folder: &Folder, begin: &str, ways: &[&str], dice: &mut Dice) -> String {
    for round in 0.. {
        let way = ways[round % ways.len()];
        let resume = if folder.path("save").exists() { "--resume" } else { "--checkpoint" };
        let args = format!("{begin} {way} {resume} save --checkpoint-every 100ms");
        let mut child = folder.command(&args).spawn().unwrap();
        // The longer the more often it has been killed, so that every machine comes to an end.
        let moment = dice.below(150 + 10 * round as u64);
        for _ in 0..moment {
            sleep(Duration::from_millis(1));
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        child.kill().unwrap(); // SIGKILL
        let (code, output, error) = end(&child.wait_with_output().unwrap());
        match code {
            -1 => (),
            0 => return output,
            _ => panic!("{args}: {code}, {error}"),
        }
    }
    unreachable!()
}

const ALL_WAYS: [&str; 4] = ["--engine links", "-j 2", "--engine bits", "--engine planes -j 3"];

#[test]
fn a_count_that_is_killed_and_resumed_is_exact() {
    let mut dice = Dice(1);
    for ways in [&ALL_WAYS[..1], &ALL_WAYS[1..2], &ALL_WAYS] {
        let folder = Folder::new();
        folder.write("queens", &queens(QUEENS));
        let output = killed_and_resumed(&folder, "count queens -q", ways, &mut dice);
        assert_eq!(output.trim(), PLACEMENTS.to_string(), "{ways:?}");
        // A finished one tells the number at once.
        assert_eq!(folder.run("count queens -q --nodes 1 --resume save").1, output);
    }
}

#[test]
fn a_file_of_solutions_that_is_killed_and_resumed_has_each_once() {
    let folder = Folder::new();
    folder.write("queens", &queens(QUEENS));
    let (code, all, _) = folder.run("solve queens -q");
    assert_eq!(code, 0);
    let solutions =
        |text: &str| -> Vec<String> { text.split_terminator("\n\n").map(str::to_owned).collect() };
    let expected: BTreeSet<_> = solutions(&all).into_iter().collect();
    assert_eq!(expected.len(), PLACEMENTS);
    let mut dice = Dice(2);
    for ways in [&ALL_WAYS[..1], &ALL_WAYS[1..2], &ALL_WAYS] {
        let _ = fs::remove_file(folder.path("save"));
        killed_and_resumed(&folder, "solve queens --output all", ways, &mut dice);
        let text = fs::read_to_string(folder.path("all")).unwrap();
        let found = solutions(&text);
        assert_eq!(found.len(), PLACEMENTS, "{ways:?}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{ways:?}");
        if ways == &ALL_WAYS[..1] {
            assert_eq!(text, folder.run("solve queens -q --engine links").1, "links keep their order");
        }
    }
}

#[test]
fn limits_and_signals_leave_a_checkpoint() {
    for (problem, total) in [(queens(QUEENS), PLACEMENTS), (bounded(), bounded_sets())] {
        for threads in ["1", "2"] {
            let folder = Folder::new();
            folder.write("problem", &problem);
            let (code, _, error) =
                folder.run(&format!("count problem -q --nodes 1000 --checkpoint save -j {threads}"));
            assert_eq!(code, 3, "{error}");
            let (code, output, _) = folder
                .run(&format!("count problem --time 0.000001 --resume save --checkpoint next -j {threads}"));
            assert_eq!(code, 3, "{output}");
            let more = folder.run("count problem -q --solutions 400 --resume next --checkpoint more");
            assert_eq!((more.0, more.1.as_str()), (0, "400\n"));
            let (code, output, _) = folder.run(&format!("count problem -q --resume more -j {threads}"));
            assert_eq!((code, output), (0, format!("{total}\n")));
        }
    }
}

#[test]
fn an_interrupted_search_goes_on_by_other_means() {
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = Folder::new();
        folder.write("queens", &queens(14)); // some seconds by links
        let args = "solve queens -q --engine links -j 2 --json --output all --checkpoint save";
        let child = folder.command(args).spawn().unwrap();
        sleep(Duration::from_millis(300));
        let id = child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
        assert_eq!(end(&child.wait_with_output().unwrap()).0, code);
        let before = lines(&folder.path("all"));
        let (code, _, error) = folder.run("solve queens --nodes 1 --json --output all --resume save");
        assert_eq!(code, 3, "{error}");
        let after = lines(&folder.path("all"));
        assert_eq!(after.len(), before.len() + 1, "and the summary");
        assert_eq!(after[..before.len()], before);
    }
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn parts_add_up() {
    for (problem, total) in [(queens(8), 92), (bounded(), bounded_sets()), ("a b\na".to_owned(), 0)] {
        for parts in [1, 2, 7, 64] {
            let folder = Folder::new();
            folder.write("problem", &problem);
            let (code, output, error) = folder.run(&format!("split problem --parts {parts} --output parts"));
            assert_eq!((code, output.as_str()), (0, ""), "{error}");
            let files: Vec<_> =
                fs::read_dir(folder.path("parts")).unwrap().map(|file| file.unwrap()).collect();
            assert_eq!(files.len(), parts);
            let mut sum = 0;
            for (number, file) in files.iter().enumerate() {
                let name = file.file_name().into_string().unwrap();
                let way = ALL_WAYS[number % 4];
                let counted = folder.run(&format!("count problem -q --part parts/{name} {way}")).1;
                let count: usize = counted.trim().parse().unwrap();
                let listed = folder.run(&format!("solve problem -q --json --part parts/{name}")).1;
                assert_eq!(listed.lines().count(), count);
                sum += count;
            }
            assert_eq!(sum, total, "{parts} parts");
            folder.write("other", "a b c\na b\nc\n");
            folder.refuses(
                &format!("count other --part {}", files[0].path().display()),
                "belongs to the problem",
            );
            folder.refuses(&format!("split problem --parts {parts} --output parts"), "not empty");
        }
    }
}

#[test]
fn what_is_not_its_checkpoint_is_refused() {
    let folder = Folder::new();
    folder.write("queens", &queens(6));
    folder.write("other", &queens(5));
    assert_eq!(folder.run("solve queens --output all --nodes 30 --checkpoint save -q").0, 3);
    let all = fs::read(folder.path("all")).unwrap();
    let save = fs::read(folder.path("save")).unwrap();
    let resume = "solve queens --output all --resume";

    folder.refuses("solve queens --checkpoint new", "--output FILE");
    folder.refuses("solve queens --output - --checkpoint new", "--output FILE");
    folder.refuses("solve queens --output all --checkpoint no/where", "cannot write");
    folder.write("all", &String::from_utf8(all.clone()).unwrap());
    folder.refuses("solve other --output all --resume save", "save: it belongs to the problem");
    folder.refuses("count queens --resume save", "search for `text`, expected one for `count`");
    folder.refuses("solve queens --json --output all --resume save", "for `text`, expected one for `json`");
    folder.refuses(&format!("{resume} nowhere"), "nowhere: cannot read");
    folder.refuses(&format!("{resume} queens"), "queens: line 1: expected `dlx checkpoint 1`");
    folder.refuses("count queens --part save", "save: line 1: expected `dlx part 1`");
    let (code, _, error) = folder.run("count queens --checkpoint new --checkpoint-every 0");
    assert!(code == 2 && error.contains("expected at least 100ms"), "{error}");

    // The library's tests do this for every byte.
    for at in (0..save.len()).step_by(17) {
        let mut damaged = save.clone();
        damaged[at] ^= 1;
        fs::write(folder.path("damaged"), &damaged).unwrap();
        folder.refuses(&format!("{resume} damaged"), "damaged: ");
        fs::write(folder.path("damaged"), &save[..at]).unwrap();
        folder.refuses(&format!("{resume} damaged"), "damaged: ");
    }
    assert_eq!(fs::read(folder.path("all")).unwrap(), all, "refused before anything is touched");

    fs::write(folder.path("all"), &all[..all.len().saturating_sub(1)]).unwrap();
    if !all.is_empty() {
        folder.refuses(&format!("{resume} save"), "expected at least");
    }
}

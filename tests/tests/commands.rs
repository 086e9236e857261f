//! The `dlx` command: every example of the README, and what `tests/cli/` says of its output, errors and exit codes.
//!
//! Both are run by trycmd. In a block marked `console`, a line that begins with `$ ` is a command and what follows is
//! what it prints, stderr included; `[..]` stands for anything within a line and a line of `...` for any lines; a line
//! `? 1` behind the command says its exit code where that is not 0. A command of `cli/NAME.trycmd` runs in the
//! folder `cli/NAME.in` if there is one, a command of the README at the top of the project.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;
use trycmd::TestCases;
use trycmd::schema::Bin;

/// The `dlx` of this workspace, built with the profile of this test.
static DLX: LazyLock<PathBuf> = LazyLock::new(|| {
    let executable = std::env::current_exe().unwrap();
    let profile = executable.ancestors().nth(2).unwrap().file_name().unwrap().to_str().unwrap();
    let profile = if profile == "debug" { "test" } else { profile };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--quiet", "--package", "dlx-cli", "--bin", "dlx", "--profile", profile])
        .args(["--message-format", "json-render-diagnostics", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8(output.stdout).unwrap();
    let messages = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut executables = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().expect("cargo names the executable")
});

fn cases() -> TestCases {
    let cases = TestCases::new();
    cases.register_bin("dlx", DLX.as_path()).timeout(Duration::from_secs(60));
    cases
}

#[test]
fn cli() {
    cases().case(concat!(env!("CARGO_MANIFEST_DIR"), "/cli/*.trycmd")).run();
}

/// Where the README says `cargo run --release --`, for those who have not installed the command, the command itself is
/// run; other commands of cargo, such as the one that runs this test, are not.
#[cfg(unix)] // a symbolic link makes the commands run at the top of the project
#[test]
fn readme() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = std::fs::read_to_string(project.join("README.md")).unwrap();
    let text = with_final_newlines(&text).replace("$ cargo run --release -- ", "$ dlx ");
    assert!(text.contains("```console\n$ dlx "), "no example to run");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("README.md");
    std::fs::write(&copy, text).unwrap();
    let link = folder.join("README.in");
    if !link.exists() {
        std::os::unix::fs::symlink(project, link).unwrap();
    }
    cases().register_bin("cargo", Bin::Ignore).case(copy).run();
}

/// To trycmd, output that ends with a newline is output with a blank line behind it. A reader does not want to see it.
fn with_final_newlines(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut in_example = false;
    for line in text.lines() {
        let is_output =
            |line: &&str| !["", "$", "?", "```console"].contains(&line.split(' ').next().unwrap());
        let ends_output = line == "```" || line.starts_with("$ ");
        if in_example && ends_output && lines.last().is_some_and(is_output) {
            lines.push("");
        }
        in_example = if line.starts_with("```") { line == "```console" } else { in_example };
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

#[test]
fn output_ends_with_a_newline() {
    let text = "```console\n$ dlx\nout\n$ dlx\nout\n```\n\n```sh\n$ x\n```\n```console\n$ dlx\n? 1\n```\n";
    let expected =
        "```console\n$ dlx\nout\n\n$ dlx\nout\n\n```\n\n```sh\n$ x\n```\n```console\n$ dlx\n? 1\n```\n";
    assert_eq!(with_final_newlines(text), expected);
}

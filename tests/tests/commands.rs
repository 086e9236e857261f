//! The `dlx` command: every example of the README, and what `tests/cli/` says of its output, errors and exit codes.
//!
//! Both are run by trycmd. In a block marked `console`, a line that begins with `$ ` is a command and what follows is
//! what it prints, stderr included; `[..]` stands for anything within a line and a line of `...` for any lines; a line
//! `? 1` behind the command says its exit code where that is not 0. A command of `cli/NAME.md` runs in the
//! folder `cli/NAME.in` if there is one, a command of the README at the top of the project.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;
use trycmd::TestCases;

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
    cases().case(concat!(env!("CARGO_MANIFEST_DIR"), "/cli/*.md")).run();
}

/// The README says `cargo run --release --` where the command is not installed; the test runs the command itself.
#[cfg(unix)] // a symbolic link is how the commands come to run at the top of the project
#[test]
fn readme() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = std::fs::read_to_string(project.join("README.md")).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("README.md");
    std::fs::write(&copy, text.replace("$ cargo run --release -- ", "$ dlx ")).unwrap();
    let link = folder.join("README.in");
    if !link.exists() {
        std::os::unix::fs::symlink(project, link).unwrap();
    }
    cases().case(copy).run();
}

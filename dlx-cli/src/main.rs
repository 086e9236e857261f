//! The `dlx` command: reads the arguments, runs the command that they name, and ends with its exit code.

mod args;
mod check;
mod convert;
mod cover;
mod file;
mod input;
mod outcome;
mod output;
mod report;
mod seed;
mod signals;
mod sudoku;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command, SudokuCommand};
use crate::report::Report;
use crate::signals::Signals;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let signals = Signals::listen();
    let mut report = Report::new();
    let ended = match &cli.command {
        Command::Solve(args) => cover::solve(args, &signals, &mut report),
        Command::Count(args) => cover::count(args, &signals, &mut report),
        Command::Split(args) => cover::split(args, &mut report),
        Command::Check(args) => check::solutions(args, &mut report),
        Command::CheckProof(args) => check::proof(args, &mut report),
        Command::Convert(args) => convert::convert(args, &mut report),
        Command::Reduce(args) => cover::reduce(args, &signals, &mut report),
        Command::Min(args) => cover::min(args, &signals, &mut report),
        Command::Sample(args) => cover::sample(args, &signals, &mut report),
        Command::Zdd(args) => cover::zdd(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Solve(args)) => sudoku::solve(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Check(args)) => sudoku::check(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Count(args)) => sudoku::count(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Convert(args)) => sudoku::convert(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Canonical(args)) => sudoku::canonical(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Rate(args)) => sudoku::rate(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Hint(args)) => sudoku::hint(args, &signals, &mut report),
        Command::Sudoku(SudokuCommand::Generate(args)) => sudoku::generate(args, &signals, &mut report),
    };
    ended.unwrap_or_else(|failure| report.failure(&failure)).into()
}

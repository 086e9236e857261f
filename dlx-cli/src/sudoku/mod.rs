//! `dlx sudoku`: puzzles solved, checked and counted, one or a batch.

mod batch;
mod check;
mod count;
mod page;
mod picture;
mod solve;
mod sums;

pub(crate) use check::check;
pub(crate) use count::count;
pub(crate) use solve::solve;

//! `dlx sudoku`: puzzles solved, checked, counted, converted, compared and made, one or a batch.

mod all;
mod batch;
mod canonical;
mod check;
mod convert;
mod count;
mod generate;
mod hint;
mod ordered;
mod page;
mod picture;
mod rate;
mod rules;
mod solve;
mod sums;

pub(crate) use canonical::canonical;
pub(crate) use check::check;
pub(crate) use convert::convert;
pub(crate) use count::count;
pub(crate) use generate::generate;
pub(crate) use hint::hint;
pub(crate) use rate::rate;
pub(crate) use solve::solve;

//! The one integration binary: the engine, the text format, sudoku and the command against answers that were found
//! without them. A module a concern.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod assumptions;
mod cases;
mod commands;
mod corpus;
mod costs;
mod deep;
mod edge_cases;
mod families;
mod limits;
mod nodes;
mod parser;
mod proofs;
mod random;
mod reduce;
mod small;
mod sudoku;
mod support;
mod threads;
mod zdd;

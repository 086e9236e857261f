//! Text formats of exact cover problems.

pub mod knuth;

//! Families of exact-cover problems, each with the published number of solutions where there is one.
//!
//! | module | families |
//! |---|---|
//! | `boards` | queens; polyominoes: pentominoes, dominoes, L-trominoes, any shapes in any region |
//! | `designs` | Langford pairs, Latin squares, set partitions, perfect matchings, Steiner triple systems |
//! | `colored` | colourings, graceful labellings, word squares, de Bruijn tori, pipes |
//! | `degenerate` | identity, rings, triangles and other shapes that have broken solvers |

mod boards;
mod colored;
mod degenerate;
mod designs;

pub use boards::{
    Cell, Piece, QueenOrder, domino_tilings, l_tromino_tilings, orientations, pack, pentominoes,
    pentominoes_in_rectangle, pentominoes_on_chessboard, queens, rectangle, tile,
};
pub use colored::{
    color_letter, colorings, de_bruijn_tori, graceful_labellings, petersen_graph, pipes, word_squares,
};
pub use degenerate::{choices, cycle, duplicates, identity, triangles, wide};
pub use designs::{langford, latin_squares, perfect_matchings, set_partitions, steiner_triple_systems};

use crate::Known;

/// The entry of a published table that begins at `first`.
fn table(source: &'static str, first: usize, counts: &[u128], n: usize) -> Option<Known> {
    let count = *counts.get(n.checked_sub(first)?)?;
    Some(Known { count, source })
}

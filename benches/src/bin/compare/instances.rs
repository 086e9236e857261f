//! What is measured: exact cover problems, those of the folder `shared` where there is one and generated ones, under
//! the names that the list of peers uses.

use std::path::PathBuf;
use std::{fs, io};

use dlx_tests::corpus::{self, Kind};
use dlx_tests::{Instance, generators as g};

/// An exact cover problem.
pub(crate) struct Cover {
    /// Its short name: `queens14`.
    pub(crate) id: String,
    source: Source,
}

enum Source {
    /// A file, and the number of its solutions.
    File(PathBuf, String),
    Generated(Generated),
}

impl Cover {
    /// The problem in Knuth's format.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(crate) fn text(&self) -> io::Result<String> {
        match &self.source {
            Source::File(path, _) => fs::read_to_string(path),
            Source::Generated((_, generate, _)) => Ok(generate().to_string()),
        }
    }

    /// The number of solutions in decimal, where it is known.
    pub(crate) fn expected(&self) -> Option<String> {
        match &self.source {
            Source::File(_, solutions) => Some(solutions.clone()),
            Source::Generated((_, _, Some(solutions))) => Some((*solutions).to_owned()),
            Source::Generated((_, generate, None)) => generate().known.map(|known| known.count.to_string()),
        }
    }
}

/// Names and generators, with the number of solutions where the generator does not know it.
type Generated = (&'static str, fn() -> Instance, Option<&'static str>);

/// Those that tell engines apart, and some small ones. Graceful labellings: Smith and Petrie 2003; the Aztec diamond
/// theorem of Elkies, Kuperberg, Larsen and Propp; L-trominoes: all engines and peers agree.
const GENERATED: [Generated; 23] = [
    ("queens10", || g::queens(10, g::QueenOrder::OrganPipe), None),
    ("queens12", || g::queens(12, g::QueenOrder::OrganPipe), None),
    ("queens13", || g::queens(13, g::QueenOrder::OrganPipe), None),
    ("queens14", || g::queens(14, g::QueenOrder::OrganPipe), None),
    ("pent3x20", || g::pentominoes_in_rectangle(3, 20), None),
    ("pent4x15", || g::pentominoes_in_rectangle(4, 15), None),
    ("pent6x10", || g::pentominoes_in_rectangle(6, 10), None),
    ("pent8x8c", g::pentominoes_on_chessboard, None),
    ("domino8x8", || g::domino_tilings(8, 8), None),
    ("domino16x16", || g::domino_tilings(16, 16), None),
    ("ltro9x9", || g::l_tromino_tilings(9, 9), Some("1193600")),
    ("aztec6", || aztec_diamond(6), Some("2097152")),
    ("langford8", || g::langford(8), None),
    ("langford11", || g::langford(11), None),
    ("langford12", || g::langford(12), None),
    ("latin4", || g::latin_squares(4), None),
    ("latin5", || g::latin_squares(5), None),
    ("bell11", || g::set_partitions(11), None),
    ("matchK16", || g::perfect_matchings(8), None),
    ("sts9", || g::steiner_triple_systems(9), None),
    ("debruijn4", || g::de_bruijn_tori((4, 4), (2, 2)), None),
    ("gracK4P2", k4_times_path, Some("1440")),
    ("gracW6", || wheel(6), None),
];

/// Two tetrahedra whose corners are joined, corner by corner: graceful labellings.
fn k4_times_path() -> Instance {
    let tetrahedron =
        |k: usize| [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(u, v)| (u + k, v + k));
    let joints = [(0, 4), (1, 5), (2, 6), (3, 7)];
    g::graceful_labellings(8, &[tetrahedron(0).as_slice(), &tetrahedron(4), &joints].concat())
}

/// A hub and a ring of n: graceful labellings.
fn wheel(n: usize) -> Instance {
    let spokes = (1..=n).map(|v| (0, v));
    let rim = (1..=n).map(|v| (v, v % n + 1));
    g::graceful_labellings(n + 1, &spokes.chain(rim).collect::<Vec<_>>())
}

/// Dominoes in the cells whose middles are at most n away, row and column together, from the middle.
fn aztec_diamond(n: i32) -> Instance {
    let away = |i: i32| (2 * i + 1 - 2 * n).abs();
    let mut region = g::rectangle(2 * n, 2 * n);
    region.retain(|&(i, j)| away(i) + away(j) <= 2 * n);
    g::tile("Aztec diamond", &[&[(0, 0), (0, 1)]], &region)
}

/// All problems that the engines can do: the listed ones first, then the generated ones that are not listed.
///
/// # Errors
/// Where there is a list and it cannot be read.
pub(crate) fn covers() -> io::Result<Vec<Cover>> {
    let mut covers = Vec::new();
    for listed in corpus::instances()?.unwrap_or_default() {
        if matches!(listed.kind, Kind::Xc | Kind::XcSecondary | Kind::Xcc | Kind::Mcc) {
            let id = listed.name().trim_end_matches(".dlx").to_owned();
            covers.push(Cover { id, source: Source::File(listed.path, listed.expected) });
        }
    }
    for generated in GENERATED {
        if !covers.iter().any(|cover| cover.id == generated.0) {
            covers.push(Cover { id: generated.0.to_owned(), source: Source::Generated(generated) });
        }
    }
    Ok(covers)
}

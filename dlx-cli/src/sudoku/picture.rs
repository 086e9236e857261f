//! A solved grid for the eye: the givens stand out from the digits that were found.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use dlx_sudoku::{Grid, Puzzle};

const GIVEN: Style = Style::new().bold();
const FOUND: Style = AnsiColor::Cyan.on_default();

/// The drawing of `solution` in the alphabet of `puzzle`, styled where its cells are blank or given there; ends with a
/// newline.
pub(crate) fn styled(puzzle: &Puzzle, solution: &Grid) -> String {
    let drawing = puzzle.drawn(solution).to_string();
    let cells = puzzle.grid.geometry().cells().filter(|&cell| puzzle.is_cell(cell));
    let mut givens = cells.map(|cell| puzzle.grid.get(cell).is_some());
    let mut text = String::with_capacity(4 * drawing.len());
    // A solution has no blanks, so the words of the drawing that are neither blank nor frame are its cells in order.
    for word in drawing.split_inclusive([' ', '\n']) {
        let cell = word.trim_end_matches([' ', '\n']);
        let is_cell = cell.chars().next().is_some_and(|c| c.is_ascii_graphic());
        let style = is_cell.then(|| if givens.next() == Some(true) { GIVEN } else { FOUND });
        let _ = match style {
            Some(style) => write!(text, "{style}{cell}{style:#}{}", &word[cell.len()..]), // to a string cannot fail
            None => write!(text, "{word}"),
        };
    }
    text.push('\n');
    text
}

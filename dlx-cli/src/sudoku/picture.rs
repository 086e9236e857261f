//! A solved grid for the eye: the givens stand out from the digits that were found.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use dlx_sudoku::Grid;

const GIVEN: Style = Style::new().bold();
const FOUND: Style = AnsiColor::Cyan.on_default();

/// The drawing of `solution`, styled where its cells are blank or given in `puzzle`; ends with a newline.
pub(crate) fn styled(puzzle: &Grid, solution: &Grid) -> String {
    let drawing = solution.to_string();
    let mut givens = puzzle.cells().iter().map(Option::is_some);
    let mut text = String::with_capacity(4 * drawing.len());
    for letter in drawing.chars() {
        // A solution has no blanks, so the letters and digits of the drawing are its cells in order.
        let style = letter.is_alphanumeric().then(|| if givens.next() == Some(true) { GIVEN } else { FOUND });
        let _ = match style {
            Some(style) => write!(text, "{style}{letter}{style:#}"), // writing to a string cannot fail
            None => write!(text, "{letter}"),
        };
    }
    text.push('\n');
    text
}

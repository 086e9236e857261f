//! Grids for the eye: a solved one in which the givens stand out from the digits that were found, and one with pencil
//! marks in which a step stands out; and the sheet of several pictures.

use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Color, Style};
use dlx_sudoku::rate::{Candidate, Position, Step};
use dlx_sudoku::{Cell, Digit, Geometry, Grid, Picture, Puzzle};

use super::batch::Place;

const GIVEN: Style = Style::new().bold();
const FOUND: Style = AnsiColor::Cyan.on_default();
const PLACED: Style = AnsiColor::Black.on_default().bg_color(Some(Color::Ansi(AnsiColor::Green)));
const RULED_OUT: Style = AnsiColor::Black.on_default().bg_color(Some(Color::Ansi(AnsiColor::Red)));
const PATTERN: Style = AnsiColor::Black.on_default().bg_color(Some(Color::Ansi(AnsiColor::Yellow)));

/// Pictures as they are printed: nothing for none, one as it is, several on a sheet.
pub(crate) struct Sheet<'a>(pub(crate) &'a [Picture]);

impl fmt::Display for Sheet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [picture] => write!(f, "{picture}"),
            pictures => write!(f, "{}", Picture::sheet(pictures)),
        }
    }
}

/// A picture of one of several puzzles, with what it is called below: its title or its place.
pub(crate) fn titled(picture: Picture, puzzle: &Puzzle, place: Place<'_>) -> Picture {
    match puzzle.notes.as_ref().and_then(|notes| notes.title.as_deref()) {
        Some(title) => picture.caption(title),
        None => picture.caption(&place.heading()),
    }
}

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

/// The digits and pencil marks of a position; where a step is to be shown, what it rests on, rules out and places is
/// styled. Ends with a newline.
pub(crate) fn pencil_marks(position: &Position, step: Option<&Step>) -> String {
    let geometry = Geometry::CLASSIC;
    let digits_of = |cell| -> Vec<Digit> {
        let placed = position.digit(cell).into_iter();
        placed.chain(position.candidates(cell)).collect()
    };
    let mut widths = [0; 9];
    for cell in geometry.cells() {
        widths[cell.column()] = widths[cell.column()].max(digits_of(cell).len());
    }
    let mut text = String::new();
    for cell in geometry.cells() {
        let (row, column) = (cell.row(), cell.column());
        if column == 0 && row > 0 {
            text.push('\n');
            if row % 3 == 0 {
                let bars = widths.chunks(3).map(|stack| "-".repeat(stack.iter().sum::<usize>() + 4));
                text += &bars.collect::<Vec<_>>().join("+");
                text.push('\n');
            }
        }
        if column > 0 && column % 3 == 0 {
            text += " |";
        }
        text.push(' ');
        let digits = digits_of(cell);
        for &digit in &digits {
            let style = step.map_or(Style::new(), |step| style_in(step, cell, digit));
            let _ = write!(text, "{style}{digit}{style:#}"); // writing to a string cannot fail
        }
        if column < 8 {
            text += &" ".repeat(widths[column] - digits.len());
        }
    }
    text.push('\n');
    text
}

/// How a digit of a cell looks when a step is shown.
fn style_in(step: &Step, cell: Cell, digit: Digit) -> Style {
    let is_in = |candidates: &[Candidate]| {
        candidates.iter().any(|candidate| (candidate.cell(), candidate.digit()) == (cell, digit))
    };
    if is_in(step.places()) {
        PLACED
    } else if is_in(step.eliminates()) {
        RULED_OUT
    } else if is_in(step.pattern()) {
        PATTERN
    } else {
        Style::new()
    }
}

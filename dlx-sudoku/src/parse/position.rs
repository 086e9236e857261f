//! Positions on a line: a digit or a blank for each candidate of each cell, and the lines of HoDoKu's library.

use super::block::{Fault, of_sets};
use super::scan::WHOLE;
use super::{ParseErrorKind, cube};
use crate::alphabet::{is_blank, value};
use crate::{Candidates, Cell, Digit, Geometry, Grid, Puzzle, why};

/// The puzzle of a line that is a position, or what is wrong with it, and at which byte. `None` for any other line.
pub(super) fn read(line: &str, shape: Option<Geometry>) -> Option<Result<Puzzle, Fault>> {
    let is_classic = shape.is_none_or(|shape| shape == Geometry::CLASSIC);
    if let Some(puzzle) = of_library(line).filter(|_| is_classic) {
        return Some(puzzle);
    }
    let is_end = |c: char| matches!(c, ' ' | '\t' | ',' | ';' | '#' | ':' | '"' | '\'');
    let field = line.split(is_end).find(|field| field.len() >= WHOLE)?;
    // A line of dashes may be as long.
    let geometry = cube(field.len(), shape).filter(|_| field.contains(|c: char| c.is_ascii_digit()))?;
    let puzzle = of_candidates(field.as_bytes(), geometry);
    // As many characters may be the cells of a larger grid: then every cell has its candidates, each at its place.
    let is_other_grid = shape.is_none() && Geometry::usual_of_cells(field.len()).is_some();
    let is_likely = |puzzle: &Puzzle| {
        let sets = puzzle.candidates.iter().flat_map(Candidates::sets);
        sets.copied().all(|set| set != 0)
    };
    if is_other_grid && !puzzle.as_ref().is_ok_and(is_likely) {
        return None;
    }
    let start = field.as_ptr().addr() - line.as_ptr().addr();
    Some(puzzle.map_err(|(at, kind)| (start + at, kind)))
}

/// The puzzle that has these candidates: a character for each digit of each cell, which is the digit if the cell may have
/// it, and a blank if not.
fn of_candidates(text: &[u8], geometry: Geometry) -> Result<Puzzle, Fault> {
    let size = geometry.size();
    let mut sets = vec![0; geometry.cell_count()];
    for (at, &byte) in text.iter().enumerate() {
        let digit = Digit::new((at % size) as u8 + 1);
        match digit {
            Some(digit) if value(byte, size <= 35) == Some(digit.get()) => sets[at / size] |= why::bit(digit),
            Some(digit) if !is_blank(byte) && byte != b'0' => {
                let found = String::from_utf8_lossy(&text[at..]).chars().next().unwrap_or_default();
                return Err((at, ParseErrorKind::NoCandidate { found, digit }));
            }
            _ => {}
        }
    }
    Ok(of_sets(geometry, sets))
}

/// The position that a line of HoDoKu's library tells, where that is more than a puzzle: digits that were placed, with a
/// `+` before them, and candidates that were ruled out, each its digit, row and column, as in `:0702:9:4+5..:913 924:`.
fn of_library(line: &str) -> Option<Result<Puzzle, Fault>> {
    let mut fields = line.strip_prefix(':')?.split(':').skip(2);
    let (cells, gone) = (fields.next()?, fields.next().unwrap_or_default());
    let place = |text: &str| text.as_ptr().addr() - line.as_ptr().addr();
    if cells.len() < WHOLE || !cells.contains('+') && gone.trim().is_empty() {
        return None;
    }
    let text = cells.replace('+', "");
    let (found, expected) = (text.chars().count(), Geometry::CLASSIC.cell_count());
    if found != expected {
        return Some(Err((place(cells), ParseErrorKind::CellCount { found, expected })));
    }
    let mut puzzle = match text.parse::<Grid>() {
        Ok(grid) => Puzzle::from(grid),
        Err(error) => return Some(Err((place(cells), error.kind))),
    };
    let mut left = Candidates::all(Geometry::CLASSIC);
    let gone: Option<Vec<_>> = gone.split_whitespace().map(candidate).collect();
    gone.into_iter().flatten().for_each(|(cell, digit)| left.exclude(cell, digit));
    let free = why::candidates(&puzzle.grid);
    let restricts = free.iter().zip(left.sets()).any(|(free, set)| free & !set != 0);
    puzzle.candidates = restricts.then_some(left);
    Some(Ok(puzzle))
}

/// A candidate that is written as its digit, row and column.
fn candidate(word: &str) -> Option<(Cell, Digit)> {
    let &[digit, row, column] = word.as_bytes() else { return None };
    let index = |byte: u8| Some(char::from(byte).to_digit(10)?.checked_sub(1)? as usize);
    Some((Geometry::CLASSIC.cell(index(row)?, index(column)?)?, Digit::new(index(digit)? as u8 + 1)?))
}

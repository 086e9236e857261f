//! Lines of cells that follow one another, and the grids that they are: which size, which alphabet.

use core::mem;
use core::ops::Range;

use super::cursor::Cursor;
use super::scan::{Token, WHOLE};
use super::{Item, ParseError, ParseErrorKind, Record};
use crate::alphabet::{Key, NoAlphabet, Survey, is_blank, value};
use crate::puzzle::{Candidates, Notes, all_digits};
use crate::{Alphabet, Digit, Geometry, Grid, Puzzle, why};

/// Lines of cells without a blank line or a heading between them.
#[derive(Clone)]
pub(super) struct Block<'a> {
    rows: Vec<Row<'a>>,
    tokens: Vec<Token>,
    /// The cells of all rows.
    pub(super) total: usize,
    /// The first row that has not been read.
    next: usize,
    /// The end of the rows that are as long as this one, and whether each is a puzzle; found out once for all of them.
    run: Option<(usize, bool)>,
    /// No more lines belong to it.
    pub(super) ended: bool,
    /// There are blanks that are not dashes.
    pub(super) blanks_seen: bool,
    /// There are spaces for blanks in a frame.
    pub(super) spaces_seen: bool,
    /// What was said before the first line.
    pub(super) notes: Option<Box<Notes>>,
}

/// A line of cells.
#[derive(Clone)]
pub(super) struct Row<'a> {
    /// Where its first cell is.
    pub(super) start: Cursor<'a>,
    pub(super) count: usize,
    /// The cells of the rows above.
    pub(super) before: usize,
    pub(super) grouped: bool,
    pub(super) fault: Option<ParseError>,
    /// Its cells, unless there is a fault.
    pub(super) tokens: Range<usize>,
}

impl Row<'_> {
    fn error(&self, kind: ParseErrorKind) -> ParseError {
        self.start.error(kind)
    }
}

impl<'a> Block<'a> {
    pub(super) fn new() -> Self {
        Self {
            rows: Vec::new(),
            tokens: Vec::new(),
            total: 0,
            next: 0,
            run: None,
            ended: false,
            blanks_seen: false,
            spaces_seen: false,
            notes: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The cells of the last line.
    pub(super) fn last_count(&self) -> Option<usize> {
        self.rows.last().map(|row| row.count)
    }

    /// Where the cells of the next line go.
    pub(super) fn tokens(&mut self) -> &mut Vec<Token> {
        &mut self.tokens
    }

    pub(super) fn push(&mut self, row: Row<'a>) {
        self.total = row.before + row.count;
        self.rows.push(row);
    }

    /// The next puzzle of a block that has ended; without one the block is empty again.
    pub(super) fn next_item(&mut self, shape: Option<Geometry>) -> Option<Item> {
        let Some(count) = self.rows.get(self.next).map(|row| row.count) else {
            let (rows, tokens) = (mem::take(&mut self.rows), mem::take(&mut self.tokens));
            *self = Self { rows, tokens, ..Self::new() };
            self.rows.clear();
            self.tokens.clear();
            return None;
        };
        let of_row = |count| match shape {
            Some(shape) => (shape.size() == count).then_some(shape),
            None => Geometry::usual(count),
        };
        if let Some(geometry) = self.whole(count, shape) {
            return Some(self.take(1, geometry));
        }
        if let Some(geometry) = of_row(count)
            && self.rows_of(count, count) == count
        {
            let drawn = if shape.is_none() { self.drawn(count) } else { None };
            return Some(self.take(count, drawn.unwrap_or(geometry)));
        }
        // A grid of which few rows are too long or too short.
        let following = self.rows.get(self.next + 1).map_or(0, |row| row.count);
        for size in [count, following] {
            let odd = size - self.rows_of(size, size);
            if of_row(size).is_some() && self.left() >= size && odd <= (2 * size / 9).max(1) {
                return Some(Err(self.take_odd(size)));
            }
        }
        if count >= WHOLE {
            return Some(Err(self.take_bad(count, shape)));
        }
        Some(self.take_sum(shape))
    }

    /// The shape whose boxes are drawn in a frame around the next rows of so many cells: with bars between the same cells of
    /// each, as far apart.
    fn drawn(&self, count: usize) -> Option<Geometry> {
        let bars = |row: &Row<'_>| {
            let tokens = self.tokens[row.tokens.clone()].windows(2).zip(1..);
            let barred = tokens.filter(|(pair, _)| {
                let between = row.start.input.get(pair[0].at + pair[0].length..pair[1].at);
                let text = between.and_then(|bytes| core::str::from_utf8(bytes).ok());
                text.is_some_and(|text| text.contains(['|', '│', '┃', '║']))
            });
            barred.map(|(_, at)| at).collect::<Vec<_>>()
        };
        let rows = &self.rows[self.next..self.next + count];
        let first = bars(&rows[0]);
        let width = *first.first()?;
        let is_even = count.is_multiple_of(width) && first.iter().copied().eq((width..count).step_by(width));
        if width == 1 || !is_even || rows[1..].iter().any(|row| bars(row) != first) {
            return None;
        }
        Geometry::new((count / width) as u8, width as u8).ok()
    }

    /// The rows that are left.
    fn left(&self) -> usize {
        self.rows.len() - self.next
    }

    /// How many of the next rows have so many cells.
    fn rows_of(&self, count: usize, among: usize) -> usize {
        self.rows[self.next..].iter().take(among).filter(|row| row.count == count).count()
    }

    /// The shape of the next line if it is a puzzle of its own.
    ///
    /// Sixteen cells may be a puzzle of 4x4 or a row of 16x16. Lines of them are puzzles if their digits allow it, unless
    /// they are as many as make grids and one of them has no given: no proper puzzle of 16x16 makes do with digits 1 to 4.
    fn whole(&mut self, count: usize, shape: Option<Geometry>) -> Option<Geometry> {
        if let Some(shape) = shape {
            return (shape.cell_count() == count && shape.size() != 1).then_some(shape);
        }
        let geometry = Geometry::usual_of_cells(count)?;
        if count > Geometry::MAX_SIZE {
            return Some(geometry);
        }
        let end = match self.run {
            Some((end, whole)) if self.next < end => return whole.then_some(geometry),
            _ => self.next + self.rows[self.next..].iter().take_while(|row| row.count == count).count(),
        };
        let rows = &self.rows[self.next..end];
        let read: Vec<_> = rows
            .iter()
            .filter(|row| row.fault.is_none())
            .map(|row| self.grid(row.grouped, row.tokens.clone(), geometry))
            .collect();
        let fit = read.iter().flatten().count();
        let given = read.iter().flatten().filter(|puzzle| puzzle.grid.given_count() > 0).count();
        let whole = match rows.len() % count {
            0 => given == read.len(),
            _ => 2 * fit > read.len() || read.is_empty(),
        };
        self.run = Some((end, whole));
        whole.then_some(geometry)
    }

    /// The puzzle of the next rows.
    fn take(&mut self, rows: usize, geometry: Geometry) -> Item {
        let from = self.next;
        self.next += rows;
        let rows = &self.rows[from..self.next];
        if let Some(fault) = rows.iter().find_map(|row| row.fault.clone()) {
            return Err(fault);
        }
        let tokens =
            rows.first().map_or(0, |row| row.tokens.start)..rows.last().map_or(0, |row| row.tokens.end);
        let grouped = rows.iter().any(|row| row.grouped);
        let line = rows.first().map_or(0, |row| row.start.line);
        let mut puzzle = self.grid(grouped, tokens, geometry)?;
        puzzle.notes = self.notes.take();
        Ok(Record { line, puzzle })
    }

    /// The error of rows among which there is one of another length.
    fn take_odd(&mut self, size: usize) -> ParseError {
        let from = self.next;
        self.next += size;
        let rows = &self.rows[from..self.next];
        let fault = rows.iter().find_map(|row| row.fault.clone());
        let odd = || {
            let row = rows.iter().find(|row| row.count != size)?;
            Some(row.error(ParseErrorKind::RowLength { found: row.count, expected: size }))
        };
        fault.or_else(odd).unwrap_or_else(|| rows[0].error(ParseErrorKind::Groups))
    }

    /// The error of a line that is too long for anything but a puzzle.
    fn take_bad(&mut self, found: usize, shape: Option<Geometry>) -> ParseError {
        let row = &self.rows[self.next];
        self.next += 1;
        let kind = ParseErrorKind::CellCount { found, expected: expected(found, shape) };
        row.fault.clone().unwrap_or_else(|| row.error(kind))
    }

    /// The puzzle of rows that are of any length, up to 81 cells or up to the end of the block.
    fn take_sum(&mut self, shape: Option<Geometry>) -> Item {
        let rows = &self.rows[self.next..];
        let total = self.total - rows[0].before;
        let classic = Geometry::CLASSIC.cell_count();
        let are_rows = rows.len() > 1 && Geometry::usual(rows[0].count).is_some();
        let other = if are_rows { None } else { Geometry::usual_of_cells(total) };
        let geometry = match shape.or(other) {
            Some(geometry) if shape.is_some() || !total.is_multiple_of(classic) => geometry,
            Some(geometry) if geometry.cell_count() != classic && self.is_large() => geometry,
            _ => Geometry::CLASSIC,
        };
        let mut sum = 0;
        for (number, row) in rows.iter().enumerate() {
            sum += row.count;
            if sum == geometry.cell_count() {
                return self.take(number + 1, geometry);
            }
            if sum > geometry.cell_count() {
                let fault = rows.iter().find_map(|row| row.fault.clone());
                let kind = ParseErrorKind::CellCount { found: sum, expected: geometry.cell_count() };
                let error = fault.unwrap_or_else(|| row.error(kind));
                self.next = self.rows.len();
                return Err(error);
            }
        }
        let fault = rows.iter().find_map(|row| row.fault.clone());
        let first = &rows[0];
        let expected = match Geometry::usual(first.count) {
            Some(shape) if geometry == Geometry::CLASSIC && rows.len() > 1 => shape.cell_count(),
            _ => geometry.cell_count(),
        };
        let kind = ParseErrorKind::Incomplete { found: sum, expected };
        let error = fault.unwrap_or(ParseError { line: first.start.line, column: 1, kind });
        self.next = self.rows.len();
        Err(error)
    }

    /// Whether a cell that is left cannot be one of nine digits.
    fn is_large(&self) -> bool {
        let rows = &self.rows[self.next..];
        rows.iter().any(|row| row.grouped)
            || rows.iter().filter(|row| row.fault.is_none()).any(|row| {
                let tokens = &self.tokens[row.tokens.clone()];
                tokens.iter().any(|token| {
                    self.text(token)
                        .first()
                        .is_some_and(|byte| byte.is_ascii_alphabetic() && !matches!(byte, b'x' | b'X'))
                })
            })
    }

    /// What is written in a cell.
    fn text(&self, token: &Token) -> &'a [u8] {
        self.rows.first().map_or(&[], |row| &row.start.input[token.at..][..token.length])
    }

    /// The error at a cell.
    fn error_at(&self, token: usize, kind: ParseErrorKind) -> ParseError {
        let row = self.rows.partition_point(|row| row.tokens.end <= token);
        match self.rows.get(row).or(self.rows.first()) {
            Some(row) => row.start.error_at(self.tokens[token].at.max(row.start.position), kind),
            None => ParseError { line: 1, column: 1, kind },
        }
    }

    /// The puzzle that cells are, of which there are as many as the shape has.
    fn grid(&self, grouped: bool, cells: Range<usize>, geometry: Geometry) -> Result<Puzzle, ParseError> {
        let texts = self.tokens[cells.clone()].iter().map(|token| self.text(token));
        let error = |(token, kind): (usize, ParseErrorKind)| self.error_at(cells.start + token, kind);
        let is_grouped = grouped && texts.clone().any(|text| text.len() > 1);
        let puzzle = if is_grouped { of_groups(texts, geometry) } else { of_characters(texts, geometry) };
        puzzle.map_err(error)
    }
}

/// How many cells a line should have that has so many.
pub(super) fn expected(found: usize, shape: Option<Geometry>) -> usize {
    const FAR_FROM_CLASSIC: usize = 90;
    match shape {
        Some(shape) => shape.cell_count(),
        None if found <= FAR_FROM_CLASSIC => Geometry::CLASSIC.cell_count(),
        None => {
            let sizes = (1..=Geometry::MAX_SIZE).filter(|&size| Geometry::usual(size).is_some());
            sizes.map(|size| size * size).min_by_key(|cells| cells.abs_diff(found)).unwrap_or(found)
        }
    }
}

/// What is wrong with a cell, and which cell it is.
pub(super) type Fault = (usize, ParseErrorKind);

/// A puzzle of one character a cell; no character is a blank.
pub(super) fn of_characters<'t>(
    texts: impl Iterator<Item = &'t [u8]> + Clone,
    geometry: Geometry,
) -> Result<Puzzle, Fault> {
    let characters = texts.map(|text| if text.len() == 1 { text[0] } else { b'.' });
    let size = geometry.size();
    let survey = Survey::of(characters.clone());
    // As many zeros as there are rows, one in each: the digits of a full grid, not the blanks of a puzzle.
    let full = size > 9 && survey.zeros_of_full(size) == size && {
        let mut zeros = vec![0; size];
        characters.clone().enumerate().for_each(|(at, byte)| zeros[at / size] += usize::from(byte == b'0'));
        zeros.iter().all(|&zeros| zeros == 1)
    };
    let key = match survey.key(size, full) {
        Ok(key) => key,
        Err(NoAlphabet::Zeros) => {
            let zero = characters.clone().position(|byte| byte == b'0');
            return Err((zero.unwrap_or(0), ParseErrorKind::Zero));
        }
    };
    let mut puzzle = Puzzle::from(Grid::empty(geometry));
    puzzle.alphabet = key.alphabet;
    fill(&mut puzzle.grid, characters, key)?;
    Ok(puzzle)
}

fn fill(grid: &mut Grid, characters: impl Iterator<Item = u8>, key: Key) -> Result<(), Fault> {
    let size = grid.geometry().size();
    for (at, (cell, character)) in grid.cells_mut().iter_mut().zip(characters).enumerate() {
        let found = char::from(character);
        *cell = key.cell(character).ok_or((at, ParseErrorKind::NoDigit { found, size }))?;
    }
    Ok(())
}

/// A puzzle whose cells are numbers, or else candidates.
fn of_groups<'t>(texts: impl Iterator<Item = &'t [u8]> + Clone, geometry: Geometry) -> Result<Puzzle, Fault> {
    let size = geometry.size();
    let number = |text: &[u8]| match text {
        [] | b"-1" | b"x" | b"X" => Some(None),
        &[byte] if is_blank(byte) => Some(None),
        // Longer ones are no numbers of any grid.
        _ if text.len() <= 3 => str::from_utf8(text).ok()?.parse::<usize>().ok().map(Some),
        _ => None,
    };
    let numbers: Option<Vec<_>> = texts.clone().map(number).collect();
    match numbers {
        Some(numbers) if numbers.iter().flatten().all(|&number| number <= size) => {
            of_numbers(&numbers, geometry, false)
        }
        Some(numbers) => of_candidates(texts, geometry).map_err(|fault| {
            // With numbers above nine, it is a number that is too large.
            let large = numbers.iter().position(|number| number.is_some_and(|number| number > size));
            let found = large.and_then(|at| Some((at, numbers[at]?)));
            found
                .filter(|_| size > 9)
                .map_or(fault, |(at, found)| (at, ParseErrorKind::Number { found, size }))
        }),
        None => of_candidates(texts, geometry),
    }
}

/// A puzzle of numbers, none above its size. Zeros are blanks, unless there are other blanks too, or numbers begin with
/// them (`from_zero`).
pub(super) fn of_numbers(
    numbers: &[Option<usize>],
    geometry: Geometry,
    from_zero: bool,
) -> Result<Puzzle, Fault> {
    let size = geometry.size();
    let zero = numbers.iter().position(|&number| number == Some(0));
    let others = numbers.contains(&None);
    let last = numbers.contains(&Some(size));
    if let Some(at) = zero.filter(|_| size > 9 && others && last) {
        return Err((at, ParseErrorKind::Zero));
    }
    let is_zero = |number: &&Option<usize>| **number == Some(0);
    let full = !others && numbers.chunks(size).all(|row| row.iter().filter(is_zero).count() == 1);
    let from_zero = from_zero || size > 9 && zero.is_some() && !last && (others || full);
    let mut puzzle = Puzzle::from(Grid::empty(geometry));
    puzzle.alphabet = if from_zero { Alphabet::NumbersFromZero } else { Alphabet::Numbers };
    for (cell, number) in puzzle.grid.cells_mut().iter_mut().zip(numbers) {
        *cell = number.and_then(|number| Digit::new(number as u8 + u8::from(from_zero)));
    }
    Ok(puzzle)
}

/// A puzzle of candidates, each a character, in ascending order in each cell. One alone is the cell's digit; a blank is
/// for all candidates.
fn of_candidates<'t>(texts: impl Iterator<Item = &'t [u8]>, geometry: Geometry) -> Result<Puzzle, Fault> {
    let mut sets = Vec::with_capacity(geometry.cell_count());
    for (at, text) in texts.enumerate() {
        let is_all =
            text.is_empty() || matches!(text, [byte] if is_blank(*byte) || *byte == b'0') || text == b"-1";
        let set = if is_all {
            all_digits(geometry)
        } else {
            set(text, geometry).ok_or((at, ParseErrorKind::Groups))?
        };
        sets.push(set);
    }
    Ok(of_sets(geometry, sets))
}

/// A puzzle whose cells have these candidates; one alone is the cell's digit.
pub(super) fn of_sets(geometry: Geometry, sets: Vec<u64>) -> Puzzle {
    let mut puzzle = Puzzle::from(Grid::empty(geometry));
    for (cell, set) in puzzle.grid.cells_mut().iter_mut().zip(&sets) {
        *cell = Digit::new(set.trailing_zeros() as u8 + 1).filter(|_| set.is_power_of_two());
    }
    let restricts = why::candidates(&puzzle.grid).iter().zip(&sets).any(|(free, set)| free & !set != 0);
    puzzle.candidates = restricts.then(|| Candidates::from_sets(geometry, sets));
    puzzle
}

/// The set of digits that a cell's candidates are.
fn set(text: &[u8], geometry: Geometry) -> Option<u64> {
    let mut set = 0_u64;
    for &character in text {
        let digit =
            value(character, geometry.size() <= 35).filter(|&value| usize::from(value) <= geometry.size());
        let bit = why::bit(Digit::new(digit?)?);
        if set >= bit {
            return None;
        }
        set |= bit;
    }
    Some(set)
}

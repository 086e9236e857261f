//! From text to puzzles: any number of them in an input, in any mix of the usual forms, one record each.
//!
//! - **81 characters**: digits 1 to 9, and `.`, `0`, `_`, `*`, `-`, `x` or `X` for a blank; on one line or on several,
//!   with or without a frame (`|`, `+`, `-`, spaces, box-drawing characters) around rows and boxes.
//!   A line with a `+`, or of dashes only when they are not nine, belongs to the frame.
//!   A line of 40 or more cells is one puzzle, right or wrong, so that a batch never loses step after a bad line; what
//!   follows such a line's cells after a blank, a comma, a semicolon or a `#` is not read. Shorter lines add up to 81
//!   cells.
//! - **81 numbers** between blanks, `-1` or any of the blanks above for a blank.
//! - **JSON**: a 9x9 array of numbers (0, -1 or `null` for a blank) or of strings (`"."`, `"0"`, `" "`, `""` and so on
//!   for a blank), an array of such arrays, a flat array of 81 cells.
//!
//! A blank line or a heading (`Grid 01`) ends a record, lines that begin with `#` are comments. Of a file with sections
//! (`[Puzzle]`, `[State]`), those named `Puzzle` are read. Line ends of all kinds but a lone CR, a byte order mark and a
//! missing last line end are fine.
//!
//! Grids with candidates, and sizes other than 9x9, are errors: nothing is read as another grid than it is.

mod cursor;
mod error;
mod json;
mod scan;
#[cfg(test)]
mod tests;

use self::cursor::Cursor;
pub use self::error::{ParseError, ParseErrorKind};
use self::scan::{Heading, Line};
use crate::{Digit, Grid};

/// A puzzle of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The puzzle.
    pub grid: Grid,
}

/// All puzzles of an input, in order; see the [module](self) for the forms. A bad one is an error, once, and the next
/// ones are read all the same.
///
/// An empty input, or one of comments only, has no puzzles; for any other text without a puzzle there is one error.
/// Takes *O*(*n*) for *n* bytes, and allocates nothing for a puzzle on one line.
///
/// ```
/// use dlx_sudoku::records;
///
/// let input = "
/// 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79  # a comment
/// 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7
/// [[8,0,0,0,0,0,0,0,0],[0,0,3,6,0,0,0,0,0],[0,7,0,0,9,0,2,0,0],[0,5,0,0,0,7,0,0,0],[0,0,0,0,4,5,7,0,0],
///  [0,0,0,1,0,0,0,3,0],[0,0,1,0,0,0,0,6,8],[0,0,8,5,0,0,0,1,0],[0,9,0,0,0,0,4,0,0]]";
/// let all: Vec<_> = records(input.as_bytes()).collect();
/// assert_eq!(all.len(), 3);
/// assert_eq!(all[0].as_ref().map(|record| record.line), Ok(2));
/// assert_eq!(all[1].as_ref().map_err(ToString::to_string), Err("3:1: 80 cells, expected 81".to_owned()));
/// assert_eq!(all[2].as_ref().map(|record| record.grid.given_count()), Ok(21));
/// ```
pub fn records(input: &[u8]) -> Records<'_> {
    Records {
        cursor: Cursor::new(input),
        partial: None,
        skipped: None,
        sectioned: false,
        next: Next::Line,
        first_text: None,
        seen: false,
    }
}

/// The iterator that [`records`] returns.
#[derive(Clone)]
pub struct Records<'a> {
    cursor: Cursor<'a>,
    /// The puzzle of several lines that is being read.
    partial: Option<Partial>,
    /// In a section that is not a puzzle: how many lines of it have been skipped.
    skipped: Option<usize>,
    /// There has been a section `[Puzzle]`.
    sectioned: bool,
    /// What is expected next.
    next: Next,
    /// The first line that is neither blank nor a comment.
    first_text: Option<usize>,
    /// Something has been returned.
    seen: bool,
}

impl core::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Records").field("line", &self.cursor.line).finish_non_exhaustive()
    }
}

/// What is expected next in the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A line, of any kind.
    Line,
    /// In a JSON array of grids, after a grid: another one, or the array's end.
    OfList,
    /// After an error in JSON: the rest of the bad puzzle, or other puzzles of the same array.
    Json,
}

/// A puzzle, or why it is none.
type Item = Result<Record, ParseError>;

impl Iterator for Records<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let item = loop {
            let item = match self.next {
                Next::OfList => self.next_of_list(),
                Next::Json => self.more_json(),
                Next::Line => match scan::one_line(self.cursor.rest()) {
                    Some(cells) => Some(self.one_line(cells)),
                    None if self.cursor.peek().is_none() => break self.end(),
                    None => self.line(),
                },
            };
            if item.is_some() {
                break item;
            }
        };
        self.seen |= item.is_some();
        item
    }
}

impl core::iter::FusedIterator for Records<'_> {}

impl<'a> Records<'a> {
    /// At a line of 81 cells.
    fn one_line(&mut self, cells: [Option<Digit>; 81]) -> Item {
        // It ends the puzzle above, if there is one, and is read afterwards.
        self.flush().unwrap_or_else(|| {
            self.skipped = None;
            let line = self.cursor.line;
            self.cursor.next_line(cells.len());
            Ok(Record { line, grid: Grid::classic(cells) })
        })
    }

    /// At any other line: reads it, and returns the puzzle that it ends.
    fn line(&mut self) -> Option<Item> {
        if let Some(bracket) = json::opening(self.cursor) {
            return Some(self.flush().unwrap_or_else(|| {
                self.first_text.get_or_insert(self.cursor.line);
                self.cursor = bracket;
                self.json()
            }));
        }
        let bytes = self.cursor.rest_of_line();
        let text = String::from_utf8_lossy(bytes);
        let line = text.trim_start_matches([' ', '\t']);
        let indent = text.len() - line.len();
        let line = line.trim_end_matches([' ', '\t']);
        if line.is_empty() {
            self.cursor.next_line(bytes.len());
            self.skipped.take_if(|lines| *lines > 0);
            return self.flush();
        }
        if line.starts_with('#') {
            self.cursor.next_line(bytes.len());
            return None;
        }
        self.first_text.get_or_insert(self.cursor.line);
        if let Some(heading) = scan::heading(line) {
            self.cursor.next_line(bytes.len());
            self.enter(&heading);
            return self.flush();
        }
        if let Some(lines) = &mut self.skipped {
            *lines += 1;
            self.cursor.next_line(bytes.len());
            return None;
        }
        self.cells(bytes, line, indent)
    }

    /// At a line of cells or of a frame, of these bytes, of which `line` is what comes after so many blanks.
    fn cells(&mut self, bytes: &[u8], line: &str, indent: usize) -> Option<Item> {
        let mut cells = [None; 81];
        let blanks_seen = self.partial.as_ref().is_some_and(|partial| partial.blanks_seen);
        let Line::Cells { count, fault } = scan::line(line, blanks_seen, &mut cells) else {
            self.cursor.next_line(bytes.len());
            return None;
        };
        if count >= scan::WHOLE && self.partial.is_some() {
            return self.flush();
        }
        let number = self.cursor.line;
        let fault = fault.map(|(at, kind)| self.fault(bytes, indent + at, kind));
        let here = self.cursor.error_at(self.cursor.position + indent, ParseErrorKind::RowLength(count));
        self.cursor.next_line(bytes.len());
        if count >= scan::WHOLE {
            return Some(match fault {
                None => Ok(Record { line: number, grid: Grid::classic(cells) }),
                Some(error) => Err(error),
            });
        }
        let partial = self.partial.get_or_insert_with(|| Partial::new(number));
        partial.blanks_seen |= line.contains(['.', '0', '_', '*', 'x', 'X']);
        if partial.add(&cells, count, fault, here) { self.flush() } else { None }
    }

    /// The error at a byte of this line.
    fn fault(&self, line: &[u8], at: usize, kind: ParseErrorKind) -> ParseError {
        let kind = match kind {
            // Stands for bytes that are no character, unless it is written there.
            ParseErrorKind::Unexpected(char::REPLACEMENT_CHARACTER)
                if !line[at..].starts_with("\u{FFFD}".as_bytes()) =>
            {
                ParseErrorKind::NotUtf8(line[at])
            }
            kind => kind,
        };
        self.cursor.error_at(self.cursor.position + at, kind)
    }

    /// After a heading.
    fn enter(&mut self, heading: &Heading<'_>) {
        self.skipped = match heading {
            Heading::Section(name) if name.eq_ignore_ascii_case("puzzle") => {
                self.sectioned = true;
                None
            }
            // A file that names its puzzles has other things under other names.
            Heading::Section(name) => {
                let known = ["state", "pencilmarks"].contains(&name.to_ascii_lowercase().as_str());
                (self.sectioned || known).then_some(0)
            }
            Heading::Title => None,
        };
    }

    /// At an opening bracket.
    fn json(&mut self) -> Item {
        self.skipped = None;
        self.cursor.note_column();
        let start = self.cursor;
        let item = json::open_list(&mut self.cursor).and_then(|is_list| {
            if is_list {
                self.next = Next::OfList;
            }
            json::puzzle(&mut self.cursor)
        });
        self.recovered(item, start)
    }

    /// In a JSON array of grids: the next one, if there is one.
    fn next_of_list(&mut self) -> Option<Item> {
        match json::next_of_list(&mut self.cursor) {
            Ok(true) => {
                self.cursor.note_column();
                let start = self.cursor;
                let item = json::puzzle(&mut self.cursor);
                Some(self.recovered(item, start))
            }
            Ok(false) => {
                self.next = Next::Line;
                None
            }
            Err(error) => {
                self.next = Next::Line;
                if self.cursor.peek() != Some(b'[') {
                    self.cursor.next_line(0);
                }
                Some(Err(error))
            }
        }
    }

    /// After an error in JSON: the next puzzle in JSON, if there is one.
    fn more_json(&mut self) -> Option<Item> {
        json::skip_rows(&mut self.cursor);
        match json::opening(self.cursor) {
            Some(bracket) => {
                self.cursor = bracket;
                Some(self.json())
            }
            None => {
                self.next = Next::Line;
                None
            }
        }
    }

    /// An item that was read in JSON from `start` on. After an error, goes to where the next one may begin.
    fn recovered(&mut self, item: Item, start: Cursor<'a>) -> Item {
        if item.is_err() {
            self.cursor = json::recover(start, self.cursor);
            self.next = Next::Json;
        }
        item
    }

    /// At the end of the input.
    fn end(&mut self) -> Option<Item> {
        self.flush().or_else(|| {
            let line = self.first_text.take_if(|_| !self.seen)?;
            Some(Err(ParseError { line, column: 1, kind: ParseErrorKind::NoPuzzle }))
        })
    }

    /// Ends the puzzle of several lines.
    fn flush(&mut self) -> Option<Item> {
        self.partial.take().map(Partial::finish)
    }
}

/// A puzzle of several lines, as far as it has been read.
#[derive(Clone)]
struct Partial {
    /// Its first line.
    line: usize,
    cells: [Option<Digit>; 81],
    count: usize,
    /// The first thing that is wrong with it.
    fault: Option<ParseError>,
    /// There are blanks that are not dashes.
    blanks_seen: bool,
    /// The lines of nine cells.
    rows: usize,
    /// The other lines, and the error that the first of them is if the puzzle is written in rows.
    odd: usize,
    first_odd: Option<ParseError>,
}

impl Partial {
    fn new(line: usize) -> Self {
        Self {
            line,
            cells: [None; 81],
            count: 0,
            fault: None,
            blanks_seen: false,
            rows: 0,
            odd: 0,
            first_odd: None,
        }
    }

    /// Adds the cells of a line, `odd` being the error if it should have nine and has not. Returns whether the puzzle
    /// is complete, rightly or wrongly.
    fn add(
        &mut self,
        cells: &[Option<Digit>],
        count: usize,
        fault: Option<ParseError>,
        odd: ParseError,
    ) -> bool {
        let room = &mut self.cells[self.count.min(81)..];
        let fits = room.len().min(count);
        room[..fits].copy_from_slice(&cells[..fits]);
        self.count += count;
        self.fault = self.fault.take().or(fault);
        if count == 9 {
            self.rows += 1;
        } else {
            self.odd += 1;
            self.first_odd.get_or_insert_with(|| odd.clone());
        }
        if self.count == 81 {
            return true;
        }
        // Nine lines, nearly all of nine cells, are a puzzle of which a line is too short or too long; the next line
        // begins another one.
        if self.rows + self.odd == 9 && self.rows >= 7 {
            self.fault = self.fault.take().or(self.first_odd.take());
            return true;
        }
        if self.count > 81 && self.fault.is_none() {
            self.fault = Some(ParseError { kind: ParseErrorKind::CellCount(self.count), ..odd });
        }
        false
    }

    fn finish(self) -> Item {
        match self.fault {
            Some(error) => Err(error),
            None if self.count == 81 => Ok(Record { line: self.line, grid: Grid::classic(self.cells) }),
            None => {
                Err(ParseError { line: self.line, column: 1, kind: ParseErrorKind::Incomplete(self.count) })
            }
        }
    }
}

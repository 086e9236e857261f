//! From text to puzzles: any number of them in an input, in any mix of the usual forms, one record each.
//!
//! # Sizes
//!
//! The size of a grid is told from its cells: a line of *n*² cells is a puzzle, and so are *n* lines of *n* cells, for
//! *n* = 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25, 28, 30, 32, 35, 36, 40, 42, 48, 49, 56 and 64. Boxes are
//! those that a frame draws, or else those of [`Geometry::of_size`]; [`Records::of_shape`] insists on others, and on other sizes.
//!
//! Lines of 16, 36 or 64 cells may be small puzzles or rows of large ones: they are puzzles if their digits allow it
//! (1 to 4 in lines of 16), unless they are as many as make grids and one of them has no given. A proper puzzle has all
//! its digits but one, so that no proper puzzle is taken for others.
//!
//! # Digits and blanks
//!
//! A blank is `.`, `0`, `_`, `*`, `-`, `?`, and `x` or `X` where it is no digit. Digits above nine are written in one of
//! these ways, which is told from all cells of a grid, and kept as [`Puzzle::alphabet`]:
//!
//! - 1 to 9, then A to Z for 10 to 35, a to z for 36 to 61, and `@`, `$`, `%`; up to 35 digits small letters are as good
//!   as capital ones.
//! - A for 1, B for 2 and so on (up to Z for 26), if there are letters and none of 1 to 9.
//! - 0 for 1, 1 for 2, A for 11 and so on, if there are zeros, another blank, and not the last digit of the first way (or
//!   if a grid of more than nine digits is full and has a 0 in each row). With the last digit, zeros and another blank
//!   it is an error. Up to nine digits a zero is always a blank.
//! - Numbers between blanks, commas, semicolons or tabs, also in a frame; `-1` for a blank too, and nothing between two
//!   commas or tabs. Zeros as above.
//!
//! # Forms
//!
//! - **One character a cell**, on one line or on several, with or without a frame (`|`, `+`, `-`, spaces, box-drawing
//!   characters) around rows and boxes: `.sdm`, `.sdk`, `.ss`, SadMan. A line with a `+`, or of dashes only when they are
//!   not as many as a row has cells, belongs to the frame. A line of 40 or more cells that is no row is one puzzle, right
//!   or wrong, so that a batch never loses step after a bad line; what follows such a line's cells after a blank, a comma,
//!   a semicolon or a `#` is not read, nor is what stands before a puzzle of 81 or more cells, as in HoDoKu's library or
//!   an address with `bd=`. In a frame, spaces may be blanks, up to nine digits. Other lines add up to 81
//!   cells, or to all cells of another size.
//! - **Candidates**: in each cell the digits that it may have, in ascending order, as HoDoKu and Simple Sudoku write
//!   them. One alone is the cell's digit; others [restrict](Puzzle::candidates) the solutions. Or all on a line of *n*³
//!   characters: for each cell and digit that digit, or a blank where the cell cannot have it. Lines of HoDoKu's library
//!   that tell placed digits (`+`) and candidates that are ruled out are read with them.
//! - **JSON**: an array of rows of numbers (0, -1 or `null` for a blank) or of strings (`"."`, `"0"`, `" "`, `""` and so on
//!   for a blank), an array of such arrays, a flat array of all cells; an array of strings, each a puzzle or a row, or of
//!   such arrays; an object, or an array of objects, with any of these or a text under a name like those of tables, at any
//!   depth.
//! - **Tables**: a line of names parted by commas, semicolons or tabs, of which one is `puzzle`, `quizzes`, `question`,
//!   `board`, `grid` or the like, then a row for each puzzle, with quotation marks or without. Columns that are called as
//!   the fields of [`Notes`] are its notes.
//! - **OpenSudoku**: XML with an element `game` for each puzzle; of games that have been played, the givens.
//! - **Variants**: files with sections such as `rules:`, `regions:` and `cages:`; see [`variant`](crate::variant).
//!
//! A blank line or a heading (`Grid 01`) ends a record. Lines that begin with `#`, and words after `;` or `//`, are comments;
//! of those before a grid, `#A`, `#D`, `#C`, `#B`, `#S`, `#L` and `#U` are its [`Notes`]. Of a file with sections (`[Puzzle]`,
//! `[State]`), those named `Puzzle` are read. Line ends of all kinds, a byte order mark and a missing last line end are
//! fine. UTF-16 is an error, with a place and a word of what was expected, as is all else that is no puzzle. Nothing is read
//! as another grid than it is.

mod block;
mod cursor;
mod error;
mod json;
mod objects;
mod position;
mod scan;
mod table;
#[cfg(test)]
mod tests;
mod texts;
mod xml;

use core::ops::ControlFlow;
use std::collections::VecDeque;

use self::block::{Block, Row};
use self::cursor::Cursor;
pub(crate) use self::cursor::with_line_feeds;
pub use self::error::{ParseError, ParseErrorKind};
use self::scan::{Around, Heading, Line, Token};
use self::table::{Columns, Table};
use self::xml::Games;
use crate::alphabet::{self, Survey};
use crate::puzzle::Notes;
use crate::variant::{Documents, is_variant};
use crate::{Geometry, Grid, Puzzle};

/// A puzzle of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The puzzle.
    pub puzzle: Puzzle,
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
/// assert_eq!(all[2].as_ref().map(|record| record.puzzle.grid.given_count()), Ok(21));
/// ```
pub fn records(input: &[u8]) -> Records<'_> {
    Records {
        cursor: Cursor::new(input),
        block: Block::new(),
        notes: None,
        file: None,
        read: VecDeque::new(),
        shape: None,
        skipped: None,
        sectioned: false,
        next: Next::Start,
        first_text: None,
        seen: false,
    }
}

/// The only puzzle of an input.
pub(crate) fn only(input: &[u8]) -> Result<Record, ParseError> {
    only_of(input, None)
}

/// The only puzzle of an input, of a shape if there is one.
pub(crate) fn only_of(input: &[u8], shape: Option<Geometry>) -> Result<Record, ParseError> {
    let mut all = records(input).of_shape(shape);
    let none = || ParseError { line: 1, column: 1, kind: ParseErrorKind::NoPuzzle };
    let first = all.next().ok_or_else(none)??;
    match all.next() {
        None => Ok(first),
        Some(Ok(second)) => {
            Err(ParseError { line: second.line, column: 1, kind: ParseErrorKind::SecondPuzzle })
        }
        Some(Err(error)) => Err(error),
    }
}

/// The shape whose candidates are so many: *n*³ for *n* digits.
fn cube(count: usize, shape: Option<Geometry>) -> Option<Geometry> {
    let mut sizes = 2..=Geometry::MAX_SIZE;
    let size = sizes.find(|size| size.pow(3) >= count).filter(|size| size.pow(3) == count)?;
    shape.filter(|shape| shape.size() == size).or_else(|| Geometry::usual(size).filter(|_| shape.is_none()))
}

/// Where bytes have what is at an offset of the text that they are shown as, with replacement characters.
fn offset_in(bytes: &[u8], shown: usize) -> usize {
    let (mut left, mut offset) = (shown, 0);
    for chunk in bytes.utf8_chunks() {
        if left <= chunk.valid().len() {
            return offset + left;
        }
        offset += chunk.valid().len();
        let Some(behind) = left.checked_sub(chunk.valid().len() + char::REPLACEMENT_CHARACTER.len_utf8())
        else {
            return offset;
        };
        (left, offset) = (behind, offset + chunk.invalid().len());
    }
    offset
}

/// The same for all offsets.
fn offsets_in(bytes: &[u8]) -> Vec<usize> {
    let mut all = Vec::with_capacity(bytes.len());
    let mut offset = 0;
    for chunk in bytes.utf8_chunks() {
        let end = offset + chunk.valid().len();
        all.extend(offset..end);
        offset = end + chunk.invalid().len();
        if !chunk.invalid().is_empty() {
            all.extend([end; char::REPLACEMENT_CHARACTER.len_utf8()]);
        }
    }
    all
}

/// The iterator that [`records`] returns.
pub struct Records<'a> {
    cursor: Cursor<'a>,
    /// The lines of cells that have been read and not returned.
    block: Block<'a>,
    /// What has been said about the next puzzle.
    notes: Option<Box<Notes>>,
    /// The table or the XML file that the rest of the input is.
    file: Option<Box<File<'a>>>,
    /// What was read at once and has not been returned.
    read: VecDeque<Item>,
    /// The shape that all puzzles have to have.
    shape: Option<Geometry>,
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

/// What another parser reads to the end.
enum File<'a> {
    Table(Table<'a>),
    Games(Games<'a>),
    Variants(Documents),
}

/// What a column or a member is called that holds a puzzle.
const PUZZLES: [&str; 12] = [
    "puzzle",
    "puzzles",
    "quiz",
    "quizzes",
    "question",
    "questions",
    "sudoku",
    "board",
    "grid",
    "unsolved",
    "problem",
    "givens",
];

/// What is expected next in the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The very beginning.
    Start,
    /// A line, of any kind.
    Line,
    /// After a JSON object: another one, or what closes them.
    Object,
    /// A row of a table, or a game.
    File,
    /// Nothing.
    End,
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
            if let Some(item) = self.read.pop_front() {
                break Some(item);
            }
            if self.block.ended {
                match self.block.next_item(self.shape) {
                    Some(item) => break Some(item),
                    None => continue,
                }
            }
            let item = match self.next {
                Next::Start => self.start(),
                Next::Object => self.next_object(),
                Next::File => self.next_of_file(),
                Next::End => break None,
                Next::OfList => self.next_of_list(),
                Next::Json => self.more_json(),
                Next::Line => match self.one_line() {
                    Some(record) => Some(Ok(record)),
                    None if self.block.ended => None,
                    None if self.cursor.peek().is_none() => {
                        self.end_block();
                        if self.block.ended {
                            continue;
                        }
                        break self.end();
                    }
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
    /// Takes all puzzles for ones of this shape: any other number of cells is an error, and so are numbers of cells that
    /// could be told without a word.
    ///
    /// ```
    /// use dlx_sudoku::{Geometry, records};
    ///
    /// let tall = Geometry::new(3, 2)?;
    /// let record = records(&[b'.'; 36]).of_shape(tall).next();
    /// assert_eq!(record.map(|record| record.map(|record| record.puzzle.grid.geometry())), Some(Ok(tall)));
    /// # Ok::<(), dlx_sudoku::GeometryError>(())
    /// ```
    #[must_use]
    pub fn of_shape(mut self, shape: impl Into<Option<Geometry>>) -> Self {
        self.shape = shape.into();
        self
    }

    /// At the beginning: an encoding or a format that the whole input is in.
    fn start(&mut self) -> Option<Item> {
        self.next = Next::Line;
        let input = self.cursor.input;
        if input.starts_with(b"\xFF\xFE") || input.starts_with(b"\xFE\xFF") {
            self.next = Next::End;
            return Some(Err(self.cursor.error(ParseErrorKind::Utf16)));
        }
        if xml::is_xml(input) {
            self.first_text = Some(1);
            self.enter_file(File::Games(Games::new(self.cursor, self.shape)));
        } else if is_variant(input) {
            self.first_text = Some(1);
            self.enter_file(File::Variants(Documents::new(input, self.shape)));
        }
        None
    }

    /// The rest of the input is for another parser.
    fn enter_file(&mut self, file: File<'a>) {
        self.file = Some(Box::new(file));
        self.next = Next::File;
    }

    /// In a table or an XML file: the next puzzle.
    fn next_of_file(&mut self) -> Option<Item> {
        let item = match self.file.as_deref_mut() {
            Some(File::Table(table)) => table.next_item(),
            Some(File::Games(games)) => games.next_item(),
            Some(File::Variants(documents)) => documents.next_item(),
            None => None,
        };
        if item.is_none() {
            if let Some(File::Games(games)) = self.file.as_deref()
                && games.end().peek().is_some()
            {
                self.cursor = games.end();
                self.file = None;
                self.next = Next::Line;
                return None;
            }
            self.next = Next::End;
            return self.end();
        }
        item
    }

    /// At a line of 81 cells, as most lines are. It ends the block above, if there is one, and is read afterwards.
    fn one_line(&mut self) -> Option<Record> {
        if self.shape.is_some_and(|shape| shape != Geometry::CLASSIC) {
            return None;
        }
        let cells = scan::one_line(self.cursor.rest())?;
        self.end_block();
        if self.block.ended {
            return None;
        }
        self.skipped = None;
        let line = self.cursor.line;
        self.cursor.next_line(cells.len());
        let mut puzzle = Puzzle::from(Grid::classic(cells));
        puzzle.notes = self.notes.take();
        Some(Record { line, puzzle })
    }

    /// Goes over what stands between JSON objects, to the next one if there is one.
    fn next_object(&mut self) -> Option<Item> {
        while matches!(self.cursor.peek(), Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b']')) {
            self.cursor.bump();
        }
        if self.cursor.peek() != Some(b'{') {
            self.next = Next::Line;
            return None;
        }
        self.skipped = None;
        match objects::puzzles(&mut self.cursor, self.shape) {
            Ok(items) => self.read = items.into(),
            Err(error) => {
                if matches!(error.kind, ParseErrorKind::Json { .. }) {
                    self.next = Next::Line;
                }
                return Some(Err(error));
            }
        }
        self.read.pop_front()
    }

    /// At an opening brace or bracket: what is in JSON there, if the block above has ended. A break, in which may be an item,
    /// if it is one.
    fn opening(&mut self) -> ControlFlow<Option<Item>> {
        let object = objects::opening(self.cursor);
        let Some(place) = object.or_else(|| json::opening(self.cursor)) else {
            return ControlFlow::Continue(());
        };
        self.end_block();
        if self.block.ended {
            return ControlFlow::Break(None);
        }
        self.first_text.get_or_insert(self.cursor.line);
        self.cursor = place;
        if object.is_none() {
            return ControlFlow::Break(self.json());
        }
        self.next = Next::Object;
        ControlFlow::Break(None)
    }

    /// At any other line: reads it. What it ends is then in the block.
    fn line(&mut self) -> Option<Item> {
        if let ControlFlow::Break(item) = self.opening() {
            return item;
        }
        let bytes = self.cursor.rest_of_line();
        let text = String::from_utf8_lossy(bytes);
        let blanks: &[char] = if self.is_tabbed(bytes) { &[' '] } else { &[' ', '\t'] };
        let line = text.trim_start_matches(blanks);
        let indent = text.len() - line.len();
        let line = line.trim_end_matches(blanks);
        if line.is_empty() {
            self.cursor.next_line(bytes.len());
            self.skipped.take_if(|lines| *lines > 0);
            self.end_block();
            return None;
        }
        if let Some(comment) = line.strip_prefix('#') {
            self.cursor.next_line(bytes.len());
            self.note(comment);
            return None;
        }
        if scan::is_remark(line) {
            self.cursor.next_line(bytes.len());
            return None;
        }
        self.first_text.get_or_insert(self.cursor.line);
        if let Some(heading) = scan::heading(line)
            && !self.is_row(line, bytes.len())
        {
            let columns = Columns::of(line);
            self.cursor.next_line(bytes.len());
            self.end_block();
            match columns {
                Some(columns) if columns.is_plain(self.cursor.rest_of_line()) => {}
                Some(columns) => {
                    let table = Table::new(columns, self.cursor.rest(), self.cursor.line, self.shape);
                    self.enter_file(File::Table(table));
                }
                None => self.enter(&heading),
            }
            return None;
        }
        if let Some(lines) = &mut self.skipped {
            *lines += 1;
            self.cursor.next_line(bytes.len());
            return None;
        }
        if let Some(puzzle) = position::read(line, self.shape) {
            self.end_block();
            return if self.block.ended { None } else { Some(self.position(puzzle, bytes, indent)) };
        }
        self.cells(bytes, line, indent);
        None
    }

    /// At a position on a line of these bytes, of which the first ones are so many blanks.
    fn position(&mut self, read: Result<Puzzle, block::Fault>, bytes: &[u8], indent: usize) -> Item {
        let line = self.cursor.line;
        let item = match read {
            Ok(puzzle) => {
                let notes = self.notes.take();
                Ok(Record { line, puzzle: Puzzle { notes, ..puzzle } })
            }
            Err((at, kind)) => Err(self.fault(bytes, offset_in(bytes, indent + at), kind)),
        };
        self.cursor.next_line(bytes.len());
        item
    }

    /// Whether tabs stand between the cells of a line, so that tabs at its ends are beside blanks.
    fn is_tabbed(&self, line: &[u8]) -> bool {
        let tabs = line.iter().filter(|&&byte| byte == b'\t').count();
        let of_row = |shape: Option<Geometry>| shape.is_some_and(|shape| shape.size() == tabs + 1);
        tabs > 2
            && of_row(self.shape.or(Geometry::usual(tabs + 1)))
            && (line.starts_with(b"\t") || line.ends_with(b"\t"))
            && (self.block.last_count() == Some(tabs + 1) || !line.trim_ascii().is_empty())
    }

    /// Whether a line that looks like a heading, of so many bytes, is cells: a puzzle of letters, or a row of letters that
    /// is as long as the line beside it and goes with it.
    fn is_row(&self, line: &str, bytes: usize) -> bool {
        let Some(count) = scan::row_length(line) else { return false };
        let cells =
            |line: &str| line.bytes().filter(|&byte| alphabet::is_symbol(byte.into())).collect::<Vec<_>>();
        let fit = |cells: &[u8], size| {
            let key = Survey::of(cells.iter().copied()).key(size, false);
            key.is_ok_and(|key| cells.iter().all(|&cell| key.cell(cell).is_some()))
        };
        let shape = |usual: Option<Geometry>| self.shape.or(usual);
        if let Some(shape) = shape(Geometry::usual_of_cells(count))
            && shape.cell_count() == count
            && fit(&cells(line), shape.size())
        {
            return true;
        }
        if shape(Geometry::usual(count)).is_none_or(|shape| shape.size() != count) {
            return false;
        }
        let below = self.line_below(bytes);
        let goes_below = scan::row_length(&below) == Some(count);
        let is_beside = self.block.last_count().map_or(goes_below, |above| above == count);
        let mut all = cells(line);
        if goes_below {
            all.extend(cells(&below));
        }
        is_beside && fit(&all, count)
    }

    /// The line below this one, of so many bytes.
    fn line_below(&self, bytes: usize) -> String {
        let mut below = self.cursor;
        below.next_line(bytes);
        String::from_utf8_lossy(below.rest_of_line()).trim().to_owned()
    }

    /// At a line of cells or of a frame, of these bytes, of which `line` is what comes after so many blanks.
    fn cells(&mut self, bytes: &[u8], line: &str, indent: usize) {
        let row = self.block.last_count().or_else(|| {
            // Only lines that may be part of a frame depend on it so early.
            let is_open = !line.bytes().any(|byte| byte.is_ascii_alphanumeric());
            if is_open { scan::row_length(&self.line_below(bytes.len())) } else { None }
        });
        let around = Around {
            row: row.unwrap_or(9),
            blanks_seen: self.block.blanks_seen,
            spaces_seen: self.block.spaces_seen,
            shape: self.shape,
        };
        let first = self.block.tokens().len();
        let mut start = self.cursor;
        start.advance(indent);
        let line_read = scan::line(line, start.position, around, self.block.tokens());
        let Line::Cells { count, grouped, fault } = line_read else {
            self.cursor.next_line(bytes.len());
            return;
        };
        if core::str::from_utf8(bytes).is_err() {
            let (at, places) = (self.cursor.position, offsets_in(bytes));
            for token in &mut self.block.tokens()[first..] {
                token.at = at + places.get(token.at - at).copied().unwrap_or(bytes.len());
            }
        }
        let is_whole = count > Geometry::MAX_SIZE;
        if is_whole && !self.block.is_empty() {
            self.block.tokens().truncate(first);
            self.block.ended = true;
            return;
        }
        let fault = fault.map(|(at, kind)| self.fault(bytes, offset_in(bytes, indent + at), kind));
        if fault.is_some() {
            self.block.tokens().truncate(first);
        }
        let tokens = first..self.block.tokens().len();
        self.block.spaces_seen |= self.block.tokens()[first..].iter().any(Token::is_blank);
        if self.block.is_empty() {
            self.block.notes = self.notes.take();
        }
        let before = self.block.total;
        self.block.push(Row { start, count, before, grouped, fault, tokens });
        self.block.blanks_seen |= line.contains(['.', '0', '_', '*', 'x', 'X', '?']);
        self.block.ended = is_whole;
        self.cursor.next_line(bytes.len());
    }

    /// Ends the block, if there is one.
    fn end_block(&mut self) {
        self.block.ended = !self.block.is_empty();
    }

    /// A comment: of those of one letter, what they say of the next puzzle.
    fn note(&mut self, comment: &str) {
        let Some(text) = comment.get(1..).map(str::trim).filter(|text| !text.is_empty()) else { return };
        let notes = self.notes.get_or_insert_default();
        let field = match comment.as_bytes()[0] {
            b'A' => &mut notes.author,
            b'D' => &mut notes.description,
            b'C' => &mut notes.comment,
            b'B' => &mut notes.date,
            b'S' => &mut notes.source,
            b'L' => &mut notes.level,
            b'U' => &mut notes.url,
            _ => {
                self.notes.take_if(|notes| **notes == Notes::default());
                return;
            }
        };
        *field = Some(text.to_owned());
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
            Heading::Title(title) => {
                self.notes = Some(Box::new(Notes { title: Some((*title).to_owned()), ..Notes::default() }));
                None
            }
        };
    }

    /// At an opening bracket.
    fn json(&mut self) -> Option<Item> {
        self.skipped = None;
        self.cursor.note_column();
        if texts::is_list(self.cursor) {
            self.next = Next::Line;
            self.read = texts::puzzles(&mut self.cursor, self.shape).into();
            return self.read.pop_front();
        }
        let start = self.cursor;
        let item = json::open_list(&mut self.cursor).and_then(|is_list| {
            if is_list {
                self.next = Next::OfList;
            }
            json::puzzle(&mut self.cursor, self.shape)
        });
        Some(self.recovered(item, start))
    }

    /// In a JSON array of grids: the next one, if there is one.
    fn next_of_list(&mut self) -> Option<Item> {
        match json::next_of_list(&mut self.cursor) {
            Ok(true) => {
                self.cursor.note_column();
                let start = self.cursor;
                let item = json::puzzle(&mut self.cursor, self.shape);
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
                self.json()
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
        let line = self.first_text.take_if(|_| !self.seen)?;
        Some(Err(ParseError { line, column: 1, kind: ParseErrorKind::NoPuzzle }))
    }
}

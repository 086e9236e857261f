//! Tables of puzzles: a line of column names, then a row for each puzzle, as CSV.

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::cursor::line_ends;
use super::{Item, PUZZLES, ParseError, ParseErrorKind, Record};
use crate::Geometry;
use crate::alphabet::is_symbol;
use crate::puzzle::Notes;

/// What the columns of a table are.
pub(super) struct Columns {
    delimiter: u8,
    names: Vec<String>,
    puzzle: usize,
}

impl Columns {
    /// The columns that a line names, if one is of puzzles.
    pub(super) fn of(line: &str) -> Option<Self> {
        let delimiter = [b',', b';', b'\t'].into_iter().find(|&byte| line.contains(char::from(byte)))?;
        let name =
            |name: &str| name.trim_matches(|c: char| c == '"' || c.is_whitespace()).to_ascii_lowercase();
        let names: Vec<_> = line.split(char::from(delimiter)).map(name).collect();
        let puzzle = PUZZLES.iter().find_map(|wanted| names.iter().position(|name| name == wanted))?;
        Some(Self { delimiter, names, puzzle })
    }

    /// Whether rows like this one are read as well without their columns: the puzzle comes first.
    pub(super) fn is_plain(&self, row: &[u8]) -> bool {
        let end = row.iter().position(|&byte| byte == self.delimiter);
        self.puzzle == 0
            && end.is_some_and(|end| {
                Geometry::usual_of_cells(end).is_some()
                    && row[..end].iter().all(|&byte| is_symbol(char::from(byte)))
            })
            && !self.names.iter().any(|name| name == "title")
    }
}

/// The rows of a table.
pub(super) struct Table<'a> {
    columns: Columns,
    text: &'a [u8],
    reader: Reader<&'a [u8]>,
    row: ByteRecord,
    /// The line that begins at an offset, or goes on there.
    line: usize,
    offset: usize,
    shape: Option<Geometry>,
}

impl<'a> Table<'a> {
    /// The rows that begin on a line.
    pub(super) fn new(columns: Columns, text: &'a [u8], line: usize, shape: Option<Geometry>) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).delimiter(columns.delimiter);
        Self {
            reader: builder.from_reader(text),
            columns,
            text,
            row: ByteRecord::new(),
            line,
            offset: 0,
            shape,
        }
    }

    /// The puzzle of the next row.
    pub(super) fn next_item(&mut self) -> Option<Item> {
        loop {
            match self.reader.read_byte_record(&mut self.row) {
                Ok(true) if self.row.len() == 1 && self.row[0].trim_ascii().is_empty() => {}
                Ok(true) => return Some(self.quote_left_open().map_or_else(|| self.item(), Err)),
                Ok(false) => return None,
                // What is read is in memory, and rows may be of any length: there is nothing that can be wrong.
                Err(_) => {
                    let kind = ParseErrorKind::NoPuzzle;
                    return Some(Err(ParseError { line: self.line, column: 1, kind }));
                }
            }
        }
    }

    /// The error if the row ends with the input, below the line on which it began, within quotation marks.
    fn quote_left_open(&self) -> Option<ParseError> {
        let start = self.row.position().map_or(0, |place| place.byte() as usize);
        let is_last = self.reader.position().byte() as usize >= self.text.len();
        let row = self.text[start..].trim_ascii();
        let marks = || row.iter().filter(|&&byte| byte == b'"').count();
        let is_open = is_last && row.iter().any(|byte| matches!(byte, b'\r' | b'\n')) && marks() % 2 == 1;
        let blank = self.text[start..].len() - self.text[start..].trim_ascii_start().len();
        let line = self.line + line_ends(self.text, self.offset..start + blank);
        is_open.then_some(ParseError { line, column: 1, kind: ParseErrorKind::Quote })
    }

    fn item(&mut self) -> Item {
        let start = self.row.position().map_or(0, |place| place.byte() as usize);
        // Lines that were skipped before the row count as part of it.
        let row = &self.text[start..];
        let blank = row.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.line += line_ends(self.text, self.offset..start + blank);
        self.offset = start + blank;
        let line = self.line;
        let cells = self.row.get(self.columns.puzzle).unwrap_or_default();
        let column = || {
            let row = &row[blank..];
            let found = row.windows(cells.len().max(1)).position(|window| window == cells).unwrap_or(0);
            let before = &row[..found];
            1 + before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
        };
        let mut puzzle = super::only_of(cells, self.shape)
            .map_err(|error| match error.line {
                1 => ParseError { line, column: column() + error.column - 1, ..error },
                below => ParseError { line: line + below - 1, ..error },
            })?
            .puzzle;
        puzzle.notes = self.notes();
        Ok(Record { line, puzzle })
    }

    /// What the other columns say, if there are columns for it.
    fn notes(&self) -> Option<Box<Notes>> {
        let mut notes = Notes::default();
        for (name, text) in self.columns.names.iter().zip(self.row.iter()) {
            let field = match name.as_str() {
                "title" | "name" => &mut notes.title,
                "author" => &mut notes.author,
                "description" => &mut notes.description,
                "comment" => &mut notes.comment,
                "date" => &mut notes.date,
                "source" => &mut notes.source,
                "level" | "difficulty" | "rating" => &mut notes.level,
                "url" => &mut notes.url,
                _ => continue,
            };
            if !text.is_empty() {
                *field = Some(String::from_utf8_lossy(text).into_owned());
            }
        }
        (notes != Notes::default()).then(|| Box::new(notes))
    }
}

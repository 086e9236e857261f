//! Files of puzzles: the formats that are in use, to be written. [`records`](crate::records) reads all of them, and tells
//! by their content which one it is.
//!
//! ```
//! use dlx_sudoku::format::Format;
//! use dlx_sudoku::{Puzzle, records};
//!
//! let puzzle: Puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! for format in Format::ALL {
//!     let file = [format.begin(), &format.puzzle(&puzzle)?, &format.puzzle(&puzzle)?, format.end()].concat();
//!     let grids = records(file.as_bytes()).flatten().map(|record| record.puzzle.grid);
//!     // All givens are there; candidates also tell the cells that have one only.
//!     let same = grids.filter(|grid| puzzle.grid.givens().all(|(cell, digit)| grid.get(cell) == Some(digit)));
//!     assert_eq!(same.count(), 2, "{file}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt::{self, Write as _};
use core::str::FromStr;

use itertools::Itertools as _;
use quick_xml::escape::escape;

use crate::puzzle::{Notes, Task};
use crate::variant::written;
use crate::{Cell, Digit, Geometry, Grid, Puzzle, why};

/// A way to write puzzles to a file.
///
/// All have a form for any size, as other programs that know the size would expect, but for
/// [`OpenSudoku`](Self::OpenSudoku) and [`Hodoku`](Self::Hodoku). Digits above nine are letters, but for
/// [`Json`](Self::Json). All keep the givens; only [`Hodoku`](Self::Hodoku), [`Pencilmarks`](Self::Pencilmarks),
/// [`Candidates`](Self::Candidates) and [`Variant`](Self::Variant) keep candidates, and only what is said there of notes is
/// kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// All cells on a line, `.` for a blank.
    Line,
    /// SudoCue's `.sdm`: all cells on a line, `0` for a blank (`.` in grids of more than nine digits).
    Sdm,
    /// SudoCue's `.sdk`: a row a line, after lines such as `#A` with its author. Keeps all notes but the title.
    Sdk,
    /// Simple Sudoku's `.ss`: a row a line, in a frame.
    Ss,
    /// SadMan Sudoku's `.sdk`: a row a line, after `[Puzzle]`.
    Sadman,
    /// OpenSudoku's XML, for up to nine digits. Keeps the comment.
    OpenSudoku,
    /// HoDoKu's library, for 9x9: a line with the cells, and the candidates that are ruled out though the givens leave them.
    Hodoku,
    /// A table with commas, as that of Kaggle's data sets: the cells, `0` for a blank (`.` in grids of more than nine
    /// digits), and all notes.
    Csv,
    /// An array of rows of numbers, 0 for a blank; a line for each puzzle.
    Json,
    /// What each cell may have, in a frame, as HoDoKu and Simple Sudoku show it. A cell with one candidate is as good as
    /// a given, and is read as one. `-` is for a cell that has none left.
    Pencilmarks,
    /// All candidates on a line: for each cell and each digit that digit, or `.` where the cell cannot have it; 729
    /// characters in 9x9. A cell with one candidate is as good as a given, and is read as one.
    Candidates,
    /// The drawing that [`Grid`] prints.
    Grid,
    /// A file of [variants](crate::variant): the grid, its rules, and candidates. Keeps the title.
    Variant,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 13] = [
        Self::Line,
        Self::Sdm,
        Self::Sdk,
        Self::Ss,
        Self::Sadman,
        Self::OpenSudoku,
        Self::Hodoku,
        Self::Csv,
        Self::Json,
        Self::Pencilmarks,
        Self::Candidates,
        Self::Grid,
        Self::Variant,
    ];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Sdm => "sdm",
            Self::Sdk => "sdk",
            Self::Ss => "ss",
            Self::Sadman => "sadman",
            Self::OpenSudoku => "opensudoku",
            Self::Hodoku => "hodoku",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Pencilmarks => "pencilmarks",
            Self::Candidates => "candidates",
            Self::Grid => "grid",
            Self::Variant => "variant",
        }
    }

    /// What comes before the first puzzle of a file.
    pub const fn begin(self) -> &'static str {
        match self {
            Self::OpenSudoku => {
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku version=\"2\">\n<folder name=\"dlx\" created=\"0\">\n"
            }
            Self::Csv => "puzzle,title,author,description,comment,date,source,level,url\n",
            _ => "",
        }
    }

    /// What comes after the last puzzle of a file.
    pub const fn end(self) -> &'static str {
        match self {
            Self::OpenSudoku => "</folder>\n</opensudoku>\n",
            _ => "",
        }
    }

    /// A puzzle as it stands in a file, with the end of its last line; a blank line too where the next puzzle needs one.
    ///
    /// # Errors
    ///
    /// If the format cannot hold the puzzle.
    pub fn puzzle(self, puzzle: &Puzzle) -> Result<String, FormatError> {
        let grid = &puzzle.grid;
        if puzzle.rules.is_some() && self != Self::Variant {
            return Err(FormatError::Rules(self));
        }
        let keeps = matches!(self, Self::Hodoku | Self::Pencilmarks | Self::Candidates | Self::Variant);
        if puzzle.restricts() && !keeps {
            return Err(FormatError::Restricted(self));
        }
        Ok(match self {
            Self::Line => format!("{}\n", grid.one_line()),
            Self::Sdm => with_zeros(grid) + "\n",
            Self::Sdk => notes(puzzle.notes.as_deref()) + &rows(grid) + "\n",
            Self::Ss => framed(grid),
            Self::Sadman => format!("[Puzzle]\n{}\n", rows(grid)),
            Self::OpenSudoku => game(puzzle)?,
            Self::Hodoku => position(puzzle)?,
            Self::Csv => table_row(puzzle),
            Self::Json => format!("{}\n", grid.json()),
            Self::Pencilmarks => pencilmarks(puzzle)?,
            Self::Candidates => candidates(puzzle)?,
            Self::Grid => format!("{grid}\n\n"),
            Self::Variant => written(puzzle).to_string(),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown format, expected one of {}", Format::ALL.iter().format(" "))
    }
}

impl core::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or(UnknownFormat)
    }
}

/// Why a format cannot hold a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// The puzzle is a variant.
    Rules(Format),
    /// The puzzle is restricted beyond its givens, and would be another one without that.
    Restricted(Format),
    /// The format has no grids of this shape.
    Size(Format, Geometry),
    /// A cell for which no candidate is left, among others that are restricted.
    NoCandidate(Cell),
    /// Pencil marks that would be read as something else: in a grid of more than nine digits all are numbers.
    Ambiguous,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(format) => {
                write!(f, "rules of a variant, which {format} cannot say, expected variant")
            }
            Self::Restricted(format) => {
                write!(
                    f,
                    "candidates that the givens leave are missing, which {format} cannot say, expected pencilmarks or candidates"
                )
            }
            Self::Size(format, geometry) => {
                let most = if *format == Format::Hodoku { "" } else { "at most " };
                write!(f, "{} rows and columns, which {format} has not, expected {most}9", geometry.size())
            }
            Self::NoCandidate(cell) => write!(f, "no candidate for {cell}, expected at least one"),
            Self::Ambiguous => {
                f.write_str("pencil marks that all look like numbers, expected a grid that can be solved")
            }
        }
    }
}

impl core::error::Error for FormatError {}

/// The cells on a line, blanks as zeros where a zero is nothing else.
fn with_zeros(grid: &Grid) -> String {
    let line = grid.one_line().to_string();
    if grid.geometry().size() <= 9 { line.replace('.', "0") } else { line }
}

/// A row a line.
fn rows(grid: &Grid) -> String {
    let mut text = String::new();
    for row in grid.cells().chunks(grid.geometry().size()) {
        text.extend(row.iter().map(|cell| cell.map_or('.', Digit::symbol)));
        text.push('\n');
    }
    text
}

/// The notes as lines of `.sdk`, each a letter and a text.
fn notes(notes: Option<&Notes>) -> String {
    let mut text = String::new();
    if let Some(notes) = notes {
        let fields = [
            ('A', &notes.author),
            ('D', &notes.description),
            ('C', &notes.comment),
            ('B', &notes.date),
            ('S', &notes.source),
            ('L', &notes.level),
            ('U', &notes.url),
        ];
        for (letter, note) in fields {
            if let Some(note) = note {
                let _ = writeln!(text, "#{letter}{}", note.split_whitespace().format(" "));
            }
        }
    }
    text
}

/// A row a line, with lines between the boxes and around them.
fn framed(grid: &Grid) -> String {
    let geometry = grid.geometry();
    let boxes = geometry.box_rows();
    let edge = format!("*{}*\n", "-".repeat(geometry.size() + boxes - 1));
    let between = format!("|{}|\n", (0..boxes).map(|_| "-".repeat(geometry.box_columns())).format("+"));
    let mut text = edge.clone();
    for (number, row) in grid.cells().chunks(geometry.size()).enumerate() {
        if number > 0 && number % geometry.box_rows() == 0 {
            text.push_str(&between);
        }
        for cells in row.chunks(geometry.box_columns()) {
            text.push('|');
            text.extend(cells.iter().map(|cell| cell.map_or('.', Digit::symbol)));
        }
        text.push_str("|\n");
    }
    text + &edge + "\n"
}

/// An element of OpenSudoku's XML.
fn game(puzzle: &Puzzle) -> Result<String, FormatError> {
    let geometry = puzzle.grid.geometry();
    if geometry.size() > 9 {
        return Err(FormatError::Size(Format::OpenSudoku, geometry));
    }
    let note = puzzle.notes.as_ref().and_then(|notes| notes.comment.as_deref()).unwrap_or_default();
    Ok(format!(
        "<game created=\"0\" state=\"1\" time=\"0\" last_played=\"0\" data=\"{}\" note=\"{}\"/>\n",
        with_zeros(&puzzle.grid),
        xml(note)
    ))
}

/// A text as XML has it: with a blank for what XML cannot have at all.
pub(crate) fn xml(text: &str) -> String {
    let is_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
    escape(text.replace(|c| !is_xml(c), " ")).into_owned()
}

/// A line of HoDoKu's library.
fn position(puzzle: &Puzzle) -> Result<String, FormatError> {
    let geometry = puzzle.grid.geometry();
    if geometry != Geometry::CLASSIC {
        return Err(FormatError::Size(Format::Hodoku, geometry));
    }
    let allowed = Task::from(puzzle).candidates();
    let gone = geometry.cells().zip(why::candidates(&puzzle.grid)).zip(allowed).flat_map(
        |((cell, free), allowed)| {
            let digits = geometry.digits().filter(move |&digit| free & !allowed & why::bit(digit) != 0);
            digits.map(move |digit| format!("{digit}{}{}", cell.row() + 1, cell.column() + 1))
        },
    );
    Ok(format!(":0000:x:{}:{}:::\n", puzzle.grid.one_line(), gone.format(" ")))
}

/// A row of a table.
fn table_row(puzzle: &Puzzle) -> String {
    let none = Notes::default();
    let notes = puzzle.notes.as_deref().unwrap_or(&none);
    let fields = [
        &notes.title,
        &notes.author,
        &notes.description,
        &notes.comment,
        &notes.date,
        &notes.source,
        &notes.level,
        &notes.url,
    ];
    let cells = with_zeros(&puzzle.grid);
    let fields = fields.map(|field| field.as_deref().unwrap_or_default());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(core::iter::once(cells.as_str()).chain(fields));
    debug_assert!(written.is_ok(), "in memory");
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// What each cell may have, the columns flush left.
fn pencilmarks(puzzle: &Puzzle) -> Result<String, FormatError> {
    let geometry = puzzle.grid.geometry();
    let size = geometry.size();
    let sets = Task::from(puzzle).candidates();
    let marks: Vec<String> = sets.iter().map(|&set| marks(set, geometry)).collect();
    // A cell without candidates is read as one with all that the givens leave, which is not the same if it had some.
    if puzzle.restricts()
        && let Some((cell, _)) = geometry.cells().zip(&sets).find(|&(_, &set)| set == 0)
    {
        return Err(FormatError::NoCandidate(cell));
    }
    let is_number = |mark: &String| mark.parse::<usize>().is_ok_and(|number| number <= size) || mark == "-";
    if size > 9 && marks.iter().any(|mark| mark.len() > 1) && marks.iter().all(is_number) {
        return Err(FormatError::Ambiguous);
    }
    let widths: Vec<_> = (0..size)
        .map(|column| marks.iter().skip(column).step_by(size).map(String::len).max().unwrap_or(0))
        .collect();
    let rule = widths
        .chunks(geometry.box_columns())
        .map(|widths| "-".repeat(widths.iter().map(|width| width + 1).sum::<usize>() + 1));
    let rule = format!("+{}+\n", rule.format("+"));
    let mut text = String::new();
    for (number, row) in marks.chunks(size).enumerate() {
        if number % geometry.box_rows() == 0 {
            text.push_str(&rule);
        }
        for (column, (mark, width)) in row.iter().zip(&widths).enumerate() {
            let edge = if column % geometry.box_columns() == 0 { "| " } else { "" };
            let _ = write!(text, "{edge}{mark:<width$} ");
        }
        text.push_str("|\n");
    }
    Ok(text + &rule + "\n")
}

/// What each cell may have, on a line.
fn candidates(puzzle: &Puzzle) -> Result<String, FormatError> {
    let geometry = puzzle.grid.geometry();
    let sets = Task::from(puzzle).candidates();
    // Where they may be the cells of a larger grid, they are read as candidates if no cell is without.
    let none = geometry.cells().zip(&sets).find(|&(_, &set)| set == 0);
    if let Some((cell, _)) = none.filter(|_| Geometry::usual_of_cells(geometry.size().pow(3)).is_some()) {
        return Err(FormatError::NoCandidate(cell));
    }
    let marks = sets.iter().flat_map(|&set| {
        geometry.digits().map(move |digit| if set & why::bit(digit) != 0 { digit.symbol() } else { '.' })
    });
    Ok(marks.chain(['\n']).collect())
}

/// A set of digits as pencil marks.
fn marks(set: u64, geometry: Geometry) -> String {
    let digits = geometry.digits().filter(|&digit| set & why::bit(digit) != 0);
    if set == 0 { "-".to_owned() } else { digits.map(Digit::symbol).collect() }
}

//! Rules as text: the sections of a file of variants, read and written. The [module](super) tells their form.

use core::fmt;

use itertools::{Itertools, iproduct};
use memchr::{memchr, memchr2, memrchr2};

use super::{Rule, Rules, RulesError};
use crate::parse::{ParseError, ParseErrorKind, Record, only_of, with_line_feeds};
use crate::puzzle::Candidates;
use crate::{Alphabet, Cell, Digit, Geometry, Grid, Puzzle, why};

/// A line and a column, from 1.
type Place = (usize, usize);

/// An error at a place.
fn error((line, column): Place, wrong: RulesError) -> ParseError {
    ParseError { line, column, kind: ParseErrorKind::Rules(wrong) }
}

/// A section of a file of variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section<'a> {
    Puzzle,
    Grid,
    Size,
    Rules,
    Regions,
    Cages,
    Grids,
    /// `odd`, `even` or `only` and digits.
    Digits(&'a str),
}

/// The section that a line begins, and what else is on the line.
fn section(line: &str) -> Option<(Section<'_>, &str)> {
    let (word, rest) = line.split_once(':')?;
    let section = match word.trim_end() {
        "puzzle" => Section::Puzzle,
        "grid" => Section::Grid,
        "size" => Section::Size,
        "rules" => Section::Rules,
        "regions" => Section::Regions,
        "cages" => Section::Cages,
        "grids" => Section::Grids,
        "odd" | "even" => Section::Digits(word.trim_end()),
        "only" => Section::Digits(""),
        only if only.starts_with("only ") => Section::Digits(only[5..].trim()),
        _ => return None,
    };
    Some((section, rest))
}

/// Whether an input is of variants: it has a section that other files have not.
pub(crate) fn is_variant(input: &[u8]) -> bool {
    let begins_section = |line: &[u8]| {
        matches!(line.first(), Some(b'r' | b'c' | b'g' | b'o' | b'e' | b's'))
            && core::str::from_utf8(line).ok().and_then(section).is_some_and(|(it, _)| it != Section::Grid)
    };
    // Few lines have a colon, and each is looked at once.
    let mut rest = input;
    while let Some(colon) = memchr(b':', rest) {
        let begin = memrchr2(b'\r', b'\n', &rest[..colon]).map_or(0, |end| end + 1);
        let end = memchr2(b'\r', b'\n', &rest[colon..]).map_or(rest.len(), |length| colon + length);
        if begins_section(&rest[begin..end]) {
            return true;
        }
        rest = &rest[end..];
    }
    false
}

fn is_comment(line: &str) -> bool {
    line == "#" || line.starts_with("# ") || line.starts_with("#\t")
}

/// The words of a line, with their places.
fn words((line, column): Place, text: &str) -> impl Iterator<Item = (Place, &str)> {
    let start = text.as_ptr() as usize;
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(move |word| {
        let before = &text[..word.as_ptr() as usize - start];
        ((line, column + before.chars().count()), word)
    })
}

/// What a text says of rules, before it is known of which grid.
///
/// ```
/// use dlx_sudoku::variant::Statement;
/// use dlx_sudoku::{Puzzle, is_unique};
///
/// let mut statement = Statement::default();
/// statement.read_rules("x, anti-knight")?;
/// statement.read_cages("7: r1c1 r1c2\n5 = r2c1-r3c1")?;
/// let mut puzzle: Puzzle = "................".parse()?;
/// statement.apply(&mut puzzle)?;
/// assert!(puzzle.restricts() && !is_unique(&puzzle));
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Statement {
    size: Option<Geometry>,
    rules: Vec<(Place, Rule)>,
    grids: Option<(Place, Vec<(usize, usize)>)>,
    /// The rows of letters.
    regions: Vec<(Place, String)>,
    cages: Vec<(Place, u32, Vec<Cells>)>,
    digits: Vec<(Place, String, Vec<Cells>)>,
}

/// A cell, or the first and the last one of a rectangle: rows and columns from 1.
#[derive(Clone, Copy, Debug)]
struct Cells {
    place: Place,
    first: (usize, usize),
    last: (usize, usize),
}

impl Cells {
    fn read(place: Place, word: &str) -> Result<Self, ParseError> {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let cell = |text: &str| {
            let (row, column) = text.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
            Some((row.parse().ok()?, column.parse().ok()?))
        };
        let cells = cell(first).zip(cell(last)).map(|(first, last)| Self { place, first, last });
        cells.ok_or_else(|| error(place, RulesError::NotACell(word.to_owned())))
    }

    /// The cells, if they are in such rules.
    fn of(self, rules: &Rules) -> Result<Vec<Cell>, ParseError> {
        let canvas = rules.canvas();
        let cell = |(row, column): (usize, usize)| {
            let cell = row.checked_sub(1).zip(column.checked_sub(1));
            let cell = cell.and_then(|(row, column)| canvas.cell(row, column));
            let cell = cell.filter(|&cell| rules.is_cell(cell));
            cell.ok_or_else(|| error(self.place, RulesError::NoCell { row, column }))
        };
        let (first, last) = (cell(self.first)?, cell(self.last)?);
        let ordered = |one: usize, other: usize| one.min(other) + 1..=one.max(other) + 1;
        let (rows, columns) = (ordered(first.row(), last.row()), ordered(first.column(), last.column()));
        iproduct!(rows, columns).map(cell).collect()
    }
}

impl Statement {
    /// Adds the names of rules, as after `rules:`.
    ///
    /// # Errors
    ///
    /// A name that is none.
    pub fn read_rules(&mut self, text: &str) -> Result<(), ParseError> {
        self.read(Section::Rules, text)
    }

    /// Adds regions, as after `regions:`; that word may be there.
    ///
    /// # Errors
    ///
    /// What is wrong with a line.
    pub fn read_regions(&mut self, text: &str) -> Result<(), ParseError> {
        self.read(Section::Regions, text)
    }

    /// Adds cages, as after `cages:`; that word may be there.
    ///
    /// # Errors
    ///
    /// What is wrong with a line.
    pub fn read_cages(&mut self, text: &str) -> Result<(), ParseError> {
        self.read(Section::Cages, text)
    }

    /// The size that regions tell, which is the number of their rows.
    pub fn size(&self) -> Option<Geometry> {
        self.size.or_else(|| Geometry::of_size(self.regions.len()).ok())
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        let parts = [self.rules.len(), self.regions.len(), self.cages.len(), self.digits.len()];
        parts == [0; 4] && self.size.is_none() && self.grids.is_none()
    }

    /// Reads lines that begin in a section.
    fn read(&mut self, section: Section<'_>, text: &str) -> Result<(), ParseError> {
        let (text, mut now) = (with_line_feeds(text), section);
        for (number, line) in text.lines().enumerate() {
            now = self.line(now, (number + 1, 1), line)?;
        }
        Ok(())
    }

    /// Reads a line, and returns the section that it is in. Lines of the grid and of the puzzle's name are nothing here.
    fn line<'a>(&mut self, now: Section<'a>, place: Place, line: &'a str) -> Result<Section<'a>, ParseError> {
        if is_comment(line) {
            return Ok(now);
        }
        let Some((section, rest)) = section(line) else {
            return self.content(now, place, line).map(|()| now);
        };
        let column = 1 + line[..line.len() - rest.len()].chars().count();
        self.content(section, (place.0, column), rest)?;
        Ok(section)
    }

    fn content(&mut self, section: Section<'_>, place: Place, text: &str) -> Result<(), ParseError> {
        let mut words = words(place, text).peekable();
        let Some(&(first, _)) = words.peek() else { return Ok(()) };
        match section {
            Section::Puzzle | Section::Grid => {}
            Section::Size => {
                for (place, word) in words {
                    let size = size(word).ok_or_else(|| error(place, RulesError::Size(word.to_owned())))?;
                    self.size = Some(size);
                }
            }
            Section::Rules => {
                for (place, word) in words {
                    self.rules.push((place, word.parse().map_err(|wrong| error(place, wrong))?));
                }
            }
            Section::Regions => self.regions.push((first, words.map(|(_, word)| word).join(""))),
            Section::Cages => self.read_cage_line(place, text)?,
            Section::Grids => {
                let (_, corners) = self.grids.get_or_insert((first, Vec::new()));
                for (place, word) in words {
                    match word {
                        "samurai" => corners.extend(Rules::SAMURAI),
                        _ => corners.push(corner(Cells::read(place, word)?)?),
                    }
                }
            }
            Section::Digits(digits) => {
                let cells = words.map(|(place, word)| Cells::read(place, word)).collect::<Result<_, _>>()?;
                self.digits.push((place, digits.to_owned(), cells));
            }
        }
        Ok(())
    }

    /// Reads cages with `;` between them.
    fn read_cage_line(&mut self, (line, mut column): Place, text: &str) -> Result<(), ParseError> {
        for cage in text.split(';') {
            let at = column + cage.chars().take_while(|c| c.is_whitespace()).count();
            if !cage.trim().is_empty() {
                let parts = cage.split_once([':', '=']);
                let sum = parts.and_then(|(sum, cells)| Some((sum.trim().parse().ok()?, sum, cells)));
                let (sum, before, cells) = sum.ok_or_else(|| error((line, at), RulesError::NoSum))?;
                let cells = words((line, column + before.chars().count() + 1), cells);
                let cells = cells.map(|(place, word)| Cells::read(place, word)).collect::<Result<_, _>>()?;
                self.cages.push(((line, at), sum, cells));
            }
            column += cage.chars().count() + 1;
        }
        Ok(())
    }

    /// Adds what is said to a puzzle.
    ///
    /// # Errors
    ///
    /// What does not go with the puzzle, with its place in the text that said it.
    pub fn apply(&self, puzzle: &mut Puzzle) -> Result<(), ParseError> {
        let before = puzzle.rules.take();
        let plain = Rules::new(puzzle.grid.geometry());
        let mut rules = before.map_or_else(|| plain.clone(), |rules| (*rules).clone());
        for &(place, rule) in &self.rules {
            rules = rules.rule(rule).map_err(|wrong| error(place, wrong))?;
        }
        rules = self.apply_regions(rules)?;
        for (place, sum, cells) in &self.cages {
            let mut all = Vec::new();
            for cells in cells {
                let more = cells.of(&rules)?;
                if let Some(&twice) = more.iter().find(|cell| all.contains(*cell)) {
                    return Err(error(cells.place, RulesError::CellTwice(twice)));
                }
                all.extend(more);
            }
            rules = rules.cage(*sum, &all).map_err(|wrong| error(*place, wrong))?;
        }
        self.apply_digits(&rules, &mut puzzle.candidates)?;
        puzzle.rules = (rules != plain).then(|| rules.into());
        Ok(())
    }

    fn apply_regions(&self, rules: Rules) -> Result<Rules, ParseError> {
        let Some(&(place, _)) = self.regions.first() else { return Ok(rules) };
        if !rules.has_many_grids() {
            let expected = rules.shape().size();
            for (place, row) in &self.regions {
                let found = row.chars().count();
                if found != expected {
                    return Err(error(*place, RulesError::CanvasRow { found, expected }));
                }
            }
        }
        let letters: Vec<_> = self.regions.iter().flat_map(|(_, row)| row.chars()).collect();
        rules.regions(&letters).map_err(|wrong| {
            let begins = |letter: &char| self.regions.iter().find(|(_, row)| row.contains(*letter));
            match &wrong {
                RulesError::Region { letter, .. } => error(begins(letter).map_or(place, |row| row.0), wrong),
                _ => error(place, wrong),
            }
        })
    }

    fn apply_digits(&self, rules: &Rules, candidates: &mut Option<Candidates>) -> Result<(), ParseError> {
        for (place, digits, cells) in &self.digits {
            let is_allowed = |digit: Digit| match digits.as_str() {
                "odd" => !digit.get().is_multiple_of(2),
                "even" => digit.get().is_multiple_of(2),
                some => some.contains(digit.symbol()),
            };
            let is_digit = |symbol: char| rules.shape().digits().any(|digit| digit.symbol() == symbol);
            if !matches!(digits.as_str(), "odd" | "even")
                && let Some(wrong) = digits.chars().find(|&symbol| !is_digit(symbol) && symbol != ' ')
            {
                return Err(error((place.0, 1), RulesError::Digit(wrong)));
            }
            let all = candidates.get_or_insert_with(|| Candidates::all(rules.canvas()));
            for cells in cells {
                for cell in cells.of(rules)? {
                    let others = rules.canvas().digits().filter(|&digit| !is_allowed(digit));
                    others.for_each(|digit| all.exclude(cell, digit));
                }
            }
        }
        Ok(())
    }
}

/// The corner that stands for a grid, from 0.
fn corner(cells: Cells) -> Result<(usize, usize), ParseError> {
    let (row, column) = cells.first;
    let corner = row.checked_sub(1).zip(column.checked_sub(1)).filter(|_| cells.first == cells.last);
    corner.ok_or_else(|| error(cells.place, RulesError::NoGrid))
}

/// A size: a number of rows, or the rows and columns of a box. From 6x6 on, a square is the grid, as for `--size`.
fn size(word: &str) -> Option<Geometry> {
    if let Ok(rows) = word.parse() {
        return Geometry::of_size(rows).ok();
    }
    let (rows, columns) = word.split_once(['x', 'X'])?;
    let (rows, columns): (u8, u8) = (rows.parse().ok()?, columns.parse().ok()?);
    if rows == columns && rows > 5 {
        return Geometry::of_size(rows.into()).ok();
    }
    Geometry::new(rows, columns).ok()
}

/// The puzzles of a file of variants.
pub(crate) struct Documents {
    text: String,
    /// The offset and the number of the next line.
    position: usize,
    line: usize,
    shape: Option<Geometry>,
}

impl Documents {
    /// `shape` is that of all puzzles, if it is known.
    pub(crate) fn new(input: &[u8], shape: Option<Geometry>) -> Self {
        Self {
            text: with_line_feeds(&String::from_utf8_lossy(input)).into_owned(),
            position: 0,
            line: 1,
            shape,
        }
    }

    /// The next puzzle.
    pub(crate) fn next_item(&mut self) -> Option<Result<Record, ParseError>> {
        let mut document = Document::default();
        let (mut now, mut failed) = (Section::Grid, None);
        while self.position < self.text.len() {
            let rest = &self.text[self.position..];
            let line = rest.split_inclusive('\n').next().unwrap_or(rest);
            let content = line.trim_end();
            let begins = section(content).map(|(section, _)| section);
            if begins == Some(Section::Puzzle) && document.line.is_some() {
                break;
            }
            if failed.is_none() {
                match document.read(now, self.line, content) {
                    Ok(section) => now = section,
                    Err(error) => failed = Some(error),
                }
            }
            self.position += line.len();
            self.line += 1;
        }
        let begins = document.line?;
        Some(
            failed
                .map_or_else(|| document.puzzle(self.shape), Err)
                .map(|puzzle| Record { line: begins, puzzle }),
        )
    }
}

/// A puzzle of a file of variants, in the making.
#[derive(Default)]
struct Document {
    /// The first line that is neither blank nor a comment.
    line: Option<usize>,
    title: Option<String>,
    statement: Statement,
    /// The lines of the grid, and the number of the first one.
    grid: String,
    grid_line: usize,
}

impl Document {
    /// Reads a line, and returns the section that it is in.
    fn read<'a>(&mut self, now: Section<'a>, line: usize, text: &'a str) -> Result<Section<'a>, ParseError> {
        if text.trim().is_empty() || is_comment(text) {
            return Ok(now);
        }
        self.line.get_or_insert(line);
        match section(text) {
            Some((Section::Grid, _)) if !self.grid.is_empty() => {
                Err(ParseError { line, column: 1, kind: ParseErrorKind::SecondPuzzle })
            }
            Some((section @ Section::Grid, rest)) => {
                self.add_row(line, rest);
                Ok(section)
            }
            Some((Section::Puzzle, rest)) => {
                self.title = Some(rest.trim().to_owned()).filter(|title| !title.is_empty());
                Ok(Section::Grid)
            }
            None if now == Section::Grid => {
                self.add_row(line, text);
                Ok(now)
            }
            _ => self.statement.line(now, (line, 1), text),
        }
    }

    /// Adds a line of the grid. Lines left out are comments, so that the numbers of the others are as they were.
    fn add_row(&mut self, line: usize, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if self.grid.is_empty() {
            self.grid_line = line;
        }
        let missing = line - self.grid_line - self.grid.matches('\n').count();
        self.grid.extend(core::iter::repeat_n("#\n", missing));
        self.grid.push_str(text);
        self.grid.push('\n');
    }

    /// The puzzle that has been read. `shape` is what it has to be, if that is known.
    fn puzzle(self, shape: Option<Geometry>) -> Result<Puzzle, ParseError> {
        let known = self.statement.size.or(shape).or(self.statement.size()).or_else(|| self.latin_size());
        let mut puzzle = match &self.statement.grids {
            Some((place, corners)) => {
                let shape = known.unwrap_or_default();
                let rules = Rules::overlapping(shape, corners).map_err(|wrong| error(*place, wrong))?;
                let grid = self.canvas(&rules)?;
                Puzzle { rules: Some(rules.into()), ..Puzzle::from(grid) }
            }
            None if self.grid.is_empty() => Puzzle::from(Grid::empty(known.unwrap_or_default())),
            None => {
                let only = only_of(self.grid.as_bytes(), known);
                only.map_err(|error| ParseError { line: error.line + self.grid_line - 1, ..error })?.puzzle
            }
        };
        if let Some(title) = self.title {
            puzzle.notes.get_or_insert_default().title = Some(title);
        }
        self.statement.apply(&mut puzzle)?;
        Ok(puzzle)
    }

    /// The size of a Latin square that has its rows on lines, or all cells on one: any number of digits will do.
    fn latin_size(&self) -> Option<Geometry> {
        let is_latin = self.statement.rules.iter().any(|&(_, rule)| rule == Rule::Latin);
        let rows: Vec<_> = self.grid.lines().filter(|line| !is_comment(line)).collect();
        let cells = |row: &&str| row.chars().filter(|c| !c.is_whitespace()).count();
        let size = match rows[..] {
            [line] => cells(&line).isqrt(),
            _ => rows.len(),
        };
        let fits = is_latin && rows.iter().all(|row| [size, size * size].contains(&cells(row)));
        Geometry::of_size(size).ok().filter(|_| fits)
    }

    /// The givens of several grids, a character a cell.
    fn canvas(&self, rules: &Rules) -> Result<Grid, ParseError> {
        let mut grid = Grid::empty(rules.canvas());
        if self.grid.is_empty() {
            return Ok(grid);
        }
        let (rows, columns) = rules.extent();
        let lines = (self.grid_line..).zip(self.grid.lines()).filter(|(_, line)| !is_comment(line));
        let found = lines.clone().count();
        if found != rows {
            return Err(error((self.grid_line, 1), RulesError::CanvasRows { found, expected: rows }));
        }
        for (row, (number, line)) in lines.enumerate() {
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            let line = line.trim();
            let found = line.chars().count();
            if found != columns {
                return Err(error((number, 1 + indent), RulesError::CanvasRow { found, expected: columns }));
            }
            for (column, found) in line.chars().enumerate() {
                let Some(cell) = rules.canvas().cell(row, column) else { continue };
                let is_cell = rules.is_cell(cell);
                let digit = rules.shape().digits().find(|digit| digit.symbol() == found);
                let blanks: &[char] = if is_cell { &['.', '0', '_', '*', '-', '?'] } else { &['#', '.'] };
                if digit.filter(|_| is_cell).is_none() && !blanks.contains(&found) {
                    let wrong = RulesError::CanvasCell { found, cell: is_cell };
                    return Err(error((number, 1 + indent + column), wrong));
                }
                grid.set(cell, digit);
            }
        }
        Ok(grid)
    }
}

/// A puzzle as a file of variants has it; what it prints, [`records`](crate::records) read. Its notes are left out but for
/// the title.
///
/// ```
/// use dlx_sudoku::Puzzle;
/// use dlx_sudoku::variant::written;
///
/// let puzzle: Puzzle = "rules: x\n1...\n....\n....\n....\n".replace("x\n", "x\ngrid:\n").parse()?;
/// let text = written(&puzzle).to_string();
/// assert_eq!(text, "puzzle:\nsize: 4\nrules: x\ngrid:\n1...\n....\n....\n....\n");
/// assert_eq!(text.parse(), Ok(puzzle));
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub fn written(puzzle: &Puzzle) -> impl fmt::Display + '_ {
    struct Written<'a>(&'a Puzzle);
    impl fmt::Display for Written<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let puzzle = self.0;
            let plain = Rules::new(puzzle.grid.geometry());
            let rules = puzzle.rules.as_deref().unwrap_or(&plain);
            match puzzle.notes.as_ref().and_then(|notes| notes.title.as_ref()) {
                Some(title) => writeln!(f, "puzzle: {title}")?,
                None => writeln!(f, "puzzle:")?,
            }
            let shape = rules.shape;
            match Geometry::of_size(shape.size()) == Ok(shape) {
                true => writeln!(f, "size: {}", shape.size())?,
                false => writeln!(f, "size: {}x{}", shape.box_rows(), shape.box_columns())?,
            }
            // Without any other section it would not be a file of variants.
            let separated = |at: usize| if at > 0 { ", " } else { " " };
            let names = rules.named.iter().enumerate();
            let names = names.format_with("", |(at, rule), f| f(&format_args!("{}{rule}", separated(at))));
            writeln!(f, "rules:{names}")?;
            if rules.has_many_grids() {
                writeln!(f, "grids: {}", rules.corners.iter().format(" "))?;
            }
            writeln!(f, "grid:")?;
            write_grid(f, rules, &puzzle.grid)?;
            if let Some(letters) = &rules.regions {
                writeln!(f, "regions:")?;
                letters.chunks(shape.size()).try_for_each(|row| writeln!(f, "{}", row.iter().format("")))?;
            }
            if !rules.cages.is_empty() {
                writeln!(f, "cages:")?;
            }
            for cage in &rules.cages {
                writeln!(f, "{}: {}", cage.sum, cage.cells.iter().format(" "))?;
            }
            puzzle.candidates.as_ref().map_or(Ok(()), |candidates| write_candidates(f, rules, candidates))
        }
    }
    Written(puzzle)
}

/// The rows of a grid, or of the canvas of several.
fn write_grid(f: &mut fmt::Formatter<'_>, rules: &Rules, grid: &Grid) -> fmt::Result {
    let (rows, columns) = rules.extent();
    for row in 0..rows {
        for cell in (0..columns).filter_map(|column| rules.canvas().cell(row, column)) {
            match grid.get(cell) {
                Some(digit) => write!(f, "{}", Alphabet::Symbols.written(digit))?,
                None if rules.is_cell(cell) => f.write_str(".")?,
                None => f.write_str("#")?,
            }
        }
        writeln!(f)?;
    }
    Ok(())
}

fn write_candidates(f: &mut fmt::Formatter<'_>, rules: &Rules, candidates: &Candidates) -> fmt::Result {
    let all = rules.shape.digits().fold(0, |set, digit| set | why::bit(digit));
    let cells = rules.canvas.cells().filter(|&cell| rules.is_cell(cell));
    let sets = cells.map(|cell| (candidates.sets()[rules.canvas.index(cell)] & all, cell));
    for (set, cells) in &sets.filter(|&(set, _)| set != all).sorted_unstable().chunk_by(|&(set, _)| set) {
        let digits = rules.shape.digits().filter(|&digit| set & why::bit(digit) != 0);
        writeln!(f, "only {}: {}", digits.format(""), cells.map(|(_, cell)| cell).format(" "))?;
    }
    Ok(())
}

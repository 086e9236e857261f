//! One line of text: is it cells, a rule, a heading, and where are its cells?

use super::ParseErrorKind;
use crate::alphabet::{is_symbol, value as symbol_value};
use crate::{Digit, Geometry};

/// A line of so many cells is a puzzle of its own, right or wrong, unless it is a row of a grid.
pub(super) const WHOLE: usize = 40;

/// Not a cell.
const NO_CELL: u8 = 0x80;

/// What a byte is as a cell: the digit, 0 for a blank, [`NO_CELL`] for anything else. By comparisons and not by a table,
/// so that it can be done for many bytes at a time.
#[inline(always)]
fn value(byte: u8) -> u8 {
    let digit = byte.wrapping_sub(b'0');
    let is_blank = b"._*-xX?".iter().fold(false, |is_blank, &blank| is_blank | (byte == blank));
    let other = if is_blank { 0 } else { NO_CELL };
    if digit <= 9 { digit } else { other }
}

/// The 81 cells that a text begins with, if its first line is 81 cells with nothing, or a separator, after them: the
/// usual batch of one puzzle a line. Anything else is left to [`line`].
pub(super) fn one_line(text: &[u8]) -> Option<[Option<Digit>; 81]> {
    let (cells, rest) = text.split_first_chunk::<81>()?;
    let ends = matches!(rest, [] | [b'\n' | b'\r' | b' ' | b'\t' | b',' | b';' | b'#', ..]);
    if !ends || cells.iter().all(|&byte| byte == b'-') {
        return None;
    }
    let mut seen = 0;
    let mut read = [None; 81];
    for (cell, &byte) in read.iter_mut().zip(cells) {
        let value = value(byte);
        seen |= value;
        *cell = Digit::new(value);
    }
    (seen & NO_CELL == 0).then_some(read)
}

/// A heading: what stands between puzzles.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heading<'a> {
    /// Some words, such as `Grid 01`.
    Title(&'a str),
    /// A name in brackets, such as `[Puzzle]`.
    Section(&'a str),
}

/// The heading that a line is, if it is one: a name in brackets, or words. The line has no blanks at its ends, and is
/// no JSON.
pub(super) fn heading(line: &str) -> Option<Heading<'_>> {
    if let Some(name) = line.strip_prefix('[') {
        return Some(Heading::Section(name.split(']').next().unwrap_or(name).trim()));
    }
    let after_word = line.trim_start_matches(char::is_alphabetic);
    let word = &line[..line.len() - after_word.len()];
    let after_number = after_word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_word = word.chars().nth(1).is_some() && !word.chars().all(|c| matches!(c, 'x' | 'X'));
    // `Grid01` and `very-hard` are headings; `AB12..` and `AB-C` may be rows of a larger grid.
    let mut next = after_number.chars();
    let goes_on = match next.next() {
        Some('.' | '-' | '_') => next.next().is_some_and(|c| c.is_lowercase() && c != 'x'),
        Some(c) => !c.is_alphabetic() && !matches!(c, '*' | '|'),
        None => true,
    };
    let cells = line.chars().filter(|&c| c.is_ascii_digit() || matches!(c, '.' | '_' | '*' | '-')).count();
    (is_word && goes_on && cells < WHOLE).then_some(Heading::Title(line))
}

/// Whether a line is words after `;` or `//`, which some programs take for comments.
pub(super) fn is_remark(line: &str) -> bool {
    let words = line.strip_prefix(';').or_else(|| line.strip_prefix("//"));
    words.is_some_and(|words| matches!(heading(words.trim_start()), Some(Heading::Title(_))))
}

/// The cells of a line if it may be a row, each one character: what stands between cells does not count.
pub(super) fn row_length(line: &str) -> Option<usize> {
    let mut cells = line.chars().filter(|&c| !is_separator(c));
    let count = cells.clone().count();
    // So many groups are numbers.
    let groups = line.split(is_separator).filter(|group| !group.is_empty()).count();
    let is_numbers = groups > 9 && Geometry::usual(groups).is_some();
    cells.all(is_symbol).then_some(if is_numbers { groups } else { count })
}

/// What is known of the lines around a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// The cells of a row, as far as can be told.
    pub(super) row: usize,
    /// There are blanks other than dashes above.
    pub(super) blanks_seen: bool,
    /// There are spaces for blanks above.
    pub(super) spaces_seen: bool,
    /// The shape that the grid has to have.
    pub(super) shape: Option<Geometry>,
}

/// Where a cell is written: so many bytes from a place in the input on. No bytes are a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) at: usize,
    pub(super) length: usize,
}

impl Token {
    /// Whether nothing is written, which is a blank.
    pub(super) fn is_blank(&self) -> bool {
        self.length == 0
    }
}

/// What a line is that is not a heading.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line of a frame.
    Rule,
    /// Cells.
    Cells {
        /// How many cells it stands for, whether they are right or wrong.
        count: usize,
        /// Some cells are of several characters: numbers or candidates.
        grouped: bool,
        /// What is wrong with it, and at which byte.
        fault: Option<(usize, ParseErrorKind)>,
    },
}

/// What a line is, and where its cells are, counted from the line's place `at` in the input. The line has no blanks at
/// its ends.
pub(super) fn line(line: &str, at: usize, around: Around, tokens: &mut Vec<Token>) -> Line {
    let (start, line) = puzzle_field(line, around.shape);
    let at = at + start;
    if let Some(delimiter) = delimiter(line, around) {
        return list(line, at, delimiter, tokens);
    }
    if let Some(row) = spaced(line, at, around, tokens) {
        return row;
    }
    let tally = Tally::of(line);
    if tally.is_rule(line, around) {
        return Line::Rule;
    }
    let mut groups = Groups::measure(line, if line == "-1" { 1 } else { 2 });
    let mut are_cells = groups.are_cells(around.shape);
    if !are_cells {
        // Among numbers, a blank may be written -1.
        groups = Groups::measure(line, 1);
        are_cells = groups.longest <= 1;
    }
    let mut place = 0;
    for group in line.split(is_separator) {
        let here = at + place;
        place += group.len() + line[place + group.len()..].chars().next().map_or(0, char::len_utf8);
        match group {
            "" => {}
            _ if are_cells && (group != "-1" || groups.minus == 2) => {
                tokens.extend((0..group.len()).map(|offset| Token { at: here + offset, length: 1 }));
            }
            _ => tokens.push(Token { at: here, length: group.len() }),
        }
    }
    let count = if are_cells { groups.cells } else { groups.stand_for() };
    let fault = match (tally.stray, groups.odd) {
        (Some((place, found)), _) => Some((start + place, ParseErrorKind::Unexpected(found))),
        (None, Some(place)) if !are_cells => Some((start + place, ParseErrorKind::Groups)),
        _ => None,
    };
    Line::Cells { count, grouped: !are_cells, fault }
}

/// The part of a line that is cells, and where it begins: without a rating, a comment or another field after a puzzle,
/// and without a name before it.
fn puzzle_field(line: &str, shape: Option<Geometry>) -> (usize, &str) {
    let is_end = |c: char| matches!(c, ' ' | '\t' | ',' | ';' | '#' | ':' | '=' | '&' | '"' | '\'');
    let is_puzzle = |length: usize| match shape {
        Some(shape) => length == shape.cell_count(),
        None => Geometry::usual_of_cells(length).is_some(),
    };
    let first = line.split(is_end).next().unwrap_or(line);
    let after = line[first.len()..].trim_start_matches([' ', '\t']);
    // Another field of the same length is another row.
    let second = after.split(is_end).next().unwrap_or(after);
    let is_other = !after.is_empty() && !after.starts_with('|') && second.len() != first.len();
    if is_puzzle(first.len()) && is_other {
        return (0, first);
    }
    // The first field that is so long, right or wrong.
    let mut start = 0;
    for field in line.split(is_end) {
        if field.chars().nth(WHOLE - 1).is_some() {
            return if start == 0 || is_puzzle(field.len()) { (start, field) } else { (0, line) };
        }
        start += field.len() + 1;
    }
    // A comment after a row.
    let end = [" #", "\t#"].iter().filter_map(|mark| line.find(mark)).min();
    (0, end.map_or(line, |end| line[..end].trim_end_matches([' ', '\t'])))
}

/// What parts the cells of a line, if it is a comma, a semicolon, or a tab with nothing between it and the next one.
fn delimiter(line: &str, around: Around) -> Option<char> {
    let is_count = |count| {
        count == around.row
            || around
                .shape
                .map_or(Geometry::usual(count), |shape| (count == shape.size()).then_some(shape))
                .is_some()
            || around
                .shape
                .map_or(Geometry::usual_of_cells(count), |shape| {
                    (count == shape.cell_count()).then_some(shape)
                })
                .is_some()
    };
    [',', ';', '\t'].into_iter().find(|&delimiter| {
        let count = line.matches(delimiter).count() + 1;
        count > 2
            && (is_count(count) || line.ends_with(delimiter) && is_count(count - 1))
            && (delimiter != '\t' || line.contains("\t\t"))
    })
}

/// A row in a frame that has spaces for blanks, as in `| 5 3   |   7   |       |`: all parts between its bars are equally
/// wide. Up to nine cells, of larger grids that could as well be numbers or candidates in columns.
fn spaced(line: &str, at: usize, around: Around, tokens: &mut Vec<Token>) -> Option<Line> {
    let is_bar = |c: char| is_separator(c) && !c.is_whitespace();
    let parts: Vec<&str> = line.strip_prefix(is_bar)?.strip_suffix(is_bar)?.split(is_bar).collect();
    let width = parts[0].chars().count();
    if !line.contains(' ') || parts.iter().any(|part| part.chars().count() != width) {
        return None;
    }
    let shape_of = |cells: usize| {
        let size = cells * parts.len();
        let shape = around.shape.filter(|shape| shape.size() == size);
        shape.or(Geometry::usual(size).filter(|shape| around.shape.is_none() && shape.size() <= 9))
    };
    // A blank before each cell and behind the last one; or nothing between the cells, and three boxes.
    let shape = shape_of(width / 2).filter(|shape| {
        let one_each = parts.len() == shape.size();
        let is_between = |part: &str| part.chars().step_by(2).all(|c| c == ' ');
        width % 2 == 1
            && (one_each || shape.box_columns() == width / 2)
            && parts.iter().all(|part| is_between(part))
    });
    let step = if shape.is_some() { 2 } else { 1 };
    let size = shape.or(shape_of(width).filter(|_| width == 3 && parts.len() == 3))?.size();
    let places = parts.iter().flat_map(|part| {
        let start = part.as_ptr().addr() - line.as_ptr().addr();
        part.char_indices().map(move |(offset, c)| (start + offset, c)).skip(step - 1).step_by(step)
    });
    let cells = places.clone().filter(|&(_, c)| c != ' ').count();
    // So many in each part may be all cells of a smaller grid; and an empty row may be room between rows.
    let in_parts = |part: &&str| part.chars().filter(|&c| c != ' ').count() * parts.len() == cells;
    let is_small = parts.iter().all(in_parts)
        && Geometry::usual(cells).is_some_and(|shape| shape.box_columns() * parts.len() == cells);
    let is_room = cells == 0 && !(around.spaces_seen && around.row == size);
    if cells == size || is_small || is_room || places.clone().any(|(_, c)| c != ' ' && !is_symbol(c)) {
        return None;
    }
    tokens.extend(places.map(|(place, c)| Token { at: at + place, length: usize::from(c != ' ') }));
    Some(Line::Cells { count: size, grouped: false, fault: None })
}

/// A line of cells between commas, semicolons or tabs: nothing between two of them is a blank.
fn list(line: &str, at: usize, delimiter: char, tokens: &mut Vec<Token>) -> Line {
    let before = tokens.len();
    let mut place = 0;
    let mut fault = None;
    for field in line.split(delimiter) {
        let text = field.trim_matches(|c: char| c == '"' || is_separator(c));
        let here = place + text.as_ptr().addr() - field.as_ptr().addr();
        if let Some((offset, found)) = text.char_indices().find(|&(_, c)| !is_symbol(c)) {
            fault = fault.or(Some((here + offset, ParseErrorKind::Unexpected(found))));
        }
        tokens.push(Token { at: at + here, length: text.len() });
        place += field.len() + 1;
    }
    // After the last cell there may be one comma too many; but it may as well be before a blank as others are.
    if tokens.last().is_some_and(Token::is_blank)
        && tokens[before..].iter().filter(|token| token.is_blank()).count() == 1
    {
        tokens.pop();
    }
    let grouped = tokens[before..].iter().any(|token| token.length > 1);
    Line::Cells { count: tokens.len() - before, grouped, fault }
}

/// Whether a character stands between cells: a blank, or a vertical line.
fn is_separator(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{A0}' | '|' | '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋')
}

/// Whether a character is part of a horizontal line, apart from the dash, which may be a blank cell.
fn is_rule_mark(character: char) -> bool {
    matches!(character, '+' | '=' | '\u{2500}'..='\u{257F}') && !is_separator(character)
}

/// The characters of a line, counted by what they may be.
#[derive(Default)]
struct Tally {
    dashes: usize,
    /// Dots and stars, which are blank cells or the corners of a frame; and `:` and `'`, which are corners only.
    corners: usize,
    /// Digits, letters and blanks that are never part of a frame.
    others: usize,
    separators: usize,
    marks: usize,
    /// The first character that cannot be a cell or between cells, and its place.
    stray: Option<(usize, char)>,
    /// There is one that cannot be part of a frame either.
    alien: bool,
}

impl Tally {
    fn of(line: &str) -> Self {
        let mut tally = Self::default();
        for (at, character) in line.char_indices() {
            match character {
                ' ' | '\t' | '\u{A0}' => continue,
                '-' => tally.dashes += 1,
                '.' | '*' => tally.corners += 1,
                _ if is_separator(character) => tally.separators += 1,
                _ if is_symbol(character) => tally.others += 1,
                _ => {
                    match character {
                        ':' | '\'' => tally.corners += 1,
                        _ if is_rule_mark(character) => tally.marks += 1,
                        _ => tally.alien = true,
                    }
                    tally.stray.get_or_insert((at, character));
                }
            }
        }
        tally
    }

    /// Whether the line belongs to a frame.
    fn is_rule(&self, line: &str, around: Around) -> bool {
        if self.alien || self.others > 0 {
            return false;
        }
        if self.marks > 0 {
            return true;
        }
        let length = self.dashes + self.corners;
        if self.corners == 0 {
            // As many dashes as a row has cells are a row of blanks, but `---|---|---` below rows with other blanks is
            // a rule.
            return self.dashes != around.row || self.separators > 0 && around.blanks_seen;
        }
        // `*-----------*`, `.-------.-------.-------.`
        let is_corner = |c| matches!(c, '.' | '*' | ':' | '\'' | '|');
        line.starts_with(is_corner)
            && line.ends_with(is_corner)
            && self.dashes >= 3 * self.corners.div_ceil(2)
            && length != around.row
            && length != Geometry::CLASSIC.cell_count()
    }
}

/// The groups of characters between separators.
struct Groups {
    /// All characters in them.
    cells: usize,
    /// How many characters `-1` is taken for.
    minus: usize,
    count: usize,
    shortest: usize,
    longest: usize,
    /// Every group is digits in ascending order, as candidates are written.
    ascending: bool,
    /// The largest digit, if that is so.
    largest: u8,
    /// The first group that is neither a number nor candidates nor one character, and its place.
    odd: Option<usize>,
}

impl Groups {
    /// Measures the groups.
    fn measure(line: &str, minus: usize) -> Self {
        let mut groups = Self {
            cells: 0,
            minus,
            count: 0,
            shortest: usize::MAX,
            longest: 0,
            ascending: true,
            largest: 0,
            odd: None,
        };
        let mut place = 0;
        for group in line.split(is_separator) {
            let here = place;
            place += group.len() + line[place + group.len()..].chars().next().map_or(0, char::len_utf8);
            if !group.is_empty() {
                groups.add(group, here);
            }
        }
        groups
    }

    fn add(&mut self, group: &str, place: usize) {
        let length = if group == "-1" { self.minus } else { group.chars().count() };
        let mut last = 0;
        for character in group.bytes() {
            let value = symbol_value(character, true).unwrap_or(0);
            self.ascending &= value > last;
            last = value;
            self.largest = self.largest.max(value);
        }
        if length > 1 && !group.bytes().all(|byte| symbol_value(byte, true).is_some()) {
            self.odd.get_or_insert(place);
        }
        self.count += 1;
        self.cells += length;
        self.shortest = self.shortest.min(length);
        self.longest = self.longest.max(length);
    }

    /// Whether each character is a cell: single cells, or one group, or the boxes' parts of a row or of all rows.
    fn are_cells(&self, shape: Option<Geometry>) -> bool {
        if self.longest <= 1 || self.count == 1 {
            return true;
        }
        let row = shape.filter(|shape| shape.size() == self.cells).or(Geometry::usual(self.cells));
        let grid =
            shape.filter(|shape| shape.cell_count() == self.cells).or(Geometry::usual_of_cells(self.cells));
        let fits = row.is_some_and(|row| self.longest == row.box_columns())
            || grid.is_some_and(|grid| self.longest == grid.box_columns() || self.longest == grid.size());
        let marks = self.ascending
            && usize::from(self.largest) <= self.count
            && (Geometry::usual(self.count).is_some() || Geometry::usual_of_cells(self.count).is_some());
        self.shortest == self.longest && fits && !marks
    }

    /// How many cells they stand for: as many as there are groups, if these are candidates or numbers.
    fn stand_for(&self) -> usize {
        if self.count > 1 && (self.ascending || self.longest <= 2 || self.odd.is_none()) {
            self.count
        } else {
            self.cells
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn around(row: usize, blanks_seen: bool) -> Around {
        Around { row, blanks_seen, spaces_seen: false, shape: None }
    }

    fn read(text: &str) -> Line {
        line(text, 0, around(9, false), &mut Vec::new())
    }

    fn cells(count: usize) -> Line {
        Line::Cells { count, grouped: false, fault: None }
    }

    fn groups(count: usize) -> Line {
        Line::Cells { count, grouped: true, fault: None }
    }

    /// The cells of a line, as they are written.
    fn tokens(text: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        let _ = line(text, 0, around(9, false), &mut tokens);
        tokens.iter().map(|token| &text[token.at..][..token.length]).collect()
    }

    #[test]
    fn headings_are_words() {
        for text in [
            "Grid 01",
            "Grid01",
            "Puzzle #3: hard",
            "quizzes,solutions",
            "very-hard",
            "Simple Sudoku",
            "数独 1",
        ] {
            assert_eq!(heading(text), Some(Heading::Title(text)), "{text}");
        }
        assert_eq!(heading("[ Puzzle ]"), Some(Heading::Section("Puzzle")));
        assert_eq!(heading("[State"), Some(Heading::Section("State")));
        for text in ["xx", "XxX", "x23", "D92..", "AB12..", "AB..1", "C 8 1", "５３", ""] {
            assert_eq!(heading(text), None, "{text}");
        }
        assert_eq!(heading(&format!("Name\t{}", ".".repeat(81))), None);
    }

    #[test]
    fn rules_are_told_from_rows() {
        for text in [
            "------+-------+------",
            "-----------",
            "--------",
            "------|-------|------",
            "*-----------*",
            "|---+---+---|",
            ".-------.-------.-------.",
            "'-------'-------'-------'",
            ":------+------:",
            "├───────┼───────┼───────┤",
            "╔═══╗",
            "=====",
            "|   |   |",
            &"-".repeat(81),
        ] {
            assert_eq!(read(text), Line::Rule, "{text}");
        }
        for text in [
            "---------",
            "--- --- ---",
            "- - - - - - - - -",
            "---|---|---",
            "*-------*",
            ".--------",
            "*-*-*-*-*",
        ] {
            assert_eq!(read(text), cells(9), "{text}");
        }
        assert_eq!(line("---|---|---", 0, around(9, true), &mut Vec::new()), Line::Rule);
        assert_eq!(line("---------", 0, around(9, true), &mut Vec::new()), cells(9));
    }

    #[test]
    fn groups_are_cells_only_if_they_can_be_nothing_else() {
        for text in [
            "53. .7. ...",
            "53.|.7.|...",
            "5 3 . | . 7 . | . . .",
            "│ 5 3 . │ . 7 . │ . . . │",
            "5 3 -1 -1 7 -1 -1 -1 -1",
        ] {
            assert_eq!(read(text), cells(9), "{text}");
        }
        assert_eq!(read(&["53. .7. ..."; 9].join(" ")), cells(81));
        assert_eq!(read(&["53..7...."; 9].join(" ")), cells(81));
        assert_eq!(read("| 1567 3 1567 | 4 12579 179 | 689 5678 579 |"), groups(9));
        assert_eq!(read(&["123456789"; 9].join(" ")), groups(9));
        assert_eq!(read("12 34 56 12 34 56 12 34 56"), groups(9));
        assert_eq!(read("13 9 2 . . . . . 16 . . . 4 3 . ."), groups(16));
        assert_eq!(read("ABCD 1.3. 5678 ...."), cells(16));
        assert_eq!(read("1234 1234 1234 1234"), groups(4));
        assert_eq!(
            read("12. .4 3"),
            Line::Cells { count: 6, grouped: true, fault: Some((0, ParseErrorKind::Groups)) }
        );
        assert_eq!(tokens("| 1567 3 -1 |13"), ["1567", "3", "-1", "13"]);
        assert_eq!(tokens("-1 2- | -- 41"), ["-1", "2-", "--", "41"]);
        assert_eq!(tokens("53. │ .7. │ -.."), ["5", "3", ".", ".", "7", ".", "-", ".", "."]);
    }

    #[test]
    fn long_lines_are_counted_whole() {
        assert_eq!(read(&".".repeat(80)), cells(80));
        assert_eq!(read(&format!("{}\t7.1", "1".repeat(82))), cells(82));
        assert_eq!(read(&format!("{}A", ".".repeat(255))), cells(256));
        assert_eq!(read(&format!("7.1\tname\t{}", ".".repeat(81))), cells(81));
        assert_eq!(read(&format!(":0000:x:{}:123:", ".".repeat(81))), cells(81));
        assert_eq!(read("................;7.1"), cells(16));
        assert_eq!(read("................ 7.1 hard"), cells(16));
        assert_eq!(read("..3......  # a row"), cells(9));
        assert_eq!(read(&".".repeat(39)), cells(39));
        let bad = format!("{}O{} # comment", ".".repeat(40), ".".repeat(40));
        assert_eq!(read(&bad), cells(81));
        let bad = bad.replace('O', "\u{B7}");
        let fault = Some((40, ParseErrorKind::Unexpected('\u{B7}')));
        assert_eq!(read(&bad), Line::Cells { count: 81, grouped: false, fault });
    }

    #[test]
    fn commas_and_tabs_have_blanks_between_them() {
        assert_eq!(tokens("5,3,,,7,,,,"), ["5", "3", "", "", "7", "", "", "", ""]);
        assert_eq!(tokens("5, 3, 0, 0, 7, 0, 0, 0, 0,"), ["5", "3", "0", "0", "7", "0", "0", "0", "0"]);
        assert_eq!(tokens("\"5\";\"3\";\"\";7"), ["5", "3", "", "7"]);
        assert_eq!(tokens("5\t3\t\t\t7\t\t\t\t"), ["5", "3", "", "", "7", "", "", "", ""]);
        assert_eq!(tokens("16,2,,4"), ["16", "2", "", "4"]);
        let fault = Some((5, ParseErrorKind::Unexpected(' ')));
        assert_eq!(read("5,3,x y,4"), Line::Cells { count: 4, grouped: true, fault });
    }

    #[test]
    fn digits_and_eight_blanks_are_cells() {
        for byte in 0..=u8::MAX {
            let expected = match byte {
                b'1'..=b'9' => byte - b'0',
                b'0' | b'.' | b'_' | b'*' | b'-' | b'x' | b'X' | b'?' => 0,
                _ => NO_CELL,
            };
            assert_eq!(value(byte), expected, "{byte:?}");
        }
    }

    #[test]
    fn the_fast_path_agrees_with_the_slow_one() {
        let puzzle = "53..7....6_*195x.?.X98-...060800060003400803001700020006060000280000419005000080079";
        let (puzzle, _) = puzzle.split_at(81);
        let mut slow = [None; 81];
        for (cell, text) in slow.iter_mut().zip(tokens(puzzle)) {
            *cell = Digit::new(value(text.as_bytes()[0]));
        }
        for after in ["", "\n", "\r", "\r\n", " 7.1", "\t", ",", ";", "#"] {
            assert_eq!(one_line(format!("{puzzle}{after}").as_bytes()), Some(slow), "{after:?}");
        }
        for after in [".", "a", "|"] {
            assert_eq!(one_line(format!("{puzzle}{after}").as_bytes()), None, "{after:?}");
        }
        assert_eq!(one_line(&[b'-'; 81]), None);
    }
}

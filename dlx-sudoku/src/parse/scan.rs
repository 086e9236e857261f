//! One line of text: is it cells, a rule, a heading, and which cells are they?

use super::ParseErrorKind;
use crate::Digit;

/// A line of so many cells is a puzzle of its own, right or wrong.
pub(super) const WHOLE: usize = 40;

/// Not a cell.
const NO_CELL: u8 = 0x80;

/// What a byte is as a cell: the digit, 0 for a blank, [`NO_CELL`] for anything else. By comparisons and not by a table,
/// so that it can be done for many bytes at a time.
#[inline(always)]
fn value(byte: u8) -> u8 {
    let digit = byte.wrapping_sub(b'0');
    let is_blank = b"._*-xX".iter().fold(false, |is_blank, &blank| is_blank | (byte == blank));
    let other = if is_blank { 0 } else { NO_CELL };
    if digit <= 9 { digit } else { other }
}

/// What a character is as a cell: `Some(None)` is a blank.
pub(super) fn cell(character: char) -> Option<Option<Digit>> {
    let value = value(u8::try_from(character).ok()?);
    (value != NO_CELL).then(|| Digit::new(value))
}

/// The 81 cells that a text begins with, if its first line is 81 cells with nothing, or a separator, after them: the
/// usual batch of one puzzle a line. Anything else is left to [`line`].
pub(super) fn one_line(text: &[u8]) -> Option<[Option<Digit>; 81]> {
    let (cells, rest) = text.split_first_chunk::<81>()?;
    let ends = match rest {
        [] | [b'\n' | b' ' | b'\t' | b',' | b';' | b'#', ..] => true,
        [b'\r', rest @ ..] => matches!(rest, [] | [b'\n', ..]),
        _ => false,
    };
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
    Title,
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
    (is_word && goes_on && cells < WHOLE).then_some(Heading::Title)
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
        /// What is wrong with it, and at which byte.
        fault: Option<(usize, ParseErrorKind)>,
    },
}

/// What a line is, and its first cells, as many as `cells` has room for. The line has no blanks at its ends.
/// `blanks_seen`: the lines above in the same puzzle have blanks that are not dashes.
pub(super) fn line(line: &str, blanks_seen: bool, cells: &mut [Option<Digit>]) -> Line {
    let field = line.split([' ', '\t', ',', ';', '#']).next().unwrap_or(line);
    // What comes after a field that is a puzzle of its own is a rating or a comment.
    let line = if field.chars().count() >= WHOLE { field } else { line };
    let tally = Tally::of(line);
    if tally.is_rule(line, blanks_seen) {
        return Line::Rule;
    }
    let groups = Groups::read(line, cells);
    let (count, fault) = match tally.stray {
        Some((at, found)) => {
            let kind = if is_larger(groups.cells) {
                (0, ParseErrorKind::CellCount(groups.cells))
            } else {
                (at, ParseErrorKind::Unexpected(found))
            };
            (groups.stand_for(), Some(kind))
        }
        None if groups.are_cells() => (groups.cells, None),
        None if groups.stand_for() >= WHOLE && groups.cells != 81 => {
            (groups.cells, Some((0, ParseErrorKind::CellCount(groups.cells))))
        }
        None => (groups.stand_for(), Some((0, ParseErrorKind::Groups))),
    };
    let fault = fault.or((count >= WHOLE && count != 81).then_some((0, ParseErrorKind::CellCount(count))));
    Line::Cells { count, fault }
}

/// Whether a line of so many cells is a whole grid of a larger size.
fn is_larger(cells: usize) -> bool {
    cells > 81 && super::error::side_of(cells).is_some()
}

/// Whether a character stands between cells: a blank, or a vertical line.
fn is_separator(character: char) -> bool {
    matches!(character, ' ' | '\t' | '|' | '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋')
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
    /// Digits and blanks that are never part of a frame.
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
                ' ' | '\t' => continue,
                '-' => tally.dashes += 1,
                '.' | '*' => tally.corners += 1,
                _ if is_separator(character) => tally.separators += 1,
                _ if cell(character).is_some() => tally.others += 1,
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
    fn is_rule(&self, line: &str, blanks_seen: bool) -> bool {
        if self.alien || self.others > 0 {
            return false;
        }
        if self.marks > 0 {
            return true;
        }
        if self.corners == 0 {
            // Nine dashes are a row of blanks, but `---|---|---` below rows with other blanks is a rule.
            return self.dashes != 9 || self.separators > 0 && blanks_seen;
        }
        // `*-----------*`, `.-------.-------.-------.`
        let is_corner = |c| matches!(c, '.' | '*' | ':' | '\'' | '|');
        let length = self.dashes + self.corners;
        line.starts_with(is_corner)
            && line.ends_with(is_corner)
            && self.dashes >= 3 * self.corners.div_ceil(2)
            && length != 9
            && length != 81
    }
}

/// The groups of characters between separators.
struct Groups {
    /// All characters in them; `-1` is one.
    cells: usize,
    count: usize,
    shortest: usize,
    longest: usize,
    /// Every group is digits in ascending order, as candidates are written.
    ascending: bool,
}

impl Groups {
    /// Counts the groups and writes their cells down.
    fn read(line: &str, cells: &mut [Option<Digit>]) -> Self {
        let mut groups = Self { cells: 0, count: 0, shortest: usize::MAX, longest: 0, ascending: true };
        for group in line.split(is_separator).filter(|group| !group.is_empty()) {
            let before = groups.cells;
            // As numbers, blanks are written -1.
            let group = if group == "-1" { "-" } else { group };
            let mut last = None;
            for character in group.chars() {
                let value = cell(character).flatten();
                groups.ascending &= value.is_some() && value > last;
                last = value;
                if let Some(cell) = cells.get_mut(groups.cells) {
                    *cell = value;
                }
                groups.cells += 1;
            }
            groups.count += 1;
            groups.shortest = groups.shortest.min(groups.cells - before);
            groups.longest = groups.longest.max(groups.cells - before);
        }
        groups
    }

    /// Whether each character is a cell: single cells, or one group, or the boxes' parts of a row or of all rows.
    fn are_cells(&self) -> bool {
        self.longest <= 1
            || self.count == 1
            || self.shortest == self.longest
                && (self.cells == 9 || self.cells == 81)
                && !(self.count >= 9 && self.ascending)
    }

    /// How many cells they stand for: as many as there are groups, if these are candidates or numbers.
    fn stand_for(&self) -> usize {
        if self.count > 1 && (self.ascending || self.longest <= 2) { self.count } else { self.cells }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Line {
        line(text, false, &mut [None; 81])
    }

    fn cells(count: usize) -> Line {
        Line::Cells { count, fault: None }
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
            assert_eq!(heading(text), Some(Heading::Title), "{text}");
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
        assert_eq!(line("---|---|---", true, &mut []), Line::Rule);
        assert_eq!(line("---------", true, &mut []), cells(9));
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
        let candidates = |count| Line::Cells { count, fault: Some((0, ParseErrorKind::Groups)) };
        assert_eq!(read("| 1567 3 1567 | 4 12579 179 | 689 5678 579 |"), candidates(9));
        assert_eq!(read(&["123456789"; 9].join(" ")), candidates(9));
        assert_eq!(read("12 34 56 12 34 56 12 34 56"), candidates(9));
        assert_eq!(read("13 9 2 . . . . . 16 . . . 4 3 . ."), candidates(16));
        assert_eq!(read("5 -1 -12"), candidates(5));
    }

    #[test]
    fn long_lines_are_counted_whole() {
        let wrong = |count| Line::Cells { count, fault: Some((0, ParseErrorKind::CellCount(count))) };
        assert_eq!(read(&".".repeat(80)), wrong(80));
        assert_eq!(read(&format!("{}\t7.1", "1".repeat(82))), wrong(82));
        assert_eq!(read(&format!("{}A", ".".repeat(255))), wrong(256));
        assert_eq!(read(&".".repeat(39)), cells(39));
        let bad = format!("{}O{} # comment", ".".repeat(40), ".".repeat(40));
        assert_eq!(read(&bad), Line::Cells { count: 81, fault: Some((40, ParseErrorKind::Unexpected('O'))) });
    }

    #[test]
    fn digits_and_seven_blanks_are_cells() {
        for character in '\0'..='\u{FF}' {
            let expected = match character {
                '1'..='9' => Some(Digit::new(character as u8 - b'0')),
                '0' | '.' | '_' | '*' | '-' | 'x' | 'X' => Some(None),
                _ => None,
            };
            assert_eq!(cell(character), expected, "{character:?}");
        }
        assert_eq!(cell('５'), None);
    }

    #[test]
    fn the_fast_path_agrees_with_the_slow_one() {
        let puzzle = "53..7....6_*195x...X98-...060800060003400803001700020006060000280000419005000080079";
        let (puzzle, _) = puzzle.split_at(81);
        let mut slow = [None; 81];
        assert_eq!(line(puzzle, false, &mut slow), cells(81));
        for after in ["", "\n", "\r\n", " 7.1", "\t", ",", ";", "#"] {
            assert_eq!(one_line(format!("{puzzle}{after}").as_bytes()), Some(slow), "{after:?}");
        }
        for after in [".", "\r.", "a", "|"] {
            assert_eq!(one_line(format!("{puzzle}{after}").as_bytes()), None, "{after:?}");
        }
        assert_eq!(one_line(&[b'-'; 81]), None);
    }
}

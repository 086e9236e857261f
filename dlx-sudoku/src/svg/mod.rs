//! Pictures as SVG: a puzzle, with its solution or with pencil marks, or a step towards it; one or several on a sheet.

mod drawing;

use core::fmt;

use self::drawing::{CELL, Drawing, MARGIN, Role};
use crate::format::xml;
use crate::puzzle::Task;
use crate::rate::{Position, Step};
use crate::variant::{Layout, Rules};
use crate::{Grid, Puzzle, why};

/// The size of captions, the height of a line of them, and the width that a letter has on average.
const CAPTION: usize = 13;
const LINE: usize = 18;
const LETTER: usize = 7;

/// How the parts look: givens bold and dark, what was found lighter, pencil marks small; of a step, green for what it
/// places, red for what it rules out, yellow for what that rests on.
const STYLE: &str = "\
text{font-family:'DejaVu Sans',Helvetica,Arial,sans-serif;text-anchor:middle}
.given{font-weight:bold;fill:#1b1b1b}.found{fill:#2f6db5}.mark{fill:#6b6b6b}.sum,.caption{fill:#333;text-anchor:start}
.thin{stroke:#b5b5b5;stroke-width:1}.thick{stroke:#1b1b1b;stroke-width:3;stroke-linecap:square}
.diagonal{stroke:#f2b868;stroke-width:3;stroke-opacity:.7}
.cage{stroke:#555;stroke-width:1.2;stroke-dasharray:4 3;fill:none}
.placed{font-weight:bold;fill:#1a7f37}.gone{font-weight:bold;fill:#c1121f}.rests{font-weight:bold;fill:#1b1b1b}
.on-placed{fill:#c9ecd2}.on-gone{fill:#fbd0d0}.on-rests{fill:#ffd75e}.in-pattern{fill:#fff6d6}
";

/// A picture. Displayed it is SVG, with a size in pixels that may be scaled at will.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    /// The elements.
    body: String,
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, body } = self;
        write!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <style>\n{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
        )
    }
}

impl Picture {
    /// The same with words below it, broken into lines.
    ///
    /// ```
    /// use dlx_sudoku::{Puzzle, picture};
    ///
    /// let puzzle: Puzzle = "1...............".parse()?;
    /// let svg = picture(&puzzle, None, false).caption("easy & small").to_string();
    /// assert!(svg.contains(">easy &amp; small</text>"));
    /// # Ok::<(), dlx_sudoku::ParseError>(())
    /// ```
    #[must_use]
    pub fn caption(mut self, words: &str) -> Self {
        let room = ((self.width - 2 * MARGIN) / LETTER).max(1);
        let mut lines = vec![String::new()];
        for word in words.split_whitespace() {
            // Chains have no blanks, and may be longer than a line.
            let is_long = word.chars().count() > room;
            for (at, part) in word.split_inclusive(|c| is_long && matches!(c, '-' | '=')).enumerate() {
                let blank = if at == 0 { " " } else { "" };
                let length = lines.last().map_or(0, |line| line.chars().count());
                if length > 0 && length + blank.len() + part.chars().count() > room {
                    lines.push(String::new());
                }
                if let Some(line) = lines.last_mut() {
                    line.push_str(if line.is_empty() { "" } else { blank });
                    line.push_str(part);
                }
            }
        }
        for line in lines {
            let (y, line) = (self.height + CAPTION - MARGIN / 2, xml(&line));
            self.body += &format!(
                "<text class=\"caption\" x=\"{MARGIN}\" y=\"{y}\" font-size=\"{CAPTION}\">{line}</text>\n"
            );
            self.height += LINE;
        }
        self
    }

    /// Several pictures on one sheet, row by row, in about as many rows as columns.
    ///
    /// ```
    /// use dlx_sudoku::{Picture, Puzzle, picture};
    ///
    /// let puzzle: Puzzle = "1...............".parse()?;
    /// let five: Vec<_> = (1..=5).map(|number: u8| picture(&puzzle, None, false).caption(&number.to_string())).collect();
    /// assert_eq!(Picture::sheet(&five).to_string().matches("class=\"given\"").count(), 5);
    /// # Ok::<(), dlx_sudoku::ParseError>(())
    /// ```
    pub fn sheet(pictures: &[Self]) -> Self {
        let root = pictures.len().isqrt();
        let columns = root + usize::from(root * root < pictures.len());
        let mut sheet = Self { width: 0, height: 0, body: String::new() };
        for row in pictures.chunks(columns.max(1)) {
            let mut x = 0;
            for picture in row {
                let (y, body) = (sheet.height, &picture.body);
                sheet.body += &format!("<g transform=\"translate({x} {y})\">\n{body}</g>\n");
                x += picture.width;
            }
            sheet.width = sheet.width.max(x);
            sheet.height += row.iter().map(|picture| picture.height).max().unwrap_or(0);
        }
        sheet
    }
}

/// The picture of a puzzle: its givens, and the other digits of a solution, if there is one. Without it, and with
/// `marks`, what each cell may have.
///
/// ```
/// use dlx_sudoku::{Puzzle, picture};
///
/// let puzzle: Puzzle = "1...............".parse()?;
/// let svg = picture(&puzzle, None, true).to_string();
/// assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
/// assert_eq!(svg.matches("class=\"given\"").count(), 1);
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub fn picture(puzzle: &Puzzle, solution: Option<&Grid>, marks: bool) -> Picture {
    let candidates = if marks { Task::from(puzzle).candidates() } else { Vec::new() };
    drawn(puzzle, solution, &candidates, None)
}

/// The picture of a step: the digits and pencil marks of the position before it, and in colours what it places, what it
/// rules out, and what that rests on; the step in words below. The digits that the puzzle gives are told from others.
///
/// ```
/// use dlx_sudoku::rate::{Position, next_step};
/// use dlx_sudoku::{Puzzle, picture_of_step};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// if let Some(step) = next_step(&puzzle)? {
///     let svg = picture_of_step(&puzzle, &Position::new(&puzzle), &step).to_string();
///     assert_eq!(svg.matches("class=\"placed\"").count(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn picture_of_step(puzzle: &Puzzle, position: &Position, step: &Step) -> Picture {
    let marks = |cell| position.candidates(cell).fold(0, |set, digit| set | why::bit(digit));
    let candidates: Vec<_> = puzzle.grid.geometry().cells().map(marks).collect();
    let mut picture =
        drawn(puzzle, Some(&position.grid()), &candidates, Some(step)).caption(&step.to_string());
    legend(&mut picture, step);
    picture
}

/// Draws a puzzle: its givens, other digits, what else cells may have, if anything is known of that, and a step.
fn drawn(puzzle: &Puzzle, digits: Option<&Grid>, candidates: &[u64], step: Option<&Step>) -> Picture {
    let plain = Rules::new(puzzle.grid.geometry());
    let rules = puzzle.rules.as_deref().unwrap_or(&plain);
    let (rows, columns) = rules.extent();
    let [width, height] = [columns, rows].map(|cells| cells * CELL + 2 * MARGIN);
    let mut body = String::new();
    // To a string, nothing can go wrong.
    let _ = Drawing { puzzle, rules, layout: Layout::of(rules), step }.write(&mut body, digits, candidates);
    Picture { width, height, body }
}

/// Adds what the colours of a step mean, as far as it has them.
fn legend(picture: &mut Picture, step: &Step) {
    let parts = [(Role::Rests, "what it rests on"), (Role::Placed, "placed"), (Role::Gone, "ruled out")];
    let (mut x, y) = (MARGIN, picture.height - MARGIN / 3);
    for (role, words) in parts {
        // A cell that gets its digit shows that alone.
        let is_there = format!("<circle class=\"on-{role}\"");
        if !picture.body.contains(&is_there) && (role != Role::Placed || step.places().is_empty()) {
            continue;
        }
        let (text, below) = (x + 18, y + 11);
        picture.body += &format!(
            "<rect class=\"on-{role}\" x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\"/>\n\
             <text class=\"caption\" x=\"{text}\" y=\"{below}\" font-size=\"{CAPTION}\">{words}</text>\n"
        );
        x += 18 + LETTER * words.len() + 2 * MARGIN;
    }
    picture.height += LINE + MARGIN / 2;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::Digit;

    /// The classes of the texts of a picture, if it is well-formed.
    fn texts(svg: &str) -> Vec<String> {
        let mut reader = Reader::from_str(svg);
        let mut classes = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) if element.name().as_ref() == "text" => {
                    let class = element.try_get_attribute("class").unwrap().unwrap();
                    classes.push(String::from_utf8_lossy(class.value.as_ref().as_ref()).into_owned());
                }
                Event::Eof => return classes,
                _ => {}
            }
        }
    }

    #[test]
    fn every_cell_has_its_digit_or_its_marks() {
        let text = "size: 4\nrules: x, windoku\ngrid:\n1...\n....\n....\n....\ncages:\n5: r1c2 r1c3\n7: r2c2-r2c3 r3c3\n";
        let puzzle: Puzzle = text.parse().unwrap();
        let count = |svg: &str, class: &str| texts(svg).iter().filter(|found| *found == class).count();
        let plain = picture(&puzzle, None, false).to_string();
        assert_eq!([count(&plain, "given"), count(&plain, "sum"), texts(&plain).len()], [1, 2, 3]);
        let marked = picture(&puzzle, None, true).to_string();
        let candidates =
            puzzle.grid.geometry().cells().map(|cell| puzzle.allows(cell).count()).sum::<usize>();
        assert_eq!(count(&marked, "mark"), candidates - 1);
        let mut full = puzzle.grid.clone();
        puzzle.grid.geometry().cells().for_each(|cell| full.set(cell, Digit::new(2)));
        let solved = picture(&puzzle, Some(&full), true).to_string();
        assert_eq!([count(&solved, "given"), count(&solved, "found"), count(&solved, "mark")], [1, 15, 0]);
    }

    #[test]
    fn captions_are_broken_into_lines_and_sheets_have_them_all() {
        let puzzle: Puzzle = "1...............".parse().unwrap();
        let plain = picture(&puzzle, None, false);
        let words =
            "a < b & c > d, that is what is to be read here, below the puzzle, on three lines at most";
        let captioned = plain.clone().caption(words);
        let lines = |svg: &str| texts(svg).iter().filter(|class| *class == "caption").count();
        assert_eq!((lines(&captioned.to_string()), captioned.height), (4, plain.height + 4 * LINE));
        assert_eq!(plain.clone().caption("").height, plain.height + LINE);
        let odd = plain.clone().caption("a\u{1}b \u{FFFE}").to_string();
        assert!(odd.contains(">a b  </text>"), "what XML cannot have: {odd}");
        let chain = plain.clone().caption(&"r1c2-".repeat(100));
        assert!(lines(&chain.to_string()) > 10, "a chain is broken at its links");
        let long = plain.clone().caption(&"x".repeat(1000));
        assert_eq!((lines(&long.to_string()), long.width), (1, plain.width));
        for (count, columns, rows) in
            [(0, 0, 0), (1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (5, 3, 2), (7, 3, 3), (12, 4, 3)]
        {
            let sheet = Picture::sheet(&vec![captioned.clone(); count]);
            assert_eq!((sheet.width, sheet.height), (columns * captioned.width, rows * captioned.height));
            assert_eq!(lines(&sheet.to_string()), 4 * count);
        }
        // Rows are as high, and the sheet as wide, as they must be.
        let mixed = Picture::sheet(&[plain.clone(), captioned.clone(), captioned.clone()]);
        assert_eq!((mixed.width, mixed.height), (2 * plain.width, 2 * captioned.height));
    }

    #[test]
    fn a_step_is_seen_in_the_position_before_it() {
        let line = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
        let puzzle: Puzzle = line.parse().unwrap();
        let mut position = Position::new(&puzzle);
        let steps = crate::rate::explain(&puzzle).unwrap();
        assert!(steps.iter().any(|step| step.places().is_empty()));
        for step in &steps {
            let svg = picture_of_step(&puzzle, &position, step).to_string();
            let all = texts(&svg);
            let count = |class: &str| all.iter().filter(|found| *found == class).count();
            let written = position.grid().given_count();
            assert_eq!((count("given"), count("found")), (18, written - 18));
            assert_eq!((count("placed"), count("gone")), (step.places().len(), step.eliminates().len()));
            let circles = |role: &str| svg.matches(&format!("<circle class=\"on-{role}\"")).count();
            assert_eq!((circles("gone"), circles("rests")), (count("gone"), count("rests")));
            assert_eq!(svg.contains("what it rests on"), count("rests") > 0);
            assert_eq!(svg.contains(">ruled out<"), count("gone") > 0);
            // Of a cell that gets its digit, the candidates are not shown.
            let candidates = puzzle
                .grid
                .geometry()
                .cells()
                .filter(|&cell| !step.places().iter().any(|it| it.cell() == cell));
            let candidates = candidates.map(|cell| position.candidates(cell).count()).sum::<usize>();
            assert_eq!(count("mark") + count("gone") + count("rests"), candidates);
            position.apply(step);
        }
        assert!(position.grid().is_full());
    }

    #[test]
    fn numbers_are_written_as_in_the_puzzle_and_smaller() {
        let row = |first: &str| format!("{first} {}\n", ["0"; 15].join(" "));
        let puzzle: Puzzle = (row("16") + &row("0").repeat(15)).parse().unwrap();
        let svg = picture(&puzzle, None, true).to_string();
        assert!(svg.contains("class=\"given\" x=\"36\" y=\"43\" font-size=\"22\">16</text>"), "{svg}");
        assert!(svg.contains("font-size=\"6\">15</text>") && !svg.contains(">F</text>"));
    }

    #[test]
    fn where_no_cell_is_there_is_nothing() {
        let puzzle: Puzzle = "size: 4\ngrids: r1c1 r3c3\n".parse().unwrap();
        let svg = picture(&puzzle, None, true).to_string();
        assert!(svg.contains("width=\"312\"") && texts(&svg).iter().all(|class| class == "mark"));
        assert_eq!(texts(&svg).len(), 28 * 4);
    }
}

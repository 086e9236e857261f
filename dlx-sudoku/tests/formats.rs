//! All formats, sizes and alphabets: what is written is read, and files as they are found are read as they are meant.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ops::ControlFlow;

use dlx_sudoku::format::{Format, FormatError};
use dlx_sudoku::{
    Alphabet, Candidates, Digit, Engine, Geometry, Grid, Notes, Puzzle, Solved, SudokuSolver, count, records,
    solutions, solve, why_none,
};
use proptest::prelude::*;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Every size that is told without a word.
const SIZES: [usize; 25] =
    [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25, 28, 30, 32, 35, 36, 40, 42, 48, 49, 56, 64];

/// What an input is read as: `LINE GRID`, or the error.
fn read(input: impl AsRef<[u8]>) -> Vec<String> {
    let item = |item: Result<dlx_sudoku::Record, dlx_sudoku::ParseError>| match item {
        Ok(record) => format!("{} {}", record.line, record.puzzle.grid.one_line()),
        Err(error) => error.to_string(),
    };
    records(input.as_ref()).map(item).collect()
}

fn only(input: impl AsRef<[u8]>) -> Puzzle {
    let all: Vec<_> = records(input.as_ref()).collect();
    match <[_; 1]>::try_from(all) {
        Ok([Ok(record)]) => record.puzzle,
        other => panic!("{}\n{other:?}", String::from_utf8_lossy(input.as_ref())),
    }
}

/// Whether a format has no grids of a size.
fn lacks(format: Format, size: usize) -> bool {
    format == Format::OpenSudoku && size > 9 || format == Format::Hodoku && size != 9
}

/// A full grid of a size: rows of all digits, each shifted so that columns and boxes have all digits as well.
fn full(size: usize) -> Grid {
    let geometry = Geometry::of_size(size).unwrap();
    let mut grid = Grid::empty(geometry);
    for cell in geometry.cells() {
        let (rows, columns) = (geometry.box_rows(), geometry.box_columns());
        let shift = cell.row() % rows * columns + cell.row() / rows;
        grid.set(cell, Digit::new(((cell.column() + shift) % size) as u8 + 1));
    }
    grid
}

/// A full grid of a size with only the cells that are wanted.
fn part(size: usize, wanted: impl Fn(usize) -> bool) -> Grid {
    let mut grid = full(size);
    for (place, cell) in grid.geometry().cells().enumerate() {
        if !wanted(place) {
            grid.set(cell, None);
        }
    }
    grid
}

/// What the cells may have when a puzzle has been written as pencil marks: a cell with one candidate is then a given.
fn with_singles(puzzle: &Puzzle) -> Vec<Vec<Digit>> {
    let geometry = puzzle.grid.geometry();
    let sets: Vec<Vec<_>> = geometry.cells().map(|cell| puzzle.allows(cell).collect()).collect();
    let of = |cell| &sets[geometry.index(cell)];
    let left = |cell| {
        let singles: Vec<_> = geometry.peers(cell).map(of).filter(|set| set.len() == 1).collect();
        let is_left = |digit: &Digit| of(cell).len() == 1 || !singles.contains(&&vec![*digit]);
        of(cell).iter().copied().filter(is_left).collect()
    };
    geometry.cells().map(left).collect()
}

/// What the cells of a puzzle may have.
fn allowed(puzzle: &Puzzle) -> Vec<Vec<Digit>> {
    puzzle.grid.geometry().cells().map(|cell| puzzle.allows(cell).collect()).collect()
}

/// The rows of a grid, each cell as it is written in an alphabet.
fn written(grid: &Grid, alphabet: Alphabet, blank: &str, between: &str) -> Vec<String> {
    let cell =
        |cell: &Option<Digit>| cell.map_or(blank.to_owned(), |digit| alphabet.written(digit).to_string());
    let rows = grid.cells().chunks(grid.geometry().size());
    rows.map(|row| row.iter().map(cell).collect::<Vec<_>>().join(between)).collect()
}

#[test]
fn every_size_in_every_format() {
    for size in SIZES {
        for grid in [full(size), part(size, |place| place % 3 > 0), part(size, |place| place % 7 == 0)] {
            let puzzle = Puzzle::from(grid);
            let singles = with_singles(&puzzle);
            for format in Format::ALL {
                let text = match format.puzzle(&puzzle) {
                    Ok(text) => text,
                    Err(error) => {
                        assert!(lacks(format, size), "{error}");
                        continue;
                    }
                };
                let file = [format.begin(), &text, &text, format.end()].concat();
                let all: Vec<_> = records(file.as_bytes()).collect();
                assert_eq!(all.len(), 2, "{format} {size}\n{file}");
                for record in all {
                    let read = record.unwrap().puzzle;
                    assert_eq!(read.grid.geometry(), puzzle.grid.geometry(), "{format} {size}");
                    match format {
                        Format::Pencilmarks | Format::Candidates => {
                            assert_eq!(allowed(&read), singles, "{size}\n{file}");
                        }
                        _ => assert_eq!(read.grid, puzzle.grid, "{format} {size}\n{file}"),
                    }
                }
            }
        }
    }
}

#[test]
fn every_alphabet_in_every_size() {
    for size in SIZES {
        for grid in [full(size), part(size, |place| place % size < size - 1 || place < size)] {
            let line = |alphabet, blank| written(&grid, alphabet, blank, "");
            for (alphabet, blank, most) in [
                (Alphabet::Symbols, ".", 64),
                (Alphabet::Symbols, "-", 64),
                (Alphabet::Letters, ".", 26),
                (Alphabet::Letters, "0", 26),
                (Alphabet::FromZero, "*", 63),
            ] {
                if size > most || size <= 9 && alphabet == Alphabet::FromZero {
                    continue;
                }
                for text in [line(alphabet, blank).concat(), line(alphabet, blank).join("\n")] {
                    let read = only(&text);
                    assert_eq!((&read.grid, read.alphabet), (&grid, alphabet), "{text}");
                    if size <= 35 {
                        assert_eq!(only(text.to_lowercase()).grid, grid, "{text}");
                    }
                }
                assert_eq!(only(grid.drawn(alphabet).to_string()).grid, grid);
            }
            for (alphabet, blank) in [
                (Alphabet::Numbers, "0"),
                (Alphabet::Numbers, "."),
                (Alphabet::Numbers, "-1"),
                (Alphabet::NumbersFromZero, "-1"),
            ] {
                if size <= 9 && alphabet == Alphabet::NumbersFromZero {
                    continue;
                }
                for between in [" ", "\t", ",", ", ", ";"] {
                    let text = written(&grid, alphabet, blank, between).join("\n");
                    assert_eq!(only(&text).grid, grid, "{size} {text}");
                }
                let line = written(&grid, alphabet, blank, " ").join("   ");
                assert_eq!(only(&line).grid, grid, "{line}");
                assert_eq!(only(grid.drawn(alphabet).to_string()).grid, grid);
            }
        }
    }
}

#[test]
fn many_grids_without_a_line_between_them_keep_step() {
    for size in SIZES {
        let grids = [full(size), part(size, |place| place % 2 > 0), part(size, |place| place % 5 < 2)];
        let lines: Vec<_> = grids.iter().map(|grid| grid.one_line().to_string()).collect();
        let rows: Vec<_> =
            grids.iter().map(|grid| written(grid, Alphabet::Symbols, ".", "").join("\n")).collect();
        for text in [lines.join("\n"), rows.join("\n"), lines.join("\r\n\r\n"), rows.join("\nGrid 02\n")] {
            let read: Vec<_> = records(text.as_bytes()).map(|record| record.unwrap().puzzle.grid).collect();
            assert_eq!(read, grids, "{size}\n{text}");
        }
    }
}

#[test]
fn lines_of_sixteen_are_small_puzzles_or_rows_of_large_ones() {
    let small = "1..4........2..3";
    for number in [1, 2, 15, 16, 17, 32, 100] {
        let all = read([small].repeat(number).join("\n"));
        assert_eq!(all.len(), number);
        assert!(all.iter().all(|one| one.ends_with(small)));
    }
    // A row without a given: as many rows as a grid has are a grid.
    let mut rows = vec![small; 16];
    rows[7] = "................";
    assert_eq!(only(rows.join("\n")).grid.geometry().size(), 16);
    assert_eq!(read(rows[..15].join("\n")).len(), 15);
    let bad = read([small, "1..5........2..3", "1..4....·...2..3", small].join("\n"));
    let blanks = "or a blank (. 0 _ * - ? x)";
    let expected = [
        format!("1 {small}"),
        format!("2:4: unexpected character '5', expected a digit 1 to 4 {blanks}"),
        format!("3:9: unexpected character '·', expected a digit {blanks}"),
        format!("4 {small}"),
    ];
    assert_eq!(bad, expected);
}

#[test]
fn zeros_are_digits_blanks_or_an_error() {
    let grid = part(16, |place| place % 5 > 0);
    let hexadecimal = written(&grid, Alphabet::FromZero, ".", "").concat();
    assert_eq!(only(&hexadecimal).grid, grid);
    let zeros = written(&grid, Alphabet::Symbols, "0", "").concat();
    assert_eq!((only(&zeros).grid, only(&zeros).alphabet), (grid.clone(), Alphabet::Symbols));
    let both = hexadecimal.replacen('F', "G", 1);
    let error = read(&both).remove(0);
    assert!(
        error.ends_with("a zero beside other blanks, expected blanks of one kind where digits begin with 1"),
        "{error}"
    );
    let numbers = written(&grid, Alphabet::Numbers, "0", " ").join("\n").replacen(" 0", " .", 1);
    let error = read(&numbers).remove(0);
    assert!(error.ends_with("expected blanks of one kind where digits begin with 1"), "{error}");
}

#[test]
fn digits_that_the_size_has_not_are_told_with_their_place() {
    let bad = |text: &str, error: &str| assert_eq!(read(text), [error], "{text}");
    let mut rows = written(&full(16), Alphabet::Symbols, ".", "");
    rows[2].replace_range(3..4, "H");
    bad(
        &rows.join("\n"),
        "3:4: unexpected character 'H', expected a digit 1 to 9, A to G in a grid of 16x16, or a blank (. 0 _ * - ? x)",
    );
    let mut rows = written(&full(12), Alphabet::Numbers, ".", " ");
    rows[1].replace_range(0..1, "13");
    bad(&rows.join("\n"), "2:1: 13 in a grid of 12x12, expected a number up to 12, or 0 for a blank");
    let rows = written(&full(6), Alphabet::Symbols, ".", "");
    bad(
        &rows.join("\n").replacen('6', "7", 1),
        "1:6: unexpected character '7', expected a digit 1 to 6 or a blank (. 0 _ * - ? x)",
    );
    bad(&rows[..5].join("\n"), "1:1: the puzzle that begins here ends after 30 cells, expected 36");
    let mut short = rows.clone();
    short[3].pop();
    bad(&short.join("\n"), "4:1: 5 cells in a row, expected 6");
    bad(&".".repeat(255), "1:1: 255 cells, expected 256");
    bad(&".".repeat(70), "1:1: 70 cells, expected 81");
}

#[test]
fn positions_of_hodoku_keep_what_is_ruled_out() {
    let mut puzzle: Puzzle = PUZZLE.parse().unwrap();
    let geometry = puzzle.grid.geometry();
    let mut candidates = Candidates::all(geometry);
    // A 4 that the givens leave, and a 5 that they do not.
    let cell = geometry.cell(0, 2).unwrap();
    candidates.exclude(cell, Digit::new(4).unwrap());
    candidates.exclude(cell, Digit::new(5).unwrap());
    puzzle.candidates = Some(candidates);
    let text = Format::Hodoku.puzzle(&puzzle).unwrap();
    assert_eq!(text, format!(":0000:x:{PUZZLE}:413:::\n"));
    let read = only(&text);
    assert_eq!((&read.grid, allowed(&read)), (&puzzle.grid, allowed(&puzzle)));
    puzzle.candidates = None;
    assert_eq!(only(Format::Hodoku.puzzle(&puzzle).unwrap()), puzzle);
    let small = Format::Hodoku.puzzle(&Puzzle::from(full(6))).unwrap_err().to_string();
    assert_eq!(small, "6 rows and columns, which hodoku has not, expected 9");
    let large = Format::OpenSudoku.puzzle(&Puzzle::from(full(16))).unwrap_err().to_string();
    assert_eq!(large, "16 rows and columns, which opensudoku has not, expected at most 9");
}

#[test]
fn a_shape_is_insisted_on() {
    let read = |text: &str, rows, columns| {
        let shape = Geometry::new(rows, columns).unwrap();
        let all: Vec<_> = records(text.as_bytes()).of_shape(shape).collect();
        all.into_iter().map(|item| item.map(|record| record.puzzle.grid)).collect::<Vec<_>>()
    };
    let tall = Geometry::new(3, 2).unwrap();
    for text in [
        ".".repeat(36),
        "......\n".repeat(6),
        "[[0,0,0,0,0,0]".to_owned() + &",[0,0,0,0,0,0]".repeat(5) + "]",
    ] {
        assert_eq!(read(&text, 3, 2), [Ok(Grid::empty(tall))], "{text}");
    }
    let latin = Geometry::new(1, 5).unwrap();
    assert_eq!(read(&"5....\n".repeat(10), 1, 5).len(), 2);
    assert_eq!(read(&".".repeat(25), 1, 5), [Ok(Grid::empty(latin))]);
    let error = read(PUZZLE, 2, 3).remove(0).unwrap_err().to_string();
    assert_eq!(error, "1:1: 81 cells, expected 36");
    let error = read(&".".repeat(36), 3, 3).remove(0).unwrap_err().to_string();
    assert_eq!(error, "1:1: the puzzle that begins here ends after 36 cells, expected 81");
}

#[test]
fn rows_of_letters_are_no_headings() {
    let letters = written(&full(16), Alphabet::Letters, ".", "").join("\n");
    assert_eq!(only(&letters).grid, full(16));
    assert_eq!(only(written(&full(25), Alphabet::Letters, ".", "").concat()).grid, full(25));
    assert_eq!(read("Easy\n1..4\n....\n....\n2..3\nHard\n1..4\n....\n....\n2..3\n").len(), 2);
    assert_eq!(only("A..D\nDCBA\n....\nB..C\n").grid.one_line().to_string(), "1..44321....2..3");
}

#[test]
fn fields_beside_a_puzzle_are_not_read() {
    for text in [
        format!("{PUZZLE};9.0"),
        format!("{PUZZLE},ER/EP/ED 11.9/1.2/1.2"),
        format!("{PUZZLE}:0:3"),
        format!("17 {PUZZLE} # hard"),
        format!("EasterMonster\t{PUZZLE}\tunique\t{PUZZLE}"),
        format!(":0000:x:{PUZZLE}:1 2 3:"),
    ] {
        assert_eq!(read(&text), [format!("1 {PUZZLE}")], "{text}");
    }
    // A bad puzzle is not passed over for its solution.
    assert_eq!(read(format!("{PUZZLE}1,{PUZZLE}")), ["1:1: 82 cells, expected 81"]);
    assert_eq!(read("1..4........2..3 1.5\n1..4........2..3;x\n").len(), 2);
}

#[test]
fn spreadsheets_and_lists_have_blanks_between_separators() {
    let grid: Grid = PUZZLE.parse().unwrap();
    for between in [",", ";", "\t"] {
        for end in ["\n", "\r\n"] {
            let text = written(&grid, Alphabet::Symbols, "", between).join(end);
            assert_eq!(only(&text).grid, grid, "{text:?}");
        }
    }
    let trailing = written(&grid, Alphabet::Symbols, "0", ", ").join(",\n");
    assert_eq!(only(trailing).grid, grid);
}

#[test]
fn tables() {
    let zeros = PUZZLE.replace('.', "0");
    let kaggle = format!("quizzes,solutions\n{zeros},{zeros}\n{zeros},{zeros}\n");
    assert_eq!(read(&kaggle), [format!("2 {PUZZLE}"), format!("3 {PUZZLE}")]);
    let other =
        format!("id,puzzle,solution,clues,difficulty\r\n1,{PUZZLE},,30,2.2\r\n\r\n2,\"{PUZZLE}\",x,30,\r\n");
    assert_eq!(read(&other), [format!("2 {PUZZLE}"), format!("4 {PUZZLE}")]);
    assert_eq!(
        records(other.as_bytes()).next().unwrap().unwrap().puzzle.notes.unwrap().level.as_deref(),
        Some("2.2")
    );
    assert_eq!(read(format!("source;question;answer;rating\nx;{PUZZLE};;1\n")), [format!("2 {PUZZLE}")]);
    assert_eq!(read(format!("name\tquiz\nx\t{PUZZLE}\n")), [format!("2 {PUZZLE}")]);
    let bad = format!("id,puzzle\n1,{}\n2,{}\n3\n4,{PUZZLE}\n", &PUZZLE[1..], PUZZLE.replacen('5', "O", 1));
    let expected = [
        "2:3: 80 cells, expected 81".to_owned(),
        "3:3: unexpected character 'O', expected a digit 1 to 9 or a blank (. 0 _ * - ? x)".to_owned(),
        "4:1: no puzzle, expected 81 cells".to_owned(),
        format!("5 {PUZZLE}"),
    ];
    assert_eq!(read(bad), expected);
    // A grid over several lines within quotation marks.
    let rows = written(&PUZZLE.parse().unwrap(), Alphabet::Symbols, ".", "").join("\n");
    assert_eq!(
        read(format!("title,puzzle\na,\"{rows}\"\nb,{PUZZLE}\n")),
        [format!("2 {PUZZLE}"), format!("11 {PUZZLE}")]
    );
}

#[test]
fn open_sudoku() {
    let zeros = PUZZLE.replace('.', "0");
    let old = format!(
        "<?xml version=\"1.0\"?>\n<opensudoku>\n<name>x</name>\n<game data=\"{zeros}\" />\n</opensudoku>\n"
    );
    assert_eq!(read(&old), [format!("4 {PUZZLE}")]);
    let saved = |notes: &str| {
        let cell = |(at, c): (usize, char)| match (c, at) {
            ('.', 2) => format!("4|{notes}|1|"),
            ('.', _) => format!("0|{notes}|1|"),
            (digit, _) => format!("{digit}|{notes}|0|"),
        };
        PUZZLE.chars().enumerate().map(cell).collect::<String>()
    };
    for (version, notes) in [(1, "-"), (1, "1,2,"), (2, "0"), (3, "12"), (4, "0|0")] {
        let game = format!(
            "\u{FEFF}<opensudoku version=\"2\"><folder name='f'>\n<!-- c --><game note=\"a &lt; b\" data=\"version: {version}&#10;{}\"/></folder></opensudoku>",
            saved(notes)
        );
        let puzzle = only(&game);
        // What the player has filled in is no given.
        assert_eq!(puzzle.grid.one_line().to_string(), PUZZLE);
        assert_eq!(puzzle.notes.unwrap().comment.as_deref(), Some("a < b"));
    }
    let bad = format!(
        "<opensudoku>\n <game data=\"12\"/>\n <game/>\n<game data=\"version: 1 5|0|1|\"/>\n<game data='{zeros}'/>\n</nothing>"
    );
    let all = read(bad);
    assert_eq!(all.len(), 5, "{all:?}");
    assert_eq!(all[0], "2:2: the puzzle that begins here ends after 2 cells, expected 81");
    assert_eq!(all[1], "3:2: no puzzle, expected 81 cells");
    assert_eq!(all[2], "4:1: 1 cells, expected 81");
    assert_eq!(all[3], format!("5 {PUZZLE}"));
    assert!(all[4].starts_with("6:1: "), "{all:?}");
    assert_eq!(read("<html></html>"), ["1:1: no puzzle, expected 81 cells"]);
}

#[test]
fn objects_that_hold_a_puzzle() {
    let line = format!("{{\"puzzle\":\"{PUZZLE}\",\"givens\":30}}");
    assert_eq!(
        read(format!("{line}\n{line}\n{PUZZLE}\n")),
        [format!("1 {PUZZLE}"), format!("2 {PUZZLE}"), format!("3 {PUZZLE}")]
    );
    assert_eq!(read(format!("[\n {line},\n {line}\n]\n")), [format!("2 {PUZZLE}"), format!("3 {PUZZLE}")]);
    let grid = PUZZLE.parse::<Grid>().unwrap();
    let nested = format!("{{\"new\":{{\"grids\":[{{\"value\":{},\"solution\":[]}}]}}}}", grid.json());
    assert_eq!(only(&nested).grid, grid);
    let bad = format!("{{\"board\":\"{}\"}}\n{{\"x\":1}}\n{{\"board\":\n{PUZZLE}\n", &PUZZLE[1..]);
    let expected = [
        "1:1: 80 cells, expected 81".to_owned(),
        "2:1: no puzzle, expected 81 cells".to_owned(),
        "4:1: unexpected character '5' in JSON, expected an object with a puzzle".to_owned(),
        format!("4 {PUZZLE}"),
    ];
    assert_eq!(read(bad), expected);
    assert!(read("{".repeat(100_000)).len() <= 1);
    assert!(read("[".repeat(1000) + &"{\"a\":[".repeat(100_000)).len() <= 2);
}

#[test]
fn notes_go_where_the_format_has_room() {
    let text = format!(
        "#AArto Inkala\n#DA hard one\n#C no comment\n#B2012\n#Sthe papers\n#L11\n#Uhttp://example.invalid/1\n# more\n{}",
        written(&PUZZLE.parse().unwrap(), Alphabet::Symbols, ".", "").join("\n")
    );
    let puzzle = only(&text);
    let notes = puzzle.notes.as_deref().unwrap();
    assert_eq!(notes.author.as_deref(), Some("Arto Inkala"));
    assert_eq!(
        (notes.comment.as_deref(), notes.url.as_deref()),
        (Some("no comment"), Some("http://example.invalid/1"))
    );
    for format in [Format::Sdk, Format::Csv] {
        let file = [format.begin(), &format.puzzle(&puzzle).unwrap(), format.end()].concat();
        assert_eq!(only(&file), puzzle, "{file}");
    }
    let xml =
        [Format::OpenSudoku.begin(), &Format::OpenSudoku.puzzle(&puzzle).unwrap(), Format::OpenSudoku.end()]
            .concat();
    assert_eq!(only(&xml).notes.unwrap().comment.as_deref(), Some("no comment"));
    let mut titled = Puzzle::from(puzzle.grid.clone());
    let mut quoted = Notes::default();
    quoted.title = Some("a, \"b\"\nc".to_owned());
    titled.notes = Some(Box::new(quoted));
    let csv = [Format::Csv.begin(), &Format::Csv.puzzle(&titled).unwrap()].concat();
    assert_eq!(only(csv), titled);
    assert_eq!(only(format!("Grid 01\n{PUZZLE}")).notes.unwrap().title.as_deref(), Some("Grid 01"));
}

#[test]
fn sections_of_sadman_files() {
    let rows = written(&PUZZLE.parse().unwrap(), Alphabet::Symbols, ".", "").join("\r\n");
    let text = format!("[Puzzle]\r\n{rows}\r\n[State]\r\n{rows}\r\n[PencilMarks]\r\n123,45,,\r\n,,,\r\n");
    assert_eq!(read(text), [format!("2 {PUZZLE}")]);
}

#[test]
fn utf16_is_refused() {
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{FEFF}{PUZZLE}\r\n").encode_utf16().flat_map(order).collect()
    };
    for text in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        assert_eq!(read(text), ["1:1: UTF-16, expected UTF-8"]);
    }
}

/// Puzzles of 4x4 and 2x3 boxes with candidates, as `SEED` wants them: every solution that plain solving finds and that
/// keeps to the candidates, and no other, by every engine.
fn check_candidates(puzzle: &Puzzle) {
    let allowed = |solution: &Grid| {
        solution
            .givens()
            .all(|(cell, digit)| puzzle.candidates.as_ref().is_none_or(|all| all.contains(cell, digit)))
    };
    let mut expected: Vec<_> =
        solutions(&puzzle.grid).filter(allowed).map(|grid| grid.one_line().to_string()).collect();
    expected.sort();
    let mut lazily: Vec<_> = solutions(puzzle).map(|grid| grid.one_line().to_string()).collect();
    lazily.sort();
    assert_eq!(lazily, expected);
    for engine in Engine::ALL {
        let mut solver = SudokuSolver::new(engine);
        let mut found = Vec::new();
        let outcome = solver.for_each(puzzle, |grid| {
            found.push(grid.one_line().to_string());
            ControlFlow::Continue(())
        });
        found.sort();
        assert!(outcome.is_exhausted());
        assert_eq!(found, expected, "{engine}");
        assert_eq!(solver.count(puzzle, None).value, expected.len() as u64);
        // The solver is as good as new for a puzzle without restrictions.
        assert_eq!(solver.count(&Grid::empty(Geometry::of_size(4).unwrap()), None).value, 288);
    }
    assert_eq!(count(puzzle, None).value, expected.len() as u64);
    match solve(puzzle) {
        Solved::Unique(grid) => assert_eq!(expected, [grid.one_line().to_string()]),
        Solved::Several(grid) => {
            assert!(expected.len() > 1 && expected.contains(&grid.one_line().to_string()))
        }
        Solved::None(why) => assert_eq!((expected.len(), why), (0, why_none(puzzle))),
        Solved::Unknown { .. } => panic!("without a limit"),
    }
}

#[test]
fn why_there_is_no_solution_in_all_sizes() {
    let why = |text: &str| why_none(&only(text)).to_string();
    assert_eq!(
        why("11..............").lines().next().unwrap(),
        "row 1 has 1 twice, in r1c1 and r1c2; box 1 has 1 twice, in r1c1 and r1c2"
    );
    assert_eq!(why("123....4........"), "no digit fits r1c4");
    let marks = "12 12 34 34\n34 34 12 12\n23 1234 1234 1234\n23 1234 1234 1234";
    assert_eq!(why(marks), "no solution (found by search)");
    let marks = "23 23 1234 1234\n23 23 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234";
    assert_eq!(why(marks), "no place for 1 in box 1");
    let mut large = part(16, |place| place < 15);
    let geometry = large.geometry();
    let last = large.get(geometry.cell(0, 14).unwrap());
    large.set(geometry.cell(0, 14).unwrap(), None);
    large.set(geometry.cell(5, 14).unwrap(), full(16).get(geometry.cell(0, 15).unwrap()));
    large.set(geometry.cell(9, 15).unwrap(), full(16).get(geometry.cell(0, 15).unwrap()));
    assert_eq!(why_none(&large).to_string(), "no place for G in row 1");
    large.set(geometry.cell(13, 14).unwrap(), last);
    assert_eq!(why_none(&large).to_string(), "no digit fits r1c15");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn candidates_restrict_what_is_found(
        sets in proptest::collection::vec(1..16_u8, 16), givens in proptest::collection::vec(0..12_usize, 16),
    ) {
        let geometry = Geometry::of_size(4).unwrap();
        let mut candidates = Candidates::all(geometry);
        let mut grid = Grid::empty(geometry);
        for ((cell, set), given) in geometry.cells().zip(sets).zip(givens) {
            for digit in geometry.digits().filter(|digit| set & 1 << digit.index() == 0) {
                candidates.exclude(cell, digit);
            }
            grid.set(cell, full(4).get(cell).filter(|_| given == 0));
        }
        let mut puzzle = Puzzle::from(grid);
        puzzle.candidates = Some(candidates);
        check_candidates(&puzzle);
        // What pencil marks say is what the puzzle allows.
        for format in [Format::Pencilmarks, Format::Candidates] {
            match format.puzzle(&puzzle) {
                Ok(text) => {
                    let read = only(&text);
                    prop_assert_eq!(allowed(&read), with_singles(&puzzle), "{}", text);
                    prop_assert_eq!(count(&read, None).value, count(&puzzle, None).value, "{}", text);
                }
                Err(error) => {
                    prop_assert!(matches!(error, FormatError::NoCandidate(_)));
                    prop_assert_eq!(count(&puzzle, None).value, 0);
                }
            }
        }
        let text = Format::Variant.puzzle(&puzzle).unwrap();
        let read = only(&text);
        prop_assert_eq!(&read.grid, &puzzle.grid);
        prop_assert_eq!(count(&read, None).value, count(&puzzle, None).value, "{}", text);
        let keep = [Format::Hodoku, Format::Pencilmarks, Format::Candidates, Format::Variant];
        for format in Format::ALL.into_iter().filter(|format| !keep.contains(format)) {
            prop_assert_eq!(format.puzzle(&puzzle), Err(FormatError::Restricted(format)));
        }
    }

    #[test]
    fn what_is_written_is_read(size in proptest::sample::select(&SIZES[..]), seed in any::<u64>(), format in proptest::sample::select(&Format::ALL[..])) {
        // Any digits anywhere, valid or not, but for pencil marks, which have no word for clashes.
        let valid = full(size);
        let mut random = seed | 1;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as usize
        };
        let mut grid = Grid::empty(valid.geometry());
        for cell in valid.geometry().cells() {
            let digit = match format {
                Format::Pencilmarks | Format::Candidates => valid.get(cell),
                _ => Digit::new((next() % size) as u8 + 1),
            };
            grid.set(cell, digit.filter(|_| next() % 3 == 0));
        }
        let puzzle = Puzzle::from(grid);
        if let Ok(text) = format.puzzle(&puzzle) {
            let file = [format.begin(), &text, &text, format.end()].concat();
            for file in [file.replace('\n', "\r\n"), format!("\u{FEFF}{file}"), file] {
                let all: Vec<_> = records(file.as_bytes()).collect();
                prop_assert_eq!(all.len(), 2, "{}", file);
                for record in all {
                    let read = record.unwrap().puzzle;
                    if matches!(format, Format::Pencilmarks | Format::Candidates) {
                        prop_assert_eq!(allowed(&read), with_singles(&puzzle), "{}", file);
                    } else {
                        prop_assert_eq!(&read.grid, &puzzle.grid, "{}", file);
                    }
                }
            }
        } else {
            prop_assert!(lacks(format, size));
        }
    }

    #[test]
    fn no_text_panics(text in "[-+|.0-9A-Zxa ,;:\\[\\]{}<>/=\"\r\n\t#'*│─&]{0,300}") {
        let _ = read(&text);
        let _ = read(format!("<game data=\"{text}\"/>"));
        let _ = read(format!("id,puzzle\n{text}"));
        let _ = read(format!("{PUZZLE}\n{text}\n{PUZZLE}"));
    }
}

//! The forms that are read, the errors, and random inputs.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::records;
use crate::{Digit, Geometry, Grid, ParseError, ParseErrorKind, Puzzle};

/// A puzzle that every test here can use, and one that no test must take for it.
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const OTHER: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// What an input is read as: `LINE PUZZLE`, or the error.
fn read(input: impl AsRef<[u8]>) -> Vec<String> {
    records(input.as_ref())
        .map(|item| match item {
            Ok(record) => format!("{} {}", record.line, record.puzzle.grid.one_line()),
            Err(error) => error.to_string(),
        })
        .collect()
}

/// The rows of a puzzle.
fn rows(puzzle: &str) -> Vec<&str> {
    (0..9).map(|row| &puzzle[9 * row..][..9]).collect()
}

/// Expects one puzzle, from a line on.
#[track_caller]
fn expect(input: impl AsRef<[u8]>, line: usize, puzzle: &str) {
    assert_eq!(read(&input), [format!("{line} {puzzle}")], "{}", String::from_utf8_lossy(input.as_ref()));
}

#[test]
fn every_blank_on_one_line_and_on_nine() {
    for blank in [".", "0", "_", "*", "-", "x", "X"] {
        let puzzle = PUZZLE.replace('.', blank);
        expect(&puzzle, 1, PUZZLE);
        expect(rows(&puzzle).join("\n"), 1, PUZZLE);
        expect(rows(&puzzle).join("\r\n") + "\r\n", 1, PUZZLE);
    }
}

#[test]
fn line_ends_tabs_and_a_byte_order_mark() {
    expect(format!("\u{FEFF}{PUZZLE}"), 1, PUZZLE);
    expect(format!("\r\n \t{PUZZLE}\t\r\n\r\n"), 2, PUZZLE);
    let all = format!("{PUZZLE}\r\n{OTHER}\n{PUZZLE}");
    assert_eq!(read(all), [format!("1 {PUZZLE}"), format!("2 {OTHER}"), format!("3 {PUZZLE}")]);
}

#[test]
fn every_line_end_in_every_form() {
    let rows = rows(PUZZLE).join("\n");
    let csv = format!("id,puzzle,rating\n1,{PUZZLE},2.0\n2,{OTHER},\n3,{},1", &PUZZLE[1..]);
    let variant =
        format!("puzzle: one\nrules: x\ngrid:\n{rows}\npuzzle: two\nrules: x\ncages:\n3: r1c1 r9c9 r9c9\n");
    let xml =
        format!("<opensudoku>\n<game data=\"{PUZZLE}\"/>\n<game data=\"{OTHER}\"/>\n<game/></opensudoku>");
    let texts = [
        format!("{PUZZLE}\n\n{rows}\n\n{OTHER}\n# comment\n{OTHER}\n"),
        format!("Grid 1\n{rows}\nGrid 2\n{rows}"),
        format!("[Puzzle]\n{rows}\n[State]\n{rows}\n"),
        format!(
            "{}\n{}\n{}",
            json(PUZZLE, "0", "", "\n"),
            json(OTHER, "0", "", "\n")[3..].to_owned(),
            PUZZLE
        ),
        format!("[\"{PUZZLE}\",\n\n\"{OTHER}\",\n\"123\"]\n{OTHER}"),
        format!("[\n{{\"puzzle\":\n\"{PUZZLE}\"}},\n{{\"puzzle\": 1}}]\n"),
        csv,
        variant,
        xml,
    ];
    for text in texts {
        let expected = read(&text);
        assert!(expected.len() > 1 || text.contains("[State]"), "{expected:?}");
        for end in ["\r", "\r\n", "\r\r\n"] {
            assert_eq!(read(text.replace('\n', end)), expected, "{end:?} in {text}");
        }
        // All kinds in turn, one after the other.
        let mut ends = ["\r\n", "\n", "\r", "\r\n"].into_iter().cycle();
        let lines = text.split('\n').collect::<Vec<_>>();
        let mixed: String = lines.iter().flat_map(|line| [line, ends.next().unwrap()]).collect();
        if lines.iter().all(|line| !line.is_empty()) {
            assert_eq!(read(&mixed), expected, "{mixed:?}");
        }
    }
}

#[test]
fn frames_with_spaces_for_blanks() {
    let rows: Vec<_> = rows(PUZZLE).into_iter().map(|row| row.replace('.', " ")).collect();
    let parts = |row: &str| [row[..3].to_owned(), row[3..6].to_owned(), row[6..].to_owned()];
    let wide = |part: &String| part.chars().map(|c| format!(" {c}")).collect::<String>() + " ";
    for bar in ["|", "│", "║"] {
        let close = rows.iter().map(|row| format!("{bar}{}{bar}", parts(row).join(bar))).collect::<Vec<_>>();
        expect(close.join("\n"), 1, PUZZLE);
        let spaced = rows
            .iter()
            .map(|row| format!("{bar}{}{bar}", parts(row).each_ref().map(wide).join(bar)))
            .collect::<Vec<_>>();
        expect(format!("+-------+-------+-------+\n{}\n+---+", spaced.join("\n")), 2, PUZZLE);
        let each = |row: &String| row.chars().map(|c| format!("{bar} {c} ")).collect::<String>() + bar;
        expect(
            rows.iter().map(each).collect::<Vec<_>>().join("\n|---|---|---|---|---|---|---|---|---|\n"),
            1,
            PUZZLE,
        );
        // An empty row after others is one.
        let mut empty = spaced.clone();
        empty[4] = format!("{bar}       {bar}       {bar}       {bar}");
        expect(empty.join("\n"), 1, &format!("{}.........{}", &PUZZLE[..36], &PUZZLE[45..]));
    }
    // Room between rows with other blanks, and columns of candidates, are what they were.
    let room =
        self::rows(PUZZLE).into_iter().map(|row| format!("|{}|", parts(row).each_ref().map(wide).join("|")));
    expect(room.collect::<Vec<_>>().join("\n|       |       |       |\n"), 1, PUZZLE);
    let small = "| 1   2   | 3   4   |\n| 34  34  | 1   2   |\n| 234 134 | 124 123 |\n| 1234 1 | 2 3 |\n";
    expect(small, 1, "1234..12.....123");
}

#[test]
fn candidates_on_a_line() {
    let line = |puzzle: &str, size: usize, blank: char| -> String {
        let symbols: Vec<char> = "123456789ABCDEFGHIJKLMNOP".chars().take(size).collect();
        let mark = |given: char, symbol| if given == '.' || given == symbol { symbol } else { blank };
        puzzle
            .chars()
            .flat_map(|given| symbols.iter().map(move |&symbol| mark(given, symbol)).collect::<Vec<_>>())
            .collect()
    };
    for blank in ['.', '0', '-'] {
        expect(line(PUZZLE, 9, blank), 1, PUZZLE);
    }
    let all =
        format!("{}\n{}  # hard\n\"{}\",\n", line(PUZZLE, 9, '.'), line(OTHER, 9, '.'), line(PUZZLE, 9, '.'));
    assert_eq!(read(all), [format!("1 {PUZZLE}"), format!("2 {OTHER}"), format!("3 {PUZZLE}")]);
    for size in [4, 6, 8, 10, 12, 16, 25] {
        let puzzle = format!("1.2{}", ".".repeat(size * size - 3));
        expect(line(&puzzle, size, '.'), 1, &puzzle);
    }
    // Sixty-four cells that are no candidates of sixteen.
    let eight = "1.......2.......3.......4.......5.......6.......7......./.......".replace('/', ".");
    expect(&eight, 1, &eight);
    expect(
        ".2......12341234123412341234123412341234123412341234123412341234",
        1,
        ".2......12341234123412341234123412341234123412341234123412341234",
    );

    let two: Puzzle = line(PUZZLE, 9, '.').replacen("123456789", "12.......", 1).parse().unwrap();
    let cell = two.grid.geometry().cell(0, 2).unwrap();
    assert!(two.restricts());
    assert_eq!(two.allows(cell).map(Digit::get).collect::<Vec<_>>(), [1, 2]);
    let none: Puzzle = line(PUZZLE, 9, '.').replacen("123456789", ".........", 1).parse().unwrap();
    assert_eq!(none.allows(cell).count(), 0);
    let wrong = line(PUZZLE, 9, '.').replacen("123456789", "124456789", 1);
    let error = "3:21: unexpected character '4' among candidates, expected 3, or a blank (. 0 _ * - ?) where it is none";
    assert_eq!(
        read(format!("{PUZZLE}\n\n{wrong}\n{PUZZLE}")),
        [format!("1 {PUZZLE}"), error.to_owned(), format!("4 {PUZZLE}")]
    );
}

#[test]
fn lines_of_the_library_of_hodoku() {
    expect(format!(":0000:x:{PUZZLE}:::"), 1, PUZZLE);
    let solved = PUZZLE.replacen("53.", "53+4", 1);
    expect(format!(":0002:4:{solved}:::413:"), 1, &PUZZLE.replacen("53.", "534", 1));
    let puzzle: Puzzle = format!(":0100:9:{solved}:114 214 926:926::\n").parse().unwrap();
    let allowed = |row, column| {
        let cell = puzzle.grid.geometry().cell(row, column).unwrap();
        puzzle.allows(cell).map(Digit::get).collect::<Vec<_>>()
    };
    assert_eq!((allowed(0, 3), allowed(0, 2)), (vec![6], vec![4]));
    let error = read(format!("\n:0100:9:{}:114:", &solved[1..]));
    assert_eq!(error, ["2:9: 80 cells, expected 81"]);
    expect(format!(":0000:9:{PUZZLE}:1 2 3:"), 1, PUZZLE);
}

#[test]
fn addresses_quotation_marks_and_remarks() {
    let address = format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", PUZZLE.replace('.', "0"));
    for text in [&address, &format!("bd={PUZZLE}&x=1"), &format!("\"{PUZZLE}\","), &format!("'{PUZZLE}'")] {
        expect(text, 1, PUZZLE);
    }
    expect(format!("; made by hand\n// all of them\n{PUZZLE}"), 3, PUZZLE);
    expect(rows_with(PUZZLE, ";"), 1, PUZZLE);
}

/// The rows of a puzzle with something between the cells, and nothing for blanks.
fn rows_with(puzzle: &str, between: &str) -> String {
    let cell = |c: char| if c == '.' { String::new() } else { c.to_string() };
    let row = |row: &str| row.chars().map(cell).collect::<Vec<_>>().join(between);
    rows(puzzle).into_iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn json_lists_of_strings() {
    let both = [format!("1 {PUZZLE}"), format!("2 {OTHER}")];
    assert_eq!(read(format!("[\"{PUZZLE}\",\n \"{OTHER}\"]")), both);
    let quoted = rows(PUZZLE).iter().map(|row| format!("\"{row}\"")).collect::<Vec<_>>();
    expect(format!("[{}]", quoted.join(", ")), 1, PUZZLE);
    let lists = read(format!("[[{0}],\n[{0}]]\n{OTHER}", quoted.join(",")));
    assert_eq!(lists, [format!("1 {PUZZLE}"), format!("2 {PUZZLE}"), format!("3 {OTHER}")]);
    // Each with its lines, or in words of its own.
    let lines = rows(PUZZLE).join("\\n");
    assert_eq!(read(format!("[\"{lines}\",\n\"{OTHER}\"]")), both);
    assert_eq!(
        read(format!("{{\"puzzles\": [\"{PUZZLE}\", \"{OTHER}\"]}}")),
        [format!("1 {PUZZLE}"), format!("1 {OTHER}")]
    );
    assert_eq!(
        read(format!("{{\"grids\": [{{\"grid\": [{0}]}}], \"x\": 1}}\n{OTHER}", quoted.join(","))),
        both
    );
    let several = format!(
        "{{\"a\": [{{\"grid\": \"{PUZZLE}\", \"b\": {{\"grid\": 1}}}}, {{\"c\": {{\"grid\": \"{OTHER}\"}}}}]}}"
    );
    assert_eq!(read(several), [format!("1 {PUZZLE}"), format!("1 {OTHER}")]);
    let grids = [json(PUZZLE, "0", "", ""), json(OTHER, "0", "", "")].join(",");
    assert_eq!(read(format!("{{\"puzzles\": [{grids}]}}")), [format!("1 {PUZZLE}"), format!("1 {OTHER}")]);

    let bad = read(format!(
        "[\"{PUZZLE}\",\n  \"{}\",\n\"{}\",\n\"{OTHER}\"]",
        &PUZZLE[1..],
        PUZZLE.replace("..7", ".u7")
    ));
    let expected = [
        format!("1 {PUZZLE}"),
        "2:4: 80 cells, expected 81".to_owned(),
        "3:5: unexpected character 'u', expected a digit 1 to 9 or a blank (. 0 _ * - ? x)".to_owned(),
        format!("4 {OTHER}"),
    ];
    assert_eq!(bad[..2], expected[..2]);
    assert_eq!((bad[2].split_once(": ").unwrap().1, &bad[3]), (&expected[2][5..], &expected[3]));
    for (list, error) in [
        (
            format!("[\"{PUZZLE}\", 5]\n{OTHER}"),
            "1:87: unexpected character '5' in JSON, expected a string with a puzzle",
        ),
        (
            format!("[\"{PUZZLE}\" \"{PUZZLE}\"]\n{OTHER}"),
            "1:86: unexpected character '\"' in JSON, expected ',' or ']'",
        ),
        (
            format!("[\"{PUZZLE}\", \"53..\n{OTHER}"),
            "1:87: unexpected character '\"' in JSON, expected a string with a puzzle",
        ),
    ] {
        assert_eq!(read(list), [&both[0], error, &both[1]]);
    }
    assert_eq!(read("[\"hello\", \"you\"]"), ["1:3: no puzzle, expected 81 cells"]);
    assert_eq!(records("[\"....\",".repeat(100_000).as_bytes()).count(), 3);
}

#[test]
fn frames() {
    let rows = rows(PUZZLE);
    let spaced: Vec<_> = rows.iter().map(|row| row.split("").collect::<Vec<_>>().join(" ")).collect();
    let piped: Vec<_> =
        rows.iter().map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])).collect();
    expect(spaced.join("\n"), 1, PUZZLE);
    expect(piped.join("\n"), 1, PUZZLE);
    let bands = |rows: &[String], rule: &str| {
        rows.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join(rule)
    };
    for rule in
        ["---+---+---", "-----------", "---|---|---", "------+------+------", "===+===+===", "───┼───┼───"]
    {
        expect(bands(&piped, &format!("\n{rule}\n")), 1, PUZZLE);
        expect(format!("+{rule}+\n{}\n+{rule}+\n", bands(&piped, &format!("\n|{rule}|\n"))), 2, PUZZLE);
    }
    expect(
        format!(
            "*-----------*\n|{}|\n*-----------*\n",
            bands(&piped, "|\n|---+---+---|\n|").replace("\n", "|\n|")
        ),
        2,
        PUZZLE,
    );
    let grid: Grid = PUZZLE.parse().unwrap();
    expect(grid.to_string(), 2, PUZZLE);
    expect(grid.to_string().replace('\n', "\r\n"), 2, PUZZLE);
}

#[test]
fn nine_dashes_are_a_row_of_blanks() {
    let puzzle = format!("{}.........{}", &PUZZLE[..36], &PUZZLE[45..]);
    expect(rows(&puzzle.replace('.', "-")).join("\n"), 1, &puzzle);
    expect(rows(&puzzle).join("\n").replace(".........", "---------"), 1, &puzzle);
}

#[test]
fn lines_of_any_length_below_forty_add_up() {
    for length in [1, 2, 5, 10, 27, 39] {
        let lines: Vec<_> =
            PUZZLE.as_bytes().chunks(length).map(|line| str::from_utf8(line).unwrap()).collect();
        expect(lines.join("\n"), 1, PUZZLE);
    }
}

#[test]
fn a_bad_line_is_one_puzzle() {
    let input = format!("{PUZZLE}\n{}\n{OTHER}\n{PUZZLE}.\n{PUZZLE}\n", &PUZZLE[..80]);
    let expected = [
        format!("1 {PUZZLE}"),
        "2:1: 80 cells, expected 81".to_owned(),
        format!("3 {OTHER}"),
        "4:1: 82 cells, expected 81".to_owned(),
        format!("5 {PUZZLE}"),
    ];
    assert_eq!(read(input), expected);
    for (length, line) in [(40, &PUZZLE[..40]), (79, &PUZZLE[..79])] {
        let expected = [format!("1:1: {length} cells, expected 81"), format!("2 {PUZZLE}")];
        assert_eq!(read(format!("{line}\n{PUZZLE}")), expected);
    }
}

#[test]
fn trailing_fields_are_not_read() {
    for after in [" 7.1", "\t534678912", ",534", ";x", "# comment", " ", "  \u{FF15}"] {
        expect(format!("{PUZZLE}{after}\n"), 1, PUZZLE);
    }
    expect(
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 M\xFCller",
        1,
        PUZZLE,
    );
}

#[test]
fn headings_blank_lines_and_comments() {
    let rows = rows(PUZZLE);
    let input = format!("Grid 01\n{}\nGrid 02\n{}\n", rows.join("\n"), self::rows(OTHER).join("\n"));
    assert_eq!(read(input), [format!("2 {PUZZLE}"), format!("12 {OTHER}")]);
    expect(format!("# one\n{}\n# two\n{}", rows[..4].join("\n"), rows[4..].join("\n")), 2, PUZZLE);
    let cut = format!(
        "\n{}\n\n{OTHER}\n{}\nGrid 3\n{}",
        rows[..4].join("\n"),
        rows[..2].join("\n"),
        rows[..8].join("\n")
    );
    let expected = [
        "2:1: the puzzle that begins here ends after 36 cells, expected 81".to_owned(),
        format!("7 {OTHER}"),
        "8:1: the puzzle that begins here ends after 18 cells, expected 81".to_owned(),
        "11:1: the puzzle that begins here ends after 72 cells, expected 81".to_owned(),
    ];
    assert_eq!(read(cut), expected);
}

#[test]
fn sections_other_than_puzzle_are_not_puzzles() {
    let (puzzle, other) = (rows(PUZZLE).join("\n"), rows(OTHER).join("\n"));
    expect(format!("[Puzzle]\n{puzzle}\n[State]\n{other}\n"), 2, PUZZLE);
    expect(format!("#A someone\n[puzzle]\n{puzzle}\n[Level]\n9\n\n[State]\n\n{other}\n"), 3, PUZZLE);
    let all = read(format!("[Puzzle]\n{puzzle}\n[State]\n{other}\n\n{OTHER}\n[Puzzle]\n{puzzle}\n"));
    assert_eq!(all, [format!("2 {PUZZLE}"), format!("22 {OTHER}"), format!("24 {PUZZLE}")]);
    expect(format!("[Level 1]\n{puzzle}\n"), 2, PUZZLE);
    assert_eq!(read(format!("[State]\n{puzzle}\n")), ["1:1: no puzzle, expected 81 cells"]);
}

#[test]
fn a_table_with_a_heading() {
    expect(format!("quizzes,solutions\n{},534678912\n", PUZZLE.replace('.', "0")), 2, PUZZLE);
}

#[test]
fn a_row_too_short_or_too_long_costs_its_puzzle_only() {
    let mut short = rows(PUZZLE);
    short[3] = "8...6...";
    let mut long = rows(PUZZLE);
    long[8] = "....8..791";
    let all = [short, rows(OTHER), long, rows(OTHER)].concat().join("\n");
    let expected = [
        "4:1: 8 cells in a row, expected 9".to_owned(),
        format!("10 {OTHER}"),
        "27:1: 10 cells in a row, expected 9".to_owned(),
        format!("28 {OTHER}"),
    ];
    assert_eq!(read(all), expected);
    let mut lines =
        PUZZLE.as_bytes()[..78].chunks(26).map(|line| str::from_utf8(line).unwrap()).collect::<Vec<_>>();
    lines.push("9999");
    assert_eq!(read(lines.join("\n")), ["4:1: 82 cells, expected 81"]);
}

#[test]
fn unexpected_characters_have_a_line_and_a_column() {
    let blanks = "or a blank (. 0 _ * - ? x)";
    let bad = |line, column, found: &str| {
        let digit = if found.is_ascii() && found != "','" { "a digit 1 to 9" } else { "a digit" };
        format!("{line}:{column}: unexpected character {found}, expected {digit} {blanks}")
    };
    let mut rows = rows(PUZZLE);
    rows[2] = " ┃ .98...a6.";
    let input = format!("{}\n\n{PUZZLE}", rows.join("\n"));
    assert_eq!(read(input), [bad(3, 10, "'a'"), format!("11 {PUZZLE}")]);
    let wide: String = PUZZLE.chars().map(|c| char::from_u32(u32::from(c) + 0xFEE0).unwrap()).collect();
    assert_eq!(read(format!("{wide}\n{PUZZLE}")), [bad(1, 1, "'５'"), format!("2 {PUZZLE}")]);
    assert_eq!(read(PUZZLE.replace("..8.3", "\u{B7}.8.3")), [bad(1, 38, "'·'")]);
    assert_eq!(read(PUZZLE.replace('.', ",")), [bad(1, 3, "','")]);
    assert_eq!(read(PUZZLE.replace("..8.3", "\u{FFFD}.8.3")), [bad(1, 38, "'\u{FFFD}'")]);
    // The first cell stands for a letter's only neighbour: no heading.
    assert_eq!(read(PUZZLE.replacen('5', "S", 1)), [bad(1, 1, "'S'")]);
    // Nothing but a puzzle can be so long.
    expect(format!("Escargot\t{PUZZLE}"), 1, PUZZLE);
}

#[test]
fn bytes_that_are_not_utf8_have_a_line_and_a_column() {
    let mut input = format!("{OTHER}\n{PUZZLE}\n{PUZZLE}").into_bytes();
    input[82 + 37] = 0xFC;
    let error = "2:38: byte 0xfc is not UTF-8, expected a digit or a blank (. 0 _ * - ? x)";
    assert_eq!(read(input), [format!("1 {OTHER}"), error.to_owned(), format!("3 {PUZZLE}")]);
    assert_eq!(read(b"\xFF\xFE5\x003\x00").len(), 1);
}

#[test]
fn numbers_with_minus_one_for_blank() {
    let numbers: Vec<_> =
        PUZZLE.chars().map(|c| if c == '.' { "-1".to_owned() } else { c.to_string() }).collect();
    expect(numbers.join(" "), 1, PUZZLE);
    expect(numbers.join("\n"), 1, PUZZLE);
    let lines: Vec<_> = numbers.chunks(9).map(|row| row.join("\t")).collect();
    expect(lines.join("\n"), 1, PUZZLE);
    assert_eq!(read(numbers[..80].join(" ")), ["1:1: 80 cells, expected 81"]);
}

#[test]
fn candidates_are_read_as_such() {
    let candidates = "\
*--------------------------------------------------------------------*
| 1567   3      1567   | 4      12579  179    | 689    5678   579    |
| 9      45     2      | 8      57     6      | 3      457    1      |
| 1567   1458   14567  | 1357   13579  1379   | 4689   2      4579   |
|----------------------+----------------------+----------------------|
| 8      12459  1459   | 13     6      139    | 7      145    2345   |
| 17     6      147    | 2      1378   5      | 14     9      34     |
| 1257   1259   3      | 17     4      179    | 126    156    8      |
|----------------------+----------------------+----------------------|
| 12356  7      1569   | 1356   135    134    | 12489  148    249    |
| 4      1      8      | 9      137    2      | 5      17     6      |
| 1256   1259   1569   | 1567   157    8      | 1249   3      2479   |
*--------------------------------------------------------------------*
";
    let givens = ".3.4.....9.28.63.1.......2.8...6.7...6.2.5.9...3.4...8.7.......4189.25.6.....8.3.";
    assert_eq!(read(format!("{candidates}{PUZZLE}")), [format!("2 {givens}"), format!("14 {PUZZLE}")]);
    let all = format!("{}\n", ["123456789"; 9].join(" ")).repeat(9);
    assert_eq!(read(all), [format!("1 {}", ".".repeat(81))]);
    let puzzle: Puzzle = candidates.parse().unwrap();
    let allowed = |row, column| {
        let cell = Geometry::CLASSIC.cell(row, column).unwrap();
        puzzle.allows(cell).map(Digit::get).collect::<Vec<_>>()
    };
    assert_eq!((allowed(0, 0), allowed(4, 8), allowed(0, 1)), (vec![1, 5, 6, 7], vec![3, 4], vec![3]));
    let restricted = candidates.replace("1567   3 ", "157    3 ");
    assert!(restricted.parse::<Puzzle>().unwrap().restricts());
    assert_eq!(
        restricted.parse::<Grid>().unwrap_err().to_string(),
        "2:1: rules or candidates beside the givens, expected givens only"
    );
    let descending = candidates.replace("1567   3 ", "5167   3 ");
    let error =
        "2:3: a group that is no cell, expected a number that the grid has, or candidates in ascending order";
    assert_eq!(read(descending), [error]);
}

/// A puzzle as rows in JSON.
fn json(puzzle: &str, blank: &str, quote: &str, between: &str) -> String {
    let cell = |c| if c == '.' { blank.to_owned() } else { format!("{quote}{c}{quote}") };
    let rows = rows(puzzle).into_iter().map(|row| row.chars().map(cell).collect::<Vec<_>>().join(", "));
    format!("[[{}]]", rows.collect::<Vec<_>>().join(&format!("],{between}[")))
}

#[test]
fn json_rows() {
    for (blank, quote) in [
        ("0", ""),
        ("-1", ""),
        ("null", ""),
        ("\".\"", "\""),
        ("\"0\"", "\""),
        ("\"\"", "\""),
        ("\" \"", "\""),
    ] {
        expect(json(PUZZLE, blank, quote, " "), 1, PUZZLE);
        expect(format!("\n  {}\n", json(PUZZLE, blank, quote, "\r\n  ")), 2, PUZZLE);
    }
    let one = json(PUZZLE, "0", "", "");
    let two = json(OTHER, "null", "", "\n");
    let all = read(format!("{one}\n{PUZZLE}\n{two}{one} {one}\n"));
    let expected = [
        format!("1 {PUZZLE}"),
        format!("2 {PUZZLE}"),
        format!("3 {OTHER}"),
        format!("11 {PUZZLE}"),
        format!("11 {PUZZLE}"),
    ];
    assert_eq!(all, expected);
    assert_eq!(
        read(format!("[\n{one},\n{two} ]\n{PUZZLE}")),
        [format!("2 {PUZZLE}"), format!("3 {OTHER}"), format!("12 {PUZZLE}")]
    );
    expect(Grid::json(&PUZZLE.parse().unwrap()).to_string(), 1, PUZZLE);
}

#[test]
fn json_flat() {
    let flat = |puzzle: &str, blank: &str, shift: u32| {
        let cell =
            |c: char| c.to_digit(10).map_or_else(|| blank.to_owned(), |digit| (digit - shift).to_string());
        format!("[{}]", puzzle.chars().map(cell).collect::<Vec<_>>().join(","))
    };
    expect(flat(PUZZLE, "0", 0), 1, PUZZLE);
    expect(flat(PUZZLE, "null", 0), 1, PUZZLE);
    expect(flat(PUZZLE, "null", 1), 1, PUZZLE);
    let unclear = "1:1: null for blank, and digits that may be 0 to 8 or 1 to 9, expected a 0 or a 9 among them, and not both";
    assert_eq!(read(flat(&PUZZLE.replace('9', "."), "null", 0)), [unclear]);
    assert_eq!(read(flat(PUZZLE, "null", 0).replacen("null", "0", 1)), [unclear]);
    expect(flat(&".".repeat(81), "null", 0), 1, &".".repeat(81));
}

#[test]
fn json_errors_have_a_place_and_cost_one_puzzle() {
    let good = json(OTHER, "0", "", "\n");
    let wrong = |from: &str, to: &str| json(PUZZLE, "0", "", "\n ").replacen(from, to, 1);
    let cell = "not a cell, expected a number, a string of one digit, or a blank (0, -1, null, \"\", \".\")";
    let cases = [
        (wrong("7", "17"), format!("1:15: {cell}")),
        (wrong("7", "\"75\""), format!("1:15: {cell}")),
        (wrong("7", "true"), format!("1:15: {cell}")),
        (wrong("7", "[7]"), "1:15: unexpected character '[' in JSON, expected a cell".to_owned()),
        (wrong("7, ", "7 "), "1:17: unexpected character '0' in JSON, expected ',' or ']'".to_owned()),
        (wrong("7, ", ""), "1:2: a row of 8 cells, expected 9".to_owned()),
        (wrong("7", "7, 7"), "1:2: a row of 10 cells, expected 9".to_owned()),
        (wrong("],\n", ",\n"), "2:2: unexpected character '[' in JSON, expected a cell".to_owned()),
        (wrong("0],\n", "0]],\n"), "1:1: 1 rows, expected 9".to_owned()),
        (wrong("[[", "[[],["), "1:2: a row of 0 cells, expected 9".to_owned()),
        (
            format!("[{}]", &good[1..good.len() - 1].replacen("],\n", "],\n[0,0,0,0,0,0,0,0,0],", 1)),
            "9:1: 10 rows, expected 9".to_owned(),
        ),
        ("[[0,0,0,0,0,0,0,0,0]]".to_owned(), "1:1: 1 rows, expected 9".to_owned()),
        ("[]".to_owned(), "1:1: 0 cells, expected 81".to_owned()),
        ("[[[[1]]]]".to_owned(), "1:4: arrays more than three deep, expected rows of cells".to_owned()),
    ];
    for (bad, error) in cases {
        let lines = bad.lines().count();
        for between in ["\n", "\n\n", " "] {
            let line = lines + between.matches('\n').count();
            assert_eq!(
                read(format!("{bad}{between}{good}")),
                [error.clone(), format!("{line} {OTHER}")],
                "{bad}"
            );
        }
        let listed = read(format!("[{good},\n{bad},\n{good}]\n{PUZZLE}"));
        assert_eq!(listed.len(), 4, "{bad}: {listed:?}");
        assert_eq!(listed[0], format!("1 {OTHER}"));
        assert_eq!(listed[2], format!("{} {OTHER}", 10 + lines));
    }
}

#[test]
fn json_that_does_not_end_costs_no_other_puzzle() {
    let good = json(OTHER, "0", "", "");
    let cut = &json(PUZZLE, "0", "", "")[..60];
    let next = "2:1: unexpected character '[' in JSON, expected ";
    let all = read(format!("{cut}\n{good}\n"));
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0].starts_with(next), "{all:?}");
    assert_eq!(all[1], format!("2 {OTHER}"));
    let all = read(format!("{cut}\n{PUZZLE}\n"));
    assert_eq!(all.last(), Some(&format!("2 {PUZZLE}")));
    assert_eq!(read(cut), [format!("1:{}: the input ends within JSON, expected a cell", cut.len() + 1)]);
}

#[test]
fn hostile_inputs_take_no_longer_than_their_length() {
    let n = 200_000;
    for (unit, most) in [
        ("[", 1),
        ("[\n", n),
        ("[1\n", n),
        ("[1]", 1),
        ("[1]x", n),
        ("[[1],", n),
        ("[ 1 1,[1]\n", n),
        ("[\"\n", n),
    ] {
        let count = records(unit.repeat(n).as_bytes()).count();
        assert!((1..=most).contains(&count), "{unit:?}: {count}");
    }
    let list = |item: &str| format!("[{}]", vec![item; 20_000].join(","));
    assert_eq!(read(list("[[1]]")).last().unwrap(), "1:119997: a row of 1 cells, expected 9");
    let good = json(OTHER, "0", "", "");
    assert_eq!(records(list(&good).as_bytes()).flatten().count(), 20_000);
    assert_eq!(records(good.repeat(20_000).as_bytes()).flatten().count(), 20_000);
}

#[test]
fn no_puzzle_at_all() {
    for empty in ["", "\n", "\u{FEFF}", "# comment\n\n \t\n"] {
        assert_eq!(read(empty), [""; 0], "{empty:?}");
    }
    for text in ["hello\n", "+---+", "\n\n", "Grid 1\nGrid 2\n"] {
        let expected: &[&str] =
            if text.trim().is_empty() { &[] } else { &["1:1: no puzzle, expected 81 cells"] };
        assert_eq!(read(text), expected, "{text:?}");
    }
}

/// Any 9x9 grid, valid or not.
fn grids() -> impl Strategy<Value = Grid> {
    proptest::collection::vec(0..=9_u8, 81).prop_map(|values| {
        let mut grid = Grid::default();
        for (cell, value) in Geometry::CLASSIC.cells().zip(values) {
            grid.set(cell, Digit::new(value));
        }
        grid
    })
}

/// A grid in one of the forms in which it is printed or often written.
fn forms(grid: &Grid) -> Vec<String> {
    let line = grid.one_line().to_string();
    let mut forms = vec![line.clone(), grid.to_string(), grid.json().to_string(), rows(&line).join("\n")];
    forms.extend(["0", "_", "*", "x", "X"].map(|blank| line.replace('.', blank)));
    forms.extend(
        ["0", "null", "\".\""]
            .map(|blank| json(&line, blank, if blank == "\".\"" { "\"" } else { "" }, "\n")),
    );
    forms.push(
        line.chars()
            .map(|c| if c == '.' { "-1".to_owned() } else { c.to_string() })
            .collect::<Vec<_>>()
            .join(" "),
    );
    forms.push(format!("[\"{line}\"]"));
    let digits = |c: char| ('1'..='9').map(move |digit| if c == '.' || c == digit { digit } else { '.' });
    forms.push(line.chars().flat_map(digits).collect());
    forms
}

#[test]
fn cells_are_found_behind_bytes_that_are_no_text() {
    let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let puzzle: Puzzle = core::str::from_utf8(line).unwrap().parse().unwrap();
    for before in [&b"\xFC "[..], b"M\xFCller ", b"caf\xE9,", b"1;\xE9\xE9;", b"\xFC\xFC\xFC\xFC\xFC\xFC "] {
        let input = [before, line, b"\n", before, line].concat();
        let read: Vec<_> = records(&input).collect();
        assert_eq!(read.len(), 2, "{before:?}");
        for record in read {
            match record {
                Ok(record) => assert_eq!(record.puzzle.grid, puzzle.grid, "{before:?}"),
                Err(error) => {
                    assert!(matches!(error.kind, ParseErrorKind::NotUtf8(_)), "{before:?}: {error}")
                }
            }
        }
    }
}

#[test]
fn places_are_those_of_bytes_where_bytes_are_no_text() {
    for count in 0..3 {
        let bytes = [&b"|"[..], &b"\x80".repeat(count), b" \xC2 <"].concat();
        for shown in 0..=String::from_utf8_lossy(&bytes).len() + 2 {
            assert!(super::offset_in(&bytes, shown) <= bytes.len());
        }
        assert_eq!(super::offset_in(&bytes, 1 + 3 * count + 1 + 3 + 1), 1 + count + 1 + 1 + 1);
    }
    // Each of these bytes is shown as three.
    let bytes = [
        124, 0, 0, 128, 0, 128, 128, 128, 128, 128, 128, 11, 128, 128, 128, 128, 11, 128, 128, 128, 128, 128,
        128, 128, 128, 128, 0, 128, 128, 0, 11, 128, 32, 128, 128, 128, 128, 128, 128, 0, 128, 128, 128, 128,
        128, 128, 128, 128, 128, 128, 128, 44, 0, 45, 128, 128, 11, 194, 128, 60, 128, 128, 128, 0, 128, 128,
        60, 194, 128, 128, 11, 128, 11, 128, 128, 60, 0, 128, 0, 11, 0, 128, 0, 11, 11, 12, 170, 11, 102, 99,
        187, 186, 51, 84, 201, 40, 95, 164, 8, 86, 109, 171, 226, 42, 112, 145, 174, 154, 106, 57, 91, 85,
        37, 130, 39, 163, 195, 111, 193, 73, 149, 6, 229, 192, 119, 185, 210, 234, 28, 45, 9,
    ];
    assert!(!read(bytes).is_empty());
}

proptest! {
    #[test]
    fn what_is_printed_is_read(grid in grids()) {
        for form in forms(&grid) {
            prop_assert_eq!(form.parse::<Grid>(), Ok(grid.clone()), "{}", form);
        }
    }

    #[test]
    fn a_mix_of_forms_keeps_step(picks in proptest::collection::vec((grids(), 0..15_usize), 1..8)) {
        let texts: Vec<_> = picks.iter().map(|(grid, form)| forms(grid).swap_remove(*form)).collect();
        let read: Result<Vec<_>, _> = records(texts.join("\n").as_bytes()).map(|item| item.map(|record| record.puzzle.grid)).collect();
        prop_assert_eq!(read, Ok(picks.into_iter().map(|(grid, _)| grid).collect()));
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(bytes);
    }

    #[test]
    fn random_text_of_cells_and_marks_never_panics(text in "[-+|.0-9x \\[\\],\"\r\nnula│─#'*]{0,400}") {
        let count = records(text.as_bytes()).count();
        prop_assert!(count <= text.len());
    }

    #[test]
    fn a_changed_byte_never_panics_and_costs_no_other_puzzle(
        grid in grids(), form in 0..15_usize, at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = forms(&grid).swap_remove(form).into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.extend_from_slice(format!("\n\n{PUZZLE}\n").as_bytes());
        let last = records(&bytes).last().unwrap();
        prop_assert_eq!(last.map(|record| record.puzzle.grid.one_line().to_string()), Ok(PUZZLE.to_owned()));
    }
}

#[test]
fn what_is_behind_a_document_is_read_and_a_document_that_is_cut_off_is_an_error() {
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let data = line.replace('.', "0");
    let whole =
        format!("<opensudoku><folder><game data=\"{data}\"/></folder></opensudoku>\n\n{line}\n{line}\n");
    let lines: Vec<_> = records(whole.as_bytes()).map(|record| record.unwrap().line).collect();
    assert_eq!(lines, [1, 3, 4]);
    let cut = format!("<opensudoku>\n<folder>\n<game data=\"{data}\"/>\n</folder>\n");
    let read: Vec<_> = records(cut.as_bytes()).collect();
    assert!(matches!(&read[..], [Ok(_), Err(ParseError { kind: ParseErrorKind::Xml(_), .. })]), "{read:?}");
}

#[test]
fn a_quotation_mark_left_open_is_an_error() {
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    for open in [format!("{line},\"Easy\n{line},two\n"), format!("\"{line},Easy\n{line},two\n{line},three")] {
        let table = format!("puzzle,title\n{line},\"one\"\n{open}");
        let read: Vec<_> = records(table.as_bytes()).collect();
        let error = ParseError { line: 3, column: 1, kind: ParseErrorKind::Quote };
        assert_eq!(read.len(), 2, "{read:?}");
        assert_eq!(read[1], Err(error));
    }
    // Marks within a field that has none at its ends are ordinary characters.
    let inches = format!("puzzle,title\n{line},5\" wide\n{line},two\n");
    assert!(records(inches.as_bytes()).all(|record| record.is_ok()));
    let last = format!("puzzle,title\n{line},two\n{line},5\" wide\n");
    assert!(records(last.as_bytes()).all(|record| record.is_ok()));
}

#[test]
fn three_hundred_grids_overlap() {
    let corners: Vec<_> = (0..300).map(|at| format!("r{}c{}", at % 56 + 1, at / 56 + 1)).collect();
    let text = format!("size: 1x4\nrules: latin\ngrids: {}\n", corners.join(" "));
    let read: Vec<_> = records(text.as_bytes()).collect();
    assert_eq!(read.len(), 1);
    let puzzle = &read[0].as_ref().unwrap().puzzle;
    let _ = crate::SudokuSolver::new(crate::Engine::default())
        .budget(crate::Budget { nodes: Some(10), ..crate::Budget::default() })
        .count(puzzle, Some(1));
}

#[test]
fn boxes_are_those_that_a_frame_draws() {
    for shape in [(2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (4, 3), (2, 6), (6, 2), (3, 3), (5, 5)] {
        let geometry = Geometry::new(shape.0, shape.1).unwrap();
        let mut grid = Grid::empty(geometry);
        grid.set(geometry.cell(0, 0).unwrap(), Digit::new(geometry.size() as u8));
        grid.set(geometry.cell(1, 0).unwrap(), Digit::new(1));
        let text = grid.to_string();
        let read: Vec<_> = records(text.as_bytes()).collect();
        assert_eq!(read.len(), 1, "{text}");
        assert_eq!(read[0].as_ref().unwrap().puzzle.grid, grid, "{text}");
    }
}

#[test]
fn a_file_of_sections_that_states_no_rules_has_a_title() {
    let rows = PUZZLE.as_bytes().chunks(9).map(|row| core::str::from_utf8(row).unwrap());
    let text = format!("puzzle: One\nsize: 9x9\ngrid:\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let read: Vec<_> = records(text.as_bytes()).collect();
    let puzzle = &read[0].as_ref().unwrap().puzzle;
    assert_eq!(read.len(), 1);
    assert_eq!(puzzle.grid.one_line().to_string(), PUZZLE);
    assert_eq!(puzzle.notes.as_ref().and_then(|notes| notes.title.as_deref()), Some("One"));
}

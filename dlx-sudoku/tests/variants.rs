//! Variants: every rule against a backtracker that knows the rules by their definition, known counts, puzzles with known
//! solutions, and what can be wrong with a file.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use dlx_core::StopReason;
use dlx_sudoku::generate::{GenerateError, Generator};
use dlx_sudoku::variant::{Rule, Rules, Statement, written};
use dlx_sudoku::{
    Budget, Candidates, Cell, Digit, Engine, Geometry, Grid, Puzzle, Solved, SudokuSolver, count, records,
    solve, why_none,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A problem in plain words: what the solver is given as [`Rules`], and the backtracker reads by itself.
#[derive(Debug)]
struct Case {
    rows: usize,
    columns: usize, // of a box
    rules: BTreeSet<Rule>,
    letters: Option<Vec<char>>,
    cages: Vec<(u32, Vec<usize>)>,
    masks: Vec<(usize, u64)>,
    givens: Vec<usize>,
}

impl Case {
    fn plain(rows: usize, columns: usize) -> Self {
        let (rules, cages, masks) = (BTreeSet::new(), Vec::new(), Vec::new());
        let cells = (rows * columns) * (rows * columns);
        Self { rows, columns, rules, letters: None, cages, masks, givens: vec![0; cells] }
    }

    fn size(&self) -> usize {
        self.rows * self.columns
    }

    fn puzzle(&self) -> Puzzle {
        let geometry = Geometry::new(self.rows as u8, self.columns as u8).unwrap();
        let cells: Vec<Cell> = geometry.cells().collect();
        let mut rules = Rules::new(geometry);
        for &rule in &self.rules {
            rules = rules.rule(rule).unwrap();
        }
        if let Some(letters) = &self.letters {
            rules = rules.regions(letters).unwrap();
        }
        for (sum, cage) in &self.cages {
            rules = rules.cage(*sum, &cage.iter().map(|&place| cells[place]).collect::<Vec<_>>()).unwrap();
        }
        let mut grid = Grid::empty(geometry);
        for (&cell, &digit) in cells.iter().zip(&self.givens) {
            grid.set(cell, Digit::new(digit as u8));
        }
        let mut puzzle = Puzzle::from(grid);
        if !self.masks.is_empty() {
            let mut candidates = Candidates::all(geometry);
            for &(place, mask) in &self.masks {
                for digit in geometry.digits().filter(|digit| mask >> digit.get() & 1 == 0) {
                    candidates.exclude(cells[place], digit);
                }
            }
            puzzle.candidates = Some(candidates);
        }
        puzzle.rules = Some(rules.into());
        puzzle
    }

    /// Whether two cells with two digits can be together, by the definition of the rules.
    fn agree(&self, one: usize, other: usize, (a, b): (usize, usize)) -> bool {
        let n = self.size();
        let (r, c, s, d) = (one / n, one % n, other / n, other % n);
        let (down, right) = (r.abs_diff(s), c.abs_diff(d));
        if a != b {
            let consecutive = self.rules.contains(&Rule::NonConsecutive) && down + right == 1;
            return !(consecutive && a.abs_diff(b) == 1);
        }
        let in_box = |r: usize, c: usize| (r / self.rows, c / self.columns);
        let boxes = match &self.letters {
            Some(letters) => letters[one] == letters[other],
            None => !self.rules.contains(&Rule::Latin) && in_box(r, c) == in_box(s, d),
        };
        let window = |at: usize| (!at.is_multiple_of(self.rows + 1)).then_some(at / (self.rows + 1));
        let same_window =
            window(r).is_some() && window(c).is_some() && (window(r), window(c)) == (window(s), window(d));
        let same = |rule| match rule {
            Rule::X => r == c && s == d || r + c == n - 1 && s + d == n - 1,
            Rule::Windoku => same_window,
            Rule::DisjointGroups => (r % self.rows, c % self.columns) == (s % self.rows, d % self.columns),
            Rule::AntiKnight => down.min(right) == 1 && down.max(right) == 2,
            Rule::AntiKing => down.max(right) == 1,
            Rule::NonConsecutive | Rule::Latin => false,
        };
        let in_cage = self.cages.iter().any(|(_, cage)| cage.contains(&one) && cage.contains(&other));
        !(down == 0 || right == 0 || boxes || in_cage || self.rules.iter().any(|&rule| same(rule)))
    }

    /// All solutions: every digit in every cell that agrees with those before; sums are looked at in the end.
    fn solutions(&self) -> BTreeSet<Vec<usize>> {
        let mut found = BTreeSet::new();
        self.fill(&mut Vec::new(), &mut found);
        found
    }

    fn fill(&self, cells: &mut Vec<usize>, found: &mut BTreeSet<Vec<usize>>) {
        let place = cells.len();
        if place == self.givens.len() {
            let adds_up = |(sum, cage): &(u32, Vec<usize>)| {
                cage.iter().map(|&place| cells[place] as u32).sum::<u32>() == *sum
            };
            if self.cages.iter().all(adds_up) {
                found.insert(cells.clone());
            }
            return;
        }
        for digit in 1..=self.size() {
            let is_given = [0, digit].contains(&self.givens[place]);
            let masked = self.masks.iter().any(|(at, mask)| *at == place && mask >> digit & 1 == 0);
            if is_given && !masked && (0..place).all(|other| self.agree(other, place, (cells[other], digit)))
            {
                cells.push(digit);
                self.fill(cells, found);
                cells.pop();
            }
        }
    }

    /// Every engine finds these solutions, each once.
    fn check(&self) -> usize {
        let (puzzle, expected) = (self.puzzle(), self.solutions());
        for engine in Engine::ALL {
            let mut solver = SudokuSolver::new(engine);
            let mut found = BTreeSet::new();
            let outcome = solver.for_each(&puzzle, |solution| {
                let digits = solution.cells().iter().map(|cell| cell.map_or(0, |digit| digit.get().into()));
                assert!(found.insert(digits.collect::<Vec<usize>>()), "{engine}: twice, {self:?}");
                ControlFlow::Continue(())
            });
            assert!(outcome.is_exhausted());
            assert_eq!(found, expected, "{engine}: {self:?}");
            assert_eq!(solver.count(&puzzle, None).value, expected.len() as u64, "{engine}: {self:?}");
        }
        let text = written(&puzzle).to_string();
        let read: Puzzle = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(written(&read).to_string(), text);
        assert_eq!(
            (read.grid, count(&text.parse::<Puzzle>().unwrap(), None).value),
            (puzzle.grid, expected.len() as u64)
        );
        expected.len()
    }
}

/// Chooses at random.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            let at = self.below(end);
            items.swap(at, end - 1);
        }
    }
}

/// A case of random rules; its givens, cages and masks are those of a solution, but for some that are wrong.
fn random_case(dice: &mut Dice) -> Case {
    let (rows, columns) =
        [(2, 2), (2, 2), (1, 4), (1, 5), (2, 3), (3, 2), (1, 3), (1, 1), (1, 2)][dice.below(9)];
    let mut case = Case::plain(rows, columns);
    let n = case.size();
    if dice.below(3) == 0 {
        let mut letters: Vec<char> = (0..n * n).map(|at| char::from(b'a' + (at / n) as u8)).collect();
        // Few exchanges, so that there are solutions.
        for _ in 0..dice.below(4) {
            let (one, other) = (dice.below(n * n), dice.below(n * n));
            letters.swap(one, other);
        }
        case.letters = Some(letters);
    }
    for rule in Rule::ALL {
        let needs_boxes =
            rule == Rule::DisjointGroups && (case.letters.is_some() || case.rules.contains(&Rule::Latin));
        let possible = (rule != Rule::Windoku || rows == columns)
            && !needs_boxes
            && (rule != Rule::Latin || !case.rules.contains(&Rule::DisjointGroups));
        if possible && dice.below(6) == 0 {
            case.rules.insert(rule);
        }
    }
    // A grid that need not be a solution, to take givens and sums from.
    let sample: Vec<usize> = match n > 4 {
        true => {
            (0..n * n).map(|at| (at / n * if n == 6 { 2 } else { 1 } + at / n / 3 + at % n) % n + 1).collect()
        }
        false => {
            let all: Vec<_> = case.solutions().into_iter().collect();
            if all.is_empty() { vec![1; n * n] } else { all[dice.below(all.len())].clone() }
        }
    };
    let mut places: Vec<_> = (0..n * n).collect();
    dice.shuffle(&mut places);
    let givens = if n > 4 { n * n / 3 + dice.below(n) } else { dice.below(n + 1) };
    for &place in &places[..givens.min(n * n)] {
        case.givens[place] = sample[place];
    }
    for _ in 0..dice.below(3) {
        dice.shuffle(&mut places);
        let cells = places[..1 + dice.below(n.min(4))].to_vec();
        let sum =
            cells.iter().map(|&place| sample[place] as u32).sum::<u32>() + u32::from(dice.below(8) == 0);
        case.cages.push((sum, cells));
    }
    for _ in 0..dice.below(3) {
        let place = dice.below(n * n);
        case.masks.push((place, (dice.below(1 << n) as u64) << 1 | 1 << sample[place]));
    }
    case
}

#[test]
fn random_small_problems_have_the_solutions_that_the_rules_define() {
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(2026));
    let mut with_solutions = 0;
    for _ in 0..600 {
        with_solutions += usize::from(random_case(&mut dice).check() > 0);
    }
    assert!(with_solutions > 150, "{with_solutions}");
}

#[test]
fn a_solver_that_has_met_other_rules_finds_what_a_fresh_one_finds() {
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(11));
    let mut solver = SudokuSolver::new(Engine::Dlx);
    let mut before: Vec<Puzzle> = Vec::new();
    for _ in 0..300 {
        let mut puzzle = random_case(&mut dice).puzzle();
        // The rules of before with other givens or candidates, and the grid of before with other rules.
        let again = before.get(dice.below(before.len().max(1))).filter(|_| dice.below(2) == 0);
        if let Some(again) = again.filter(|again| again.grid.geometry() == puzzle.grid.geometry()) {
            match dice.below(3) {
                0 => puzzle.rules = again.rules.clone(),
                1 => puzzle.candidates = again.candidates.clone(),
                _ => puzzle.grid = again.grid.clone(),
            }
        }
        let mut fresh = SudokuSolver::new(Engine::Dlx);
        assert_eq!(solver.solve(&puzzle), fresh.solve(&puzzle), "{puzzle:?}");
        assert_eq!(solver.statistics(), fresh.statistics(), "{puzzle:?}");
        let count = solver.count(&puzzle, Some(50));
        assert_eq!(count, SudokuSolver::new(Engine::Iterative).count(&puzzle, Some(50)), "{puzzle:?}");
        before.push(puzzle);
    }
}

#[test]
fn puzzles_of_every_kind_are_made() {
    for text in [
        "size: 2x2\ngrids: r1c1 r3c3\n",
        "size: 2x2\ngrids: r1c1 r1c3 r3c2\nodd: r1c1 r2c2\nrules: x\n",
        "size: 2x3\nregions:\naabbcc\naabbcc\naabbcc\nddeeff\nddeeff\nddeeff\n",
        "size: 2x2\ncages:\n7: r1c1 r1c2\n5: r3c3 r4c3\n",
        "size: 2x2\nonly 12: r1c1 r4c4\n",
        "grids: samurai\n",
    ] {
        let kind: Puzzle = text.parse().unwrap();
        let made = |skip| {
            let mut generator = Generator::new(3).like(&kind);
            generator.skip(skip);
            let mut puzzle = kind.clone();
            puzzle.grid = generator.puzzle().unwrap();
            puzzle
        };
        let (one, other) = (made(0), made(1));
        assert_ne!(one.grid, other.grid, "{text}");
        for puzzle in [one, other] {
            assert!(puzzle.breaches().is_empty(), "{text}");
            assert!(puzzle.grid.givens().all(|(cell, _)| puzzle.is_cell(cell)), "{text}");
            if !text.contains("samurai") {
                let count = SudokuSolver::new(Engine::Iterative).count(&puzzle, Some(2));
                assert_eq!(count.value, 1, "{}", written(&puzzle));
            }
            let text = written(&puzzle).to_string();
            assert_eq!(written(&text.parse().unwrap()).to_string(), text);
        }
    }
    let none: Puzzle = "size: 2x2\ncages:\n2: r1c1 r1c2\n".parse().unwrap();
    assert_eq!(Generator::new(1).like(&none).puzzle(), Err(GenerateError::NoGrid));
}

#[test]
fn killers_have_cages_everywhere_and_one_solution() {
    let killer = |text: &str, skip| {
        let mut generator = Generator::new(5).like(&text.parse().unwrap());
        generator.skip(skip);
        generator.killer().unwrap()
    };
    for text in [
        "size: 2x2\nrules: latin\ngrid:\n1...\n....\n....\n....\n",
        "size: 2x3\nodd: r1c1\n",
        "size: 2x2\ngrids: r1c1 r3c3\n",
        "size: 3x3\nrules: x\n",
    ] {
        for skip in 0..4 {
            let puzzle = killer(text, skip);
            assert_eq!(puzzle, killer(text, skip));
            let rules = puzzle.rules.as_deref().unwrap();
            let caged: Vec<Cell> = rules.cages().iter().flat_map(|cage| cage.cells.clone()).collect();
            let cells = puzzle.grid.geometry().cells().filter(|&cell| puzzle.is_cell(cell));
            assert_eq!(BTreeSet::from_iter(caged.clone()), cells.collect(), "{text}");
            assert_eq!(caged.len(), BTreeSet::from_iter(caged).len(), "{text}");
            assert!(rules.cages().iter().all(|cage| (1..=5).contains(&cage.cells.len())));
            for cage in rules.cages() {
                let beside = |cell: &Cell, other: &Cell| {
                    cell.row().abs_diff(other.row()) + cell.column().abs_diff(other.column()) == 1
                };
                let lonely = |cell: &&Cell| !cage.cells.iter().any(|other| beside(cell, other));
                assert_eq!(cage.cells.iter().filter(lonely).count(), usize::from(cage.cells.len() == 1));
            }
            assert_eq!(puzzle.grid.given_count(), 0);
            // The backtracker knows nothing of exact cover, but is slow.
            let engine = if rules.shape().size() < 9 { Engine::Iterative } else { Engine::Dlx };
            assert_eq!(SudokuSolver::new(engine).count(&puzzle, Some(2)).value, 1, "{}", written(&puzzle));
        }
    }
    let none: Puzzle = "size: 2x2\nrules: anti-king\n".parse().unwrap();
    assert_eq!(Generator::new(1).like(&none).killer(), Err(GenerateError::NoGrid));
    let budget = Budget { nodes: Some(1), ..Budget::default() };
    let stopped = Generator::new(1).budget(budget).killer();
    assert_eq!(stopped, Err(GenerateError::Stopped(StopReason::Nodes)));
}

#[test]
fn every_set_of_rules_on_the_empty_grid_of_four() {
    for set in 0..1 << Rule::ALL.len() {
        let mut case = Case::plain(2, 2);
        case.rules = Rule::ALL
            .into_iter()
            .enumerate()
            .filter(|(at, _)| set >> at & 1 != 0)
            .map(|(_, rule)| rule)
            .collect();
        if !(case.rules.contains(&Rule::Latin) && case.rules.contains(&Rule::DisjointGroups)) {
            case.check();
        }
    }
}

#[test]
fn counts_that_are_known() {
    // Latin squares of order 1 to 5, OEIS A002860.
    for (size, all) in [(1, 1), (2, 2), (3, 12), (4, 576), (5, 161_280)] {
        let geometry = Geometry::of_size(size).unwrap();
        let mut puzzle = Puzzle::from(Grid::empty(geometry));
        puzzle.rules = Some(Rules::new(geometry).rule(Rule::Latin).unwrap().into());
        assert_eq!(count(&puzzle, None).value, all, "order {size}");
    }
    let one_row = "rules: latin\n12345\n".replace("latin", "latin\ngrid:") + ".....\n.....\n.....\n.....\n";
    let puzzle: Puzzle = one_row.parse().unwrap();
    assert_eq!(count(&puzzle, None).value, 161_280 / 120);
}

/// A file of ../shared, unless there is none.
fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/sudoku").join(name);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: {} is not there", path.display());
    }
    text
}

#[test]
fn variants_with_known_solutions() {
    let Some(table) = shared("variants_16.tsv") else { return };
    let mut seen = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let [name, types, shape, givens, jigsaw, cages, solution, verified] = fields[..] else {
            panic!("{line}")
        };
        let size: usize = shape.split('x').next().unwrap().parse().unwrap();
        let mut text = format!("puzzle: {name}\nsize: {size}\nrules: ");
        for (word, rule) in [
            ("Diagonal1", "x"),
            ("Windoku", "windoku"),
            ("AntiKnight", "anti-knight"),
            ("AntiKing", "anti-king"),
        ] {
            if types.contains(word) {
                text += &format!("{rule} ");
            }
        }
        text += &format!("\ngrid:\n{givens}\n");
        if !jigsaw.is_empty() {
            let rows: Vec<_> =
                jigsaw.as_bytes().chunks(size).map(|row| str::from_utf8(row).unwrap()).collect();
            text += &format!("regions:\n{}\n", rows.join("\n"));
        }
        if !cages.is_empty() {
            text += &format!("cages:\n{cages}\n");
        }
        let puzzle: Puzzle = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let solved = solve(&puzzle);
        match &solved {
            Solved::Unique(grid) => {
                assert!(verified.ends_with("unique"), "{name}");
                // The letters of the larger one stand for numbers, A for 1.
                let found: String = grid
                    .cells()
                    .iter()
                    .map(|cell| {
                        if size > 9 { char::from(b'@' + cell.unwrap().get()) } else { cell.unwrap().symbol() }
                    })
                    .collect();
                assert!(solution.is_empty() || found == solution, "{name}: {found}");
            }
            Solved::Several(_) => assert!(verified.contains("second"), "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        seen += 1;
    }
    assert_eq!(seen, 16);
}

#[test]
fn a_samurai_with_a_known_solution() {
    let Some(text) = shared("samurai.txt") else { return };
    let mut parts = text.split("\n\n");
    let (puzzle, solution) = (parts.next().unwrap(), parts.next().unwrap());
    let read = |part: &str| -> Puzzle { format!("grids: samurai\ngrid:\n{part}\n").parse().unwrap() };
    let puzzle = read(puzzle.split_once('\n').unwrap().1);
    assert_eq!(solve(&puzzle), Solved::Unique(read(solution).grid));
    let text = written(&puzzle).to_string();
    assert_eq!(text.parse(), Ok(puzzle));
}

#[test]
fn overlapping_grids_hold_the_rules_in_each_of_them() {
    // Two grids of four that share a box: brute force over both, joined where the box is the same.
    let case = Case::plain(2, 2);
    let all: Vec<_> = case.solutions().into_iter().collect();
    let corner =
        |grid: &[usize], row: usize, column: usize| [0, 1, 4, 5].map(|at| grid[row * 4 + column + at]);
    let pairs = all.iter().map(|one| {
        let shared = corner(one, 2, 2);
        all.iter().filter(|other| corner(other, 0, 0) == shared).count()
    });
    let expected: usize = pairs.sum();
    let geometry = Geometry::new(2, 2).unwrap();
    let rules = Rules::overlapping(geometry, &[(0, 0), (2, 2)]).unwrap();
    let mut puzzle = Puzzle::from(Grid::empty(rules.canvas()));
    puzzle.rules = Some(rules.into());
    for engine in Engine::ALL {
        assert_eq!(SudokuSolver::new(engine).count(&puzzle, None).value, expected as u64, "{engine}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let rows = "....\n".repeat(4);
    for (text, expected) in [
        (
            "rules: x, diagonals\n",
            "1:11: unknown rule \"diagonals\", expected one of x, windoku, disjoint-groups, anti-knight, anti-king, non-consecutive, latin",
        ),
        ("size: 2x3\nrules: windoku\n", "2:8: windoku with boxes of 2x3, expected square boxes"),
        ("rules: latin disjoint-groups\n", "1:14: disjoint groups without boxes, expected boxes"),
        ("size: 70\nrules: x\n", "1:7: \"70\" is no size, expected a number of rows, as 5, or a box, as 2x3"),
        ("cages:\n5: r1c1 r1c2 r1c1\n", "2:14: r1c1 twice in a cage, expected each cell once"),
        ("cages:\n5: r1c1, r0c2\n", "2:10: r0c2 is no cell of this puzzle, expected one that is"),
        ("cages: 5: r1c1-r1c10\n", "1:11: r1c10 is no cell of this puzzle, expected one that is"),
        ("cages:\n\n  5: r1c1 x2\n", "3:11: \"x2\" is no cell, expected one as r1c2, or some as r1c2-r1c4"),
        ("cages:\n5:\n", "2:1: a cage without cells, expected cells, as in 12: r1c1 r1c2"),
        ("cages:\n5: r1c1; r1c2\n", "2:10: a cage without a sum, expected one as 12: r1c1 r1c2"),
        ("cages:\n5: r1c1-r2c5\n", "2:1: a cage of 10 cells, expected at most 9, for its digits differ"),
        (
            "size: 25\ncages: 156: r1c1-r1c12\n",
            "2:8: a cage whose sum more than 20000 sets of digits have, expected fewer",
        ),
        ("regions:\naabb\naabb\nccdd\ncccd\n", "4:1: region c has 5 cells, expected 4"),
        ("regions:\naabb\naab\nccdd\nccdd\n", "3:1: 3 characters in a row, expected 4"),
        ("size: 4\nregions:\naabb\naabb\nccdd\n", "3:1: regions for 12 cells, expected 16"),
        ("grids: r1c1 r1c1\n", "1:8: two grids at r1c1, expected each at a place of its own"),
        ("grids: r1c1 r60c1\n", "1:8: grids that reach to row or column 68, expected at most 64"),
        (
            "grids: samurai\nregions:\nabc\n",
            "3:1: regions for several grids, expected them for one grid only",
        ),
        ("size: 4\ngrids: r1c1 r3c3\n", ""),
        ("only 159: r1c1\n", ""),
        ("only : r1c1\n", ""),
        ("only 1x9: r1c1\n", "1:1: 'x' is no digit of this puzzle, expected digits, as in only 123:"),
        ("rules: x\ngrid:\n....\n....\n", "3:1: the puzzle that begins here ends after 8 cells, expected 16"),
        ("rules: x\ngrid:\n1\ngrid:\n", "4:1: a second puzzle, expected one only"),
    ] {
        let read = text.parse::<Puzzle>();
        let found = read.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert_eq!(found, expected, "{text}");
    }
    for (canvas, expected) in [
        ("......\n".repeat(5), "4:1: 5 rows, expected 6".to_owned()),
        ("....##\n....##\n......\n......\n##....\n##....\n".to_owned(), String::new()),
        (
            "....##\n....##\n.....\n......\n##....\n##....\n".to_owned(),
            "6:1: 5 characters in a row, expected 6".to_owned(),
        ),
        (
            "....1#\n....##\n......\n......\n##....\n##....\n".to_owned(),
            "4:5: '1' where there is no cell, expected # or .".to_owned(),
        ),
        (
            "...5##\n....##\n......\n......\n##....\n##....\n".to_owned(),
            "4:4: '5' where there is a cell, expected a digit or a blank (. 0 _ * - ?)".to_owned(),
        ),
    ] {
        let read = format!("size: 4\ngrids: r1c1 r3c3\ngrid:\n{canvas}").parse::<Puzzle>();
        assert_eq!(read.err().map(|error| error.to_string()).unwrap_or_default(), expected, "{canvas}");
    }
    let mut statement = Statement::default();
    statement.read_regions("aabb\naabb\nccdd\nccdd\n").unwrap();
    let mut large: Puzzle = ".".repeat(81).parse().unwrap();
    assert_eq!(
        statement.apply(&mut large).unwrap_err().to_string(),
        "1:1: 4 characters in a row, expected 9"
    );
    assert!(rows.parse::<Puzzle>().unwrap().rules.is_none());
}

#[test]
fn several_puzzles_in_a_file_go_on_after_a_bad_one() {
    let text = "# two and a bad one\npuzzle: one\nrules: x\ngrid:\n1...\n....\n....\n....\n\npuzzle:\nrules: y\n1\n\npuzzle: three\nodd: r1c1\n";
    let all: Vec<_> = records(text.as_bytes()).collect();
    assert_eq!(all.len(), 3);
    let one = &all[0].as_ref().unwrap();
    assert_eq!((one.line, one.puzzle.notes.as_ref().unwrap().title.as_deref()), (2, Some("one")));
    assert_eq!(all[1].as_ref().unwrap_err().to_string().split(',').next(), Some("11:8: unknown rule \"y\""));
    let three = all[2].as_ref().unwrap();
    assert!(three.line == 14 && three.puzzle.rules.is_none() && three.puzzle.candidates.is_some());
}

#[test]
fn why_there_is_no_solution_is_told_in_words() {
    let why = |text: &str| why_none(&text.parse::<Puzzle>().unwrap()).to_string();
    let grid = |rows: &str| format!("grid:\n{rows}\n");
    for (rules, rows, expected) in [
        ("rules: x\n", "1...\n....\n....\n...1", "diagonal 1 has 1 twice, in r1c1 and r4c4"),
        ("rules: windoku\n", "....\n.1..\n..1.\n....", "window 1 has 1 twice, in r2c2 and r3c3"),
        (
            "rules: disjoint-groups\n",
            "1...\n....\n..1.\n....",
            "disjoint group 1 has 1 twice, in r1c1 and r3c3",
        ),
        (
            "rules: anti-knight\n",
            "1...\n....\n.1..\n....",
            "r1c1 and r3c2, a knight's move apart, have both 1",
        ),
        (
            "rules: latin anti-king\n",
            "1...\n.1..\n....\n....",
            "r1c1 and r2c2, a king's move apart, have both 1",
        ),
        (
            "rules: non-consecutive\n",
            "12..\n....\n....\n....",
            "the neighbours r1c1 and r1c2 have 1 and 2, which differ by one",
        ),
        (
            "regions:\naabb\naabb\nccdd\nccdd\n",
            "1...\n.1..\n....\n....",
            "region a has 1 twice, in r1c1 and r2c2",
        ),
        ("cages: 5: r1c1 r1c2\n", "12..\n....\n....\n....", "cage 1 (r1c1 r1c2) adds up to 3, expected 5"),
        ("cages: 2: r1c1 r2c3\n", "1...\n..1.\n....\n....", "cage 1 has 1 twice, in r1c1 and r2c3"),
        ("cages: 9: r1c1 r1c2\n", "....\n....\n....\n....", "no digits for cage 1 add up to 9"),
        ("odd: r1c1\n", "2...\n....\n....\n....", "no digit fits r1c1"),
    ] {
        assert_eq!(why(&format!("{rules}{}", grid(rows))), expected);
    }
    let samurai = "size: 4\ngrids: r1c1 r3c3\ngrid:\n....##\n....##\n......\n......\n##1.1.\n##....\n";
    assert_eq!(why(samurai), "row 3 of grid 2 has 1 twice, in r5c3 and r5c5");
}

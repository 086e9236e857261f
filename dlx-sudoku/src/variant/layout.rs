//! What rules come to: cells, the sets of cells in which each digit is once, and the pairs of cells that mind each other.

use itertools::{Itertools, iproduct};

use super::{Area, AreaKind, Rule, Rules};
use crate::{Cell, Digit, HouseKind};

/// The cells and their constraints. Cells are told by their places on the canvas, row by row.
pub(crate) struct Layout {
    /// The number of digits.
    pub(crate) size: usize,
    /// For each place whether there is a cell.
    pub(crate) is_cell: Vec<bool>,
    /// The sets of as many cells as there are digits, in which each digit is once.
    pub(crate) areas: Vec<(Area, Vec<u16>)>,
    /// The pairs of cells that must differ beyond that, and by which rule.
    pub(crate) moves: Vec<(Rule, [u16; 2])>,
    /// The pairs of cells that must not differ by one. They share an area.
    pub(crate) neighbours: Vec<[u16; 2]>,
    /// The cages: their sums and their cells.
    pub(crate) cages: Vec<(u32, Vec<u16>)>,
    /// For each place those that have other digits, in ascending order.
    pub(crate) peers: Vec<Vec<u16>>,
}

/// The steps of a knight and of a king to later cells. A king's other steps are within rows and columns.
const KNIGHT: [(usize, isize); 4] = [(1, 2), (1, -2), (2, 1), (2, -1)];
const KING: [(usize, isize); 2] = [(1, 1), (1, -1)];
const NEIGHBOUR: [(usize, isize); 2] = [(0, 1), (1, 0)];

impl Layout {
    /// Takes *O*(*n*³) for a canvas of *n* rows and columns.
    pub(crate) fn of(rules: &Rules) -> Self {
        let canvas = rules.canvas;
        let mut layout = Self {
            size: rules.shape.size(),
            is_cell: canvas.cells().map(|cell| rules.is_cell(cell)).collect(),
            areas: areas(rules),
            moves: Vec::new(),
            neighbours: Vec::new(),
            cages: Vec::new(),
            peers: vec![Vec::new(); canvas.cell_count()],
        };
        for (_, cells) in &layout.areas {
            make_peers(&mut layout.peers, cells);
        }
        for (rule, steps) in [(Rule::AntiKnight, &KNIGHT[..]), (Rule::AntiKing, &KING)] {
            if rules.has(rule) {
                let apart = pairs(rules, steps).into_iter().filter(|pair| !layout.are_peers(*pair));
                let apart: Vec<_> = apart.collect();
                apart.iter().for_each(|pair| make_peers(&mut layout.peers, pair));
                layout.moves.extend(apart.into_iter().map(|pair| (rule, pair)));
            }
        }
        if rules.has(Rule::NonConsecutive) {
            layout.neighbours = pairs(rules, &NEIGHBOUR);
        }
        for cage in &rules.cages {
            let cells: Vec<_> = cage.cells.iter().map(|&cell| canvas.index(cell) as u16).collect();
            make_peers(&mut layout.peers, &cells);
            layout.cages.push((cage.sum, cells));
        }
        layout
    }

    fn are_peers(&self, [one, other]: [u16; 2]) -> bool {
        self.peers[usize::from(one)].binary_search(&other).is_ok()
    }

    /// Whether a digit may stand in an empty cell, as far as the filled ones say.
    pub(crate) fn fits(&self, cells: &[Option<Digit>], place: usize, digit: Digit) -> bool {
        let at = |other: &u16| cells[usize::from(*other)];
        let here = place as u16;
        let minds = |pair: &[u16; 2]| {
            let other = if pair[0] == here { at(&pair[1]) } else { at(&pair[0]) };
            !pair.contains(&here) || other.is_none_or(|other| other.get().abs_diff(digit.get()) != 1)
        };
        let adds_up = |(sum, cage): &(u32, Vec<u16>)| {
            let others = cage.iter().filter(|&&other| other != here).filter_map(at);
            let (count, total) = others
                .fold((1, digit.get().into()), |(n, all): (_, u32), d| (n + 1, all + u32::from(d.get())));
            !cage.contains(&here) || if count == cage.len() { total == *sum } else { total < *sum }
        };
        digit.index() < self.size
            && self.peers[place].iter().all(|peer| at(peer) != Some(digit))
            && self.neighbours.iter().all(minds)
            && self.cages.iter().all(adds_up)
    }
}

/// Makes cells peers of one another.
fn make_peers(peers: &mut [Vec<u16>], cells: &[u16]) {
    for &cell in cells {
        let of_cell = &mut peers[usize::from(cell)];
        of_cell.extend(cells.iter().filter(|&&other| other != cell));
        of_cell.sort_unstable();
        of_cell.dedup();
    }
}

/// The pairs of cells of a grid that are such steps apart, each once.
fn pairs(rules: &Rules, steps: &[(usize, isize)]) -> Vec<[u16; 2]> {
    let of_grid = |&corner: &Cell| {
        iproduct!(rules.shape.cells(), steps).filter_map(move |(cell, &(down, right))| {
            let other = rules.shape.cell(cell.row() + down, cell.column().checked_add_signed(right)?)?;
            Some([place(rules, corner, cell)?, place(rules, corner, other)?])
        })
    };
    rules.corners.iter().flat_map(of_grid).sorted_unstable().dedup().collect()
}

/// The place on the canvas of a cell of a grid.
fn place(rules: &Rules, corner: Cell, cell: Cell) -> Option<u16> {
    let on_canvas = rules.canvas.cell(corner.row() + cell.row(), corner.column() + cell.column())?;
    Some(rules.canvas.index(on_canvas) as u16)
}

/// The full areas of all grids; one of several grids only once.
fn areas(rules: &Rules) -> Vec<(Area, Vec<u16>)> {
    let all = rules.corners.iter().enumerate().flat_map(|(number, &corner)| {
        let grid = rules.has_many_grids().then_some(number as u16 + 1); // no more than the canvas has cells
        areas_of_grid(rules).into_iter().map(move |(kind, cells)| {
            let places = cells.into_iter().filter_map(|cell| place(rules, corner, cell)).collect::<Vec<_>>();
            (Area { kind, grid }, places)
        })
    });
    all.unique_by(|(_, cells)| cells.clone()).collect()
}

/// The areas of a grid by itself.
fn areas_of_grid(rules: &Rules) -> Vec<(AreaKind, Vec<Cell>)> {
    let shape = rules.shape;
    let size = shape.size();
    let cells =
        |wanted: &dyn Fn(Cell) -> bool| shape.cells().filter(|&cell| wanted(cell)).collect::<Vec<_>>();
    let houses = shape.houses().filter(|house| house.kind != HouseKind::Box || rules.has_boxes());
    let mut areas: Vec<_> =
        houses.map(|house| (AreaKind::House(house), shape.cells_of(house).collect::<Vec<_>>())).collect();
    if let Some(letters) = &rules.regions {
        let regions = letters
            .iter()
            .unique()
            .map(|&letter| (AreaKind::Region(letter), cells(&|cell| letters[shape.index(cell)] == letter)));
        areas.extend(regions);
    }
    if rules.has(Rule::X) {
        areas.push((AreaKind::Diagonal(1), cells(&|cell| cell.row() == cell.column())));
        areas.push((AreaKind::Diagonal(2), cells(&|cell| cell.row() + cell.column() == size - 1)));
    }
    if rules.has(Rule::Windoku) {
        let side = shape.box_rows();
        // Windows stand a cell off the frame and off one another: one fewer than there are boxes, either way.
        let window = |at: usize| !at.is_multiple_of(side + 1);
        let windows = iproduct!(0..side - 1, 0..side - 1).enumerate().map(|(number, (down, right))| {
            let of_window = |cell: Cell| {
                window(cell.row())
                    && window(cell.column())
                    && (cell.row() / (side + 1), cell.column() / (side + 1)) == (down, right)
            };
            (AreaKind::Window(number as u8 + 1), cells(&of_window))
        });
        areas.extend(windows);
    }
    if rules.has(Rule::DisjointGroups) {
        let within = |cell: Cell| {
            cell.row() % shape.box_rows() * shape.box_columns() + cell.column() % shape.box_columns()
        };
        let groups = (0..size).map(|at| (AreaKind::Group(at as u8 + 1), cells(&|cell| within(cell) == at)));
        areas.extend(groups);
    }
    areas
}

//! The command line: what may be written there, and the help that explains it.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use dlx_core::{CancelToken, EngineKind, Limits};
use dlx_sudoku::format::Format;
use dlx_sudoku::generate::{Generator, Symmetry};
use dlx_sudoku::rate::{Difficulty, Grade};
use dlx_sudoku::variant::Statement;
use dlx_sudoku::{Budget, Engine, Geometry, SudokuSolver};

const EXIT_CODES: &str = "\
Exit codes:
  0    done, or found; reaching a limit of solutions that was asked for is done
  1    proved that there is no solution, or a check failed (for a count, zero
       is an answer: 0)
  2    wrong arguments, unusable input, or a file that cannot be read or written
  3    stopped by a limit of time, nodes or memory before the answer was known
  130  interrupted: Ctrl-C stops the search and prints what is known, a second
       one ends at once
  141  whoever read the output has left
  143  terminated, with what is known printed as after Ctrl-C

Results go to standard output and nothing else does. Messages, summaries,
statistics and progress go to standard error.";

const SOLVE_HELP: &str = "\
The first line names the items, the secondary ones after a bar. Every other
line is an option: the items that it covers, a secondary one with a color if it
is written item:color. Lines that begin with a bar are comments. A solution
covers a primary item once, or as often as bounds before its name say: 2:3|a for
two or three times, 2|a for twice. Costs of options, as for `dlx min`, are read
and change nothing.

    a b c | x
    a b x:1
    c x:1
    a c
    b

Each solution is printed one option a line, in the input's order, with a blank
line after it; the summary, 2 solutions (complete), goes to standard error.

With --json each solution is a line {\"options\":[0,1]}, where options are counted
from 0 in the input's order. The last line is the summary,
{\"count\":\"2\",\"complete\":true}, or, when the search was stopped,
{\"count\":\"1\",\"complete\":false,\"stopped\":\"solution\"}: \"stopped\" names the limit,
solution, node or time, or is interrupted.

The order of the solutions is the same in every run with the same engine; with
links and bits, threads (-j) do not change it. Threads look at a limit of nodes
or time every few thousand nodes, so that they may overstep it a little.

With --seed S ties among items are broken, and the options of each tried, in a
random order, so that solutions come in another one; the same S prints the same
bytes. A checkpoint goes on with the same S only. --restarts finds one solution
and begins again, in another order, after some hundred nodes, later after some
thousand and so on: good where some orders lead to a solution soon and others
never seem to.

A long search is kept with --checkpoint FILE: from time to time, and when a limit
or a signal stops it, FILE says what is done and what is left, and how much of
the file of --output belongs to that. --resume FILE cuts the output back to it
and goes on, with any engine and number of threads, so that no solution is
missing or there twice, whatever ended the search before. Limits of solutions
and nodes are on the sums, a limit of time is on each run. When all is done, FILE
says so. With -j, a limit of solutions leaves FILE as it was before.

With --proof FILE, dancing links search, and FILE gets a proof of what they find:
that there are no other solutions than those printed, for `dlx check-proof`. It
has some bytes a node. A search that is stopped leaves it incomplete. With
--proof-format drat it proves that the formula of `dlx convert --to cnf` has no
model, for any checker of DRAT proofs; where there is a solution, none is kept.

Examples:
  dlx solve puzzle.dlx --solutions 1    the first solution
  dlx solve puzzle.dlx -q > all.txt     all of them, and no summary
  dlx solve hard.dlx --seed 1 --restarts
  dlx solve huge.dlx --output all.txt --checkpoint huge.save
  dlx solve huge.dlx --output all.txt --resume huge.save
  dlx solve puzzle.dlx --proof puzzle.proof
  dlx check-proof puzzle.dlx puzzle.proof";

const COUNT_HELP: &str = "\
The input is as for `dlx solve`. The number is exact, however large. Where many
partial solutions leave the same problem, as in tilings, it is found without
visiting every solution, which may be faster by any factor; what promises to be
faster is found out on the way. With an --engine other than auto, another
--branch than mrv, or a limit of --solutions, every solution is visited.

The answer says whether the count is complete:
92 solutions (complete), or at least 57 solutions (time limit). With --json it
is {\"count\":\"92\",\"complete\":true}; a count that was stopped has \"complete\":false
and \"stopped\", which names the limit, solution, node or time, or is interrupted.

A long count is kept with --checkpoint FILE and goes on with --resume FILE to the
same number, whatever ended it, as --help of `dlx solve` tells. Such a count, and
that of a --part, visits every solution. So does a count with --proof FILE, which
writes a proof of the number; --help of `dlx solve` tells more.

Examples:
  dlx count queens.dlx                  92 solutions (complete)
  dlx count queens.dlx -q               92
  dlx count huge.dlx -j 0               by all cores
  dlx count huge.dlx --memory 4G        with more room for subproblems
  dlx count huge.dlx --time 10s         exit code 3 if that is not enough
  dlx count huge.dlx --checkpoint huge.save
  dlx count huge.dlx --resume huge.save";

const SPLIT_HELP: &str = "\
Each part goes to a file of its own, part-1, part-2, ..., in a folder that is new
or empty. A part is some lines of text that say which problem it belongs to, what
is chosen, and what is to be tried. Each solution is in one part, so that what
`dlx count --part` finds in each adds up to the whole; a part of another problem,
or one that was changed, is refused. Where the tree is too small for so many
parts, some are empty and have no solution.

Examples:
  dlx split huge.dlx --parts 64 --output parts
  dlx count huge.dlx --part parts/part-01 -q
  dlx solve huge.dlx --part parts/part-02 --output 02.txt --checkpoint 02.save";

const CHECK_HELP: &str = "\
Solutions are read as `dlx solve` prints them: an option a line, its items in any
order, and a blank line behind each solution; or with --json, options by their
numbers. Each that is none, or is there twice, gives a line that says where and
why:

    all.txt:3: solution 2: item b is not covered

An option is known by its items. Where the problem has it several times, so may
solutions with it be there. The last line says how many solutions there are:
`3 solutions, all right` or `3 solutions, 1 wrong`. The exit code is 1 when any is
wrong, 2 when a file cannot be read.

Examples:
  dlx solve puzzle.dlx -q | dlx check puzzle.dlx
  dlx check puzzle.dlx all.txt";

const CHECK_PROOF_HELP: &str = "\
Goes through the proof line by line, with nothing of what searches in `dlx solve`:
`92 solutions, proved` says that the problem has exactly so many, `cheapest cost 9,
proved`, of a proof by `dlx min`, that the cheapest costs exactly that. Where a line is
wrong, missing or too much, the answer is `rejected`, the line and the reason,
and the exit code is 1; also where the search was stopped before its end. It is 2
when a file cannot be read, or is no proof, or is one about another problem.

A proof is a text: the line `dlx proof 1`, the fingerprint of the problem, the
search tree, a line a node, and a last line with the numbers of solutions and
nodes and a check sum. `b 3` branches on item number 3 (from 0): what follows are
its options that are left, one after the other. `d 3` is a dead end, where too few
options with item 3 are left. `s` is a solution. Lines that begin with a bar are
comments. A proof by `dlx min` states the cheapest solution and, in place of most of
the tree, whole prices of items by which all else is too dear.

Examples:
  dlx count puzzle.dlx --proof puzzle.proof
  dlx check-proof puzzle.dlx puzzle.proof
  dlx min crews.txt --proof crews.proof
  dlx check-proof crews.txt crews.proof";

const CONVERT_HELP: &str = "\
cnf is the DIMACS format of SAT solvers: each option that has a primary item is a
variable, and the models are the solutions. Each primary item has a clause of its
options, and each two options that may not be chosen together have one; there are
many of these where items are in many options. Comments say what the variables
are: c option 5 = variable 3: a d:x, where options are counted from 0. Problems
with bounds have no such formula here.

opb and lp have the same variables, x1, x2, ..., and say of each item how many of
its options are chosen, whatever its bounds; where options have costs, their sum
is to be as small as possible. Files of the OR-Library are read as well.

Examples:
  dlx convert puzzle.dlx --to cnf --output puzzle.cnf
  dlx solve puzzle.dlx --proof puzzle.drat --proof-format drat
  drat-trim puzzle.cnf puzzle.drat      if puzzle.dlx has no solution";

const MIN_HELP: &str = "\
The input is as for `dlx solve`, with costs of options: |12 behind the items of an
option; several add up, an option without one costs nothing, and costs may be
negative. Files of the OR-Library, a line with the numbers of rows and columns and
then a line for each column, its cost, the number of its rows and the rows, are
read as well.

    a b c
    a b |10
    a |2
    b |3
    c |4

A solution is printed as `dlx solve` prints it. The summary on standard error is

    cost 9 (optimal)
    best cost 30, lower bound 27, gap 10.00 % (time limit)

where the gap is the difference in parts of the best cost; with -k

    3 solutions, costs 9 to 12 (optimal)

and with --at-most, whose solutions come in no order,

    2 solutions of cost at most 10 (complete)

With -q there is no summary, and each solution begins with a line for its cost.

Threads (-j) share the search, and what one finds is a limit to all. They find
the same costs in every run, and so the same solutions but for those that cost as
much as the last: of several such, one thread finds the same ones each time,
several may not.

With --proof FILE a second search writes a proof that nothing is cheaper, or that
there is no solution, for `dlx check-proof`. The limits are for both; one that stops
the second leaves the proof incomplete, and the exit code is 3.

With --json each solution is a line {\"options\":[1,2,3],\"cost\":\"9\"}; the last line
is {\"count\":\"1\",\"cost\":\"9\",\"lower_bound\":\"9\",\"optimal\":true}, with \"stopped\" as
for `dlx solve` where it was. \"lower_bound\" is what no solution, with -k no other
one, costs less than; null if there is none.

Examples:
  dlx min crews.txt --time 60s          exit code 3 if that is not enough
  dlx min crews.txt -j 0                by all cores
  dlx min crews.txt -k 10               the ten cheapest solutions
  dlx min crews.txt --at-most 11500     all that cost so much or less
  dlx min crews.txt --proof crews.proof
  dlx check-proof crews.txt crews.proof";

const SAMPLE_HELP: &str = "\
The input is as for `dlx solve`. Every solution is as likely as any other, each
time, whatever was drawn before. The same problem and seed print the same bytes on
every machine. Without --seed one is chosen, and told on standard error.

To draw solutions, all of them are put into a decision diagram first (see
`dlx zdd`). Where that does not fit in the memory, standard error says so and
the exit code is 3.

Solutions are printed as by `dlx solve`; with --json each is a line
{\"options\":[0,1]}, where options are counted from 0 in the input's order. Where
there is no solution to draw the exit code is 1.

Examples:
  dlx sample dominoes.dlx                        a tiling at random
  dlx sample dominoes.dlx --count 100 --seed 1   a hundred, the same each time";

const ZDD_HELP: &str = "\
The input is as for `dlx solve`. The diagram is a zero-suppressed decision
diagram: every path from the root to 1 is a solution, and there are often far
fewer nodes than solutions. Each node is a line, after the nodes that it leads to:

    2: (~4?0:1)
    3: (~3?0:2)
    root 3

Node 3 leads to 0 if option 3 is not chosen, to node 2 if it is. Options are
counted from 0 in the input's order. 0 means that there is no solution, 1 that
the options chosen on the way are one. On all paths options come in the same
order. The numbers of nodes and solutions go to standard error.

With --counts each option of the input is a line: how many solutions contain it,
and the option.

Where the diagram does not fit in the memory, standard error says so and the exit
code is 3. No solution is an answer: root 0.

Examples:
  dlx zdd dominoes.dlx --output dominoes.zdd
  dlx zdd queens.dlx --counts           which square has a queen how often";
const REDUCE_HELP: &str = "\
What goes is told by a summary on standard error, and by a line for each with
--why:
  chosen      in every solution: some item has no other option, or no more than
              it needs. Its items go, and whatever disagrees with it
  useless     in no solution: choosing it leaves some item with too few options
  excluded    in no solution: every option of some item a contains an item b, so
              that the other options of b cannot be chosen; b goes as well
  duplicates  equal to an option before it, once the items that went are left
              out, and of the same cost; only where no solution has both

The reduced problem has the same solutions but for what its first lines say:

    | chosen: a b         in the file's solutions this option is missing
    | 3 such: c d         the file has one of three options like this one
    | chosen, one of 2 such: e

so that each of its solutions stands for as many as the product of these numbers.

With --json there is, in place of the problem, a line for each option, counted
from 0: {\"option\":3,\"fate\":\"useless\",\"item\":\"e\"}. The other fates are kept with
\"as\", its place in the reduced problem, forced with \"item\", excluded with \"item\"
and \"by\", duplicate with \"of\", and never. Then comes a line for each item that
went since another one has the same options, {\"item\":\"b\",\"same_as\":\"a\"}, and the
last one is {\"options\":12,\"items\":5,\"complete\":true}, with \"hopeless\" and an item
where it turned out that there is no solution. The exit code is 1 then.

Examples:
  dlx reduce huge.dlx --output small.dlx
  dlx reduce huge.dlx --time 10s --why > small.dlx";

const SUDOKU_SOLVE_HELP: &str = "\
One puzzle is drawn as a grid, several give one line each: its digits, in the
order of the input. A puzzle that has no solution, or cannot be read, or was
stopped keeps its line, which is then empty; the reason is told on standard
error with the puzzle's line number. A puzzle with several solutions gives the
first one found, and standard error says that there are more.

With --all every solution of a puzzle is printed, as soon as it is found, and
standard error says how many there are. Several puzzles have a blank line after
the solutions of each. With --json each solution is a line
{\"line\":1,\"solution\":..}, and after them {\"line\":1,\"count\":\"2\",\"complete\":true}
as `count` has it. A large grid may have more solutions than anyone can print: see
--time.

Digits above 9 are letters, A for 10, on a line and in JSON; a drawing has the
digits of the input: letters, numbers, or those that begin with 0.

With --json each puzzle gives a line {\"line\":1,\"status\":..}. The status is
  unique   with \"puzzle\" and its only \"solution\"
  several  with \"puzzle\" and one \"solution\" of at least two
  none     with \"puzzle\" and the \"reason\" why there is none
  stopped  with \"puzzle\" and the \"reason\", and with \"solution\" if one was found
A text that is no puzzle gives {\"line\":1,\"column\":5,\"error\":..}. Where there are
several files every line begins with \"file\".

The exit code is the gravest that any puzzle called for: 2 cannot be read,
3 stopped, 1 no solution, 0. Output, messages and exit code are the same
whatever the number of threads (-j).

Variants are stated by --rules, --regions and --cages, or in the file, which has
sections like these after the grid; the grid may be left out if it is empty:
  rules: x, windoku     or others of those that --rules knows
  regions:              jigsaw: a row of letters a line, one for each cell
  cages:                killer: lines like 15: r1c3 r1c4 r2c4 or 9 = r1c1-r1c3
  odd: r1c1 r2c2        even: and only 159: likewise
  grids: samurai        or top left corners, as in r1c1 r7c7; the grid is then a
                        canvas with # where no cell is
A line puzzle: begins another puzzle, size: 2x3 says the size of a box.

Without a file, puzzles come from standard input; when that is the terminal or
empty, a hard example is solved.

Examples:
  dlx sudoku solve                      the built-in example
  dlx sudoku solve puzzles.txt --stats  a batch, with speed and nodes a puzzle
  dlx sudoku solve puzzles.txt -j 0     by all cores
  dlx sudoku solve --grid - < some.txt  a grid for each puzzle
  dlx sudoku solve --rules x,windoku puzzles.txt
  dlx sudoku solve killer.txt --svg --output killer.svg

A picture is SVG, which browsers show and print; several puzzles are drawn on one
sheet, in about as many rows as columns, each with its title or its line below.";

const SUDOKU_CHECK_HELP: &str = "\
A grid, full or partly filled, is valid when no row, column or box holds a digit
twice. That is not the same as solvable: a valid grid may have no solution, one,
or many (see solve and count).

The rules of variants (--rules, or the file's own) are checked as well: diagonals
and other houses, cages and their sums, knight's moves and so on. In JSON, house is
then the rule or the cage, and digit is left out where there are several.

A valid grid gives a line `valid`, a full one `valid and complete`. Any other
gives a line for each clash: the house, the digit and the two cells. Where there
are several grids, each line begins with its grid's line number. With --json
each grid gives a line {\"line\":1,\"valid\":false,\"complete\":false,\"clashes\":[..]}
with clashes like {\"house\":\"row 1\",\"digit\":5,\"cells\":[\"r1c1\",\"r1c5\"]}, or
{\"line\":1,\"column\":5,\"error\":..} where it cannot be read.

The exit code is 1 when a grid has a clash, 2 when one cannot be read.";

const SUDOKU_COUNT_HELP: &str = "\
Each puzzle gives a line: 1 solution (complete), or at least 1000 solutions
(solution limit). With -q it is the bare number. The line is empty where a
puzzle cannot be read. With --json it is
{\"line\":1,\"puzzle\":\"..\",\"count\":\"2\",\"complete\":true}, with \"stopped\" as for
`dlx count`, or {\"line\":1,\"column\":5,\"error\":..}.

Reaching --limit is success. A puzzle whose givens clash has no solution, so its
count is zero.";

const SUDOKU_CONVERT_HELP: &str = "\
The formats, of which all but svg are read as well:
  line         all cells on a line, a dot for a blank
  sdm          SudoCue: all cells on a line, 0 for a blank
  sdk          SudoCue: a row a line, after lines like #A with its author
  ss           Simple Sudoku: a row a line, in a frame
  sadman       SadMan Sudoku: a row a line, after [Puzzle]
  opensudoku   OpenSudoku: XML, up to 9x9
  hodoku       HoDoKu's library: a line with the cells, and candidates that are
               ruled out, 9x9
  csv          a table with commas, its first column called puzzle
  json         an array of rows of numbers, 0 for a blank
  pencilmarks  what each cell may have, as in HoDoKu
  candidates   the same on a line: each digit, or a dot, for each cell
  grid         the drawing of solve --grid
  variant      a grid with its rules: a variant, as solve --help tells
  svg          a picture, of several puzzles on one sheet, with their candidates
               if these are restricted

Digits above 9 are written as letters, A for 10, in json as numbers. All formats
keep the givens; pencilmarks and candidates make givens of cells that have one
candidate left. Restricted candidates are kept by hodoku, pencilmarks, candidates
and variant only; to any other format such a puzzle is written if its givens alone
lead to the same solution. The rules of variants are kept by variant, and shown by
svg.

The exit code is 2 when a puzzle cannot be read or the format cannot hold it; the
others are written all the same.

Examples:
  dlx sudoku convert puzzles.opensudoku --to sdm > puzzles.sdm
  dlx sudoku convert hard.txt --to pencilmarks
  dlx sudoku generate --size 6x6 --count 10 | dlx sudoku convert --to csv
  dlx sudoku convert puzzles.txt --to svg --output page.svg";

const SUDOKU_CANONICAL_HELP: &str = "\
Two puzzles, or two full grids, are the same but for relabelling the digits,
transposing, and permuting bands, stacks, rows within a band and columns within
a stack, exactly if they have the same canonical form. That is the least of all
grids (9! 2 6^8 of 9x9) that a grid can be turned into in these ways, where grids
are compared cell by cell, row by row, and a blank is less than any digit. Grids of
any size up to 25x25 have one whose boxes have more than one row and column; they are
transposed only if their boxes are square.

Each puzzle gives a line: the form, in the order of the input. The line is empty
where a puzzle cannot be read or has a digit twice in a house; the reason is told
on standard error. With --json it is
{\"line\":1,\"puzzle\":\"..\",\"canonical\":\"..\",\"automorphisms\":\"1\"}, where the last
is the number of symmetries that lead from the grid to itself, or
{\"line\":1,\"column\":5,\"error\":..}, without the column where the grid was read.

The exit code is 1 when a puzzle has a digit twice in a house, 2 when one cannot
be read or has no such size, 3 when a grid of more than nine digits is so symmetric
that ten million rows do not lead to its form.

Examples:
  dlx sudoku canonical puzzles.txt | sort -u    each puzzle once";

const SUDOKU_RATE_HELP: &str = "\
Each puzzle gives a line: its rating, its grade and the technique of its hardest
step, separated by tabs. The rating is the difficulty of that step, if always an
easiest one is taken; the scale follows Sudoku Explainer's:

  1.0          last blank cell of a house
  1.2 1.5      hidden single in a box, in a row or column
  1.7 1.9      pointing, claiming that lead to a hidden single
  2.0 2.5      hidden pair, triple that lead to a hidden single
  2.3          naked single                                    easy: up to 2.5
  2.6 2.8      pointing, claiming
  3.0 3.6 5.0  naked pair, triple, quad
  3.4 4.0 5.4  hidden pair, triple, quad
  3.2 3.8 5.2  X-wing, swordfish, jellyfish                 medium: 2.6 to 4.0
  4.2 4.4      XY-wing, XYZ-wing
  4.5-5.0      unique rectangles (need a unique solution)
  5.6          BUG+1 (needs it as well)
  5.8 6.1 6.3  finned X-wing, swordfish, jellyfish
  6.0 6.2      W-wing, simple colouring                       hard: 4.1 to 6.4
  6.5-7.5      X-chains, by length
  6.6-7.6      XY-chains, by length
  7.0-7.9      alternating inference chains, by length    fiendish: 6.5 to 7.9
  8.0-8.9      cell and house forcing chains, by length
  8.5-9.4      contradiction nets
  9.5-11.4     nested contradiction nets
  11.5-11.9    deeper ones                                diabolical: from 8.0

A puzzle that differs in the names of digits or the order of rows and columns
only has the same rating. It must have 9x9 cells and exactly one solution; else
its line is empty, the reason is told on standard error, and the exit code is 1,
or 2 where it has another size or cannot be read.

With --json it is {\"line\":1,\"puzzle\":\"..\",\"rating\":3.2,\"grade\":\"medium\",
\"technique\":\"X-wing\",\"steps\":61}, or {\"line\":1,\"column\":5,\"error\":..}, without
the column where the puzzle was read.

Examples:
  dlx sudoku rate puzzles.txt | sort -g    the hardest last
  dlx sudoku rate puzzles.txt -j 0 --stats --output /dev/null";

const SUDOKU_HINT_HELP: &str = "\
The digits of the grid are taken as they are, and the candidates of a blank cell
are the digits that no cell of its row, column or box has. The hint is an easiest
step from there: the technique with its difficulty (see rate), what it rests on,
and what follows: digits that are placed, or candidates that are ruled out.

  X-wing (3.2): 5 in rows 2 and 7 only in columns 3 and 8: r4c3, r6c8 lose 5

A candidate in a chain is written 5r4c3; = is a strong link, of which one end is
right, and - a weak one, of which one end is wrong. A hint that rules out
candidates is followed by the next one with --all only: the grid does not show
them. Steps that are equally easy are taken together there, so that ratings do not
depend on their order; one may rest on a candidate that the one before ruled out.

With --grid pencil marks are drawn before and after each step. On a terminal
green is placed, red is ruled out, and yellow is what that rests on. --svg makes a
picture of each step with the same colours, and its words below.

With --json it is {\"line\":1,\"puzzle\":\"..\",\"steps\":[..]} with steps like
{\"technique\":\"X-wing\",\"difficulty\":3.2,\"uniqueness\":false,\"places\":[],
\"eliminates\":[\"5r4c3\",\"5r6c8\"],\"pattern\":[\"5r2c3\",..],\"text\":..}, or with
\"error\" in the place of the steps.

The grid must have 9x9 cells and exactly one solution, else the exit code is 1,
or 2 where it has another size or cannot be read.

Examples:
  dlx sudoku hint grid.txt               the next step
  dlx sudoku hint --all grid.txt         the way to the solution
  dlx sudoku hint --grid grid.txt        with pencil marks
  dlx sudoku hint --svg grid.txt --output hint.svg";

const SUDOKU_GENERATE_HELP: &str = "\
Each puzzle gives a line as soon as it is found: its cells row by row, a dot for
a blank, letters for digits above 9. It has exactly one solution. Without
--givens, givens are taken away in random order as long as that is so, with
--symmetry in sets that keep it; --minimal asks that no single given can go.

With --rules, --regions or --cages they are puzzles of that variant, which take
longer; with --like they are of the variant that a file states, a samurai for
instance; with --killer they have cages and no givens. Whoever solves them has to
state the rules again, unless they are printed with --variant, as they are with --like
and --killer, or as JSON.

The same seed and options print the same bytes on every machine and with any number
of threads (-j). Without --seed one is chosen, and told on standard error.

When the --time or the --nodes for a puzzle are spent before such a puzzle was
found, standard error says so and the exit code is 3; the puzzles before it are
printed. A puzzle of 9x9 takes about a tenth of a millisecond, few givens (21 or
less), many givens with --minimal (27 or more) and large sizes far longer.

With --rating puzzles are made until one has that rating: a grade, easy, medium,
hard, fiendish or diabolical, or a stretch of the scale that `dlx sudoku rate
--help` shows. Ratings from 9.5 on are rare.

With --json each puzzle gives a line {\"puzzle\":\"..\",\"givens\":24}, with --rating
also \"rating\":3.2, and with rules also \"variant\":\"..\", which is what --variant prints.

Examples:
  dlx sudoku generate --grid                       one puzzle, drawn
  dlx sudoku generate --count 1000 --seed 7        a thousand, the same each time
  dlx sudoku generate --count 12 --svg --output page.svg
  dlx sudoku generate --givens 30 --symmetry rotational
  dlx sudoku generate --rating fiendish            or --rating 3.0-5.0
  dlx sudoku generate --pattern heart.txt          givens where heart.txt has digits
  dlx sudoku generate --size 4x4                   16x16, digits 1 to 9, A to G
  dlx sudoku generate --rules x,windoku --variant  with the rules
  dlx sudoku generate --like samurai.txt --svg     samurai.txt: grids: samurai
  dlx sudoku generate --killer --svg --output killer.svg";

/// Exact cover and sudoku by Dancing Links
#[derive(Debug, Parser)]
#[command(name = "dlx", version, after_help = EXIT_CODES, max_term_width = 100)]
#[command(disable_help_subcommand = true, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the solutions of an exact cover problem in Knuth's text format
    #[command(after_long_help = SOLVE_HELP)]
    Solve(SolveArgs),
    /// Count the solutions of an exact cover problem in Knuth's text format
    #[command(after_long_help = COUNT_HELP)]
    Count(CountArgs),
    /// Find the cheapest solutions of an exact cover problem with costs
    #[command(after_long_help = MIN_HELP)]
    Min(MinArgs),
    /// Make an exact cover problem smaller and keep its solutions
    #[command(after_long_help = REDUCE_HELP)]
    Reduce(ReduceArgs),
    /// Cut the search for the solutions of an exact cover problem into parts
    #[command(after_long_help = SPLIT_HELP)]
    Split(SplitArgs),
    /// Draw solutions at random, each as likely as any other
    #[command(after_long_help = SAMPLE_HELP)]
    Sample(SampleArgs),
    /// Print the decision diagram of all solutions, or how many of them contain each option
    #[command(after_long_help = ZDD_HELP)]
    Zdd(ZddArgs),
    /// Check solutions, as `dlx solve` prints them
    #[command(after_long_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Check a proof that there are no more or no cheaper solutions, as --proof writes it
    #[command(after_long_help = CHECK_PROOF_HELP)]
    CheckProof(CheckProofArgs),
    /// Write an exact cover problem in the formats of other solvers
    #[command(after_long_help = CONVERT_HELP)]
    Convert(ConvertArgs),
    /// Solve, check, count, convert, compare, rate, explain and make sudoku puzzles
    #[command(subcommand)]
    Sudoku(SudokuCommand),
}

/// What to do with sudoku puzzles.
#[derive(Debug, Subcommand)]
pub(crate) enum SudokuCommand {
    /// Solve puzzles and say whether the solution is the only one
    #[command(after_long_help = SUDOKU_SOLVE_HELP)]
    Solve(SudokuSolveArgs),
    /// Check that no row, column or box holds a digit twice
    #[command(after_long_help = SUDOKU_CHECK_HELP)]
    Check(SudokuCheckArgs),
    /// Count the solutions of puzzles
    #[command(after_long_help = SUDOKU_COUNT_HELP)]
    Count(SudokuCountArgs),
    /// Write puzzles in another format
    #[command(after_long_help = SUDOKU_CONVERT_HELP)]
    Convert(SudokuConvertArgs),
    /// Bring puzzles that are the same but for their symmetries to one form
    #[command(after_long_help = SUDOKU_CANONICAL_HELP)]
    Canonical(SudokuCanonicalArgs),
    /// Say how difficult puzzles are, by the techniques that people use
    #[command(after_long_help = SUDOKU_RATE_HELP)]
    Rate(SudokuRateArgs),
    /// Say how a person would go on, or the whole way to the solution
    #[command(after_long_help = SUDOKU_HINT_HELP)]
    Hint(SudokuHintArgs),
    /// Make puzzles that have one solution
    #[command(after_long_help = SUDOKU_GENERATE_HELP)]
    Generate(SudokuGenerateArgs),
}

/// `dlx solve`.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) cover: CoverArgs,
    /// Break ties among items and try options in an order that S decides, the same for the same S
    #[arg(long, value_name = "S", conflicts_with_all = ["part", "proof"])]
    pub(crate) seed: Option<u64>,
    /// Find one solution, and begin again in another order each time it takes long
    ///
    /// Find one solution. The search begins again and again, each time in another order, and may take longer and longer, so that
    /// it finds out as well if there is none. It chooses items and engine as by default.
    #[arg(long, requires = "seed")]
    #[arg(conflicts_with_all = ["solutions", "checkpoint", "resume", "threads", "branch", "engine"])]
    pub(crate) restarts: bool,
}

/// Most of `dlx solve` and `dlx count`.
#[derive(Debug, Args)]
pub(crate) struct CoverArgs {
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    #[command(flatten)]
    pub(crate) effort: EffortArgs,
    #[command(flatten)]
    pub(crate) keeping: KeepingArgs,
    #[command(flatten)]
    pub(crate) proof: ProofArgs,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
}

/// Where the search is proved.
#[derive(Debug, Args)]
pub(crate) struct ProofArgs {
    /// Write to FILE a proof that there are no more solutions, for `dlx check-proof`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "resume", "part", "branch"])]
    pub(crate) proof: Option<PathBuf>,
    /// What proof to write
    #[arg(long, value_enum, default_value_t, requires = "proof")]
    pub(crate) proof_format: ProofFormat,
}

/// The forms of proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProofFormat {
    /// The tree of the search, a line a node
    #[default]
    Dlx,
    /// DRAT, for the formula of `dlx convert --to cnf`, where there is no solution
    Drat,
}

/// `dlx check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The problem, in Knuth's text format; `-` for standard input
    pub(crate) problem: PathBuf,
    /// The solutions, as text or JSON lines; `-` or nothing for standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) solutions: PathBuf,
}

/// `dlx check-proof`.
#[derive(Debug, Args)]
pub(crate) struct CheckProofArgs {
    /// The problem, in Knuth's text format; `-` for standard input
    pub(crate) problem: PathBuf,
    /// The proof; `-` or nothing for standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) proof: PathBuf,
}

/// `dlx convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    /// The format to write
    #[arg(long, value_enum)]
    pub(crate) to: TargetFormat,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats that are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TargetFormat {
    /// A formula in conjunctive normal form, for SAT solvers (DIMACS)
    Cnf,
    /// Pseudo-Boolean constraints
    Opb,
    /// A 0-1 linear program, for mixed-integer solvers
    Lp,
}

/// Where a long search is kept, and where it begins.
#[derive(Debug, Args)]
pub(crate) struct KeepingArgs {
    /// Keep in FILE what is done and what is left, to go on from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Do so each time this time has passed, at least 100ms
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = interval)]
    pub(crate) checkpoint_every: Duration,
    /// Go on from the checkpoint in FILE, and keep it there unless --checkpoint names another one
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Search only the part in FILE, one of those of `dlx split`
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) part: Option<PathBuf>,
}

impl KeepingArgs {
    /// Where checkpoints are written.
    pub(crate) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref().or(self.resume.as_deref())
    }
}

/// `dlx split`.
#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    /// Make N parts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) parts: u32,
    /// Write them to this folder, which must be new or empty
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
}

/// `dlx reduce`.
#[derive(Debug, Args)]
pub(crate) struct ReduceArgs {
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    /// Take what was found when this time has passed, as in 500ms, 10s, 1m30s; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Say on standard error why each option went
    #[arg(long)]
    pub(crate) why: bool,
    /// Print what became of each option in JSON lines in place of the problem; --help tells their form
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No summary and no remarks
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `dlx count`.
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) cover: CoverArgs,
    /// Remember subproblems in so many bytes, as in 500M, 2G; by default a quarter of what is free
    ///
    /// Tables of subproblems may take so many bytes, as in 64K, 500M, 2G. Where they would not fit, the solutions are visited
    /// one by one. By default they may take a quarter of the memory that is free.
    #[arg(long, value_name = "BYTES", value_parser = bytes, conflicts_with = "proof")]
    memory: Option<usize>,
}

impl CountArgs {
    /// The limits for the whole count.
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.cover.effort.limits();
        self.memory.map_or(limits, |bytes| limits.memory(bytes))
    }
}

/// `dlx min`.
#[derive(Debug, Args)]
pub(crate) struct MinArgs {
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    /// Find the K cheapest solutions
    #[arg(short = 'k', value_name = "K", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) k: u32,
    /// Find all solutions that cost at most T
    #[arg(long, value_name = "T", conflicts_with = "k", allow_negative_numbers = true)]
    pub(crate) at_most: Option<i128>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Share the search among N threads; 0 is one for each core
    #[arg(short = 'j', value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Write to FILE a proof that the solution is the cheapest, for `dlx check-proof`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "at_most"])]
    pub(crate) proof: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
}

impl MinArgs {
    /// How many threads; 0 for as many as there are cores.
    pub(crate) fn threads(&self) -> usize {
        self.threads.into()
    }
}

/// `dlx sample`.
#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    pub(crate) diagram: DiagramArgs,
    /// Draw N solutions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// Draw the solutions of this number; the same ones each time
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
}

/// `dlx zdd`.
#[derive(Debug, Args)]
pub(crate) struct ZddArgs {
    #[command(flatten)]
    pub(crate) diagram: DiagramArgs,
    /// Print how many solutions contain each option, instead of the diagram
    #[arg(long)]
    pub(crate) counts: bool,
}

/// How a decision diagram is made, and of what.
#[derive(Debug, Args)]
pub(crate) struct DiagramArgs {
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Give up where the diagram takes so many bytes, as in 500M, 2G; by default a quarter of what is free
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
}

impl DiagramArgs {
    /// The limits for the diagram.
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.limits.limits();
        self.memory.map_or(limits, |bytes| limits.memory(bytes))
    }
}

/// `dlx sudoku solve`.
#[derive(Debug, Args)]
pub(crate) struct SudokuSolveArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Print all solutions of each puzzle, each as soon as it is found
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    #[command(flatten)]
    pub(crate) search: SudokuSearchArgs,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
}

/// What holds in all puzzles beside rows, columns and boxes.
#[derive(Debug, Args)]
pub(crate) struct RuleArgs {
    /// Solve variants by these rules: x, windoku, disjoint-groups, anti-knight, anti-king, non-consecutive, latin
    ///
    /// x: both diagonals have every digit; windoku (or hyper): so have the windows; disjoint-groups: so have the cells at
    /// the same place of each box; anti-knight, anti-king: cells such a move apart differ; non-consecutive: neighbours do
    /// not differ by one; latin: there are no boxes (with --size 1x5 for squares of 5x5). A file can state them itself.
    #[arg(long, value_name = "RULES", value_parser = rules)]
    pub(crate) rules: Option<Statement>,
    /// Take the regions of FILE for boxes: rows of letters, one a cell
    #[arg(long, value_name = "FILE")]
    pub(crate) regions: Option<PathBuf>,
    /// Add the killer cages of FILE: a line each, as in 15: r1c3 r1c4 r2c4
    #[arg(long, value_name = "FILE")]
    pub(crate) cages: Option<PathBuf>,
}

/// `dlx sudoku check`.
#[derive(Debug, Args)]
pub(crate) struct SudokuCheckArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print nothing: only the exit code and complaints about the input
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `dlx sudoku count`.
#[derive(Debug, Args)]
pub(crate) struct SudokuCountArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Stop after N solutions of a puzzle
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) search: SudokuSearchArgs,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
}

/// `dlx sudoku convert`.
#[derive(Debug, Args)]
pub(crate) struct SudokuConvertArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Write puzzles in this format
    #[arg(long = "to", value_name = "FORMAT", value_parser = target())]
    pub(crate) target: Target,
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `dlx sudoku canonical`.
#[derive(Debug, Args)]
pub(crate) struct SudokuCanonicalArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Do N puzzles at a time, each in a thread of its own; 0 is one for each core
    #[arg(short = 'j', value_name = "N", default_value_t = 1, value_parser = threads())]
    pub(crate) threads: u16,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `dlx sudoku rate`.
#[derive(Debug, Args)]
pub(crate) struct SudokuRateArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Do without techniques that take for granted that there is one solution
    #[arg(long)]
    pub(crate) no_uniqueness: bool,
    /// Do N puzzles at a time, each in a thread of its own; 0 is one for each core
    #[arg(short = 'j', value_name = "N", default_value_t = 1, value_parser = threads())]
    pub(crate) threads: u16,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Say on standard error the median, how many puzzles have which grade, and the speed
    #[arg(long)]
    pub(crate) stats: bool,
}

/// `dlx sudoku hint`.
#[derive(Debug, Args)]
pub(crate) struct SudokuHintArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Print all steps to the solution
    #[arg(long)]
    pub(crate) all: bool,
    /// Draw the pencil marks before and after each step, which a terminal shows in colours
    #[arg(long, conflicts_with = "json")]
    pub(crate) grid: bool,
    /// Draw each step as SVG, in colours and with its words, several on one sheet
    #[arg(long, conflicts_with_all = ["json", "grid"])]
    pub(crate) svg: bool,
    /// Do without techniques that take for granted that there is one solution
    #[arg(long)]
    pub(crate) no_uniqueness: bool,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `dlx sudoku generate`.
#[derive(Debug, Args)]
pub(crate) struct SudokuGenerateArgs {
    /// Make N puzzles
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// Make the puzzles of this number; the same ones each time
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    wishes: WishArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Give a puzzle up after this time, as in 500ms, 10s, 1m30s; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    time: Duration,
    /// Give a puzzle up after N nodes of its searches
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Make N puzzles at a time, each in a thread of its own; 0 is one for each core
    #[arg(short = 'j', value_name = "N", default_value_t = 1, value_parser = threads())]
    pub(crate) threads: u16,
    #[command(flatten)]
    pub(crate) shape: PuzzleShapeArgs,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
}

/// What the puzzles are to be like.
#[derive(Debug, Args)]
struct WishArgs {
    /// Make puzzles from which no given can be taken away
    #[arg(long)]
    minimal: bool,
    /// Make puzzles with N givens
    #[arg(long, value_name = "N")]
    givens: Option<usize>,
    /// Make puzzles whose givens are symmetric
    ///
    /// rotational: by half a turn, also called half-turn; quarter-turn: by a quarter; mirror: left and right; flip: top
    /// and bottom; diagonal and antidiagonal: by the diagonal from the top left, or right; full: in all these ways.
    #[arg(long, value_name = "S", default_value_t, value_parser = symmetry())]
    symmetry: Symmetry,
    /// Make puzzles with boxes of R rows and C columns; 3x3 where nothing is said
    ///
    /// There are R times C digits, as many rows, and as many columns: 2x3 makes puzzles of 6x6 cells, 4x4 of 16x16. From
    /// 6x6 on, RxR is the size of the grid, whose boxes are nearest to squares: 6x6, 8x8, 9x9, 10x10, 12x12, 16x16.
    #[arg(long, value_name = "RxC", value_parser = geometry)]
    size: Option<Geometry>,
    /// Make puzzles of this grade, or with a rating as in 3.0-5.0 or 4.2
    #[arg(long, value_name = "R", value_parser = rating, conflicts_with_all = ["rules", "regions", "cages"])]
    rating: Option<RatingRange>,
    /// Make puzzles of FILE's variant: its rules, regions, cages, grids; its givens do not count
    ///
    /// FILE has one puzzle, as solve --help tells; that may be no more than `grids: samurai`. The puzzles are then printed
    /// in that form, with all they need to be solved, if nothing else is asked for.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "pattern", "rules", "regions", "cages", "rating"])]
    like: Option<PathBuf>,
    /// Make killer sudokus: no givens, but cages that tell the sum of their digits, in the whole grid
    #[arg(long, conflicts_with_all = ["minimal", "givens", "symmetry", "pattern", "rating", "cages"])]
    killer: bool,
    /// Make puzzles that have their givens where FILE's puzzle has digits, whichever they are
    #[arg(long, value_name = "FILE", conflicts_with_all = ["givens", "symmetry", "size"])]
    pattern: Option<PathBuf>,
}

impl SudokuGenerateArgs {
    /// The file that has the pattern.
    pub(crate) fn pattern(&self) -> Option<&Path> {
        self.wishes.pattern.as_deref()
    }

    /// Whether the puzzles have cages of their own.
    pub(crate) fn is_killer(&self) -> bool {
        self.wishes.killer
    }

    /// The file that has the variant.
    pub(crate) fn like(&self) -> Option<&Path> {
        self.wishes.like.as_deref()
    }

    /// The shape of the puzzles, unless a pattern has another. Regions tell it, if nothing is said.
    pub(crate) fn shape_of(&self, statement: &Statement) -> Geometry {
        self.wishes.size.or(statement.size()).unwrap_or_default()
    }

    /// A generator that stops by the token as well.
    pub(crate) fn generator(&self, seed: u64, token: &CancelToken) -> Generator {
        let WishArgs { minimal, givens, symmetry, size, ref rating, .. } = self.wishes;
        let budget = Budget { nodes: self.nodes, time: Some(self.time), cancel: Some(token.clone()) };
        let generator =
            Generator::new(seed).geometry(size.unwrap_or_default()).minimal(minimal).givens(givens);
        generator.symmetry(symmetry).rating(rating.clone()).budget(budget)
    }

    /// Whether the puzzles are rated.
    pub(crate) fn is_rated(&self) -> bool {
        self.wishes.rating.is_some()
    }
}

/// How puzzles are written.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct PuzzleShapeArgs {
    /// Print each puzzle on a line; so it is without a word
    #[arg(long)]
    pub(crate) one_line: bool,
    /// Draw each puzzle as a grid
    #[arg(long)]
    pub(crate) grid: bool,
    /// Print each puzzle with its rules, as a file of variants; so it is without a word with --like and --killer
    #[arg(long)]
    pub(crate) variant: bool,
    /// Draw each puzzle as SVG, several on one sheet
    #[arg(long)]
    pub(crate) svg: bool,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
}

/// Where the puzzles are.
#[derive(Debug, Args)]
pub(crate) struct PuzzleArgs {
    /// Files of puzzles, one or many in each; `-` or nothing for standard input
    ///
    /// The format is told by the content: 81 characters, 1 to 9 and . 0 _ * - ? or x for a blank, on one line or over
    /// several, with or without the usual drawing (.sdm, .sdk, .ss, SadMan); pencil marks, also as 729 characters; HoDoKu's
    /// library, CSV, JSON, OpenSudoku's XML.
    /// So is the size, from 4x4 to 64x64: digits above 9 are letters (1-9A-Z, A-P, 0-F) or numbers between blanks.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read all puzzles as ones of this size: a grid, as in 6x6, 16x16; or its boxes, as in 3x2
    ///
    /// RxC are boxes of R rows and C columns. Where both are the same, 2x2 to 5x5 are boxes, which make grids of 4x4 to
    /// 25x25; from 6x6 on it is the grid, with the boxes nearest to squares: 2x3 for 6x6, 2x4 for 8x8, 6x6 for 36x36.
    #[arg(long, value_name = "RxC", value_parser = geometry)]
    pub(crate) size: Option<Geometry>,
}

/// How the solutions of puzzles are written; chosen by their number where nothing is said.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct ShapeArgs {
    /// Print each solution as a line of its digits, even a single one
    #[arg(long)]
    pub(crate) one_line: bool,
    /// Draw each solution as a grid, even many
    #[arg(long)]
    pub(crate) grid: bool,
    /// Draw each solution as SVG, several on one sheet; where there is none, what the cells may have
    #[arg(long, conflicts_with = "all")]
    pub(crate) svg: bool,
    /// Print JSON lines; --help tells their form
    #[arg(long, long_help = "Print JSON lines, of the form told below")]
    pub(crate) json: bool,
}

/// How puzzles are searched.
#[derive(Debug, Args)]
pub(crate) struct SudokuSearchArgs {
    /// What searches
    #[arg(long, value_enum, default_value_t)]
    engine: EngineName,
    /// Stop the search of a puzzle after this time, as in 500ms, 10s, 1m30s; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Stop the search of a puzzle after N nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search N puzzles at a time, each in a thread of its own; 0 is one for each core
    #[arg(short = 'j', value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
}

impl SudokuSearchArgs {
    /// How many threads; 0 for as many as there are cores.
    pub(crate) fn threads(&self) -> usize {
        self.threads.into()
    }

    /// A solver that keeps to the limits for each puzzle and stops altogether by the token.
    pub(crate) fn solver(&self, token: &CancelToken) -> SudokuSolver {
        let budget = Budget { nodes: self.nodes, time: self.time, cancel: Some(token.clone()) };
        SudokuSolver::new(self.engine.into()).budget(budget)
    }
}

/// The solvers to compare.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum EngineName {
    /// Exact cover by Dancing Links
    #[default]
    Dlx,
    /// Plain recursive backtracking, cell by cell
    Backtrack,
    /// Backtracking with an explicit stack, checking the 20 peers
    Iterative,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Dlx => Self::Dlx,
            EngineName::Backtrack => Self::Backtrack,
            EngineName::Iterative => Self::Iterative,
        }
    }
}

/// Where an exact cover problem is.
#[derive(Debug, Args)]
pub(crate) struct ProblemArgs {
    /// The problem, in Knuth's text format or that of the OR-Library; `-` or nothing for standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
}

/// When work on an exact cover problem is to be stopped.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop after this time, as in 500ms, 10s, 1m30s; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after N nodes of the search tree
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits for all of it.
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.time.map_or(Limits::none(), |time| Limits::none().time(time));
        self.nodes.map_or(limits, |n| limits.nodes(n))
    }
}

/// How far a search of an exact cover problem may go.
#[derive(Debug, Args)]
pub(crate) struct EffortArgs {
    /// Stop after N solutions
    #[arg(long, value_name = "N")]
    pub(crate) solutions: Option<u64>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// What searches; all find the same solutions, in orders of their own
    ///
    /// links: dancing links, for any problem. bits: bit sets, several times faster unless the problem is huge and
    /// sparse. planes: bit slices, for small problems whose items have few options each, such as sudokus. auto: the one
    /// that suits the shape of the problem.
    #[arg(long, default_value_t, value_parser = engine())]
    pub(crate) engine: EngineKind,
    /// What chooses the item to branch on; all find the same solutions, in orders of their own
    ///
    /// mrv: an item with the fewest remaining options. sharp: the same, but items whose names begin with # come before
    /// others that leave a choice. weights: the fewest in proportion to how often an item has made the search turn back.
    /// The latter two are for the engine links, whatever --engine says, and for one thread.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) branch: Branch,
    /// Share the search among N threads; 0 is one for each core
    #[arg(short = 'j', value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
}

/// What chooses the item to branch on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Branch {
    #[default]
    Mrv,
    Sharp,
    Weights,
}

impl EffortArgs {
    /// Refuses what threads cannot do together.
    pub(crate) fn check_branch(&self) -> Result<(), &'static str> {
        let possible = self.branch == Branch::Mrv || self.threads == 1;
        possible.then_some(()).ok_or("--branch sharp and weights search with one thread, expected no -j")
    }

    /// How many threads; 0 for as many as there are cores.
    pub(crate) fn threads(&self) -> usize {
        self.threads.into()
    }

    /// The limits for the whole search.
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.limits.limits();
        self.solutions.map_or(limits, |n| limits.solutions(n))
    }
}

/// What becomes of the results.
#[derive(Debug, Args)]
pub(crate) struct ResultArgs {
    /// Write the results to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Say on standard error how much work it was
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print bare results only: the solutions or the number, no summary, no remarks
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Reads the name of an engine, whatever engines there are.
fn engine() -> impl TypedValueParser<Value = EngineKind> {
    PossibleValuesParser::new(EngineKind::ALL.map(EngineKind::name))
        .try_map(|name| name.parse::<EngineKind>())
}

/// Reads the name of a symmetry.
fn symmetry() -> impl TypedValueParser<Value = Symmetry> {
    let names = Symmetry::ALL.map(|symmetry| PossibleValue::new(symmetry.name()));
    let names =
        names.map(|name| if name.get_name() == "rotational" { name.alias("half-turn") } else { name });
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Symmetry>())
}

/// Reads `3x2`, the rows and the columns of a box; or `6x6`, a grid. Of those with equal sides, boxes are 2x2 to 5x5 and
/// grids all others: for grids of 6x6 are common, and the boxes of 36x36 are those that it has anyway.
fn geometry(text: &str) -> Result<Geometry, String> {
    const LARGEST_BOX: u8 = 5;
    let sides = text.split_once(['x', 'X']).and_then(|(r, c)| Some((r.parse::<u8>().ok()?, c.parse().ok()?)));
    let (rows, columns) = sides.ok_or(
        "expected a grid, as in 6x6, 9x9, 16x16, or the rows and columns of its boxes, as in 3x2, 4x4",
    )?;
    let geometry = match rows == columns && rows > LARGEST_BOX {
        true => Geometry::of_size(rows.into()),
        false => Geometry::new(rows, columns),
    };
    geometry.map_err(|error| error.to_string())
}

/// Reads the names of rules.
fn rules(text: &str) -> Result<Statement, String> {
    let mut statement = Statement::default();
    statement.read_rules(text).map_err(|error| error.kind.to_string())?;
    Ok(statement)
}

/// What puzzles are converted to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// Text that can be read again.
    Text(Format),
    /// A picture.
    Svg,
}

/// Reads the name of a format.
fn target() -> impl TypedValueParser<Value = Target> {
    let names = Format::ALL.map(Format::name).into_iter().chain(["svg"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "svg" => Ok(Target::Svg),
        name => name.parse().map(Target::Text),
    })
}

/// Ratings from one to another.
type RatingRange = RangeInclusive<Difficulty>;

/// Reads the name of a grade, `3.0-5.0`, or `4.2`.
fn rating(text: &str) -> Result<RatingRange, String> {
    if let Ok(grade) = text.parse::<Grade>() {
        let (lowest, highest) = grade.range();
        return Ok(lowest..=highest);
    }
    let tenths = |text: &str| -> Option<u8> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let tenths = (is_number(whole) && is_number(tenth) && tenth.len() == 1)
            .then(|| whole.parse::<u8>().ok()?.checked_mul(10)?.checked_add(tenth.parse().ok()?));
        tenths.flatten().filter(|&tenths| tenths <= Difficulty::MAX.tenths())
    };
    let (lowest, highest) = text.split_once('-').unwrap_or((text, text));
    match (tenths(lowest), tenths(highest)) {
        (Some(lowest), Some(highest)) if lowest <= highest => {
            Ok(Difficulty::from_tenths(lowest)..=Difficulty::from_tenths(highest))
        }
        _ => {
            let grades = Grade::ALL.map(Grade::name).join(", ");
            Err(format!("expected {grades}, or a rating from 0.0 to {} as in 3.0-5.0", Difficulty::MAX))
        }
    }
}

/// Reads a number of threads, as many as an operating system can be expected to grant.
fn threads() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(..=1024)
}

/// Reads `10s`, `1.5h`, `1m30s`, or a bare number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    time.ok_or_else(|| "expected a time, as in 500ms, 10s, 1m30s".to_owned())
}

/// Reads a time between checkpoints, in which some progress can be made.
fn interval(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let enough = (time >= Duration::from_millis(100)).then_some(time);
    enough.ok_or_else(|| "expected at least 100ms".to_owned())
}

/// Reads a number of bytes: `1000`, `64K`, `500M`, `2G`, where K is 1024.
fn bytes(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse::<usize>().ok());
    let bytes = number.flatten().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, as in 64K, 500M, 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("10s", 10_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("7", 7000),
            ("0.25", 250),
            ("1.5s", 1500),
            ("1m30s", 90_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "-1", "s", "10 parsecs", "inf", "NaN", "1e400", "10s 5"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, sides) in [
            ("3x3", (3, 3)),
            ("2X3", (2, 3)),
            ("5x5", (5, 5)),
            ("6x6", (2, 3)),
            ("3x2", (3, 2)),
            ("6x8", (6, 8)),
            ("7x7", (1, 7)),
            ("8x8", (2, 4)),
            ("9x9", (3, 3)),
            ("10x10", (2, 5)),
            ("12x12", (3, 4)),
            ("16x16", (4, 4)),
            ("36x36", (6, 6)),
            ("64x64", (8, 8)),
        ] {
            assert_eq!(geometry(text).map(|size| (size.box_rows(), size.box_columns())), Ok(sides), "{text}");
        }
        for text in ["", "3", "x", "3x", "0x3", "5x13", "-1x3", "65x65", "255x255", "256x1", "3x3x3"] {
            assert!(geometry(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ratings() {
        for (text, ends) in
            [("3.0-5.0", (30, 50)), ("4.2", (42, 42)), ("5-11.9", (50, 119)), ("easy", (0, 25))]
        {
            let expected = Difficulty::from_tenths(ends.0)..=Difficulty::from_tenths(ends.1);
            assert_eq!(rating(text), Ok(expected), "{text}");
        }
        for text in
            ["", "-", "3.0-", "5.0-3.0", "12.0", "11.99", "-1", "+1", "1.", ".5", "NaN", "3,0", "300", "Easy"]
        {
            assert!(rating(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_bytes() {
        for (text, number) in [("0", 0), ("1000", 1000), ("64K", 65_536), ("1m", 1 << 20), ("2G", 2 << 30)] {
            assert_eq!(bytes(text), Ok(number), "{text}");
        }
        for text in ["", "K", "-1", "+1", "1.5G", "2T", "2 G", "1KB", "99999999999999999999", "99999999999G"]
        {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}

"""Tables of plans, offices and staff, shown as tables, lines or sentences, with claims that bind value to row and column.

The wrong claim always takes its value from another cell, so that every word of it stands in the passage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.records import CONTRADICTED, SUPPORTED
from training.synth import values as v

if TYPE_CHECKING:
    import random
    from collections.abc import Callable


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column: its header, what a claim calls it, and how its values are made and written."""

    header: str
    phrase: str
    low: int
    high: int
    step: int
    form: str

    def draw(self, rng: random.Random) -> int:
        """A value on the column's grid."""
        return rng.randrange(self.low, self.high + 1, self.step)

    def write(self, value: int) -> str:
        """The value with its unit."""
        return self.form.format(n=value)


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Row names by columns; ``cells[r][c]`` is the number."""

    kind: str
    rows: tuple[str, ...]
    columns: tuple[Column, ...]
    cells: tuple[tuple[int, ...], ...]


ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("plan", ("Basic", "Standard", "Plus", "Premium", "Family", "Gold", "Silver", "Bronze", "Enterprise", "Starter")),
    ("plan", ("Plan A", "Plan B", "Plan C", "Plan D")),
    ("office", ("Berlin", "Lyon", "Madrid", "Dublin", "Oslo", "Vienna", "Porto", "Leeds", "Austin", "Denver")),
    ("grade", ("Grade 1", "Grade 2", "Grade 3", "Grade 4", "Grade 5")),
    ("role", ("Nurses", "Drivers", "Managers", "Interns", "Engineers", "Cooks", "Teachers", "Clerks")),
    ("year", ("2018", "2019", "2020", "2021", "2022", "2023")),
    ("region", ("North", "South", "East", "West", "Central")),
    ("drug", ("Amoxan", "Belorin", "Cardex", "Dolmet", "Enalin", "Fexor")),
    ("contract", ("the 2021 agreement", "the 2023 agreement", "the master agreement", "the annex")),
)
_C = Column
COLUMNS: tuple[Column, ...] = (
    _C(header="Annual deductible", phrase="annual deductible", low=100, high=4000, step=50, form="${n:,}"),
    _C(header="Monthly premium", phrase="monthly premium", low=15, high=400, step=5, form="${n:,}"),
    _C(header="Copay per visit", phrase="copay per visit", low=5, high=80, step=5, form="${n:,}"),
    _C(header="Out-of-pocket limit", phrase="out-of-pocket limit", low=1000, high=9000, step=250, form="${n:,}"),
    _C(header="Vacation days", phrase="number of vacation days", low=10, high=38, step=1, form="{n} days"),
    _C(header="Notice period", phrase="notice period", low=2, high=26, step=1, form="{n} weeks"),
    _C(header="Probation", phrase="probation period", low=2, high=12, step=1, form="{n} months"),
    _C(header="Sick leave", phrase="sick leave", low=5, high=60, step=1, form="{n} days"),
    _C(header="Storage", phrase="storage limit", low=5, high=900, step=5, form="{n} GB"),
    _C(header="Users", phrase="maximum number of users", low=5, high=5000, step=5, form="{n:,}"),
    _C(header="API calls per hour", phrase="hourly limit of API calls", low=100, high=20000, step=100, form="{n:,}"),
    _C(header="Response time", phrase="response time", low=1, high=72, step=1, form="{n} hours"),
    _C(header="Revenue", phrase="revenue", low=2, high=950, step=1, form="${n} million"),
    _C(header="Headcount", phrase="headcount", low=20, high=9800, step=10, form="{n:,}"),
    _C(header="Maximum dose", phrase="maximum daily dose", low=10, high=900, step=5, form="{n} mg"),
    _C(header="Reimbursement rate", phrase="reimbursement rate", low=40, high=95, step=5, form="{n}%"),
    _C(header="Penalty", phrase="late-payment penalty", low=1, high=15, step=1, form="{n}%"),
    _C(header="Retention", phrase="retention period", low=1, high=10, step=1, form="{n} years"),
)


def draw_table(rng: random.Random) -> Table:
    """Two to five rows, two to four columns, all values of a column different."""
    kind, names = rng.choice(ROWS)
    rows = tuple(rng.sample(names, rng.randint(2, min(5, len(names)))))
    columns = tuple(rng.sample(COLUMNS, rng.randint(2, 4)))
    by_column = []
    for column in columns:
        values: list[int] = []
        while len(values) < len(rows):
            value = column.draw(rng)
            if value not in values:
                values.append(value)
        by_column.append(values)
    return Table(kind=kind, rows=rows, columns=columns, cells=tuple(zip(*by_column, strict=True)))


# --- ways to show a table ----------------------------------------------------------------------------------------
def as_markdown(table: Table, rng: random.Random) -> str:
    del rng
    lines = [f"| {table.kind.capitalize()} | " + " | ".join(c.header for c in table.columns) + " |"]
    lines.append("|" + "---|" * (len(table.columns) + 1))
    for name, cells in zip(table.rows, table.cells, strict=True):
        lines.append(f"| {name} | " + " | ".join(c.write(x) for c, x in zip(table.columns, cells, strict=True)) + " |")
    return "\n".join(lines)


def as_lines(table: Table, rng: random.Random) -> str:
    """One line a row, each value behind its header."""
    mark = rng.choice((": ", " = ", " - "))
    gap = rng.choice(("; ", ", ", " | "))
    return "\n".join(
        f"{name}{gap}" + gap.join(f"{c.header}{mark}{c.write(x)}" for c, x in zip(table.columns, cells, strict=True))
        for name, cells in zip(table.rows, table.cells, strict=True)
    )


def as_prose(table: Table, rng: random.Random) -> str:
    """A sentence a cell, in the order of rows or of columns."""
    told = [(r, c) for r in range(len(table.rows)) for c in range(len(table.columns))]
    if rng.random() < 0.5:
        told.sort(key=lambda cell: cell[1])
    return " ".join(say(table, r, c, rng) for r, c in told)


SHOWS: tuple[Callable[[Table, random.Random], str], ...] = (as_markdown, as_lines, as_prose)


def say(table: Table, row: int, column: int, rng: random.Random, value: int | None = None) -> str:
    """One cell as a sentence; ``value`` in place of the cell's own makes it another claim."""
    col = table.columns[column]
    number = table.cells[row][column] if value is None else value
    subject, written = named(table, row), col.write(number)
    if number <= 30 and col.form.startswith("{n} ") and rng.random() < 0.25:
        written = v.spell(number) + written[len(str(number)) :]
    text = rng.choice((
        f"the {col.phrase} for {subject} is {written}.",
        f"{subject} {'have' if table.kind == 'role' else 'has'} {article(col.phrase)} {col.phrase} of {written}.",
        f"for {subject}, the {col.phrase} is {written}.",
        f"{written} is the {col.phrase} for {subject}.",
        f"the {col.phrase} is {written} for {subject}.",
    ))  # fmt: skip
    return text[0].upper() + text[1:]


def named(table: Table, row: int) -> str:
    name = table.rows[row]
    shapes = {"plan": f"the {name} plan" if not name.startswith("Plan ") else name, "office": f"the {name} office",
              "region": f"the {name} region", "role": name.lower(), "year": f"the year {name}"}  # fmt: skip
    return shapes.get(table.kind, name)


# --- claims ------------------------------------------------------------------------------------------------------
Claims = list[tuple[str, int, str]]


def cell_claims(table: Table, rng: random.Random) -> Claims:
    """A cell said right, and said with the value of another row."""
    row, column = rng.randrange(len(table.rows)), rng.randrange(len(table.columns))
    other = rng.choice([r for r in range(len(table.rows)) if r != row])
    wrong = table.cells[other][column]
    return [
        (say(table, row, column, rng), SUPPORTED, "table_cell"),
        (say(table, row, column, rng, wrong), CONTRADICTED, "table_row"),
    ]


def column_claims(table: Table, rng: random.Random) -> Claims:
    """The value of another column of the same row, where it could be mistaken."""
    row = rng.randrange(len(table.rows))
    like = [(a, b) for a in range(len(table.columns)) for b in range(len(table.columns))
            if a != b and table.columns[a].form == table.columns[b].form
            and table.cells[row][a] != table.cells[row][b]]  # fmt: skip
    if not like:
        return []
    one, two = rng.choice(like)
    return [
        (say(table, row, one, rng), SUPPORTED, "table_cell"),
        (say(table, row, one, rng, table.cells[row][two]), CONTRADICTED, "table_column"),
    ]


def difference_claims(table: Table, rng: random.Random) -> Claims:
    """More or less than another row, by how much."""
    column = rng.randrange(len(table.columns))
    one, two = rng.sample(range(len(table.rows)), 2)
    col = table.columns[column]
    gap = table.cells[one][column] - table.cells[two][column]
    word, wrong = ("higher", "lower") if gap > 0 else ("lower", "higher")
    near = abs(gap) + rng.choice((1, 2, 3)) * col.step
    unit = col.write(abs(gap)).replace("%", " percentage points")
    off = col.write(near).replace("%", " percentage points")
    start = f"The {col.phrase} of {named(table, one)} is"
    end = f"than that of {named(table, two)}."
    return rng.choice((
        [(f"{start} {word} {end}", SUPPORTED, "comparison"), (f"{start} {wrong} {end}", CONTRADICTED, "comparison")],
        [(f"{start} {unit} {word} {end}", SUPPORTED, "difference"), (f"{start} {off} {word} {end}", CONTRADICTED, "difference")],
    ))  # fmt: skip


def extreme_claims(table: Table, rng: random.Random) -> Claims:
    column = rng.randrange(len(table.columns))
    if len(table.rows) < 3:
        return []
    numbers = [cells[column] for cells in table.cells]
    word, best = rng.choice((("highest", max(numbers)), ("lowest", min(numbers))))
    right = numbers.index(best)
    wrong = rng.choice([r for r in range(len(table.rows)) if r != right])
    phrase = table.columns[column].phrase
    return [
        (f"The {word} {phrase} is that of {named(table, row)}.", label, "extreme")
        for row, label in ((right, SUPPORTED), (wrong, CONTRADICTED))
    ]


def total_claims(table: Table, rng: random.Random) -> Claims:
    """The sum of a column that can be summed."""
    summed = [i for i, c in enumerate(table.columns) if c.header in {"Revenue", "Headcount", "Users"}]
    if not summed:
        return []
    column = rng.choice(summed)
    col = table.columns[column]
    total = sum(cells[column] for cells in table.cells)
    off = total + rng.choice((-1, 1)) * col.step * rng.randint(1, 5)
    names = [named(table, row) for row in range(len(table.rows))]
    joined = ", ".join(names[:-1]) + f" and {names[-1]}"
    return [
        (f"Together, {joined} have a {col.phrase} of {col.write(number)}.", label, "total")
        for number, label in ((total, SUPPORTED), (off, CONTRADICTED))
    ]


def two_cell_claims(table: Table, rng: random.Random) -> Claims:
    """Two cells in one sentence, and the same with their values crossed."""
    column = rng.randrange(len(table.columns))
    one, two = rng.sample(range(len(table.rows)), 2)
    col = table.columns[column]
    a, b = col.write(table.cells[one][column]), col.write(table.cells[two][column])
    shape = rng.choice((
        "The {p} is {a} for {one} and {b} for {two}.",
        "{One}: {p} of {a}, while for {two} it is {b}.",
        "While the {p} for {one} is {a}, it is {b} for {two}.",
    ))  # fmt: skip
    names = {"one": named(table, one), "two": named(table, two), "One": upper(named(table, one)), "p": col.phrase}
    return [
        (shape.format(a=a, b=b, **names), SUPPORTED, "two_facts"),
        (shape.format(a=b, b=a, **names), CONTRADICTED, "crossed"),
    ]


def article(word: str) -> str:
    return "an" if word[0] in "aeio" or word.startswith("hour") else "a"


def upper(text: str) -> str:
    return text[0].upper() + text[1:]


CLAIMS: tuple[Callable[[Table, random.Random], Claims], ...] = (
    cell_claims, cell_claims, column_claims, column_claims, difference_claims, extreme_claims, total_claims,
    two_cell_claims, two_cell_claims,
)  # fmt: skip

"""Runs of the command, as columns of numbers."""

import csv
import io
import json
import os
import pathlib
import subprocess

COMMAND = os.environ.get("DAEDAL", "build/daedal")
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


class Run:
    """A trajectory: columns by name, and the statistics."""

    def __init__(self, model, check=True, **options):
        path = EXAMPLES / f"{model}.mo" if not str(model).endswith((".mo", ".bmo")) else model
        arguments = [COMMAND, "run", str(path), "--stats", "--quiet"]
        for name, value in options.items():
            for one in value if isinstance(value, list) else [value]:
                arguments += ["--" + name.replace("_", "-"), str(one)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        self.code, self.errors = done.returncode, done.stderr
        if check and done.returncode:
            raise AssertionError(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")
        table = csv.reader(io.StringIO(done.stdout))
        names = next(table, ["time"])
        columns = zip(*([float(field) for field in row] for row in table))
        self.columns = {name: [] for name in names}
        self.columns.update(zip(names, (list(column) for column in columns)))
        self.time = self.columns["time"]
        lines = done.stderr.strip().splitlines()
        self.stats = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}

    def __getitem__(self, name):
        return self.columns[name]

    def row(self, k=-1):
        return {name: column[k] for name, column in self.columns.items()}


def slope(x, y):
    """Least-squares slope of y over x."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)

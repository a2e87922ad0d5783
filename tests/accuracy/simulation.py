"""Trajectories as columns of numbers, and what the tests of accuracy do with them."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import daedal  # noqa: E402  (the common helper of all tests of the command)

EXAMPLES = daedal.ROOT / "examples"
CORPUS = daedal.CORPUS
MODELS = pathlib.Path(__file__).resolve().parent / "models"


def example(name):
    return EXAMPLES / f"{name}.mo"


class Trajectory:
    """A run of the command: columns by name, the statistics, the status and the messages."""

    def __init__(self, model, status=0, timeout=300, **options):
        path = model if isinstance(model, pathlib.Path) else example(model)
        arguments = ["run", path, "--stats", "--quiet", *daedal.flags(options)]
        done = daedal.run(arguments, timeout=timeout)
        self.code, self.errors, self.text = done.code, done.err, done.out
        if status is not None and done.code != status:
            raise AssertionError(f"{arguments}: status {done.code} instead of {status}: {done.err}")
        header, found = daedal.rows(done.out)
        self.columns = {name: [row[name] for row in found] for name in header or ["time"]}
        self.time = self.columns["time"]
        self.stats = daedal.last_object(done.err) if done.err.rstrip().endswith("}") else {}

    def __getitem__(self, name):
        return self.columns[name]

    def row(self, k=-1):
        return {name: column[k] for name, column in self.columns.items()}


def slope(x, y):
    """Least-squares slope of y over x."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def log_slope(x, y):
    """The power p of y ~ x^p, fitted by least squares."""
    return slope([math.log(value) for value in x], [math.log(value) for value in y])

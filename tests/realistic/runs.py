"""One run of a model, and what is to be said of it.

An error counts in tolerances: |y - reference| / (atol nominal + rtol Y), Y the largest |y| so far,
or a thousandth of the largest of the whole run. A run is right when no variable that the reference
knows is off by more than 100 of them, times the factor by which relative errors of the states grow
in the exact solution where that is above 1 (the `condition` of the references), and beyond what the
reference itself is uncertain by. Errors are printed without that factor: 100 is the bound."""

import json
import math
import pathlib
import sys
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "command"))
import daedal  # noqa: E402  (the common helper of all tests of the command)
import variants  # noqa: E402

MODELS = HERE / "models"
REFERENCES = json.loads((HERE / "references.json").read_text())
BOUND = 100
SAYS_NOTHING, OUT_OF_PROPORTION = 0.3, 10  # parts of the largest value
LIMIT = 300  # seconds: a run that takes longer hangs
MAX_STEPS = "100000"

# rows: "at" for the times of the reference, else a number of rows.
Run = namedtuple("Run", "model method rtol atol rows variant", defaults=("at", "as written"))
Result = namedtuple("Result", "run outcome error where reason seconds steps")


def families():
    return sorted({name.split("/")[0] for name in REFERENCES})


def text_of(model):
    return (MODELS / f"{model}.mo").read_text()


def nominals(model):
    """Typical sizes that the model declares, as numbers."""
    found = {}
    for v in variants.parse(text_of(model)).variables:
        size = v.attributes.get("nominal", v.attributes.get("each nominal", "1"))
        found[v.name] = abs(float(size))
    return found


def number(x):
    return repr(float(x))


def arguments(run, times):
    rows = ["--points", str(run.rows)]
    if run.rows == "at":
        rows = ["--at", ",".join(map(number, times))]
    return [
        "run",
        "-",
        "--quiet",
        "--stats",
        "--max-steps",
        MAX_STEPS,
        "--stop",
        number(times[-1]),
        "--method",
        run.method,
        "--rtol",
        number(run.rtol),
        "--atol",
        number(run.atol),
        *rows,
    ]


def start_of(name):
    return name.split("[")[0]


def instant(t):
    """A time but for its last digits, which depend on how rows are counted."""
    return f"{t:.11e}"


def bound(tolerance, growth, size):
    """What a value may be off by. Where that is a good part of the value itself, because errors grow so
    much, only what is out of all proportion is held against a run."""
    allowed = BOUND * growth * tolerance
    if growth > 1 and allowed > SAYS_NOTHING * size:
        return max(allowed, OUT_OF_PROPORTION * size)
    return allowed


def worst(run, rows, entry, names, factors):
    """The largest error, in hundredths of what is allowed, with its variable and time."""
    sizes, found = nominals(run.model), (0.0, "")
    at = {instant(row["time"]): row for row in rows}
    for name, known in entry["variables"].items():
        base = start_of(name)
        column, factor = names[base] + name[len(base) :], factors[base]
        for k, t in list(enumerate(entry["times"]))[1:]:
            row = at.get(instant(t))
            if row is None:
                continue
            size, growth = known["largest"][k], max(1.0, known["condition"][k])
            allowed = bound(run.atol * sizes[base] + run.rtol * size, growth, size)
            miss = abs(row[column] / factor - known["values"][k]) - 10 ** -known["digits"] * size
            error = 100 * max(0.0, miss) / allowed if math.isfinite(miss) else math.inf
            if error > found[0]:
                found = (error, f"{name} at {t:g}")
    return found


def reason_of(done):
    lines = [line for line in done.err.splitlines() if not line.startswith("{")]
    return " ".join(lines)[:400]


def perform(run):
    """Run it and judge."""
    entry = REFERENCES[run.model]
    text, names, factors = variants.VARIANTS[run.variant](text_of(run.model), run.model)
    try:
        done = daedal.run(arguments(run, entry["times"]), text, timeout=LIMIT)
    except daedal.subprocess.TimeoutExpired:
        return Result(run, "stopped", math.inf, "", f"time: more than {LIMIT} s", LIMIT, 0)
    stats = daedal.last_object(done.err) if done.err.rstrip().endswith("}") else {}
    seconds, steps = stats.get("cpu_seconds", 0), stats.get("steps", 0)
    if done.code == 2:
        return Result(run, "refused", math.nan, "", reason_of(done), seconds, steps)
    if done.code:
        return Result(run, "stopped", math.nan, "", reason_of(done), seconds, steps)
    error, where = worst(run, daedal.rows(done.out)[1], entry, names, factors)
    outcome = "right" if error <= 100 else "wrong"
    return Result(run, outcome, error, where, "", seconds, steps)

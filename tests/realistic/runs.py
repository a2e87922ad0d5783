"""One run of a model, and what is to be said of it.

An error counts in tolerances: |y - reference| / (atol nominal + rtol Y), Y the largest |y| so far, or
a thousandth of the largest of the whole run. A run is right when no variable that the reference knows is off by more than 100 of them, times the
factor by which relative errors of the states grow in the exact solution where that is above 1 (the
`condition` of the references), and beyond what the reference itself is uncertain by."""

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
SAYS_NOTHING = 0.3  # a bound above this part of the largest value is no test
LIMIT = 300

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
        "200000",
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


def worst(run, rows, entry, names, factors):
    """The largest error over its bound: error in tolerances, allowed growth, variable and time."""
    sizes, found = nominals(run.model), (0.0, 1.0, "")
    at = {row["time"]: row for row in rows}
    for name, known in entry["variables"].items():
        base = start_of(name)
        column, factor = names[base] + name[len(base) :], factors[base]
        for k, t in enumerate(entry["times"]):
            row = at.get(t) or (rows[-1] if t == entry["times"][-1] else None)
            if k == 0 or row is None:
                continue
            value, size = known["values"][k], known["largest"][k]
            tolerance = run.atol * sizes[base] + run.rtol * size
            growth = max(1.0, known["condition"][k])
            if (
                BOUND * growth * tolerance > SAYS_NOTHING * max(size, run.atol * sizes[base])
                and growth > 1
            ):
                continue
            unsure = 10 ** -known["digits"] * size
            error = max(0.0, abs(row[column] / factor - value) - unsure) / tolerance
            if not math.isfinite(error):
                error = math.inf
            if error / growth > found[0] / found[1]:
                found = (error, growth, f"{name} at {t:g}")
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
    error, growth, where = worst(run, daedal.rows(done.out)[1], entry, names, factors)
    outcome = "right" if error <= BOUND * growth else "wrong"
    return Result(run, outcome, error / growth, where, "", seconds, steps)

"""Runs the command and reads what it answers.

The environment variable DAEDAL names the command. Models are paths or texts; a text goes to
standard input."""
import contextlib
import csv
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple

if "DAEDAL" not in os.environ:
    sys.exit("the environment variable DAEDAL must name the command")
COMMAND = os.environ["DAEDAL"] = os.path.abspath(os.environ["DAEDAL"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
EXAMPLES = ROOT / "examples"

DECAY = (
    "model Decay parameter Real k = 2; Real x(start = 1, fixed = true); "
    "equation der(x) = -k*x; end Decay;\n"
)
PENDULUM = CORPUS / "PendulumCartesian.mo"

# Each step is accepted, and there are 1e9 of them: hours.
ENDLESS = ["--step", "1e-9", "--max-steps", "1e15"]

# Grids of many alike settings are thinned; `make study` runs them in full (THINNED=no).
THINNED = os.environ.get("THINNED") != "no"

# Sanitizers make each run slow, and look for other things than its values.
SANITIZED = os.environ.get("SANITIZED") == "yes"


def of_grid(full, thinned, sanitized):
    """How much of a grid is run: of all, of what `make check` takes of it, and with sanitizers."""
    return sanitized if SANITIZED else thinned if THINNED else full


Result = namedtuple("Result", "code out err")
Run = namedtuple("Run", "header rows stats")


def environment(changes=None):
    """The environment with changes; None takes a variable away."""
    merged = {**os.environ, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def run(args, stdin=None, timeout=60, env=None, cwd=None):
    """Run the command to its end; a hang is an error."""
    done = subprocess.run(
        [COMMAND, *map(str, args)],
        input=stdin if stdin is not None else "",
        capture_output=True,
        timeout=timeout,
        env=environment(env),
        cwd=cwd,
        encoding="utf-8",
        errors="surrogateescape",
    )
    return Result(done.returncode, done.stdout, done.stderr)


def start(args, **streams):
    """Start the command, without waiting for it."""
    streams.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([COMMAND, *map(str, args)], encoding="utf-8", **streams)


def rows(text):
    """A CSV text as its header and a list of rows, each name with its number."""
    lines = list(csv.reader(io.StringIO(text)))
    if not lines:
        return [], []
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(lines[0]):
            raise AssertionError(
                f"line {number} has {len(line)} fields, the header {len(lines[0])}: {line}"
            )
    return lines[0], [dict(zip(lines[0], map(float, line))) for line in lines[1:]]


def last_object(text):
    """The JSON object in the last line of a text."""
    lines = text.splitlines() or [""]
    try:
        return json.loads(lines[-1])
    except json.JSONDecodeError:
        raise AssertionError(f"the last line is no JSON object: {lines[-1]!r}") from None


def flags(options):
    """Options by their names as arguments: max_steps=3 is --max-steps=3, quiet=True is --quiet."""
    found = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            flag = "--" + name.replace("_", "-")
            found.append(flag if one is True else f"{flag}={one}")
    return found


def simulate(model, status=0, timeout=60, **options):
    """Run a model, a path or a text, and demand an exit status: header, rows, statistics."""
    given = str(model) if isinstance(model, pathlib.Path) else "-"
    result = run(
        ["run", given, "--stats", "--quiet", *flags(options)],
        model if given == "-" else None,
        timeout,
    )
    if result.code != status:
        raise AssertionError(f"status {result.code} instead of {status}: {result.err}")
    header, found = rows(result.out)
    return Run(header, found, last_object(result.err))


@contextlib.contextmanager
def folder():
    """A temporary folder, as a path."""
    with tempfile.TemporaryDirectory(prefix="daedal-test-") as name:
        yield pathlib.Path(name)


def tell_left_out(of, left_out, whole, reason):
    """Each case that is left out is counted with its reason."""
    if left_out:
        print(f"{of}: {left_out} of {whole} left out: {reason}", flush=True)


class CommandTest(unittest.TestCase):
    def assert_says(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)

    def assert_no_crash(self, result):
        self.assertGreaterEqual(
            result.code, 0, f"ended by signal {-result.code}: {result.err[-500:]}"
        )
        self.assertNotIn("Sanitizer", result.err)

    def assert_refused(self, args, *parts, code=2, stdin=None, timeout=20):
        """Nothing on standard output, and a message that holds all parts; gives the message."""
        result = run(args, stdin, timeout)
        self.assert_no_crash(result)
        self.assertEqual(result.code, code, f"{args}: {result.err}")
        self.assertEqual(result.out, "")
        self.assertTrue(result.err.endswith("\n"), result.err)
        self.assert_says(result.err, *parts)
        return result.err

    def assert_times(self, found, expected, tolerance=0.0):
        times = [row["time"] for row in found]
        self.assertEqual(len(times), len(expected), times)
        for time, wanted in zip(times, expected):
            self.assertLessEqual(abs(time - wanted), tolerance, (time, wanted))

    def assert_near(self, value, wanted, tolerance):
        self.assertTrue(math.isfinite(value) and abs(value - wanted) <= tolerance, (value, wanted))

"""Formulations of the same mechanisms side by side, by one method at equal tolerances.

Prints, and asserts nothing: the largest error at the output points (at the end where the reference
is known there alone), steps, milliseconds (the least of five runs), and the worst violation of
position, velocity and acceleration level. The variable DAEDAL names the command."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("DAEDAL", str(HERE.parent / "build" / "daedal"))
sys.path.insert(0, str(HERE.parent / "tests" / "accuracy"))
import references  # noqa: E402
from constrained import CASES  # noqa: E402
from constraints import worst_levels  # noqa: E402
from simulation import Trajectory  # noqa: E402

MODELS = HERE / "models"
TOLERANCES = 1e-4, 1e-6, 1e-8
METHOD = "radau-iia3"
REPETITIONS = 5

AS_IS = {"default": {}, "as given, index 3": {"formulation": "direct"}}
AS_IS["index 1, not projected"] = {"formulation": "index1", "projection": "none"}

# name of the case: reference, and further models with what they are
PROBLEMS = {
    "pendulum": (references.swinging_pendulum, "SwingingDummy", "SwingingGgl"),
    "turning pendulum": (references.turning_pendulum, "TurningDummy", "TurningGgl"),
    "Andrews": (lambda t: references.ANDREWS if t == 0.03 else {},),
    "car axis": (lambda t: references.CAR_AXIS if t == 3 else {},),
}
TITLES = {"Dummy": "dummy derivatives, fixed", "Ggl": "Gear-Gupta-Leimkuhler"}


def variants(name):
    case, further = CASES[name], PROBLEMS[name][1:]
    for title, options in AS_IS.items():
        yield title, case.model, options
    for model in further:
        title = next(text for ending, text in TITLES.items() if model.endswith(ending))
        yield title, MODELS / f"{model}.mo", {"formulation": "direct"}


def largest_error(run, exact):
    """Over positions and velocities."""
    return max(
        abs(run[name][k] - value) / max(1, abs(value))
        for k, t in enumerate(run.time)
        for name, value in exact(t).items()
        if name != "F" and not name.startswith("lam")
    )


def measure(name, title, model, options, rtol):
    runs = [
        Trajectory(model, status=None, rtol=rtol, atol=rtol, points=501, method=METHOD, **options)
        for _ in range(REPETITIONS)
    ]
    run = runs[0]
    line = f"{name:17} {title:25}{rtol:7.0e}"
    if run.code != 0:
        reached = f"{run.time[-1]:.4g}" if run.time else "the start"
        return f"{line}  stops: {run.stats['status']} after {reached}"
    error = largest_error(run, PROBLEMS[name][0])
    milliseconds = 1000 * min(one.stats["cpu_seconds"] for one in runs)
    levels = "".join(f"{value:9.1e}" for value in worst_levels(CASES[name], run))
    return f"{line}{error:10.1e}{run.stats['steps']:8}{milliseconds:8.1f}{levels}"


def main():
    print(f"{'problem':17} {'formulation':25}{'rtol':>7}{'error':>10}{'steps':>8}{'ms':>8}", end="")
    print(f"{'position':>9}{'velocity':>9}{'accel.':>9}")
    for name in PROBLEMS:
        for title, model, options in variants(name):
            for rtol in TOLERANCES:
                print(measure(name, title, model, options, rtol), flush=True)


if __name__ == "__main__":
    main()

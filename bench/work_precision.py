"""Digits against processor time: the table and the picture of work_precision.

    python3 bench/work_precision.py PROGRAM DIRECTORY [OPTION...]

runs PROGRAM with the options, and leaves work_precision.csv and work_precision.svg (by gnuplot) in
the directory. Prints for each method what became of each tolerance, and for each problem how long
the best methods and IDA take to 4, 6 and 8 digits."""

import csv
import math
import pathlib
import subprocess
import sys
from itertools import groupby

LEVELS = 4, 6, 8
BEST = 3  # methods a level
COLUMNS = "digits", "steps", "rejected", "residual_calls", "jacobian_calls", "factorizations"


def read(text):
    return list(csv.DictReader(text.splitlines()))


def print_table(rows):
    print(f"{'problem':22}{'method':24}{'rtol':>7}" + "".join(f"{c:>15}" for c in COLUMNS), end="")
    print(f"{'ms':>11}  status")
    for row in rows:
        print(f"{row['problem']:22}{row['method']:24}{row['rtol']:>7}", end="")
        print("".join(f"{row[c]:>15}" for c in COLUMNS), f"{row['cpu_ms']:>10}  {row['status']}")


def time_to(points, digits):
    """Milliseconds to so many digits, between the measured points; infinite if never reached."""
    reached = math.inf
    points = sorted(points)
    for time, found in points:
        if found >= digits:
            reached = min(reached, time)
    for (t0, d0), (t1, d1) in zip(points, points[1:]):
        if d0 < digits <= d1:
            share = (digits - d0) / (d1 - d0)
            reached = min(reached, t0 * (t1 / t0) ** share)
    return reached


def curves(rows):
    """Of each problem the points (ms, digits) of each method."""
    found = {}
    for row in rows:
        of_problem = found.setdefault(row["problem"], {})
        points = of_problem.setdefault(row["method"], [])
        if row["digits"] and float(row["cpu_ms"]) > 0:
            points.append((float(row["cpu_ms"]), float(row["digits"])))
    return found


def print_levels(found):
    print("\nms to reach so many digits: the best three, and IDA")
    for problem, methods in found.items():
        for digits in LEVELS:
            times = sorted((time_to(points, digits), name) for name, points in methods.items())
            own = [t for t in times if not t[1].startswith("IDA") and t[0] < math.inf][:BEST]
            peers = [t for t in times if t[1].startswith("IDA")]
            told = ", ".join(f"{time:.3g} {name}" for time, name in own) or "not reached"
            peer = ", ".join(
                f"{name} {time:.3g}" if time < math.inf else f"{name} never" for time, name in peers
            )
            print(f"{problem:22}{digits} digits: {told}; {peer}")


def plot(found, path):
    """One panel a problem; IDA in black, the others in colours that are the same everywhere."""
    names = sorted({name for methods in found.values() for name in methods})
    blocks, panels = [], []
    for problem, methods in found.items():
        lines = []
        for name, points in methods.items():
            if not points or name.startswith("model "):
                continue
            label = f"$d{len(blocks)}"
            blocks.append(f"{label} << EOD\n" + "\n".join(f"{t} {d}" for t, d in points) + "\nEOD")
            look = "lc black lw 2" if name.startswith("IDA") else f"lt {1 + names.index(name)}"
            lines.append(f"{label} using 2:1 with linespoints {look} ps 0.4 title '{name}'")
        if lines:
            panels.append(f"set title '{problem}'\nplot " + ", ".join(lines))
    script = "\n".join(
        [f"set terminal svg size 1500,1500\nset output '{path}'", *blocks, "set logscale y"]
        + ["set xlabel 'digits'\nset ylabel 'ms'\nset key outside right font ',8'"]
        + ["set multiplot layout 4,2", *panels, "unset multiplot"]
    )
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    program, directory, *options = sys.argv[1:]
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    text = subprocess.run([program, *options], stdout=subprocess.PIPE, text=True, check=True).stdout
    (directory / "work_precision.csv").write_text(text)
    rows = read(text)
    for _, lines in groupby(rows, key=lambda row: row["problem"]):
        print_table(list(lines))
        print()
    found = curves(rows)
    print_levels(found)
    plot(found, directory / "work_precision.svg")
    print(f"\nTable (.csv) and picture (.svg) are in {directory}.")


if __name__ == "__main__":
    main()

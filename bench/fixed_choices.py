"""`auto` beside the best fixed choice of a method: time at equal digits.

    fixed_choices.py [--few] [TABLE.csv]

Without a table builds and runs the measurement, which takes minutes, into build/fixed_choices.csv.
Every problem of the Test Set for IVP Solvers and three variants of each, at 4, 6 and 8 digits, by
interpolation between the runs: the fastest of all adaptive methods, `auto`, and their ratio; the
worst at the end. With --few only the eight methods are run that are the fastest somewhere.

Digits scatter, by one and more where a solution has corners, and of eight methods one is lucky. So
the last column has the ratio for digits as they follow from the tolerance: on the line through
those of the tolerance itself and of its two neighbours on each side."""

import csv
import math
import statistics
import subprocess
import sys

from compare import BUILD, DIGITS, time_for


def measure(options):
    subprocess.run(["cmake", "--build", BUILD, "--target", "fixed_choices"], check=True)
    table = BUILD / "fixed_choices.csv"
    with open(table, "w") as output:
        subprocess.run([BUILD / "fixed_choices", *options], stdout=output, check=True)
    return table


def read(table):
    found = {}
    with open(table) as source:
        for row in csv.DictReader(source):
            runs = found.setdefault(row["problem"], {}).setdefault(row["solver"], [])
            if row["status"] == "ok":
                runs.append((float(row["rtol"]), float(row["digits"]), float(row["ms"])))
    return found


def as_measured(runs):
    return [(digits, ms) for _, digits, ms in runs]


def on_lines(runs):
    points = sorted((math.log10(rtol), digits, ms) for rtol, digits, ms in runs)
    found = []
    for i, (x, digits, ms) in enumerate(points):
        near = points[max(0, i - 2):i + 3]
        if len(near) > 2:
            line = statistics.linear_regression([a for a, _, _ in near], [b for _, b, _ in near])
            digits = line.slope * x + line.intercept
        found.append((digits, ms))
    return found


def ratio_of(solvers, digits, view):
    """The fastest fixed choice, its time, and that of `auto`; None where no one has the digits."""
    times = {name: time_for(view(runs), digits) for name, runs in solvers.items()}
    auto = times.pop("auto", math.inf)
    fastest = min(times, key=times.get, default=None)
    if fastest is None or math.isinf(times[fastest]):
        return None
    return fastest, times[fastest], auto


def summary(ratios):
    ratio, problem, digits = max(ratios)
    above = sum(ratio > 2 for ratio, _, _ in ratios)
    middle = statistics.median(ratio for ratio, _, _ in ratios)
    return (f"middle {middle:.2f}, worst {ratio:.2f}, {problem} at {digits} digits; "
            f"above 2: {above} of {len(ratios)}")


def main():
    options = [word for word in sys.argv[1:] if word == "--few"]
    tables = [word for word in sys.argv[1:] if word != "--few"]
    found = read(tables[0] if tables else measure(options))
    measured, fitted = [], []
    print("| problem | digits | fastest | ms | auto, ms | auto / fastest | on lines |")
    print("|" + " --- |" * 7)
    for problem, solvers in found.items():
        for digits in DIGITS:
            as_is = ratio_of(solvers, digits, as_measured)
            if as_is is None:
                continue
            fastest, least, auto = as_is
            measured.append((auto / least, problem, digits))
            smooth = ratio_of(solvers, digits, on_lines)
            if smooth:
                fitted.append((smooth[2] / smooth[1], problem, digits))
            told = f"{fitted[-1][0]:.2f}" if smooth else "–"
            print(f"| {problem} | {digits} | {fastest} | {least:.3g} | {auto:.3g} "
                  f"| {auto / least:.2f} | {told} |")
    if measured:
        print("between runs:", summary(measured))
        print("on lines:", summary(fitted))


if __name__ == "__main__":
    main()

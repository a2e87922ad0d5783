"""`auto` beside the best fixed choice of a method: time at equal digits.

    fixed_choices.py [--few] [TABLE.csv]

Without a table builds and runs the measurement, which takes minutes, into build/fixed_choices.csv.
Every problem of the Test Set for IVP Solvers and three variants of each, at 4, 6 and 8 digits, by
interpolation between the runs: the fastest of all adaptive methods, `auto`, and their ratio; the
worst at the end. With --few only the eight methods are run that are the fastest somewhere."""

import csv
import math
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
                runs.append((float(row["digits"]), float(row["ms"])))
    return found


def main():
    options = [word for word in sys.argv[1:] if word == "--few"]
    tables = [word for word in sys.argv[1:] if word != "--few"]
    found = read(tables[0] if tables else measure(options))
    ratios = []
    print("| problem | digits | fastest | ms | auto, ms | auto / fastest |")
    print("|" + " --- |" * 6)
    for problem, solvers in found.items():
        for digits in DIGITS:
            times = {name: time_for(runs, digits) for name, runs in solvers.items()}
            auto = times.pop("auto", math.inf)
            fastest = min(times, key=times.get, default=None)
            if fastest is None or math.isinf(times[fastest]):
                continue
            ratio = auto / times[fastest]
            ratios.append((ratio, problem, digits))
            print(f"| {problem} | {digits} | {fastest} | {times[fastest]:.3g} | {auto:.3g} "
                  f"| {ratio:.2f} |")
    if ratios:
        ratio, problem, digits = max(ratios)
        above = sum(ratio > 2 for ratio, _, _ in ratios)
        print(f"worst: {ratio:.2f}, {problem} at {digits} digits; above 2: {above} of {len(ratios)}")


if __name__ == "__main__":
    main()

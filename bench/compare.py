"""This library beside IDA: time at equal digits, and pictures of digits over time.

    compare.py [TABLE.csv]

Without a table builds and runs the measurement, which takes minutes, into build/work_precision.csv.
Prints how many times as long as this library IDA takes for 4, 6 and 8 digits, by interpolation
between the runs, with the default method and with the fastest one; draws build/work_precision.svg
with gnuplot. Needs SUNDIALS."""

import csv
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
DEFAULT = "radau-iia3"
DIGITS = 4, 6, 8
PANELS = 2, 4  # columns, rows
COLOURS = {
    "radau-iia3": "#1f77b4",
    "radau-iia5": "#2ca02c",
    "radau": "#d62728",
    "esdirk4": "#e8a000",
    "kvaerno5": "#8c564b",
    "rodas4": "#17becf",
    "rodas5p": "#9467bd",
    "IDA": "#888888",
    "IDA KLU": "#000000",
}

SETTINGS = """set terminal svg size {width},{height} font 'sans,11' background 'white'
set output '{output}'
set datafile separator ','
set multiplot layout {rows},{columns}
set logscale x
set format x '%g'
set xlabel 'processor time, ms'
set ylabel 'correct digits'
set key bottom right font ',8'
set grid lc rgb '#dddddd'
"""


def measure():
    subprocess.run(["cmake", "--build", BUILD, "--target", "work_precision"], check=True)
    table = BUILD / "work_precision.csv"
    with open(table, "w") as output:
        subprocess.run([BUILD / "work_precision"], stdout=output, check=True)
    return table


def read(table):
    """Runs that reached the end: {problem: {solver: [(digits, ms), ...]}}"""
    found = {}
    with open(table) as source:
        for row in csv.DictReader(source):
            runs = found.setdefault(row["problem"], {}).setdefault(row["solver"], [])
            if row["status"] == "ok":
                runs.append((float(row["digits"]), float(row["ms"])))
    return found


def time_for(runs, digits):
    """Between those of the runs that no other one beats both in time and digits."""
    best = [a for a in sorted(runs) if not any(b[0] >= a[0] and b[1] < a[1] for b in runs)]
    for (low, fast), (high, slow) in zip(best, best[1:]):
        if low <= digits <= high:
            part = (digits - low) / (high - low)
            return math.exp((1 - part) * math.log(fast) + part * math.log(slow))
    if best and best[0][0] > digits:
        return best[0][1]
    return math.inf


def cells(solvers, digits):
    """IDA's time, over it that of the default, the fastest method and its own."""
    ida = min(time_for(runs, digits) for name, runs in solvers.items() if name.startswith("IDA"))
    ours = {name: runs for name, runs in solvers.items() if not name.startswith("IDA")}
    ours = {name: time_for(runs, digits) for name, runs in ours.items()}
    fastest = min(ours, key=ours.get)
    return ida, ours[DEFAULT], fastest, ours[fastest]


def ratio(ida, own):
    if math.isinf(own):
        return "not reached"
    return "IDA does not" if math.isinf(ida) else f"{ida / own:.2f}"


def print_table(found):
    print("| problem | digits | IDA, ms | " + DEFAULT + " | fastest | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for problem, solvers in found.items():
        for digits in DIGITS:
            ida, default, fastest, own = cells(solvers, digits)
            if math.isinf(own):
                fastest = ""
            time = "" if math.isinf(ida) else f"{ida:.3g}"
            print(f"| {problem} | {digits} | {time} | {ratio(ida, default)} "
                  f"| {ratio(ida, own)} | {fastest} |")


def look(name):
    """The same everywhere: models dashed, the peer thick."""
    dashes = "dt 2" if name.endswith(" model") else "dt 1"
    width = 3 if name.startswith("IDA") else 1.5
    colour = COLOURS[name.removesuffix(" model")]
    return f"pt 7 ps 0.4 lw {width} {dashes} lc rgb '{colour}' title '{name}'"


def draw(found, output):
    columns, rows = PANELS
    text = SETTINGS.format(width=560 * columns, height=400 * rows, output=output, rows=rows,
                           columns=columns)
    for problem, solvers in found.items():
        drawn = {name: runs for name, runs in solvers.items() if runs}
        text += f"set title '{problem}'\n"
        for k, runs in enumerate(drawn.values()):
            lines = "".join(f"{ms},{digits}\n" for digits, ms in runs)
            text += f"$data{k} << EOD\n{lines}EOD\n"
        plots = [f"$data{k} with linespoints {look(name)}" for k, name in enumerate(drawn)]
        text += "plot " + ", ".join(plots) + "\n"
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    table = sys.argv[1] if len(sys.argv) > 1 else measure()
    found = read(table)
    print_table(found)
    draw(found, BUILD / "work_precision.svg")


if __name__ == "__main__":
    main()

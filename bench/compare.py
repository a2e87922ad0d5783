"""This library beside its peers: time at equal digits, and pictures of digits over time.

    compare.py [--work] [TABLE.csv]

Without a table builds and runs the measurement, which takes minutes, into build/work_precision.csv.
For each problem of the Test Set for IVP Solvers, at 4, 6 and 8 digits, by interpolation between the
runs: the time of IDA at its best (dense or KLU, equations as given or stabilised), of CVODE where it
applies, of this library's fastest method and of `auto`; and the time of the best of other peers, as
measured once on another machine, times (IDA here) / (IDA there). Draws
build/work_precision_pictures/PROBLEM.svg with gnuplot. Needs SUNDIALS.

With --work prints instead what IDA, a BDF with fixed leading coefficient, counts beside `bdf`, whose
steps are quasi-constant: work at equal digits, that is residuals + 0.3 attempts + 4 (Jacobians +
factorisations), and of all attempts at rtol 1e-3 to 1e-8 the share that was rejected."""

import csv
import math
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
DIGITS = 4, 6, 8
NONE = math.inf

# ms of the best of RADAU5, RADAU, RODAS, MEBDFI, BIMD, DASPK and IDA, each at its best settings, and
# of IDA alone, at 4, 6 and 8 digits, all on one machine; NONE: not reached.
PEERS = {
    "chemical Akzo Nobel": ((0.022, "RODAS"), (0.050, "RADAU5"), (0.095, "MEBDFI"), 0.16, 0.36, 0.72),
    "transistor amplifier": ((1.46, "RADAU5"), (2.19, "MEBDFI"), (4.38, "RADAU"), 17.9, 33, NONE),
    "NAND gate": ((1.80, "DASPK"), (4.58, "DASPK"), (8.53, "DASPK"), 4.2, 11.2, NONE),
    "two bit adder": ((334, "IDA, KLU"), (1980, "BIMD"), (NONE, ""), 334, NONE, NONE),
    "Robertson": ((0.11, "RADAU5"), (0.16, "RADAU"), (0.38, "BIMD"), 1.54, NONE, NONE),
    "water tube": ((0.62, "DASPK"), (8.5, "MEBDFI"), (19.3, "MEBDFI"), 0.66, 15.5, NONE),
    "slider crank": ((4.05, "RADAU"), (43, "BIMD"), (63, "BIMD"), NONE, NONE, NONE),
    "Fekete": ((6.7, "MEBDFI"), (12.1, "MEBDFI"), (16.2, "MEBDFI"), 120, 231, 294),
    "car axis": ((0.67, "MEBDFI"), (1.07, "MEBDFI"), (1.87, "RADAU"), 3.8, 8.8, NONE),
    "Andrews squeezer": ((0.77, "RADAU5"), (1.91, "RADAU5"), (4.2, "MEBDFI"), 4.5, 7.7, 28),
    "HIRES": ((0.079, "RODAS"), (0.154, "RADAU"), (0.240, "RADAU"), 0.71, 1.39, NONE),
    "van der Pol": ((0.114, "RODAS"), (0.166, "RADAU"), (0.231, "RADAU"), 1.26, 2.6, 5.5),
    "ring modulator": ((139, "RADAU"), (139, "RADAU"), (191, "RADAU"), 1060, NONE, NONE),
}

WITH_KLU = "two bit adder", "water tube"  # IDA's figures there; dense matrices elsewhere

COLOURS = {
    "auto": "#d62728",
    "bdf": "#2ca02c",
    "mebdf": "#98c800",
    "radau-iia3": "#1f77b4",
    "radau-iia5": "#17a2e0",
    "radau": "#0b3d91",
    "esdirk4": "#e8a000",
    "kvaerno5": "#8c564b",
    "rodas4": "#17becf",
    "rodas5p": "#9467bd",
    "dop853": "#e377c2",
    "IDA": "#888888",
    "IDA KLU": "#000000",
    "IDA loose": "#606060",
    "IDA loosest": "#404040",
    "CVODE": "#c05090",
}
PEER_SOLVERS = "IDA", "IDA KLU", "IDA loose", "IDA loosest", "CVODE"

SETTINGS = """set terminal svg size 720,520 font 'sans,11' background 'white'
set output '{output}'
set datafile separator ','
set logscale x
set format x '%g'
set xlabel 'processor time, ms'
set ylabel 'correct digits'
set key outside right font ',9'
set grid lc rgb '#dddddd'
set title '{title}'
"""


def measure():
    subprocess.run(["cmake", "--build", BUILD, "--target", "work_precision"], check=True)
    table = BUILD / "work_precision.csv"
    with open(table, "w") as output:
        subprocess.run([BUILD / "work_precision"], stdout=output, check=True)
    return table


def read(table):
    """Runs that reached the end, {problem: {solver: [(digits, ms), ...]}}; what is stabilised
    (", GGL") solves the same problem, and its solvers are called so."""
    found = {}
    with open(table) as source:
        for row in csv.DictReader(source):
            form = row["problem"]
            problem = form.removesuffix(", GGL")
            solver = row["solver"] + (", GGL" if form.endswith(", GGL") else "")
            runs = found.setdefault(problem, {}).setdefault(solver, [])
            if row["status"] == "ok":
                runs.append((float(row["digits"]), float(row["ms"])))
    return found


def attempts(row):
    return int(row["steps"]) + int(row["rejected"])


def work(row):
    matrices = int(row["jacobian_calls"]) + int(row["factorizations"])
    return int(row["residual_calls"]) + 0.3 * attempts(row) + 4 * matrices


def time_for(runs, digits):
    """Between those of the runs that no other one beats both in time and digits."""
    best = [a for a in sorted(runs) if not any(b[0] >= a[0] and b[1] < a[1] for b in runs)]
    for (low, fast), (high, slow) in zip(best, best[1:]):
        if low <= digits <= high:
            part = (digits - low) / (high - low)
            return math.exp((1 - part) * math.log(fast) + part * math.log(slow))
    if best and best[0][0] > digits:
        return best[0][1]
    return NONE


def base(solver):
    return solver.removesuffix(", GGL").removesuffix(" model").removesuffix(" mechanical")


def fastest(solvers, digits, wanted):
    """(ms, name) of the fastest of the solvers that are wanted."""
    times = [(time_for(runs, digits), name) for name, runs in solvers.items() if wanted(base(name))]
    return min(times, default=(NONE, ""))


def like_theirs(problem, solvers):
    """Whether a solver is IDA with the matrices that its figure above is for."""
    if problem in WITH_KLU:
        return lambda name: name == "IDA KLU"
    if "IDA KLU" in solvers:
        return lambda name: name == "IDA"
    return lambda name: name in ("IDA", "IDA loose")


def slowness(found):
    """{(problem, digits): how many times as long IDA takes here}: at these digits; where there or
    here it has no figure, at others of the problem; else the median of all."""
    here = {}
    for problem, peers in PEERS.items():
        for digits, there in zip(DIGITS, peers[3:]):
            solvers = found.get(problem, {})
            ida, _ = fastest(solvers, digits, like_theirs(problem, solvers))
            if math.isfinite(ida) and math.isfinite(there):
                here[problem, digits] = ida / there
    usual = statistics.median(here.values()) if here else 1
    result = {}
    for problem in PEERS:
        own = [value for (name, _), value in here.items() if name == problem]
        typical = statistics.geometric_mean(own) if own else usual
        for digits in DIGITS:
            result[problem, digits] = here.get((problem, digits), typical)
    return result


def number(value):
    return f"{value:.3g}" if math.isfinite(value) else "–"


def quotient(other, own):
    if math.isinf(own):
        return "not reached" if math.isfinite(other) else "–"
    return "∞" if math.isinf(other) else f"{other / own:.2f}"


def print_table(found):
    print("| problem | digits | IDA, ms | CVODE | fastest | | auto | IDA / fastest | IDA / auto "
          "| best peer, carried over | | peer / fastest |")
    print("|" + " --- |" * 12)
    factors = slowness(found)
    for problem, solvers in found.items():
        for k, digits in enumerate(DIGITS):
            ida, _ = fastest(solvers, digits, lambda name: name.startswith("IDA"))
            cvode, _ = fastest(solvers, digits, lambda name: name == "CVODE")
            own, name = fastest(solvers, digits,
                                lambda name: name not in PEER_SOLVERS and name != "auto")
            auto, _ = fastest(solvers, digits, lambda name: name == "auto")
            peer, who = PEERS[problem][k] if problem in PEERS else (NONE, "")
            peer *= factors.get((problem, digits), 1)
            print(f"| {problem} | {digits} | {number(ida)} | {number(cvode)} | {number(own)} "
                  f"| {name if math.isfinite(own) else ''} | {number(auto)} | {quotient(ida, own)} "
                  f"| {quotient(ida, auto)} | {number(peer)} | {who} "
                  f"| {quotient(peer, own) if math.isfinite(peer) else '–'} |")


def share_rejected(rows):
    tried = sum(attempts(row) for row in rows)
    return f"{100 * sum(int(row['rejected']) for row in rows) / tried:.0f} %" if tried else "–"


def print_work(table):
    with open(table) as source:
        rows = [row for row in csv.DictReader(source) if row["solver"] in ("bdf", "IDA")]
    every = []
    print("| problem | IDA / bdf, 4 / 6 / 8 digits | rejected: IDA | bdf | failed: IDA | bdf |")
    print("|" + " --- |" * 6)
    for problem in dict.fromkeys(row["problem"] for row in rows):
        both = [[row for row in rows if row["problem"] == problem and row["solver"] == solver]
                for solver in ("IDA", "bdf")]
        points = [[(float(row["digits"]), work(row)) for row in runs if row["status"] == "ok"]
                  for runs in both]
        costs = [[time_for(runs, digits) for runs in points] for digits in DIGITS]
        every += [ida / bdf for ida, bdf in costs if math.isfinite(ida) and math.isfinite(bdf)]
        quotients = " / ".join(quotient(ida, bdf) for ida, bdf in costs)
        usual = [[row for row in runs if float(row["rtol"]) >= 1e-8] for runs in both]
        failed = [sum(row["status"] != "ok" for row in runs) for runs in usual]
        print(f"| {problem} | {quotients} | {' | '.join(map(share_rejected, usual))} "
              f"| {failed[0]} | {failed[1]} |")
    print(f"| geometric mean of {len(every)} | {statistics.geometric_mean(every):.2f} | | | | |")


def look(name):
    """The same everywhere: other forms of the equations dashed, peers thick."""
    dashes = "dt 1" if base(name) == name else "dt 3" if name.endswith(" model") else "dt 2"
    width = 3 if base(name) in PEER_SOLVERS else 1.5
    return f"pt 7 ps 0.4 lw {width} {dashes} lc rgb '{COLOURS[base(name)]}' title '{name}'"


def draw(problem, solvers, folder):
    drawn = {name: runs for name, runs in solvers.items() if runs}
    output = folder / (problem.replace(",", "").replace(" ", "_") + ".svg")
    text = SETTINGS.format(output=output, title=problem)
    for k, runs in enumerate(drawn.values()):
        lines = "".join(f"{ms},{digits}\n" for digits, ms in runs)
        text += f"$data{k} << EOD\n{lines}EOD\n"
    plots = [f"$data{k} with linespoints {look(name)}" for k, name in enumerate(drawn)]
    text += "plot " + ", ".join(plots) + "\n"
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--work"]
    table = arguments[0] if arguments else measure()
    if "--work" in sys.argv:
        print_work(table)
        return
    found = read(table)
    print_table(found)
    folder = BUILD / "work_precision_pictures"
    folder.mkdir(exist_ok=True)
    for problem, solvers in found.items():
        draw(problem, solvers, folder)


if __name__ == "__main__":
    main()

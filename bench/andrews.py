"""Andrews' squeezing mechanism beside IDA, in one run: processor time at equal digits.

    andrews.py [ROUNDS]

IDA solves the equations as given and stabilised (Gear, Gupta & Leimkuhler), with dense matrices and
exact Jacobians, multipliers left out of its error test and, by three sizes of their absolute
tolerance, out of that of Newton's iteration; this library the mechanical form, by `auto` and by
`dop853`. Both call the same functions, which share what they have in common. All solvers take turns
and medians count, over ROUNDS (31) of them; between tolerances times are interpolated. `start` is the
time of `auto` with the making of the solver and the search for consistent values, for which IDA is not
asked. Needs SUNDIALS."""

import csv
import subprocess
import sys

import compare

PROBLEM = "Andrews squeezer"
DIGITS = 5, 7


def measure(rounds):
    """Rows of the runs that reached the end."""
    subprocess.run(["cmake", "--build", compare.BUILD, "--target", "work_precision"], check=True,
                   stdout=subprocess.DEVNULL)
    rows = []
    for problem in PROBLEM, PROBLEM + ", GGL":
        output = subprocess.run([compare.BUILD / "work_precision", rounds, problem], check=True,
                                capture_output=True, text=True).stdout
        rows += [row for row in csv.DictReader(output.splitlines()) if row["status"] == "ok"]
    return rows


def times(rows, whole=False):
    """{solver and form: [(digits, ms), ...]}, with what came before the first step if `whole`."""
    found = {}
    for row in rows:
        name = row["solver"] + row["problem"].removeprefix(PROBLEM)
        ms = float(row["ms"]) + (float(row["set_up_ms"]) if whole else 0)
        found.setdefault(name, []).append((float(row["digits"]), ms))
    return found


def main():
    rows = measure(sys.argv[1] if len(sys.argv) > 1 else "31")
    runs, whole = times(rows), times(rows, True)
    print("| digits | IDA, ms | | auto, ms | dop853, ms | IDA / auto | IDA / dop853 | start, ms "
          "| IDA / start |")
    print("|" + " --- |" * 9)
    for digits in DIGITS:
        ida, how = compare.fastest(runs, digits, lambda name: name.startswith("IDA"))
        auto, dop853 = (compare.time_for(runs[name + " mechanical"], digits)
                        for name in ("auto", "dop853"))
        start = compare.time_for(whole["auto mechanical"], digits)
        print(f"| {digits} | {ida:.2f} | {how} | {auto:.3f} | {dop853:.3f} | {ida / auto:.1f} "
              f"| {ida / dop853:.1f} | {start:.3f} | {ida / start:.1f} |")


if __name__ == "__main__":
    main()

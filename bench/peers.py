"""Where this library's time goes beside the best of its peers.

    peers.py [TABLE.csv]

The table is that of compare.py; without one it is measured first. For each problem at 4, 6 and 8
digits: the best peer's time, carried over as compare.py does; the fastest of this library, with the
tolerance at which it has these digits; what share of its time goes into functions and Jacobians as
the author wrote them (with the putting together of M y' - f), into factoring, into solving, and into
all else; and the bound, the peer's time over that of the first three alone: what would be left if all
else cost nothing. Counts are those of the run; what each call costs is measured by repeating it in
the same program, with warm caches, so that the bound is rather too favourable."""

import csv
import math
import subprocess
import sys

import compare


def loosest(table, problem, solver, digits):
    """(problem as stated, method, rtol) of the run with these digits and the largest tolerance."""
    form, method = problem, compare.base(solver)
    if solver.endswith(", GGL"):
        form += ", GGL"
    with open(table) as source:
        runs = [row for row in csv.DictReader(source)
                if row["problem"] == form and row["solver"] == method and row["status"] == "ok"]
    good = [row["rtol"] for row in runs if float(row["digits"]) >= digits]
    return form, method, max(good, key=float, default=None)


def shares(form, method, rtol):
    """Of the whole time: of functions and Jacobians, of factoring, of solving, of the rest."""
    answer = subprocess.run([compare.BUILD / "shares", form, method, rtol],
                            check=True, capture_output=True, text=True).stdout
    whole, residuals, jacobians, factoring, solving = map(float, answer.split(","))
    parts = [(residuals + jacobians) / whole, factoring / whole, solving / whole]
    return parts + [max(0, 1 - sum(parts))]


def own(name):
    return name not in compare.PEER_SOLVERS and name != "auto"


def main():
    table = sys.argv[1] if len(sys.argv) > 1 else compare.measure()
    subprocess.run(["cmake", "--build", compare.BUILD, "--target", "shares"], check=True,
                   stdout=subprocess.DEVNULL)
    found = compare.read(table)
    factors = compare.slowness(found)
    print("| problem | digits | best peer, ms | | ours, ms | | peer / ours | functions | factoring "
          "| solving | rest | peer / bound |")
    print("|" + " --- |" * 12)
    for problem, peers in compare.PEERS.items():
        solvers = {name: runs for name, runs in found.get(problem, {}).items()
                   if not name.endswith((" model", " mechanical"))}
        for (peer, who), digits in zip(peers, compare.DIGITS):
            peer *= factors[problem, digits]
            ours, name = compare.fastest(solvers, digits, own)
            form, method, rtol = loosest(table, problem, name, digits)
            if math.isinf(peer) or rtol is None:
                continue
            parts = shares(form, method, rtol)
            bound = ours * (1 - parts[-1])
            columns = " | ".join(f"{100 * part:.0f} %" for part in parts)
            print(f"| {problem} | {digits} | {peer:.3g} | {who} | {ours:.3g} | {name}, {rtol} "
                  f"| {peer / ours:.2f} | {columns} | {peer / bound:.2f} |", flush=True)


if __name__ == "__main__":
    main()

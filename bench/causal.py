"""What a causal model in text costs beside its author's hand-written code in C: instructions.

    causal.py

For each system of bench/causal.c and each method prints instructions(text)/instructions(C), of runs
as a whole, from reading the text on, and of what is behind the first part of a run alone: the
difference of two runs, the second of which ends 2.5 times as late. Then the steps of both runs that
are whole. Needs valgrind."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEMS = "Drive", "Reactions", "Chain", "Species"
METHODS = "auto", "dopri5", "dop853", "radau-iia3", "bdf", "rodas5p"
LATER = 2.5


def once(system, method, side, part):
    """Instructions, and steps."""
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                           "build/causal", system, method, side, str(part)],
                          cwd=ROOT, capture_output=True, text=True, check=True)  # fmt: skip
    return int(re.search(r"I *refs: *([0-9,]+)", done.stderr).group(1).replace(",", "")), int(done.stdout)


def main():
    subprocess.run(["cmake", "--build", "build", "--target", "causal"], cwd=ROOT, check=True, capture_output=True)
    print("system     method      whole  later  steps  in C")
    for system in SYSTEMS:
        for method in METHODS:
            (text, steps), (code, others) = (once(system, method, side, 1) for side in ("text", "code"))
            later = [once(system, method, side, LATER)[0] for side in ("text", "code")]
            behind = (later[0] - text) / (later[1] - code)
            print(f"{system:10} {method:10} {text/code:6.2f} {behind:6.2f} {steps:6} {others:5}")


if __name__ == "__main__":
    main()

"""What reading a model costs for each equation, against their number: it should not grow.

Prints, and asserts nothing: least processor time of `daedal check` over RUNS, which reads a line of N
cells and looks at its structure. The variable DAEDAL names the command."""

import os
import pathlib
import resource
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("DAEDAL", str(ROOT / "build" / "daedal"))
SIZES = 1000, 3000, 10_000, 30_000
RUNS = 3
LINE = """model Line
  parameter Integer n = {n}; parameter Real dx = 1/n;
  Real x[n](each start = 1, each fixed = true);
equation
  der(x[1]) = x[2] - x[1];
  for i in 2:n - 1 loop
    der(x[i]) = (x[i - 1] - 2*x[i] + x[i + 1])/dx^2 - sin(x[i])*i;
  end for;
  der(x[n]) = x[n - 1] - x[n];
end Line;
"""


def seconds(text):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([COMMAND, "check", "-"], input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


for n in SIZES:
    least = min(seconds(LINE.format(n=n)) for _ in range(RUNS))
    print(f"{n:8} equations {least:8.3f} s {1e6 * least / n:8.2f} us an equation", flush=True)

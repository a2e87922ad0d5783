"""What a large model costs from its text to the first step, for each family of models below.

    reading.py [--sizes N,N,...] [--runs N] [FAMILY ...]

Prints, and asserts nothing: for `daedal check`, and for `daedal run` over an interval of a nanosecond, the
least processor time of some runs, the most memory that a process held, and both for each scalar
equation. Sizes are numbers of scalar equations, as near as a family comes to them; a singular model ends
with a message instead. The variable DAEDAL names the command."""

import argparse
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("DAEDAL", str(ROOT / "build" / "daedal"))
FIRST_STEP = ("run", "-q", "--stop", "1e-9", "--points", "2", "--out", os.devnull)


def heat(n):
    """One array and one loop: three terms and a sine in each equation."""
    return n, f"""model Line
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


def cells(n):
    """A flat text: four scalar variables and four equations for each cell."""
    n //= 4
    real = "".join(f"  Real v{i}(start = 0, fixed = true); Real i{i}; Real u{i}; Real w{i};\n" for i in range(n))
    law = "".join(f"""  u{i} = {f"v{i - 1}" if i else "sin(time)"} - v{i};
  u{i} = r*i{i};
  w{i} = i{i}{f" - i{i + 1}" if i < n - 1 else ""};
  c*der(v{i}) = w{i};
""" for i in range(n))
    return 4 * n, f"""model Cells
  parameter Real r = 1; parameter Real c = 1e-3;
{real}equation
{law}end Cells;
"""


def ladder(n):
    """Arrays and loops of a resistor ladder: three equations for each rung."""
    n //= 3
    return 3 * n, f"""model Ladder
  parameter Integer n = {n};
  Real v[n](each start = 0, each fixed = true); Real i[n]; Real u[n];
equation
  u[1] = sin(time) - v[1];
  for k in 2:n loop u[k] = v[k - 1] - v[k]; end for;
  for k in 1:n loop u[k] = 2*i[k]; end for;
  for k in 1:n - 1 loop 1e-3*der(v[k]) = i[k] - i[k + 1]; end for;
  1e-3*der(v[n]) = i[n];
end Ladder;
"""


def loops(n):
    """One algebraic loop through all equations."""
    return n, f"""model Loops
  parameter Integer n = {n};
  Real x[n](each start = 1); Real s(start = 0, fixed = true);
equation
  der(s) = x[1];
  for k in 1:n - 1 loop 3*x[k] + sin(x[k]) = x[mod(k, n - 1) + 1] + cos(time + k); end for;
  x[n] = s;
end Loops;
"""


def relations(n):
    """One relation for each equation."""
    return n, f"""model Relations
  parameter Integer n = {n};
  Real x[n](each start = 0, each fixed = true);
equation
  for k in 1:n loop der(x[k]) = if x[k] > k/n then 1 else 2; end for;
end Relations;
"""


def branches(n):
    """One equation with as many branches."""
    branch = "".join(f"\n    elseif time < {k + 1}/{n} then {k} - x" for k in range(n))
    return n, f"""model Branches
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0 then 0{branch} else 0;
end Branches;
"""


def singular(n):
    """A chain of equations that contradict each other."""
    return n, f"""model Singular
  parameter Integer n = {n};
  Real x[n];
equation
  for k in 1:n - 1 loop x[k] = x[k + 1] + time; end for;
  x[1] - x[n] = 1 + time;
end Singular;
"""


PINS = """connector Pin Real v; flow Real i; end Pin;
partial model TwoPin Pin p; Pin n; Real v; Real i;
equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end TwoPin;
model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
model Capacitor extends TwoPin; parameter Real C = 1e-3; equation C*der(v) = i; end Capacitor;
model Source extends TwoPin; equation v = sin(time); end Source;
model Ground Pin p; equation p.v = 0; end Ground;
"""


def components(n):
    """As many resistors as capacitors, each declared and connected: eight equations for each pair."""
    n //= 12
    part = "".join(f"  Resistor r{k}(R = {k % 7 + 1}); Capacitor c{k}(v(start = 0, fixed = true));\n" for k in range(n))
    join = "".join(f"  connect(r{k}.n, c{k}.p); connect(c{k}.n, g.p);\n" for k in range(n))
    next_one = "".join(f"  connect(r{k}.n, r{k + 1}.p);\n" for k in range(n - 1))
    return 12 * n + 8, f"""{PINS}model Net
  Source src; Ground g;
{part}equation
  connect(src.n, g.p); connect(src.p, r0.p);
{join}{next_one}end Net;
"""


def connected_arrays(n):
    """Two arrays of components that a loop connects: ten equations for each pair."""
    n //= 10
    return 10 * n + 6, f"""{PINS}model Cell Pin p; Pin n; parameter Real R = 1; parameter Real C = 1e-3;
  Real v(start = 0, fixed = true);
equation p.v - n.v = R*p.i + v; p.i + n.i = 0; C*der(v) = p.i; end Cell;
model Net
  parameter Integer n = {n};
  Cell c[n]; Cell d[n]; Source s; Ground g;
equation
  connect(s.p, c[1].p); connect(s.n, g.p);
  for k in 1:n - 1 loop connect(c[k].n, c[k + 1].p); end for;
  for k in 1:n loop connect(c[k].n, d[k].p); connect(d[k].n, g.p); end for;
end Net;
"""


FAMILIES = {f.__name__: f for f in (heat, cells, ladder, loops, relations, branches, singular, components,
                                    connected_arrays)}


def cost(words, path):
    """Processor time in seconds and the largest memory in bytes of one process."""
    process = subprocess.Popen([COMMAND, *words, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def least(words, path, runs):
    costs = [cost(words, path) for _ in range(runs)]
    return min(c[0] for c in costs), min(c[1] for c in costs)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("family", nargs="*", choices=[[], *FAMILIES])
    asked = parser.parse_args()
    print(f"{'':18}{'equations':>10} | {'check s':>8}{'us/eq':>8}{'MB':>8}{'kB/eq':>7} |"
          f" {'run s':>8}{'us/eq':>8}{'MB':>8}{'kB/eq':>7}")
    for name in asked.family or FAMILIES:
        for size in map(int, asked.sizes.split(",")):
            n, text = FAMILIES[name](size)
            row = f"{name:18}{n:10}"
            with tempfile.NamedTemporaryFile("w", suffix=".mo") as model:
                model.write(text)
                model.flush()
                for words in ("check",), FIRST_STEP:
                    seconds, most = least(words, model.name, asked.runs)
                    row += f" | {seconds:8.3f}{1e6 * seconds / n:8.1f}{most / 1e6:8.1f}{most / 1e3 / n:7.2f}"
            print(row, flush=True)


if __name__ == "__main__":
    main()

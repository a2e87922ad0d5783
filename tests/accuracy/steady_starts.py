"""Steady starts der(T) = 0 of many cells against solutions in closed form. In sizes of its values, the smallest
singular value of a rod of n cells falls like 1/n^2."""
import math
import resource
import unittest

from simulation import daedal

HOT, COLD = 400.0, 300.0


def rod(n, flow="a - b", source="0", declared="", conditions="for i in 1:n loop der(T[i]) = 0; end for;",
        states="each start = 300", last="300"):
    """Cells in a row; `flow` is the flux between temperatures a and b, `source` what cell i gives away."""
    def between(one, other):
        return "(" + flow.replace("a", f"({one})").replace("b", f"({other})") + ")"
    return f"""model Rod
  parameter Integer n = {n};
  Real T[n]({states});
  Real q[n + 1];
{declared}initial equation
  {conditions}
equation
  q[1] = {between("400", "T[1]")};
  for i in 2:n loop q[i] = {between("T[i - 1]", "T[i]")}; end for;
  q[n + 1] = {between("T[n]", last)};
  for i in 1:n loop der(T[i]) = q[i] - q[i + 1] - ({source}); end for;
end Rod;
"""


def start_of(text):
    """The start values, by name."""
    return daedal.simulate(text, timeout=200, at=0, stop=1e-3).rows[0]


class SteadyStarts(unittest.TestCase):
    def test_a_profile_is_linear(self):
        for n in daedal.of_grid((100, 1000, 20000), (100, 5000), (100, 1000)):
            row = start_of(rod(n))
            for i in range(1, n + 1):
                exact = HOT + (COLD - HOT) * i / (n + 1)
                self.assertLess(abs(row[f"T[{i}]"] - exact), 1e-10 * exact, (n, i))

    def test_conductivity_that_grows_with_temperature(self):
        """T + c T^2 / 2 is linear (Kirchhoff)."""
        n, c = 5000, 1e-2
        row = start_of(rod(n, flow=f"(1 + {c}*(a + b)/2)*(a - b)"))
        def potential(temperature): return temperature + c * temperature ** 2 / 2
        for i in range(1, n + 1):
            p = potential(HOT) + (potential(COLD) - potential(HOT)) * i / (n + 1)
            exact = (math.sqrt(1 + 2 * c * p) - 1) / c
            self.assertLess(abs(row[f"T[{i}]"] - exact), 1e-10 * exact, i)

    def test_radiation_leaves_what_flows_in(self):
        """Cells radiate to 280; the end is insulated. A shooting from the end, in extended sums, meets the hot side."""
        n, c = 2000, 1e-15
        row = start_of(rod(n, source=f"{c}*(T[i]^4 - 280^4)", last="T[n]"))
        temperature = [row[f"T[{i}]"] for i in range(1, n + 1)]
        flow, above = 0.0, temperature[-1]
        for i in range(n - 1, -1, -1):
            self.assertLess(abs(temperature[i] - above), 1e-8 * above, i)
            flow += c * (above ** 4 - 280.0 ** 4)
            above += flow
        self.assertLess(abs(above - HOT), 1e-8 * HOT)

    def test_half_of_a_rod_is_steady(self):
        """What is fixed stays, and the others are linear up to it."""
        n = 4000
        row = start_of(rod(n, states="each start = 350, fixed = {i > n/2 for i in 1:n}",
                                 conditions="for i in 1:div(n, 2) loop der(T[i]) = 0; end for;"))
        for i in range(1, n + 1):
            exact = 350 if i > n // 2 else HOT - 50 * i / (n // 2 + 1)
            self.assertLess(abs(row[f"T[{i}]"] - exact), 1e-10 * exact, i)

    def test_free_guesses_move_least(self):
        """Half of the cells are steady, the others have guesses of 350: one of these, at the border, moves, so that the
        sum of squares of all changes is least."""
        n, half = 4000, 2000
        row = start_of(rod(n, states="each start = 350",
                           conditions=f"for i in 1:{half} loop der(T[i]) = 0; end for;"))
        part = [i / (half + 1) for i in range(1, half + 1)]
        border = HOT - (50 * sum(part) + 50) / (sum(f * f for f in part) + 1)
        for i in range(1, n + 1):
            exact = 350 if i > half + 1 else HOT + (border - HOT) * i / (half + 1)
            self.assertLess(abs(row[f"T[{i}]"] - exact), 1e-9 * exact, i)

    def test_a_chain_without_states(self):
        """The same profile from equations without derivatives, whose hot end follows a state."""
        n = 20000
        row = start_of(f"""model Chain
  Real T[{n}], x(start = 4, fixed = true);
equation
  der(x) = -x;
  2*T[1] = 100*x + T[2];
  for i in 2:{n - 1} loop 0 = T[i - 1] - 2*T[i] + T[i + 1]; end for;
  0 = T[{n - 1}] - 2*T[{n}] + 300;
end Chain;
""")
        for i in range(1, n + 1):
            exact = HOT + (COLD - HOT) * i / (n + 1)
            self.assertLess(abs(row[f"T[{i}]"] - exact), 1e-9 * exact, i)

    def held(self, n, boundary, flow="T[i - 1] - T[i]", more=""):
        """A rod whose ends are given by equations, while all cells are to be steady: `der(T) = zeros(n)` says of the
        ends what follows from these already."""
        return f"""model Held
  parameter Integer n = {n};
  Real T[n](each start = 350), q[n];
initial equation
  der(T) = zeros(n);
{more}equation
  T[1] = {boundary};
  T[n] = 300;
  q[1] = q[2];
  for i in 2:n loop q[i] = {flow}; end for;
  for i in 2:n - 1 loop der(T[i]) = q[i] - q[i + 1]; end for;
end Held;
"""

    def test_conditions_that_a_boundary_repeats(self):
        """At any size such a start is that of the other conditions; and Kirchhoff's with a conductivity that grows."""
        c = 1e-2
        def potential(temperature): return temperature + c * temperature ** 2 / 2
        growing = f"(1 + {c}*(T[i - 1] + T[i])/2)*(T[i - 1] - T[i])"
        for n in daedal.of_grid((10, 100, 300, 3000), (10, 300), (10, 300)):
            for flow in "T[i - 1] - T[i]", growing:
                row = start_of(self.held(n, "400", flow))
                for i in range(n):
                    exact = HOT + (COLD - HOT) * i / (n - 1)
                    if flow == growing:
                        p = potential(HOT) + (potential(COLD) - potential(HOT)) * i / (n - 1)
                        exact = (math.sqrt(1 + 2 * c * p) - 1) / c
                    self.assertLess(abs(row[f"T[{i + 1}]"] - exact), 1e-10 * exact, (n, i, flow))

    def test_a_row_of_orifices(self):
        """Equal orifices in a row share the difference of pressures alike, however the guesses of the volumes, all
        alike, leave them without flow."""
        n, left, right = 100, 20e5, 1e5
        row = start_of(f"""model Row
  import Daedal.Hydraulic.*;
  Tank a(p = {left!r}), b(p = {right!r});
  Volume v[{n}](each V = 1e-3);
  Orifice o[{n + 1}](each A = 1e-5);
initial equation
  for j in 1:{n} loop der(v[j].p) = 0; end for;
equation
  connect(a.port, o[1].port_a);
  for j in 1:{n} loop connect(o[j].port_b, v[j].port); connect(v[j].port, o[j + 1].port_a); end for;
  connect(o[{n + 1}].port_b, b.port);
end Row;
""")
        for j in range(1, n + 1):
            exact = left + (right - left) * j / (n + 1)
            self.assertLess(abs(row[f"v[{j}].p"] - exact), 1e-9 * exact, j)

    def test_conditions_that_a_boundary_contradicts(self):
        """The end warms up by itself, or a cell has another temperature than a steady one: no size makes that a start."""
        for n in daedal.of_grid((10, 300, 3000), (10, 300), (10, 300)):
            for text in self.held(n, "400 + 10*time"), self.held(n, "400", more="  T[2] = 350;\n"):
                found = daedal.run(["init", "-"], text)
                self.assertEqual(found.code, 3, (n, found.out[:200]))
                self.assertIn("inconsistent", found.err)

    def cost_of_start(self, text, code):
        """The less of two processor times; others may use the machine."""
        costs = []
        for _ in range(2):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            found = daedal.run(["init", "-"], text)
            costs.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            self.assertEqual(found.code, code, found.err[:300])
        return min(costs)

    def test_what_an_insulated_rod_contradicts_is_told_soon(self):
        """All that a source gives stays in it. To refuse it costs a few times what the start of one costs that is cooled
        at its end, and not ten times."""
        text = """model Insulated
  parameter Integer n = 3000;
  Real T[n](each start = 300);
initial equation
  for i in 1:n loop der(T[i]) = 0; end for;
equation
  der(T[1]) = T[2] - T[1] + 1;
  for i in 2:n - 1 loop der(T[i]) = T[i - 1] - 2*T[i] + T[i + 1]; end for;
  der(T[n]) = T[n - 1] - LOSS*T[n];
end Insulated;
"""
        refused = self.cost_of_start(text.replace("LOSS", "1"), 3)
        self.assertLess(refused, 5 * self.cost_of_start(text.replace("LOSS", "2"), 0))

    def plate(self, n, lost, guess, exact):
        """Cells of a square with given edges, each of which gives away `lost`."""
        edge = "".join(f"  W[{i + 1},{k + 1}] = {exact(i, k)!r};\n" for i in range(n + 2) for k in range(n + 2)
                       if i in (0, n + 1) or k in (0, n + 1))
        row = start_of(f"""model Plate
  parameter Integer n = {n};
  Real T[n,n](each start = {guess});
  Real W[n+2,n+2];
initial equation
  for i in 1:n loop for k in 1:n loop der(T[i,k]) = 0; end for; end for;
equation
{edge}  for i in 1:n loop for k in 1:n loop
    W[i+1,k+1] = T[i,k];
    der(T[i,k]) = W[i,k+1] + W[i+2,k+1] + W[i+1,k] + W[i+1,k+2] - 4*T[i,k] - {lost};
  end for; end for;
end Plate;
""")
        for i in range(1, n + 1):
            for k in range(1, n + 1):
                self.assertLess(abs(row[f"T[{i},{k}]"] - exact(i, k)), 1e-10 * guess, (i, k))

    def test_a_plate_is_harmonic(self):
        """x^2 - y^2 + 3 x y has no second difference of five points."""
        self.plate(50, "0", 1, lambda i, k: (i * i - k * k + 3 * i * k) / 50 ** 2)

    def test_a_radiating_plate(self):
        """What it would lose at such temperatures is supplied, so that they are the only solution."""
        n = 50
        temperature = f"(300 + 40*(i*i - k*k + 3*i*k)/{n}^2)"
        self.plate(n, f"1e-10*(T[i,k]^4 - {temperature}^4)", 300,
                   lambda i, k: 300 + 40 * (i * i - k * k + 3 * i * k) / n ** 2)


if __name__ == "__main__":
    unittest.main()

"""Whatever the unit of time: a model in picoseconds or in decades is that in seconds."""
import unittest

from simulation import daedal

# Each with its run in units of T.
MODELS = {
    "pendulum": (
        3,
        """Real x(start = 1, fixed = true), y, u, v(start = 0, fixed = true), l;
  equation T*der(x) = u; T*der(y) = v; T*der(u) = -l*x; T*der(v) = -l*y - 9.81; x^2 + y^2 = 1;""",
    ),
    "double pendulum": (
        1.5,
        """Real a(start = 0.6, fixed = true), b(start = -0.8), c(start = 1.6, fixed = true);
  Real d(start = -0.8), p(start = 0, fixed = true), q, r(start = 0, fixed = true), s, l, m;
  equation T*der(a) = p; T*der(b) = q; T*der(c) = r; T*der(d) = s;
  T*der(p) = -l*a - m*(a - c); T*der(q) = -l*b - m*(b - d) - 9.81;
  T*der(r) = -m*(c - a); T*der(s) = -m*(d - b) - 9.81;
  a^2 + b^2 = 1; (c - a)^2 + (d - b)^2 = 1;""",
    ),
    "capacitor": (
        4,
        """Real u, w(start = 0, fixed = true), i;
  equation u = sin(time/T); T*der(u) = i - (u - w); T*der(w) = (u - w) - w^2;""",
    ),
    "index 4": (
        2,
        """Real a, b, c, d; equation T*der(a) = b; T*der(b) = c*cos(a); T*der(c) = d + b;
  a + a^3 = sin(time/T);""",
    ),
    "misleads": (
        2,
        """Real a, b, c(start = 0, fixed = true);
  equation T*(der(a) + der(b)) + a = sin(time/T) + c; 2*T*(der(a) + der(b)) + a - b = cos(time/T);
  T*der(c) = b - c;""",
    ),
    "floating": (
        20,
        """parameter Real K = 1e-3*T;
  Real a(start = 0.53, fixed = true), b(start = 0.46, fixed = true), c(start = 0.33);
  Real i(start = 4e-4, fixed = true, nominal = 0.001), d(nominal = 0.001), r(nominal = 0.001);
  equation 2*K*der(a) = r - d - i + 9e-4; 3000*K*der(i) = a - b - 5*i - 0.0615;
  0.5*K*der(b) - 0.5*K*der(c) = i - b/200 + 0.0019; 0.5*K*der(c) - 0.5*K*der(b) = 0.3*d - c/75 + 0.004;
  d - 0.0011 = 1e-14*(exp((a - c)/0.0258) - 1) + 2e-4*sin(1.7*time/T); r - 9.6e-4 = (1 - a)/50 - 0.0094;""",
    ),
    "stiff": (
        3,
        """Real x(start = 0, fixed = true), y, z;
  equation T*der(x) = -1e4*(x - sin(time/T)) + cos(time/T) + z - sin(2*time/T);
  T*der(y) = -y + z - sin(2*time/T) + cos(time/T) - sin(time/T);
  x + 0.1*y = sin(time/T) + 0.1*cos(time/T);""",
    ),
}
# A slider crank of the length L in units of T, velocities and the force in theirs and with their
# sizes. Upright, at p = pi/2, the velocity of b says nothing of that of p.
CRANK = """model Crank
  parameter Real T = {T}, L = {L};
  Real p(start = 0.5776, fixed = true), w(start = 3.6832/T, fixed = true, nominal = {rate}), b(start = 0.2);
  Real x(start = 3*L, nominal = {L}), u(nominal = {speed}), f(nominal = {force});
equation
  der(p) = w; L*sin(p) = 2.5*L*sin(b); x = L*cos(p) + 2.5*L*cos(b);
  der(x) = u; T^2*der(u) = 2*f;
  T^2*L^2*der(w) = -L^2*(0.17 + 0.2*T*w) - f*L*(-sin(p) - tan(b)*cos(p));
end Crank;
"""
METHODS = "auto bdf mebdf radau radau-iia5 rodas5p esdirk4".split()
UNITS = "1e-12 1e-9 1e-6 1e-3 0.03 30 1e3 1e6 1e9".split()
TOLERANCE = 1e-6


def solve(name, unit, tolerance, method="auto"):
    stop, body = MODELS[name]
    return daedal.simulate(
        f"model M parameter Real T = {unit}; {body} end M;\n",
        stop=stop * float(unit),
        points=11,
        rtol=tolerance,
        atol=tolerance,
        method=method,
    ).rows


class TimeUnits(daedal.CommandTest):
    def assert_alike(self, rows, wanted, unit):
        for row, right in zip(rows, wanted, strict=True):
            for variable, value in right.items():
                if variable == "time":
                    self.assert_near(row["time"] / float(unit), value, 1e-9)
                    continue
                off = abs(row[variable] - value) / (TOLERANCE * (1 + abs(value)))
                self.assertLess(off, 10, f"{variable} at {row['time']}")

    def test_any(self):
        if daedal.THINNED:
            left = len(MODELS) * len(UNITS) * (len(METHODS) - 2)
            whole = len(MODELS) * len(UNITS) * len(METHODS)
            daedal.tell_left_out("runs", left, whole, "each unit is run by auto and one method in turn")
        for name in MODELS:
            wanted = solve(name, "1", 1e-11)
            for k, unit in enumerate(UNITS):
                for method in METHODS:
                    if daedal.THINNED and method not in ("auto", METHODS[1 + k % 6]):
                        continue
                    with self.subTest(model=name, unit=unit, method=method):
                        self.assert_alike(solve(name, unit, TOLERANCE, method), wanted, unit)

    def test_velocities_that_have_sizes_of_their_own(self):
        def crank(unit, length, tolerance, method):
            sizes = {"rate": 1 / unit, "speed": length / unit, "force": length}
            text = CRANK.format(T=unit, L=length, **sizes)
            flags = {"stop": unit, "points": 401, "rtol": tolerance, "atol": tolerance}
            found = daedal.simulate(text, method=method, **flags).rows
            sizes |= {"time": unit, "p": 1, "b": 1, "x": length}
            sizes |= {"w": sizes["rate"], "u": sizes["speed"], "f": sizes["force"]}
            return [{name: value / sizes[name] for name, value in row.items()} for row in found]

        wanted = crank(1, 1, 1e-11, "radau")
        for unit, length in ((1e-9, 1e-3), (1e-6, 1e-6), (1e-3, 1), (1e4, 1e3), (1e7, 1e9)):
            for method in ("auto", "bdf", "gauss3"):
                with self.subTest(unit=unit, length=length, method=method):
                    found = crank(unit, length, TOLERANCE, method)
                    self.assert_alike(found, wanted, 1)


if __name__ == "__main__":
    unittest.main()

"""What messages name: the cause of a mistake, and a remedy that is right."""
import re
import unittest

from daedal import CommandTest, run


def check(text, *options):
    return run(["check", "-", *options], text)


def model(body):
    return f"model M\n{body}\nend M;\n"


class Names(CommandTest):
    def test_components_of_the_standard_library_have_counterparts(self):
        for declared in ("Modelica.Electrical.Analog.Basic.Resistor r(R = 1);", "Modelica.Electrical.Analog.Basic.Resistor r;"):
            found = check(model(declared))
            self.assertEqual(found.code, 3)
            self.assert_says(found.err, "the class Modelica.Electrical.Analog.Basic.Resistor is not declared", "not read",
                             "Daedal.Electrical.Resistor")
            self.assertEqual(check(model("import Daedal.Electrical.*; Resistor r(R = 1); Ground g; equation connect(r.p, g.p);"
                                         " connect(r.n, g.p);")).code, 0)
        self.assert_says(check(model("Modelica.Fluid.System s;")).err, "Modelica.Fluid.System is not declared", "library Daedal")

    def test_the_nearest_name_of_the_standard_library(self):
        for text, nearest in (("Real q = Modelica.Constants.Pi*time;", "Modelica.Constants.pi"),
                              ("Real q = Modelica.Constants.gn*time;", "Modelica.Constants.g_n"),
                              ("Modelica.Units.SI.Volt w = 3;", "Modelica.Units.SI.Voltage"),
                              ("Modelica.SIunits.Curent w = 3;", "Modelica.SIunits.Current")):
            found = check(model(text))
            self.assertEqual(found.code, 3)
            self.assert_says(found.err, f"nearest name: {nearest}")
            wrong = re.search(r"Modelica[.\w]+", text).group()
            self.assertEqual(check(model(text.replace(wrong, nearest))).code, 0)

    def test_an_import_that_names_nothing_is_an_error(self):
        for path, nearest in (("Daedal.Electric.*", "Electrical"), ("Deadal.Electrical.*", "Daedal"),
                              ("Daedal.Electrical.Resitor", "Resistor")):
            found = check(model(f"import {path}; Real x = time;"))
            self.assertEqual(found.code, 3, path)
            self.assert_says(found.err, "the import", "names nothing", f"nearest name: {nearest}")
        for path in ("Daedal.Electrical.*", "Daedal.Electrical.Resistor", "E = Daedal.Electrical", "Modelica.Units.SI",
                     "Daedal.Media.{water, air}"):
            self.assertEqual(check(model(f"import {path}; Real x = time;")).code, 0, path)

    def test_a_range_is_written_with_in(self):
        found = check(model("Real x = time; equation for i = 1:3 loop end for;"))
        self.assertEqual(found.code, 3)
        self.assert_says(found.err, "for i in 1:n loop")
        self.assertNotIn("==", found.err)


class Counts(CommandTest):
    def missing(self, text):
        found = check(text)
        self.assertEqual(found.code, 3, found.err)
        remedy = re.search(r"remedy: add (\d+) equation", found.err)
        self.assertTrue(remedy, found.err)
        return int(remedy.group(1)), found.err

    def test_inputs_are_no_missing_equations(self):
        """As many equations as are said to be missing make the model whole."""
        cases = (
            ("input Real u; output Real y; Real x(start = 0, fixed = true), z; equation der(x) = u - x; y = x + z;", 1, "z = 1;"),
            ("input Real u, v; Real x(start = 0, fixed = true), y; equation der(x) = u + v*y;", 1, "y = u;"),
            ("input Real u; Real x(start = 0, fixed = true), y, z; equation der(x) = u + x;", 2, "y = x; z = u;"),
            ("input Real u; Real x(start = 0, fixed = true), y; equation der(x) = u + y; u = 1;", 1, "y = -x;"),
        )
        for body, count, added in cases:
            with self.subTest(body=body):
                found, said = self.missing(model(body))
                self.assertEqual(found, count)
                self.assertNotRegex(said, r"under-determined: [^\n]*\bu\b")
                self.assertEqual(check(model(f"{body} {added}")).code, 0)

    def test_ends_that_are_not_connected_are_named(self):
        pipe = ("import Daedal.Fluid.*; FixedFlow a(medium = Daedal.Media.water, m_flow = 1, T = 300); HeatedChannel p(medium = "
                "Daedal.Media.water, V = 0.01, n = 1); Sink k; equation connect(a.outlet, p.inlet); MORE")
        found = check(model(pipe.replace("Sink k; ", "").replace("MORE", "")))
        self.assertEqual(found.code, 3)
        self.assertRegex(found.err, r"not connected: p.outlet\n")
        self.assertEqual(check(model(pipe.replace("MORE", "connect(p.outlet, k.inlet);"))).code, 0)
        tanks = ("import Daedal.Fluid.*; Tank a(medium = Daedal.Media.water, A = 1, level_start = 2, T_start = 300), b(medium = "
                 "Daedal.Media.water, A = 2, level_start = 1, T_start = 320); Valve v(medium = Daedal.Media.water, Av = 1e-3, "
                 "opening = 1); equation connect(a.outlet, v.inlet); connect(v.outlet, b.inlet);")
        self.assertRegex(check(model(tanks)).err, r"not connected: a.inlet, ")
        source = "import Daedal.Electrical.*; ConstantCurrent i(I = 1); Ground g; equation connect(i.p, g.p);"
        self.assertRegex(check(model(source)).err, r"not connected: i.n\n")
        self.assertEqual(check(model(source + " connect(i.n, g.p);")).code, 0)

    def test_a_term_that_a_parameter_leaves_out(self):
        short = ("import Daedal.Electrical.*; ConstantVoltage v(V = 1); Resistor r(R = {}); Ground g; equation connect(r.p, v.p); "
                 "connect(r.n, g.p); connect(v.n, g.p);")
        found = check(model(short.format(0)))
        self.assertEqual(found.code, 3)
        self.assert_says(found.err, "as r.R = 0, a term is left out of 'r.v' = 'r.R' * 'r.i'")
        self.assertEqual(check(model(short.format(1))).code, 0)
        empty = ("import Daedal.Electrical.*; Resistor r(R = 5); Capacitor c(C = {}, v(start = 1, fixed = true)); Ground g; "
                 "equation connect(r.p, c.p); connect(r.n, g.p); connect(c.n, g.p);")
        found = run(["run", "-"], model(empty.format(0)))
        self.assertNotEqual(found.code, 0)
        self.assert_says(found.err, "with c.v = 1 fixed at the start", "as c.C = 0, a term is left out of 'c.C' * der('c.v')",
                         "nearest consistent values: c.v = 0")
        self.assertEqual(run(["run", "-"], model(empty.format(1))).code, 0)


class Notes(CommandTest):
    def test_blocks_of_the_library_have_fitting_units(self):
        for block in ("PID c(k = 1, Ti = 1, Td = 0.1, Nd = 10); equation c.u = time;",
                      "LimPID c(k = 1, Ti = 1, Td = 0.1, yMax = 1, yMin = -1); equation c.u_s = 1; c.u_m = 0.5;",
                      "Derivative c(k = 2, T = 0.1); equation c.u = time;"):
            found = check(model(f"import Daedal.Blocks.*; {block}"))
            self.assertEqual(found.code, 0, found.err)
            self.assertNotIn("units", found.err)

    def test_a_unit_that_is_written_in_another_way_is_noted(self):
        found = check(model('Real x(unit = "m/s^2") = time, y(unit = "kgm") = time, z(unit = "EUR") = time, w(unit = "m.s-1") = time;'))
        self.assertEqual(found.code, 0)
        self.assert_says(found.err, "m/s^2 of x (write m/s2)", "kgm of y (write kg.m)")
        self.assertNotIn("EUR", found.err)
        self.assertEqual(found.err.count("not read as units"), 1)
        right = check(model('Real x(unit = "m/s2") = time, y(unit = "kg.m") = time; Real z(unit = "EUR") = time;'))
        self.assertNotIn("units", right.err)

    def test_all_that_starts_outside_of_its_bounds_is_noted(self):
        found = run(["run", "-"], model("Real a(min = 10) = 5 + 0*time, b(min = 10) = time, c(max = -3) = 2*time, d(max = 9) = time;"))
        self.assertEqual(found.code, 0)
        self.assert_says(found.err, "a = 5 starts below its min of 10", "b = 0 below its min of 10", "c = 0 above its max of -3")
        self.assertNotIn("d = ", found.err)

    def test_start_values_are_noted_in_the_order_of_the_model(self):
        found = run(["run", "-"], model("Real x[25](start = 1:25), y(start = 7); equation for i in 1:25 loop der(x[i]) = -x[i]*y; "
                                        "end for; der(y) = -y;"))
        self.assertEqual(found.code, 0)
        named = re.search(r"used: (.*) and 6 more", found.err).group(1).split(", ")
        self.assertEqual(named, [f"x[{i}] = {i}" for i in range(1, 21)])

    def test_what_is_said_of_arrays_of_parameters(self):
        text = model("parameter Integer m[2] = {3, 4}; parameter Real D[2] = {1, 2}; Real x = D[1]*time;")
        found = run(["run", "-", "--vars=m"], text)
        self.assertEqual(found.code, 2)
        self.assert_says(found.err, "m is a parameter, with m[1] = 3")
        found = run(["run", "-", "--set=D={5,6}"], text)
        self.assertEqual(found.code, 2)
        example = re.search(r"as in (D\[1\]=\S+)", found.err).group(1)
        self.assertEqual(example, "D[1]=5")
        self.assertEqual(run(["run", "-", "--set", example], text).code, 0)


if __name__ == "__main__":
    unittest.main()

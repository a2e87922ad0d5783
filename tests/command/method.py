"""daedal method: the catalogue, a method's numbers and what follows from them, pictures."""
import functools
import json
import math
import unittest

from daedal import SANITIZED, THINNED, CommandTest, folder, run, tell_left_out

LIST_KEYS = ["name", "aliases", "parameters", "family", "stages", "order", "adaptive", "forms"]
MULTISTEP_KEYS = ["steps" if key == "stages" else key for key in LIST_KEYS]
ALL_FORMS = {"residual", "mass", "semi_explicit", "linear", "invariant"}
VIEWS = ["stability", "star", "frequency"]


@functools.cache
def catalogue():
    result = run(["method", "--json"])
    assert (result.code, result.err) == (0, ""), result
    return json.loads(result.out)


def first_order():
    """The rows that advance equations of first order."""
    return [row for row in catalogue() if row["family"] != "structural"]


@functools.cache
def described(name):
    result = run(["method", name, "--json"])
    assert (result.code, result.err) == (0, ""), result
    return json.loads(result.out)


def some(rows):
    """One row of each family and one in eight of the others, fewer with sanitizers: each costs a start of the
    command."""
    rows = list(rows)
    if not THINNED:
        return rows
    families = [row["family"] for row in rows]
    every = 32 if SANITIZED else 8
    kept = [row for k, row in enumerate(rows) if k % every == 0 or row["family"] not in families[:k]]
    tell_left_out("methods", len(rows) - len(kept), len(rows), "their families and kinds are run by others")
    return kept


class List(CommandTest):
    def test_every_method_is_listed_in_words_and_as_json(self):
        words = run(["method"])
        self.assertEqual((words.code, words.err), (0, ""))
        lines = words.out.splitlines()
        rows = catalogue()
        self.assertEqual(len(lines), len(rows) + 1)
        self.assertEqual(lines[0].split()[:5], ["name", "family", "stages/steps", "order", "adaptive"])
        for line, row in zip(lines[1:], rows):
            size = "steps" if "steps" in row else "stages"
            self.assertEqual(list(row), MULTISTEP_KEYS if size == "steps" else LIST_KEYS)
            found = line.split()
            self.assertEqual(found[:2], [row["name"], row["family"]])
            self.assertEqual([int(x) for x in found[2:4]], [row[size], row["order"]])
            self.assertEqual(found[4], "yes" if row["adaptive"] else "no")
            self.assertEqual(found[5:], row["aliases"])

    def test_names_and_aliases_are_unique_and_lead_to_their_row(self):
        seen = set()
        for row in catalogue():
            for name in [row["name"], *row["aliases"]]:
                self.assertNotIn(name, seen)
                seen.add(name)
        self.assertEqual(described("radau5")["name"], "radau-iia3")

    def test_forms_are_those_that_a_method_advances(self):
        for row in catalogue():
            forms = set(row["forms"])
            if row["family"] == "structural":
                self.assertEqual(forms, {"mechanical"}, row["name"])
                continue
            no_algebraic = row["family"] in ("explicit", "lobatto-iiib", "lobatto-iiicstar")
            if "steps" in row and not row["adaptive"]:  # explicit, or a root of sigma outside
                is_explicit = described(row["name"])["beta"][-1] == 0
                no_algebraic = is_explicit or row["name"].startswith("one-leg-adams")
            if no_algebraic:
                self.assertEqual(forms, {"residual", "mass", "invariant"}, row["name"])
            else:
                self.assertEqual(forms, ALL_FORMS, row["name"])


class One(CommandTest):
    def test_the_numbers_of_a_method_and_what_follows_from_them(self):
        found = described("radau5")
        self.assertEqual(list(found)[: len(LIST_KEYS)], LIST_KEYS)
        root = math.sqrt(6)
        self.assertEqual(len(found["A"]), 3)
        self.assert_near(found["c"][0], (4 - root) / 10, 1e-16)
        self.assert_near(found["A"][0][1], (296 - 169 * root) / 1800, 1e-15)
        self.assertEqual(found["A"][2], found["b"])
        self.assertIsNone(found["b_hat"])
        expected = {
            "order": 5,
            "stage_order": 3,
            "embedded_order": None,
            "stiffly_accurate": True,
            "r_infinity": 0,
            "a_stable": True,
            "l_stable": True,
            "alpha_degrees": 90,
            "algebraically_stable": True,
            "an_stable": True,
            "dae_orders": {
                "index1": {"y": 5, "z": 5},
                "moving_kernel": {"y": 5},
                "index2": {"y": 5, "z": 3},
                "index3": {"y": 5, "z": 3, "u": 2},
            },
        }
        for key, value in expected.items():
            self.assertEqual(found[key], value, key)
        self.assert_near(found["error_constant"], -1 / 7200, 1e-18)

    def test_what_is_not_promised_is_null(self):
        found = described("rk4")
        self.assertIsNone(found["r_infinity"])
        self.assertIsNone(found["an_stable"])
        self.assertEqual(found["alpha_degrees"], 0)
        for orders in found["dae_orders"].values():
            self.assertEqual(set(orders.values()), {None})

    def test_embedded_weights_are_there(self):
        found = described("dopri5")
        self.assertEqual(len(found["b_hat"]), 7)
        self.assert_near(sum(found["b_hat"]), 1, 1e-15)
        self.assertEqual((found["embedded_order"], found["adaptive"]), (4, True))

    def test_a_method_of_nodes_and_one_with_a_parameter(self):
        found = described("collocation(0,0.6,1)")
        self.assertEqual((found["name"], found["order"]), ("collocation(0,0.6,1)", 3))
        self.assert_near(found["A"][1][2], -9 / 100, 1e-16)
        shifted = described("lobatto-iiia3-shifted:rho_inf=0.25")
        self.assert_near(shifted["r_infinity"], 0.25, 1e-15)

    def test_in_words(self):
        result = run(["method", "radau5"])
        self.assertEqual((result.code, result.err), (0, ""))
        self.assert_says(result.out, "radau-iia3", "radau5", "Radau IIA", "0.155051025722", "1/9")
        self.assert_says(result.out, "order 5, stage order 3", "A-stable and L-stable", "index 3")
        for line in result.out.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_every_method_can_be_described(self):
        for row in some(catalogue()):
            self.assertEqual(run(["method", row["name"]]).code, 0)
            found = described(row["name"])
            for key in list(row)[2:]:
                self.assertEqual(found[key], row[key], row["name"])

    def test_a_multistep_method(self):
        found = described("bdf3")
        self.assertEqual(list(found)[: len(MULTISTEP_KEYS)], MULTISTEP_KEYS)
        self.assertEqual(found["beta"], [0, 0, 0, 1])
        for value, expected in zip(found["alpha"], [-1 / 3, 3 / 2, -3, 11 / 6]):
            self.assert_near(value, expected, 1e-15)
        self.assert_near(found["error_constant"], -1 / 4, 1e-16)
        self.assert_near(found["alpha_degrees"], 86.0324, 5e-5)
        expected = {
            "steps": 3,
            "order": 3,
            "gamma": None,
            "one_leg": False,
            "zero_stable": True,
            "barrier": 4,
            "r_infinity": 0,
            "a_stable": False,
            "l_stable": False,
            "stage_order": None,
            "dae_orders": {
                "index1": {"y": 3, "z": 3},
                "moving_kernel": {"y": 3},
                "index2": {"y": 3, "z": 3},
                "index3": {"y": 3, "z": 3, "u": 3},
            },
        }
        for key, value in expected.items():
            self.assertEqual(found[key], value, key)
        for key in ["A", "b", "c"]:
            self.assertNotIn(key, found)

    def test_a_blocked_method(self):
        found = described("dcbdf2")
        self.assert_near(sum(found["gamma"]), 0, 1e-16)
        self.assertEqual(found["sigma_less_tau_roots"], [[0, 0], [0, 0]])
        self.assert_near(max(math.hypot(*root) for root in found["sigma_roots"]), found["r_infinity"], 1e-15)

    def test_the_largest_root_and_the_phase_over_the_frequency(self):
        euler = described("implicit-euler")["spectral_radius"]
        self.assert_near(euler[0][0], 0.01, 1e-17)
        self.assertEqual(euler[-1][0], 10)
        for frequency, radius, phase in euler:
            self.assert_near(radius, 1 / math.hypot(1, frequency), 1e-15)
            self.assert_near(phase, math.atan(frequency) / frequency - 1, 1e-14)
        for _, radius, _ in described("trapezoidal")["spectral_radius"]:
            self.assert_near(radius, 1, 1e-15)
        found = described("milne")
        below = [radius for frequency, radius, _ in found["spectral_radius"] if frequency < math.sqrt(3)]
        self.assert_near(max(below), 1, 1e-14)
        self.assertGreater(found["spectral_radius"][-1][1], 3)
        self.assertLess(found["principal_modulus"][-1], 1)

    def test_a_multistep_method_in_words(self):
        result = run(["method", "adams-moulton3"])
        self.assertEqual((result.code, result.err), (0, ""))
        self.assert_says(result.out, "3 steps", "-5/24", "19/24", "order 4", "zero-stable", "which it meets")
        self.assert_says(run(["method", "bdf4"]).out, "alpha = 73.3517 degrees", "25/12")
        self.assert_says(run(["method", "two-step"]).out, "A-stable", "Dahlquist's second barrier")
        for name in ["adams-moulton3", "dcbdf2", "mebdf"]:
            for line in run(["method", name]).out.splitlines():
                self.assertEqual(line, line.rstrip())

    def test_a_structural_method(self):
        found = described("fox-goodwin")
        self.assertEqual(found["name"], "fox-goodwin:corrected=0")
        self.assert_near(found["beta"], 1 / 12, 1e-17)
        self.assert_near(found["r_infinity"], 5 + 2 * math.sqrt(6), 1e-14)
        for _, limit in found["stability_limit"]:
            self.assert_near(limit, math.sqrt(6), 1e-14)
        expected = {
            "alpha_m": 0,
            "alpha_f": 0,
            "gamma": 0.5,
            "delta": 0,
            "order": 2,
            "order_uncorrected": 2,
            "a_stable": False,
            "forms": ["mechanical"],
            "stage_order": None,
            "dae_orders": {
                "index1": {"y": 2, "z": 2},
                "moving_kernel": {"y": None},
                "index2": {"y": 2, "z": None},
                "index3": {"y": None, "z": None, "u": None},
            },
        }
        for key, value in expected.items():
            self.assertEqual(found[key], value, key)
        found = described("newmark:alpha=0.75,beta=0.2")
        for ratio, limit in found["stability_limit"]:  # Hughes 1987, (9.1.29)
            bend, excess = 0.75 / 2 - 0.2, ratio * (0.75 - 0.5)
            self.assert_near(limit, (excess + math.sqrt(bend + excess**2)) / bend, 1e-14)

    def test_a_structural_method_in_words(self):
        result = run(["method", "generalized-alpha:rho_inf=0.5"])
        self.assertEqual((result.code, result.err), (0, ""))
        self.assert_says(result.out, "Chung & Hulbert", "4/9", "unconditionally stable", "motion 2, multipliers 2")
        self.assertNotIn("tangent", result.out)
        self.assert_says(run(["method", "central-difference"]).out, "conditionally stable", "limit of omega h: 2 with")
        self.assert_says(run(["method", "newmark:alpha=0.4"]).out, "not stable without damping")
        self.assert_says(run(["method", "fox-goodwin:corrected=1"]).out, "order 4 in the tangent", "else 2")
        for line in run(["method", "hht"]).out.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_a_wrong_name_is_refused_with_the_nearest_one(self):
        self.assert_refused(["method", "radua5"], '"radua5"', "radau5")
        self.assert_refused(["method", "collocation(0,0)"], "node")
        self.assert_refused(["method", "rk4", "rk38"], "rk38")


CIRCLE = """model Circle Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation der(x) = -y; der(y) = x; end Circle;"""
RESISTOR = """model Resistor Real v(start = 1, fixed = true), i;
equation der(v) = -i; v = i + i^3/10; end Resistor;"""


class Runs(CommandTest):
    """daedal run --method NAME --step H --formulation direct, of every row of the catalogue."""

    def run_fixed(self, name, model, step):
        args = ["run", "-", "--method", name, "--step", step, "--formulation", "direct", "--at", "1", "-q"]
        return run(args, stdin=model)

    def error(self, name, step):
        result = self.run_fixed(name, CIRCLE, step)
        self.assertEqual((result.code, result.err), (0, ""), name)
        t, x, y = map(float, result.out.splitlines()[1].split(","))
        self.assertEqual(t, 1)
        return math.hypot(x - math.cos(1), y - math.sin(1))

    def test_the_order_on_an_oscillation_by_every_name(self):
        for row in some(first_order()):
            for name in [row["name"], *row["aliases"]]:
                steps = ("0.125", "0.0625") if "stages" in row else ("0.025", "0.0125")
                coarse, fine = (self.error(name, step) for step in steps)
                with self.subTest(method=name, coarse=coarse, fine=fine):
                    self.assertLess(fine, 0.1)
                    if fine > 1e-12:
                        self.assertGreater(math.log2(coarse / fine), row["order"] - 0.3)

    def test_equations_with_an_algebraic_variable(self):
        for row in some(first_order()):
            result = self.run_fixed(row["name"], RESISTOR, "0.01")
            with self.subTest(method=row["name"]):
                if "semi_explicit" in row["forms"]:
                    self.assertEqual((result.code, result.err), (0, ""))
                    _, v, i = map(float, result.out.splitlines()[1].split(","))
                    self.assertAlmostEqual(v, i + i**3 / 10, delta=1e-3)
                else:
                    self.assertEqual((result.code, result.out), (2, ""))
                    self.assert_says(result.err, row["name"], "cannot advance the algebraic variable i")


class Pictures(CommandTest):
    def test_each_view_is_drawn_in_each_kind(self):
        magic = {".svg": b"<?xml", ".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-1."}
        if THINNED:
            tell_left_out("pictures", 4, 9, "each view and each kind is drawn once")
        with folder() as here:
            for view in VIEWS:
                for ending, begin in magic.items():
                    if THINNED and view != "frequency" and ending != ".svg":
                        continue
                    name = f"x{ending}"
                    result = run(["method", "radau5", "--plot", name, "--view", view], cwd=here)
                    self.assertEqual((result.code, result.err), (0, ""))
                    self.assertTrue((here / name).read_bytes().startswith(begin))

    def test_a_picture_says_what_it_shows(self):
        with folder() as here:
            run(["method", "euler", "--plot=x.svg"], cwd=here)
            text = (here / "x.svg").read_text()
            self.assert_says(text, "euler: where |R(z)| &lt;= 1", "Re z", "Im z")

    def test_stability_is_the_default_and_the_answer_stays(self):
        with folder() as here:
            result = run(["method", "rk4", "--json", "--plot=x.svg"], cwd=here)
            self.assertEqual(json.loads(result.out)["order"], 4)
            self.assertIn("|R(z)|", (here / "x.svg").read_text())

    def test_names_are_data(self):
        with folder() as here:
            result = run(["method", "collocation(0, 1/2, 1)", "--plot=x.svg"], cwd=here)
            self.assertEqual((result.code, result.err), (0, ""))
            self.assertIn("collocation(0,1/2,1): where", (here / "x.svg").read_text())

    def test_multistep_methods_are_drawn_but_have_no_order_star(self):
        with folder() as here:
            for view in ["stability", "frequency"]:
                result = run(["method", "bdf4", "--plot=x.svg", "--view", view], cwd=here)
                self.assertEqual((result.code, result.err), (0, ""))
            self.assertIn("largest root", (here / "x.svg").read_text())
            self.assert_refused(["method", "bdf4", "--plot=x.svg", "--view=star"], "one-step", "bdf4")

    def test_of_structural_methods_the_factors_over_the_frequency_are_drawn(self):
        with folder() as here:
            for view in [[], ["--view=frequency"]]:
                result = run(["method", "hht", "--plot=x.svg", *view], cwd=here)
                self.assertEqual((result.code, result.err), (0, ""))
                self.assertIn("largest root", (here / "x.svg").read_text())
            self.assert_refused(["method", "hht", "--plot=x.svg", "--view=stability"], "second order", "frequency")

    def test_what_cannot_be_drawn_is_refused(self):
        self.assert_refused(["method", "rk4", "--plot=x.gif"], ".svg")
        self.assert_refused(["method", "rk4", "--plot=/nonexistent/x.svg"], "/nonexistent/x.svg")
        self.assert_refused(["method", "--plot=x.svg"], "which method")
        self.assert_refused(["method", "rk4", "--view=star"], "--plot")
        self.assert_refused(["method", "rk4", "--plot=x.svg", "--view=moon"], "moon", "frequency")


if __name__ == "__main__":
    unittest.main()

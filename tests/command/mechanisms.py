"""Models that are followed as mechanical systems: the trajectories, reactions and constraints are
those of the model's own formulation, in whatever words it is written, and what cannot be followed
is refused before anything is written."""
import math
import unittest

from check_mechanical import COUPLED, pendulum, rewrite
from daedal import CORPUS, DECAY, EXAMPLES, CommandTest, of_grid, run, simulate

FORMULATIONS = (
    "index3 index2 baumgarte:xi=1,omega=20 ggl ggl-mass fuhrer-leimkuhler elimination "
    "udwadia-kalaba partition nullspace-qr nullspace-svd zero-eigenvalue"
).split()

# Their forces follow deviations; errors are about 1/alpha, and those of the penalty's motion.
PENALTIES = ["penalty:alpha=1e9,omega=30", "augmented"]

# Reactions are written along combinations of the constraints' gradients, with factors that depend
# on the place; their signs and sizes are others than those of lambda in G' lambda.
COMBINED = """model Combined
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = 0), z(start = -0.8), u(start = 0, fixed = true);
  Real v(start = 1), w, F, N;
equation
  der(x) = u; der(y) = v; der(z) = w;
  2*der(u) = -(3*F + N)*x + (2 + z)*(F - N)*y;
  2*der(v) = -(3*F + N)*y + (2 + z)*(F - N)*x;
  2*der(w) = -(3*F + N)*z - 2*g;
  x^2 + y^2 + z^2 = 1;
  x*y = 0;
end Combined;
"""

# Driven along a path in time, with friction and a scaled velocity.
DRIVEN = """model Driven
  parameter Real g = 9.81;
  Real x(start = 0), y(start = -1), p, u(nominal = 3), v, T;
equation
  p = 0.2*sin(5*time);
  2*der(x) = u; der(y) = v;
  der(u) = 2*((p - x)*T - 0.1*u*abs(u)); der(v) = -y*T - g - 0.1*v;
  (x - p)^2 + y^2 = 1;
initial equation
  x = 0.6; u = 0;
end Driven;
"""

# A spring that is met on the way.
SPRING = pendulum(first="der(u) = -x*T + (if x < -0.3 then -100*(x + 0.3) else 0)")

# A rod whose load makes the weight another one.
HEAVY = pendulum(second="der(v) = -y*T - (if heavy then 2*g else g)").replace(
    "equation", "Boolean heavy(start = false); equation heavy = T > 12 or pre(heavy) and x > -0.5;")

# A mass that another one leaves.
LOSES = pendulum(first="m*der(u) = -x*T").replace(
    "equation", "discrete Real m(start = 2, fixed = true); equation "
                "when x < 0 then m = 1; end when;")

# The rod is written twice: the multipliers are not determined, but for their sum.
TWICE = """model Twice
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, F, N;
equation
  der(x) = u; der(y) = v;
  der(u) = -2*x*F - 4*x*(x^2 + y^2)*N;
  der(v) = -2*y*F - 4*y*(x^2 + y^2)*N - g;
  x^2 + y^2 = 1;
  (x^2 + y^2)^2 = 1;
end Twice;
"""

# A platform on three equal cranks, one more than it needs.
PLATFORM = """model Platform
  parameter Real g = 9.81;
  Real a(start = 0.5, fixed = true), b(start = 0.5), c(start = 0.5), x(start = 0.8), y(start = 0.5);
  Real p(start = 0), wa(start = 1, fixed = true), wb, wc, u, v, w, F1, F2, F3, F4, F5, F6;
equation
  der(a) = wa; der(b) = wb; der(c) = wc; der(x) = u; der(y) = v; der(p) = w;
  der(wa) = -sin(a)*F1 + cos(a)*F2;
  der(wb) = -sin(b)*F3 + cos(b)*F4;
  der(wc) = -sin(c)*F5 + cos(c)*F6;
  2*der(u) = -F1 - F3 - F5;
  2*der(v) = -F2 - F4 - F6 - 2*g;
  der(w) = 2*sin(p)*F3 - 2*cos(p)*F4 + sin(p)*F5 - cos(p)*F6;
  cos(a) = x; sin(a) = y;
  cos(b) + 2 = x + 2*cos(p); sin(b) = y + 2*sin(p);
  cos(c) + 1 = x + cos(p); sin(c) = y + sin(p);
end Platform;
"""

# Its bars lie down on the way, where two of the five constraints depend on the others.
DOUBLE_FOUR_BAR = """model DoubleFourBar
  parameter Real g = 9.81;
  Real x1(start = 0, fixed = true), y1(start = 1), x2(start = 1), y2(start = 1), x3(start = 2);
  Real y3(start = 1), u1(start = 1, fixed = true), v1, u2, v2, u3, v3, A, B, C, D, E;
equation
  der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2; der(x3) = u3; der(y3) = v3;
  der(u1) = x1*A - (x2 - x1)*D;
  der(v1) = y1*A - (y2 - y1)*D - g;
  der(u2) = (x2 - 1)*B + (x2 - x1)*D - (x3 - x2)*E;
  der(v2) = y2*B + (y2 - y1)*D - (y3 - y2)*E - g;
  der(u3) = (x3 - 2)*C + (x3 - x2)*E;
  der(v3) = y3*C + (y3 - y2)*E - g;
  x1^2 + y1^2 = 1; (x2 - 1)^2 + y2^2 = 1; (x3 - 2)^2 + y3^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1; (x3 - x2)^2 + (y3 - y2)^2 = 1;
end DoubleFourBar;
"""

# A bar on two equal cranks, which swings through the horizontal, where all lie in one line.
SWING = """model Swing
  parameter Real g = 9.81;
  Real x(start = 0.866025403784438647, fixed = true), y(start = 0.5), p(start = 0);
  Real u, v(start = 0, fixed = true), w, F, G;
equation
  der(x) = u; der(y) = v; der(p) = w;
  der(u) = -2*x*F - 2*(x + cos(p) - 1)*G;
  der(v) = -2*y*F - 2*(y + sin(p))*G - g;
  0.5*der(w) = 2*(x + cos(p) - 1)*sin(p)*G - 2*(y + sin(p))*cos(p)*G;
  x^2 + y^2 = 1;
  (x + cos(p) - 1)^2 + (y + sin(p))^2 = 1;
end Swing;
"""


def crowd(count):
    """Beside the swing so many pendulums: 5 + 3 count velocities and constraints."""
    return SWING.replace(
        "equation",
        f"""Real a[{count}](each start = 0.6, each fixed = true), b[{count}](each start = -0.8);
  Real c[{count}](each start = 0, each fixed = true), d[{count}], T[{count}];
equation
  for i in 1:{count} loop
    der(a[i]) = c[i]; der(b[i]) = d[i]; der(c[i]) = -a[i]*T[i]; der(d[i]) = -b[i]*T[i] - g;
    a[i]^2 + b[i]^2 = 1;
  end for;""",
    )


def tight(model, **options):
    return simulate(model, **{"rtol": 1e-9, "atol": 1e-9, "points": 6, "stop": 1, **options})


class Mechanisms(CommandTest):
    def assert_same(self, found, wanted, tolerance, columns=None):
        """Row by row, relative to the largest value of each column."""
        self.assertEqual(found.header, wanted.header)
        self.assertEqual(len(found.rows), len(wanted.rows))
        for name in columns or wanted.header[1:]:
            size = max(1e-3, max(abs(row[name]) for row in wanted.rows))
            for one, other in zip(found.rows, wanted.rows):
                self.assert_near(one[name] / size, other[name] / size, tolerance)

    def assert_met(self, run, levels):
        """Equations and all levels, to round-off."""
        self.assertEqual(len(run.stats["max_constraint"]), levels)
        for worst in [run.stats["max_residual"], *run.stats["max_constraint"]]:
            self.assertLessEqual(worst, 1e-13)

    def assert_mechanical(self, run, formulation):
        self.assertEqual(run.stats["formulation"], formulation)
        self.assert_says(run.stats["reasons"], "a mechanical system of")

    def test_mechanisms_in_any_words(self):
        for name, stop, levels in (
            ("Atwood", 1, 3),
            ("BeadOnParabola", 1, 3),
            ("CarAxis", 0.3, 3),
            ("DoublePendulum", 1, 3),
            ("GearTrain", 1, 3),
            ("MovingPivot", 1, 3),
            ("PendulumCartesian", 1, 3),
            ("PendulumVelocity", 1, 2),
            ("RollingDisk", 1, 2),
            ("SliderCrank", 1, 3),
            ("AndrewsSqueezer", 0.005, 3),
        ):
            written = (CORPUS / f"{name}.mo").read_text()
            for seed in range(2):
                text = rewrite(written, seed) if seed else written
                with self.subTest(name, seed=seed):
                    wanted = tight(text, stop=stop, formulation="index1")
                    found = tight(text, stop=stop, formulation="elimination")
                    self.assert_mechanical(found, "elimination")
                    self.assert_same(found, wanted, 1e-7)
                    self.assert_met(found, levels)

    def test_reactions_that_are_combined_or_scaled(self):
        for seed in range(3):
            text = rewrite(COMBINED, seed) if seed else COMBINED
            with self.subTest(seed=seed):
                wanted = tight(text, formulation="index1")
                for formulation in "elimination", "ggl":
                    found = tight(text, formulation=formulation)
                    self.assert_mechanical(found, formulation)
                    self.assert_same(found, wanted, 1e-6)

    def test_time_and_velocities_in_constraints(self):
        for text, levels in (DRIVEN, 3), (COUPLED, 3):
            for seed in range(2):
                written = rewrite(text, seed) if seed and text is COUPLED else text
                with self.subTest(levels=levels, seed=seed):
                    wanted = tight(written, formulation="index1")
                    found = tight(written, formulation="elimination")
                    self.assert_same(found, wanted, 1e-6)
                    self.assert_met(found, levels)

    def test_every_formulation(self):
        wanted = tight(DRIVEN, formulation="index1")
        for formulation in FORMULATIONS + PENALTIES:
            with self.subTest(formulation):
                name = formulation.split(":")[0]
                found = tight(DRIVEN, formulation=formulation, stop=1)
                self.assert_mechanical(found, name)
                # errors of multipliers of index 3 are those of velocities over the step
                loose = name in ("index3", "penalty", "augmented")
                states = ["x", "y", "u", "v"]
                self.assert_same(found, wanted, 1e-4 if loose else 1e-6, states if loose else None)

    def test_new_charts_keep_the_past_of_multistep_methods(self):
        for method in "bdf", "mebdf":
            for formulation in "nullspace-qr", "partition":
                with self.subTest(method, formulation=formulation):
                    wanted = tight(DRIVEN, formulation="elimination", method=method)
                    found = tight(DRIVEN, formulation=formulation, method=method)
                    self.assertGreater(found.stats["chart_changes"], 0)
                    self.assertLess(found.stats["steps"], 1.5 * wanted.stats["steps"])
                    self.assert_same(found, wanted, 1e-6)

    def test_singular_configurations_are_passed(self):
        """The bars fall as one pendulum does."""
        start = "0), y(start = 1), u(start = 1"
        text = pendulum().replace("0.6), y(start = -0.8), u(start = 0", start)
        wanted = tight(text, formulation="index1", points=9, stop=2)
        for formulation in "ggl", "nullspace-qr":
            with self.subTest(formulation):
                found = simulate(DOUBLE_FOUR_BAR, formulation=formulation, method="radau-iia3",
                                 rtol=1e-7, atol=1e-7, points=9, stop=2)
                for one, other in zip(found.rows, wanted.rows):
                    self.assert_near(one["x1"], other["x"], 2e-6)

    def test_structural_methods(self):
        wanted = tight(DRIVEN, formulation="index1")
        for formulation in "tangent", "index1", "index2", "index3", "direct":
            with self.subTest(formulation):
                found = tight(
                    DRIVEN,
                    formulation=formulation,
                    method="generalized-alpha",
                    step=5e-4,
                )
                self.assert_mechanical(found, formulation)
                self.assert_same(found, wanted, 1e-4, ["x", "y", "u", "v"])
        self.assertEqual(tight(DRIVEN, method="newmark", step=1e-3).stats["formulation"], "tangent")

    def test_structural_methods_without_constraints(self):
        """x = cos t, whatever its velocity is called, by methods of order 2 at least."""
        declared = "model O Real x(start = 1, fixed = true), v(start = 0, fixed = true);"
        for text in (
            f"{declared} equation der(x) = v; der(v) = -x; end O;",
            f"{declared} Real f; equation 3*der(v) = f; der(x) = v; f + 3*x = 0; end O;",
        ):
            for method in "newmark", "generalized-alpha", "fox-goodwin", "central-difference":
                with self.subTest(text, method=method):
                    last = simulate(text, method=method, step=1e-3, points=2).rows[-1]
                    self.assert_near(last["x"], math.cos(1), 1e-6)
                    self.assert_near(last["v"], -math.sin(1), 1e-6)

    def test_tangent_takes_a_method(self):
        run_ = simulate(pendulum(), formulation="tangent", stop=1, points=2)
        right = tight(pendulum(), stop=1, points=2).rows[-1]
        self.assertIn("generalized-alpha", run_.stats["method"])
        self.assertEqual(run_.stats["formulation"], "tangent")
        self.assert_near(run_.rows[-1]["x"], right["x"], 1e-4)

    def test_projections(self):
        wanted = tight(DRIVEN, formulation="index1")
        for projection in (
            "coordinate", "mass", "fz", "least-squares", "derivative", "post", "post2",
        ):
            with self.subTest(projection):
                found = tight(DRIVEN, formulation="elimination", projection=projection)
                self.assertEqual(found.stats["projection"], projection)
                self.assert_same(found, wanted, 1e-6)
        found = tight(DRIVEN, projection="mass")
        self.assert_mechanical(found, "elimination")
        self.assert_met(found, 3)

    def test_events_are_those_of_the_model(self):
        texts = [SPRING, HEAVY, LOSES]
        for text in texts:
            wanted = simulate(text, formulation="index1", rtol=1e-9, atol=1e-9, stop=2, points=9)
            for formulation in "elimination", "ggl", "index2", "baumgarte":
                with self.subTest(formulation, text=text):
                    found = simulate(text, formulation=formulation, rtol=1e-9, atol=1e-9, stop=2,
                                     points=9)
                    self.assert_mechanical(found, formulation)
                    self.assert_same(found, wanted, 1e-6)
                    self.assertEqual(found.stats["events"], wanted.stats["events"])
                    self.assertGreater(found.stats["events"], 0)

    def test_events_decide_what_auto_takes(self):
        for text in SPRING, HEAVY, LOSES:
            self.assertEqual(simulate(text, stop=0.1).stats["formulation"], "index1")

    def test_a_row_scaled_by_a_discrete_variable_is_none_of_a_mechanism(self):
        text = LOSES.replace("m*der(u) = -x*T", "der(u) = -x*T/m")
        self.assert_refused(["run", "-", "--formulation=ggl"], "has not the form", stdin=text)

    def test_events_where_the_structure_misleads_are_refused(self):
        jumps = TWICE.replace("der(u) =", "der(u) = -0.1*sign(u)")
        self.assert_refused(["run", "-", "--formulation=ggl"], "structure misleads", "events",
                            "--formulation index1", stdin=jumps)
        bends = TWICE.replace("der(u) =", "der(u) = -0.1*u*abs(u)")
        note = run(["run", "-", "--formulation=elimination", "--points=2"], bends).err
        self.assert_says(note, "1 relation switches without the instant being located")

    def test_constraints_made_of_pieces_are_none_of_a_mechanism(self):
        text = pendulum(third="x^2 + (if x > 0 then y^2 else y^2 + 0.1*x^2) = 1")
        self.assert_refused(["run", "-", "--formulation=ggl"], "has not the form", stdin=text)

    def test_constraints_that_depend_on_each_other_are_left_to_the_mechanical_system(self):
        rod = tight(pendulum(third="x^2 + y^2 = 1", first="der(u) = -2*x*T",
                             second="der(v) = -2*y*T - g"), formulation="index1")
        twice = tight(TWICE)
        self.assert_mechanical(twice, "elimination")
        self.assert_says(twice.stats["reasons"], "1 of the constraints depend on the others")
        self.assert_met(twice, 3)
        for one, other in zip(twice.rows, rod.rows):
            for name in "x", "y", "u", "v":
                self.assert_near(one[name], other[name], 1e-6)
            self.assert_near(one["F"] + 2 * one["N"], other["T"], 1e-5)
        self.assert_says(run(["check", "-"], TWICE).out, "auto takes formulation elimination")
        for text in TWICE, PLATFORM:  # reduced to index 1 they come to nothing
            found = simulate(text, status=1, formulation="index1", method="radau-iia3")
            self.assertLess(found.stats["steps"], 5)
        platform = tight(PLATFORM)
        self.assert_mechanical(platform, "elimination")
        self.assert_met(platform, 3)
        for row in platform.rows:
            self.assert_near(row["p"], 0, 1e-9)
            energy = (1.5 * row["wa"]**2 + row["u"]**2 + row["v"]**2) + 2 * 9.81 * row["y"]
            self.assert_near(energy, 2.5 + 2 * 9.81 * platform.rows[0]["y"], 1e-6)
        for method in "bdf", "mebdf", "radau", "rodas5p", "dop853", "state-space-dop853":
            named = tight(PLATFORM, method=method, rtol=1e-7, atol=1e-7)
            self.assert_mechanical(named, "elimination")
            for one, other in zip(named.rows, platform.rows):
                self.assert_near(one["x"], other["x"], 1e-5)

    def test_an_assertion_fails(self):
        text = pendulum().replace("equation", 'equation assert(T < 10, "the rod breaks");')
        instants = []
        for formulation in "index1", "elimination", "partition":
            message = simulate(text, status=1, formulation=formulation, points=3, rtol=1e-9,
                               atol=1e-9, stop=2).stats["message"]
            self.assert_says(message, "assertion failed", "the rod breaks")
            instants.append(float(message.split("t = ")[1].split(":")[0]))
        for instant in instants:
            self.assert_near(instant, instants[0], 1e-6)

    def test_missing_values_name_the_equation_of_the_author(self):
        inside = pendulum(second="der(v) = -y*T - g + drag").replace(
            "v(start = 0), T;", "v(start = 0), T, drag;"
        ).replace("equation", "equation drag = 0.1*sqrt(y + 0.9);")
        outside = inside.replace("- g + drag", "- g")
        motion = pendulum(second="der(v) = -y*T - g + sqrt(y + 0.9)")
        for text, source in (
            (inside, "drag = 0.1*sqrt(y + 0.9)"),
            (outside, "drag has no finite value"),
            (motion, "der(v) = -y*T - g + sqrt(y + 0.9)"),
        ):
            found = simulate(text, status=1, formulation="elimination", method="dop853", points=3,
                             stop=2)
            self.assert_says(found.stats["message"], source)

    def test_the_instant_at_which_values_end_is_found(self):
        for value in "log(y + 0.9)", "sqrt(y + 0.9)", "(y + 0.9)^1.5":
            text = pendulum().replace("v(start = 0), T;", "v(start = 0), T, beside;")
            text = text.replace("equation", f"equation beside = {value};")
            instants = []
            for options in ({"formulation": "elimination", "method": "dop853"},
                            {"formulation": "index1", "method": "radau-iia3"}):
                message = tight(text, status=1, stop=2, points=2, **options).stats["message"]
                self.assert_says(message, "beside has no finite value")
                instants.append(float(message.split("t = ")[1].split(" ")[0]))
            self.assert_near(instants[0], instants[1], 1e-5)

    def test_auto_passes_a_singular_configuration(self):
        right = tight(SWING, formulation="elimination", stop=5).rows[-1]
        for rtol in 1e-4, 1e-6, 1e-9:
            found = simulate(SWING, rtol=rtol, atol=rtol, stop=5, points=2)
            self.assertEqual(found.stats["formulation"], "elimination")
            for name in "x", "y", "u", "v":
                self.assert_near(found.rows[-1][name], right[name], 1e3 * rtol)

    def test_a_singular_configuration_is_passed_or_its_remedy_told(self):
        stopped = tight(SWING, status=1, formulation="index1", method="radau-iia3", stop=5)
        remedy = "remedy: this is a mechanism", "formulation elimination"
        self.assert_says(stopped.stats["message"], *remedy)
        passed = tight(SWING, formulation="elimination", stop=5)
        for row in passed.rows:  # a pendulum
            self.assert_near(row["p"], 0, 1e-9)
            energy = 0.5 * (row["u"]**2 + row["v"]**2) + 9.81 * row["y"]
            self.assert_near(energy, 9.81 * 0.5, 1e-6)

    def test_a_singular_configuration_is_not_passed_without_a_word(self):
        """By index 1, which need not find the branch after it; dense and sparse gradients."""
        for text in SWING, crowd(30):
            note = run(["run", "-", "--formulation=index1", "--stop=5", "--points=2"], text).err
            self.assert_says(note, "one of the constraints hardly differs", "another branch",
                             "note: remedy: this is a mechanism")
        turning = """model M
  Real a, b, x(start = 1, fixed = true), u, w;
equation
  der(a) = u; der(b) = w; der(x) = 8.5*x;
  a + cos(x) = 0; b + sin(x) = 0;
end M;"""  # at x = 5000 gradients look alike beside such an angle, but are perpendicular
        note = run(["run", "-", "--stop=1", "--points=2", "--vars=x"], turning).err
        self.assertNotIn("hardly differs", note)

    def test_the_remedy_is_told_where_it_is_one(self):
        """Not where the mechanical system lacks what the model asks for, nor of a larger one."""
        jerk = SWING.replace("equation", 'equation assert(der(F) < 1e99, "jerk");')
        options = {"formulation": "index1", "method": "bdf", "stop": 0.5, "status": 1}
        sizes = of_grid([(231, True), (232, False)], [(30, True)], [(30, True)])
        for text, told in (*((crowd(n), told) for n, told in sizes), (jerk, False)):
            message = tight(text, **options).stats["message"]
            self.assertEqual("remedy: this is a mechanism" in message, told, message)

    def test_large_systems_with_multipliers_tell_what_passes(self):
        options = {"formulation": "ggl", "method": "radau-iia3", "stop": 5, "status": 1}
        message = tight(crowd(30), **options).stats["message"]
        self.assert_says(message, "remedy: where constraints come to depend on each other",
                         "formulation elimination goes on")

    def test_large_systems_pass_singular_configurations_too(self):
        options = {"formulation": "elimination", "stop": 5, "points": 2, "vars": "x,y,p"}
        right = tight(SWING, **options).rows[-1]
        for count in 19, 30:
            found = tight(crowd(count), method="radau-iia3", **options).rows[-1]
            for name in "x", "y", "p":
                self.assert_near(found[name], right[name], 1e-7)

    def test_check_says_which_way_is_taken(self):
        out = run(["check", "-"], pendulum()).out
        self.assert_says(out, "auto takes formulation elimination; others of mechanical systems can")


class Refusals(CommandTest):
    def test_what_is_mechanical_is_refused_before_the_header(self):
        for options, parts in (
            (["--formulation=elimination"], ["formulation elimination", "index1"]),
            (["--formulation=tangent"], ["formulation tangent", "has not the form"]),
            (["--projection=mass"], ["projection mass", "coordinate"]),
            (["--method=newmark"], ["newmark", "has not the form"]),
        ):
            for text in DECAY, pendulum(first="der(u) = -T", second="der(v) = -T - g"):
                with self.subTest(options):
                    self.assert_refused(["run", "-", *options], *parts, stdin=text)

    def test_what_does_not_suit_a_mechanism_is_refused_before_the_header(self):
        for options, parts in (
            (["--formulation=tangent", "--method=bdf"], ["structural methods"]),
            (["--formulation=ggl", "--projection=embedded"], ["projection embedded", "coordinate"]),
            (["--formulation=ggl", "--method=newmark"], ["newmark", "tangent"]),
            (["--formulation=baumgarte:xi=-1"], ["xi=-1"]),
        ):
            with self.subTest(options):
                self.assert_refused(["run", "-", *options], *parts, stdin=pendulum())

    def test_fz_is_refused_before_the_header(self):
        """Where hidden constraints are not determined, nothing shows their multipliers."""
        text = """model A Real x(start = 1, fixed = true), y, z; equation der(x) + der(y) + z = time;
            x + y = sin(time); x*z - z^2*y = 0.1*time; end A;"""
        self.assert_refused(["run", "-", "--projection=fz"], "projection fz", "coordinate", stdin=text)

    def test_derivatives_that_the_mechanical_system_lacks(self):
        text = pendulum().replace("equation", 'equation assert(der(T) < 1e9, "jerk");')
        self.assert_refused(["run", "-", "--formulation=ggl"], "derivatives", "index1", stdin=text)


if __name__ == "__main__":
    unittest.main()

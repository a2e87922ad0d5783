"""That `check` finds the form of a constrained mechanical system however its equations are written,
and in no others: models are rewritten at random, with other names, orders, signs, scales, aliases
and intermediate variables."""
import json
import random
import re
import unittest

from daedal import CORPUS, EXAMPLES, CommandTest, run

# Coordinates, constraints of positions, constraints of velocities.
MECHANISMS = {
    "Atwood": (2, 1, 0),
    "BeadOnParabola": (2, 1, 0),
    "CarAxis": (4, 2, 0),
    "DoublePendulum": (4, 2, 0),
    "GearTrain": (2, 1, 0),
    "MovingPivot": (2, 1, 0),
    "PendulumCartesian": (2, 1, 0),
    "PendulumVelocity": (2, 0, 1),
    "RollingDisk": (2, 0, 1),
    "SliderCrank": (2, 1, 0),
    "AndrewsSqueezer": (7, 6, 0),
}

# Inertia that couples coordinates, and two kinds of constraints.
COUPLED = """model Coupled
  parameter Real m = 2; parameter Real J = 0.7; parameter Real l = 0.4; parameter Real g = 9.81;
  Real x(start = 0.3), y(start = 0.1), s(start = 0.2), p(start = 0.5), u, v, w, o, F, N;
equation
  der(x) = u; der(y) = v; der(s) = w; der(p) = o;
  (m + 1)*der(u) + m*l*cos(p)*der(o) = m*l*o^2*sin(p) + F*exp(x) - N*sin(s);
  3*der(v) = -g - F;
  0.5*der(w) = N*cos(s) - w;
  m*l*cos(p)*der(u) + (J + m*l^2)*der(o) = -m*g*l*sin(p);
  exp(x) - y = 1;
  -sin(s)*u + cos(s)*w = 0.1;
end Coupled;
"""

PENDULUM = """model Pendulum
  parameter Real g = 9.81; parameter Real c = 0.3;
  Real x(start = 0.6), y(start = -0.8), u(start = 0), v(start = 0), T;
equation
  der(x) = u; der(y) = v;
  {first};
  {second};
  {third};
end Pendulum;
"""


def pendulum(first="der(u) = -x*T", second="der(v) = -y*T - g", third="x^2 + y^2 = 1"):
    return PENDULUM.format(first=first, second=second, third=third)


# Each of them differs from a mechanism in one thing. The form that each has without it.
LOOK_ALIKES = {
    "chain": (CORPUS / "DerivativeChain4.mo", "linear"),
    "another direction": (pendulum(first="der(u) = -T", second="der(v) = -T - g"), "semi_explicit"),
    "across the rod": (pendulum(first="der(u) = -y*T", second="der(v) = x*T - g"), "semi_explicit"),
    "one reaction alone": (pendulum(first="der(u) = -c*u"), "semi_explicit"),
    "a constraint of other variables": (pendulum(third="x^2 + 2*y^2 + x*y = 1"), "semi_explicit"),
    "multiplier squared": (
        pendulum(first="der(u) = -x*T^2", second="der(v) = -y*T^2 - g"),
        "semi_explicit",
    ),
    "friction by the reaction": (
        pendulum(first="der(u) = -x*T - c*abs(T)*u", second="der(v) = -y*T - g - c*abs(T)*v"),
        "semi_explicit",
    ),
    "sliding friction": (
        pendulum(first="der(u) = -x*T + c*y*T", second="der(v) = -y*T - c*x*T - g"),
        "semi_explicit",
    ),
    "inertia that is not symmetric": (
        pendulum(first="der(u) + c*der(v) = -x*T", second="2*der(v) - c*der(u) = -y*T - g"),
        "mass",
    ),
    "inertia that depends on the speed": (
        pendulum(first="(2 + u^2)*der(u) = -x*T", second="(2 + u^2)*der(v) = -y*T - g"),
        "mass",
    ),
    "indefinite inertia": (pendulum(second="der(v) = y*T - g"), "semi_explicit"),
    "acceleration squared": (pendulum(first="der(u) + c*der(u)^2 = -x*T"), "residual"),
    "constraint of velocities that is not linear": (pendulum(third="u^2 + v^2 = 1"), "semi_explicit"),
    "a prescribed force": (pendulum(third="T = 2 + time"), "semi_explicit"),
    "Gear, Gupta and Leimkuhler": (CORPUS / "PendulumGGL.mo", "semi_explicit"),
    "a crane's inverse": (CORPUS / "CraneInverse.mo", "semi_explicit"),
    "a flexible joint's inverse": (CORPUS / "FlexibleJointInverse.mo", "linear"),
    "prescribed motion": (EXAMPLES / "prescribed_motion.mo", "semi_explicit"),
    "parallel capacitors": (CORPUS / "ParallelCapacitors.mo", "linear"),
    "inductors in series": (CORPUS / "SeriesInductors.mo", "linear"),
    "Stokes": (CORPUS / "DiscreteStokes.mo", "linear"),
    "no constraint": (CORPUS / "Kepler.mo", "semi_explicit"),
}

WORD = re.compile(r"[A-Za-z_]\w*")


def pieces(text, mark):
    """Split at a mark outside brackets and strings."""
    found, depth, quoted, last = [], 0, False, 0
    for at, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        if quoted:
            continue
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == mark and depth == 0:
            found.append(text[last:at].strip())
            last = at + 1
    return [piece for piece in found + [text[last:].strip()] if piece]


class Model:
    """A flat model of scalar variables, read so far as to be written in another way."""

    def __init__(self, text, seed):
        self.random = random.Random(seed)
        text = re.sub(r"//[^\n]*", "", text)
        text = re.sub(r"annotation\s*\(.*?\);\s*(?=end)", "", text, flags=re.S)
        head, body = re.split(r"\bequation\b", text)
        head = re.sub(r'^\s*model\s+\w+(\s+"[^"]*")?', "", head)
        self.parameters, self.variables = [], {}
        for declaration in pieces(head, ";"):
            declaration = re.sub(r'"[^"]*"', "", declaration).strip()
            if declaration.startswith("Real "):
                for one in pieces(declaration[5:], ","):
                    self.variables[WORD.match(one)[0]] = one
            else:
                self.parameters.append(declaration)
        self.equations = [
            tuple(pieces(equation, "="))
            for equation in pieces(re.sub(r"\bend\s+\w+\s*;\s*$", "", body), ";")
        ]

    def new(self, stem):
        name = f"{stem}_{len(self.variables)}"
        self.variables[name] = name
        return name

    def alias(self):
        """Some variables get a second name, used in some places, in derivatives too."""
        for name in self.random.sample(sorted(self.variables), 3):
            other, factor = self.new("alias"), self.random.choice([1, -1, 2.5])
            inverse = f"({other}/({factor}))"

            def replaced(found, name=name, inverse=inverse):
                return inverse if self.random.random() < 0.5 else name

            plain = re.compile(rf"(?<!der\()\b{name}\b")
            self.equations = [
                tuple(plain.sub(replaced, side) for side in sides) for sides in self.equations
            ]
            self.equations.append((other, f"({factor})*{name}"))

    def derive_aliases(self):
        """The derivative of an alias in the place of that of the variable."""
        for name in self.random.sample(sorted(self.variables), 2):
            other = self.new("other")
            pattern = re.compile(rf"\bder\({name}\)")
            self.equations = [
                tuple(pattern.sub(f"der({other})", side) for side in sides)
                for sides in self.equations
            ]
            self.equations.append((name, other))

    def name_derivatives(self):
        """Some derivatives are given names, which stand everywhere in their place."""
        found = sorted({name for sides in self.equations for side in sides
                        for name in re.findall(r"\bder\((\w+)\)", side)})
        for name in found:
            if self.random.random() < 0.5:
                other = self.new("rate")
                self.equations = [
                    tuple(side.replace(f"der({name})", other) for side in sides)
                    for sides in self.equations
                ]
                self.equations.append((other, f"der({name})"))

    def name_sides(self):
        """Some sides become intermediate variables."""
        for k, (left, right) in enumerate(list(self.equations)):
            if self.random.random() < 0.3 and not re.fullmatch(r"[\w.]+|der\(\w+\)", right):
                other = self.new("side")
                self.equations[k] = (left, other)
                self.equations.append((other, right))

    def scale(self):
        """Sides swapped, brought to one side, multiplied by a number."""
        for k, (left, right) in enumerate(self.equations):
            factor = self.random.choice([1, -1, -3.7, 0.02, 410])
            self.equations[k] = self.random.choice(
                [
                    (right, left),
                    (f"({factor})*({left})", f"({factor})*({right})"),
                    ("0", f"({factor})*(({left}) - ({right}))"),
                    (f"({factor})*({right}) - ({factor})*({left})", "0"),
                ]
            )

    def rewritten(self):
        """The text, in another order and with other names."""
        names = {}
        for name in self.variables:
            names[name] = f"z{self.random.randrange(10**9)}"
        declarations = list(self.variables.values())
        self.random.shuffle(declarations)
        self.random.shuffle(self.equations)

        def renamed(text):
            return WORD.sub(lambda found: names.get(found[0], found[0]), text)

        return "\n".join(
            ["model Rewritten"]
            + [f"  {one};" for one in self.parameters]
            + [f"  Real {renamed(one)};" for one in declarations]
            + ["equation"]
            + [f"  {renamed(left)} = {renamed(right)};" for left, right in self.equations]
            + ["end Rewritten;\n"]
        )


def rewrite(text, seed):
    """One of many ways to write the same equations."""
    model = Model(text, seed)
    changes = [model.alias, model.derive_aliases, model.name_derivatives, model.name_sides]
    for change in model.random.sample(changes, model.random.randrange(len(changes) + 1)):
        change()
    model.scale()
    return model.rewritten()


class Mechanical(CommandTest):
    def described(self, model):
        text = model if isinstance(model, str) else model.read_text()
        result = run(["check", "--json", "-"], text)
        self.assert_no_crash(result)
        self.assertNotIn(result.code, (2, 3), result.err + text)
        return json.loads(result.out)

    def assert_mechanism(self, text, sizes):
        answer = self.described(text)
        self.assertEqual(answer["form"], "mechanical", text)
        self.assertEqual(answer["invariants"], 0)
        coordinates, holonomic, nonholonomic = sizes
        self.assertEqual(
            answer["mechanism"],
            {
                "coordinates": coordinates,
                "holonomic": holonomic,
                "nonholonomic": nonholonomic,
                "multipliers": holonomic + nonholonomic,
            },
            text,
        )

    def test_mechanisms_as_they_are_written(self):
        for name, sizes in MECHANISMS.items():
            with self.subTest(name):
                self.assert_mechanism((CORPUS / f"{name}.mo").read_text(), sizes)
        self.assert_mechanism((CORPUS / "SphericalPendulum.mo").read_text(), (3, 1, 0))
        self.assert_mechanism(COUPLED, (4, 1, 1))

    def test_mechanisms_in_other_words(self):
        for name, sizes in MECHANISMS.items():
            text = (CORPUS / f"{name}.mo").read_text()
            for seed in range(3 if name == "AndrewsSqueezer" else 12):
                with self.subTest(name, seed=seed):
                    self.assert_mechanism(rewrite(text, seed), sizes)
        for seed in range(20):
            with self.subTest("Coupled", seed=seed):
                self.assert_mechanism(rewrite(COUPLED, seed), (4, 1, 1))

    def test_look_alikes(self):
        for name, (model, form) in LOOK_ALIKES.items():
            with self.subTest(name):
                answer = self.described(model)
                self.assertEqual(answer["form"], form)
                self.assertIsNone(answer["mechanism"])

    def test_look_alikes_in_other_words(self):
        for name, (model, _) in LOOK_ALIKES.items():
            if not isinstance(model, str):
                continue
            for seed in range(8):
                with self.subTest(name, seed=seed):
                    self.assertNotEqual(self.described(rewrite(model, seed))["form"], "mechanical")

    def test_the_sentence(self):
        result = run(["check", CORPUS / "RollingDisk.mo"])
        self.assert_says(
            result.out,
            "form mechanical",
            "2 coordinates, 1 constraint of velocities, 1 multiplier\n",
        )
        result = run(["check", "-"], COUPLED)
        self.assert_says(
            result.out,
            "4 coordinates, 1 constraint of positions and 1 constraint of velocities, "
            "2 multipliers\n",
        )


if __name__ == "__main__":
    unittest.main()

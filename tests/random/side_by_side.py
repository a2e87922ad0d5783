"""Starts of models that consist of unlinked parts.

A part is drawn of one of PARTS: with states, conditions, guesses that are good or poor, sometimes
too few or too many conditions, or ones that contradict. Two or three parts in one model must start
as each of them alone: with the same values, and if some fail, with the status of one of these, a
contradiction before others.

Without arguments, some are tested. `side_by_side.py --seed 7 --count 1000` judges so many models
and prints those that differ."""

import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402

ROUNDING = 1e-7
CONTRADICTION = 3


class Part:
    """Declarations, initial equations and equations; {} stands for the prefix of its names."""

    def __init__(self, declared, initial, equations):
        self.declared, self.initial, self.equations = declared, initial, equations


def drawn(draw, low, high):
    return f"{draw.uniform(low, high):.4g}"


def fixed(draw, share=0.5):
    return ", fixed = true" if draw.random() < share else ""


def pendulum(draw):
    size = draw.uniform(0.5, 2)
    x, y = draw.uniform(0.1, 0.4) * size, -draw.uniform(0.3, 0.9) * size
    return Part(f"Real {{}}x(start = {x:.4g}{fixed(draw, 0.3)}), {{}}y(start = {y:.4g}), "
                f"{{}}u(start = {drawn(draw, -1, 1)}{fixed(draw)}), {{}}v(start = 0), {{}}F;", "",
                f"der({{}}x) = {{}}u; der({{}}y) = {{}}v; der({{}}u) = -{{}}F*{{}}x; "
                f"der({{}}v) = -{{}}F*{{}}y - 9.81; {{}}x^2 + {{}}y^2 = {size:.4g}^2;")


def algebraic(draw):
    guess, other = drawn(draw, -5, 5), drawn(draw, 0.1, 20)
    return draw.choice([
        Part(f"Real {{}}a(start = {guess}), {{}}b(start = {drawn(draw, -5, 5)});", "",
             f"{{}}a + exp({{}}a) = {drawn(draw, 1, 9)} + time; "
             f"{{}}b^3 + {{}}b = {{}}a*{drawn(draw, -3, 3)};"),
        Part(f"Real {{}}a(start = {other}), {{}}b(start = {drawn(draw, 0.1, 20)});", "",
             f"{{}}a*{{}}b = {drawn(draw, 2, 6)} + time; "
             f"log({{}}a) + {{}}b = {drawn(draw, 1, 5)};"),
        Part(f"Real {{}}a(start = {guess}), {{}}b(start = {drawn(draw, -50, 50)}), "
             f"{{}}x(start = {drawn(draw, 1, 3)}, fixed = true);", "",
             "der({}x) = -{}a; {}a^3 + {}a + {}b = {}x; sinh({}b) = {}a;"),
        Part(f"Real {{}}x(start = {guess}), {{}}y(start = {drawn(draw, -3, 3)});", "der({}x) = 0;",
             f"der({{}}x) = {{}}y - {{}}x^3 - {{}}x; "
             f"exp({{}}y) + {{}}y = {drawn(draw, 2, 50)} + sin(time);")])


def circuit(draw):
    library, held, start = "Daedal.Electrical.", fixed(draw, 0.6), drawn(draw, 0, 5)
    initial = draw.choice(["", "", f"{{}}c.v = {start};", f"{{}}c.v = {start} + 1;"] if held
                          else ["", "der({}c.v) = 0;"])
    load = draw.choice([f"{library}Diode {{}}d;",
                        f"{library}Resistor {{}}d(R = {drawn(draw, 50, 500)});"])
    return Part(f"{library}ConstantVoltage {{}}s(V = {drawn(draw, 1, 12)}); "
                f"{library}Resistor {{}}r(R = {drawn(draw, 10, 100)}); "
                f"{library}Capacitor {{}}c(C = {drawn(draw, 1e-3, 1e-2)}, "
                f"v(start = {start}{held})); "
                f"{library}Ground {{}}g; {load}", initial,
                "connect({}s.p, {}r.p); connect({}r.n, {}c.p); connect({}c.n, {}g.p); "
                "connect({}s.n, {}g.p); connect({}d.p, {}c.p); connect({}d.n, {}g.p);")


def shaft(draw):
    library, held = "Daedal.Rotational.", fixed(draw, 0.7)
    angle, speed = drawn(draw, -1, 1), drawn(draw, -2, 2)
    initial = draw.choice(["", "", f"{{}}g.w = {speed}/2;", f"{{}}j.phi = {angle};",
                           f"{{}}j.phi = {angle} + 0.5;"] if held
                          else ["", "", "der({}j.w) = 0; {}j.w = 0;"])
    return Part(f"{library}Inertia {{}}j(J = {drawn(draw, 0.1, 2)}, phi(start = {angle}{held}), "
                f"w(start = {speed}{held})); {library}IdealGear {{}}i(ratio = 2); "
                f"{library}Inertia {{}}g(J = {drawn(draw, 0.1, 2)}, "
                f"w(start = {drawn(draw, -1000, 1000)})); "
                f"{library}SpringDamper {{}}s(c = {drawn(draw, 1, 50)}, d = {drawn(draw, 0, 1)}); "
                f"{library}Fixed {{}}f(phi0 = {drawn(draw, -1, 1)});", initial,
                "connect({}j.flange_b, {}i.flange_a); connect({}i.flange_b, {}g.flange_a); "
                "connect({}g.flange_b, {}s.flange_a); connect({}s.flange_b, {}f.flange);")


def radiator(draw):
    library, held, start = "Daedal.Thermal.", fixed(draw, 0.6), drawn(draw, 250, 700)
    initial = draw.choice(["", f"{{}}b.port.T = {start};"] if held else ["", "der({}b.T) = 0;"])
    return Part(f"{library}HeatCapacitor {{}}b(C = {drawn(draw, 10, 2000)}, "
                f"T(start = {start}{held})); "
                f"{library}BodyRadiation {{}}r(Gr = {drawn(draw, 0.1, 1)}); "
                f"{library}ThermalConductor {{}}k(G = {drawn(draw, 0.1, 5)}); "
                f"{library}FixedTemperature {{}}e(T = {drawn(draw, 250, 350)}); "
                f"{library}FixedHeatFlow {{}}q(Q_flow = {drawn(draw, 0, 500)});", initial,
                "connect({}b.port, {}k.port_a); connect({}k.port_b, {}r.port_a); "
                "connect({}r.port_b, {}e.port); connect({}q.port, {}b.port);")


def volume(draw):
    library, held = "Daedal.Hydraulic.", fixed(draw)
    return Part(f"{library}FixedFlow {{}}q(q = {drawn(draw, 1e-4, 1e-3)}); "
                f"{library}Volume {{}}v(V = 1e-3, p(start = {drawn(draw, 1e5, 1e7)}{held})); "
                f"{library}Orifice {{}}o(A = {drawn(draw, 1e-6, 1e-5)}); {library}Tank {{}}t;",
                "" if held else "der({}v.p) = 0;",
                "connect({}q.port, {}v.port); connect({}v.port, {}o.port_a); "
                "connect({}o.port_b, {}t.port);")


def alias(draw):
    """A state whose other name, an algebraic variable, has a start value of its own."""
    return Part(f"Real {{}}T(start = {drawn(draw, 100, 900)}), "
                f"{{}}p(start = {drawn(draw, 100, 900)});", "",
                "{}T = {}p; der({}T) = 0;")


def conditions(draw):
    """Conditions that are too many: they agree, or they contradict."""
    size = draw.uniform(1, 3)
    one, two, off = f"{size:.4g}", f"{2*float(f'{size:.4g}'):.6g}", draw.choice(["", " + 0.1"])
    return draw.choice([
        Part(f"Real {{}}x(start = {one}, fixed = true), "
             f"{{}}y(start = {two}{off}, fixed = true);", "",
             "der({}x) = -{}x; {}y = 2*{}x;"),
        Part(f"Real {{}}x(start = {one}, fixed = true), {{}}y;", f"{{}}x*{{}}y = {two}*{one};",
             "der({}x) = -{}y; {}y = 2*{}x;"),
        Part("Real {}x(start = 0), {}y(start = 0);",
             f"{{}}x = {one}; {{}}x + {{}}y = {two}; {{}}y = {one}{off};",
             "der({}x) = -{}y; der({}y) = {}x;"),
        Part(f"Real {{}}x(start = 0), {{}}y(start = {one}, fixed = true);", "{}x^2 = 4;",
             "der({}x) = -{}y; der({}y) = {}x;")])


PARTS = [pendulum, algebraic, algebraic, circuit, shaft, radiator, volume, alias, conditions]


def model(parts):
    """The text of a model of parts, by their prefixes."""
    text = "model M\n"
    initial = [part.initial.replace("{}", prefix) for prefix, part in parts.items() if part.initial]
    for prefix, part in parts.items():
        text += f"  {part.declared.replace('{}', prefix)}\n"
    if initial:
        text += "initial equation\n" + "".join(f"  {line}\n" for line in initial)
    text += "equation\n"
    for prefix, part in parts.items():
        text += f"  {part.equations.replace('{}', prefix)}\n"
    return text + "end M;\n"


def start(parts):
    """The exit status and the values."""
    done = daedal.run(["init", "-", "--json"], model(parts))
    return done.code, json.loads(done.out)["values"] if done.code == 0 else {}


def difference(parts):
    """What differs between a model of these parts and each of them alone; empty: nothing."""
    code, values = start(parts)
    alone = [start({prefix: part}) for prefix, part in parts.items()]
    codes = [each for each, _ in alone]
    expected = CONTRADICTION if CONTRADICTION in codes else max(codes)
    if code != expected:
        return f"exit status {code}, of the parts {codes}"
    for _, own in alone if code == 0 else []:
        size = max(map(abs, own.values()), default=0)
        for name, value in own.items():  # some of a library's are sums that cancel
            if abs(values[name] - value) > ROUNDING * max(abs(value), 1e-6 * size):
                return f"{name} = {values[name]}, alone {value}"
    return ""


def draw_parts(seed):
    draw = random.Random(f"side by side {seed}")
    return {f"p{k}_": draw.choice(PARTS)(draw) for k in range(draw.randint(2, 3))}


class SideBySide(unittest.TestCase):
    def test_parts_start_as_they_do_alone(self):
        for seed in range(0, 60, daedal.of_grid(1, 2, 6)):
            with self.subTest(seed=seed):
                self.assertEqual(difference(draw_parts(seed)), "", model(draw_parts(seed)))

    def test_many_parts_start_as_they_do_alone(self):
        """Beyond the size up to which a system is decomposed as a whole."""
        draw = random.Random("many parts")
        parts = {}
        while len(parts) < 60:
            part = {f"p{len(parts)}_": draw.choice(PARTS)(draw)}
            if start(part)[0] == 0:
                parts |= part
        self.assertEqual(difference(parts), "")


def conflicting(draw):
    """A network of heat capacitors, of which some are tied to a given temperature or to one that is
    fixed: its text, and the starts that can be kept."""
    nodes = draw.randint(3, 7)
    starts = [round(draw.uniform(250, 700), 2) for _ in range(nodes)]
    kept, lines, tied = {}, [], set()
    declared = ["FixedTemperature t(T = 300);"]
    for k, start_value in enumerate(starts):
        held = ", fixed = true" if k == 0 else ""
        declared.append(f"HeatCapacitor c{k}(C = {drawn(draw, 1, 50)}, T(start = {start_value}{held}));")
    for k in range(1, nodes):  # c0 is fixed; the others hang on those before them
        other = draw.randrange(k)
        declared.append(f"ThermalConductor e{k}(G = {drawn(draw, 0.1, 5)});")
        lines += [f"connect(e{k}.port_a, c{other}.port);", f"connect(e{k}.port_b, c{k}.port);"]
    for k in range(1, nodes):
        if draw.random() < 0.3:
            tied.add(k)
            lines.append(f"connect(c{k}.port, {draw.choice(['t.port', 'c0.port'])});")
        else:
            kept[f"c{k}.T"] = starts[k]
    draw.shuffle(lines)
    text = "model M import Daedal.Thermal.*;\n" + "".join(f"  {line}\n" for line in declared)
    return text + "equation\n" + "".join(f"  {line}\n" for line in lines) + "end M;\n", kept, tied


class Conflicts(unittest.TestCase):
    def test_states_that_can_be_kept_are_kept(self):
        """Whatever is in conflict elsewhere, and in whatever order it is written."""
        conflicts, seeds = 0, range(0, 60, daedal.of_grid(1, 2, 6))
        for seed in seeds:
            text, kept, tied = conflicting(random.Random(f"conflicting {seed}"))
            conflicts += len(tied) > 0
            with self.subTest(seed=seed):
                done = daedal.run(["init", "-", "--json"], text)
                self.assertEqual(done.code, 0, done.err)
                values = json.loads(done.out)["values"]
                self.assertEqual({name: values[name] for name in kept}, kept, text)
        self.assertGreater(conflicts, len(seeds) // 2)


def count(seed, models):
    different = 0
    for number in range(seed, seed + models):
        parts = draw_parts(number)
        found = difference(parts)
        different += found != ""
        if found:
            print(f"{number}: {found}\n{model(parts)}", flush=True)
    print(f"{models} models, {different} differ")


if __name__ == "__main__":
    by_seed.main(count)

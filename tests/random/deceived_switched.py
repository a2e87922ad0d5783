"""Random DAEs of known index and solution whose structure misleads, and in which equations switch.

A system of deceived.py has further states w, whose course bends or jumps at an instant T, where w
passes a value C. It switches in one of SWITCHES: `apart` from what misleads, or within it. The
solution is known: right sides follow from it, with the same relations.

Without arguments, some are tested. `deceived_switched.py --seed 7 --count 100 [--kinds bent,factor]
[--switches state,reinit] [--index 3,4] [OPTION...]` runs so many of each kind, switch and index, and counts
what becomes of them."""

import copy
import math
import pathlib
import random
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import by_seed  # noqa: E402
import daedal  # noqa: E402
import deceived  # noqa: E402
from deceived import number  # noqa: E402


class Passing:
    """A course that rises through C at T, where its rate changes by a factor and it may jump up:
    a + r (t - T) + e sin(q t), with r > e q. `relation` is the text that is true from T on."""

    def __init__(self, draw, jump, relation):
        self.T, self.C = draw.uniform(0.25, 0.75), draw.uniform(-0.5, 0.5)
        self.parts = []
        for offset in 0, jump:
            rate, size, speed = draw.uniform(0.6, 1.5), draw.uniform(0.05, 0.2), draw.uniform(1, 2.5)
            self.parts.append((self.C + offset - size * math.sin(speed * self.T), rate, size, speed))
        texts, slopes = [], []
        for mean, rate, size, speed in self.parts:
            texts.append(f"{mean!r} + {rate!r}*(time - {self.T!r}) + {size!r}*sin({speed!r}*time)")
            slopes.append(f"{rate!r} + {size * speed!r}*cos({speed!r}*time)")
        relation = relation.format(C=repr(self.C), T=repr(self.T))
        self.text, self.slope = (f"(if {relation} then {after} else {before})" for before, after in (texts, slopes))

    def value(self, t):
        mean, rate, size, speed = self.parts[t > self.T]
        return mean + rate * (t - self.T) + size * math.sin(speed * t)


class Jumping:
    """One course before an instant, another one after it."""

    def __init__(self, before, after, T, relation):
        self.before, self.after, self.T = before, after, T
        self.text = f"(if {relation} then {after.text} else {before.text})"
        self.slope = f"(if {relation} then {after.slope} else {before.slope})"

    def value(self, t):
        return (self.after if t > self.T else self.before).value(t)


class SwitchedDeceived(deceived.Deceived):
    """relation: what is true from T on. when, declared: further clauses and declarations. ordinary: rows
    of what does not mislead. more: further variables, as functions of time."""

    def __init__(self, seed, index, kind, switch):
        self.switch, self.declared, self.when, self.ordinary, self.more = switch, "", "", [], {}
        super().__init__(f"{seed} {switch}", index, kind)
        SWITCHES[switch].get("after", lambda _: None)(self)
        rows = [f"  0 = {row};\n" for row in self.rows]
        if switch == "swap":
            i, j = self.draw.sample(range(len(rows)), 2)
            a, b = rows[i], rows[j]
            rows[i] = f"  if {self.relation} then\n  {a}  {b}  else\n  {b}  {a}  end if;\n"
            del rows[j]
        self.equations = rows + [f"  0 = {row};\n" for row in self.ordinary]
        self.draw.shuffle(self.equations)

    def regular(self):
        """The rows of what is deceived; those of w go to `ordinary`."""
        draw, switch = self.draw, SWITCHES[self.switch]
        self.relation = switch.get("relation", "w > {C}")
        jump = draw.uniform(0.2, 0.5) if switch.get("jumps") else 0
        self.course["w"] = w = Passing(draw, jump, self.relation)
        self.T = w.T
        self.relation = self.relation.format(C=repr(w.C), T=repr(w.T))
        rows = list(super().regular())
        values = {"T": repr(w.T), "C": repr(w.C), "J": repr(jump)}
        self.declared = switch.get("declared", "").format(**values)
        self.when = switch.get("when", "").format(**values)
        if "acts" in switch:
            switch["acts"](self, rows)
        row = f"der(w) - ({deceived.term(draw, ['w'])} + {deceived.term(draw, ['w'] + self.chain[:1])})"
        self.ordinary.append(f"({row} - ({self.at_solution(row)}))")
        yield from rows

    def replace(self, *change):
        own, self.rows = self.rows, self.rows + self.ordinary
        super().replace(*change)
        self.rows, self.ordinary = self.rows[: len(own)], self.rows[len(own) :]

    def at_solution(self, row):
        row = re.sub(r"der\((\w+)\)", lambda m: self.course[m.group(1)].slope, row)
        return re.sub(r"\b([ux]\d|w)\b(?! >)", lambda m: self.course[m.group()].text, row)

    def text(self):
        names = self.names + ["w"]
        unknowns = "".join(f"  Real {n}(start = {self.value(n, 0)!r});\n" for n in names)
        unknowns = unknowns.replace("Real w(", "Real w(fixed = true, ")
        body = f"{unknowns}{self.declared}equation\n{''.join(self.equations)}{self.when}"
        return f"model Deceived\n{body}end Deceived;\n"


def driven(s, rows):
    """w acts on a state of what is deceived; the right side takes it back, as it switches."""
    rows[0] = f"{rows[0]} - 0.4*({deceived.term(s.draw, ['w'])})"


def bent_state(s, rows):
    """The rate of a state jumps. What depends on it in x1 + g(u) is taken back."""
    u, other, after = s.course["u1"], deceived.Course(s.draw), copy.copy(s.course["u1"])
    gap = u.value(s.T) - other.value(s.T)
    after.text, after.slope = f"(({gap!r}) + {other.text})", other.slope
    after.value = lambda t: gap + other.value(t)
    s.course["u1"] = Jumping(u, after, s.T, s.relation)


def jumping_end(s, rows):
    """The algebraic end of the chain jumps."""
    name = s.chain[-1]
    s.course[name] = Jumping(s.course[name], deceived.Course(s.draw), s.T, s.relation)


def coefficient(s, rows):
    """A factor of the end of the chain switches."""
    k = [number(s.draw.uniform(0.5, 2)) for _ in range(2)]
    rows[-1] = re.sub(rf"\b{s.chain[-1]}\b", f"((if {s.relation} then {k[0]} else {k[1]})*{s.chain[-1]})", rows[-1])


def coefficient_and_end(s, rows):
    coefficient(s, rows)
    jumping_end(s, rows)


def discrete(s, rows):
    """z' = k cos t - z, where k counts."""
    s.ordinary.append(f"(der(z) + z - k*cos(time) - {s.course['x1'].text} + x1)")
    def oscillates(t):
        return (math.cos(t) + math.sin(t)) / 2

    s.more["z"] = lambda t: (t > s.T) * (oscillates(t) - oscillates(s.T) * math.exp(s.T - t))


def diode(s, rows):
    """An ideal diode in series with 0.5 ohm, from a source that passes 0 at T."""
    w = s.course["w"]
    s.declared = s.declared.replace("= -1", f"= {w.value(0) - w.C!r}")
    s.ordinary += [f"(v + 0.5*i - (w - ({w.C!r})) - {s.course['x1'].text} + x1)",
                   "(v - (if s < 0 then s else 0))", "(i - (if s < 0 then 0 else s))"]  # fmt: skip
    s.more.update(v=lambda t: min(w.value(t) - w.C, 0), i=lambda t: 2 * max(w.value(t) - w.C, 0))


def invariant(s, rows):
    """An oscillator, which declares its energy."""
    s.ordinary += [f"(der(p) + r - {s.course['x1'].text} + x1)", "(der(r) - p)"]
    s.more.update(p=math.cos, r=math.sin)


def mixing(s):
    """The factor by which an equation is added to another one switches."""
    i, j = s.two()
    s.add(i, j, f"(if {s.relation} then {s.factor()} else {s.factor()})")


# relation: what is true from T on; declared, when: clauses; jumps: whether w does; acts: what
# becomes of the rows before they are deceived; after: and then.
SWITCHES = {
    "time": {"relation": "time > {T}"},
    "state": {},
    "reinit": {"jumps": True, "when": "  when w > {C} then\n    reinit(w, pre(w) + {J});\n  end when;\n"},
    "boolean": {"declared": "  Boolean b = w > {C};\n", "relation": "b"},
    "discrete": {"declared": "  Integer k(start = 0, fixed = true);\n  Real z(start = 0, fixed = true);\n",
                 "when": "  when w > {C} then\n    k = pre(k) + 1;\n  end when;\n", "acts": discrete},
    "diode": {"declared": "  Real v(start = -1), i, s(start = -1);\n", "acts": diode},
    "invariant": {"declared": "  Real p(start = 1, fixed = true), r(start = 0, fixed = true);\n", "acts": invariant,
                  "when": "  annotation(__daedal(invariant = {{p^2 + r^2}}));\n"},
    "driven": {"acts": driven},
    "driventime": {"acts": driven, "relation": "time > {T}"},
    "bentstate": {"acts": bent_state},
    "bentstatetime": {"acts": bent_state, "relation": "time > {T}"},
    "end": {"acts": jumping_end},
    "endtime": {"acts": jumping_end, "relation": "time > {T}"},
    "coefficient": {"acts": coefficient},
    "coefficientend": {"acts": coefficient_and_end},
    "mixing": {"after": mixing},
    "swap": {},
}  # fmt: skip
OUTCOMES = ["right", "refused", "stopped", "wrong", "other index"]
APART = ["time", "state", "reinit", "boolean", "discrete", "diode", "invariant"]
KINDS = ["const", "time", "bent", "coord", "coordtime", "coordbent", "factor", "product", "bentpair"]


def outcome(system, folder, *options, timeout=60):
    path = pathlib.Path(folder) / f"{system.kind}{system.index}{system.switch}.mo"
    values = {name: system.course[name].value for name in [*system.names, "w"]} | system.more
    return deceived.judged(path, system, values, options, timeout)


class Switched(unittest.TestCase):
    def find(self, *cases):
        """Each is right, with its index."""
        with tempfile.TemporaryDirectory() as folder:
            for kind, index, switch, seed in cases[::daedal.of_grid(1, 2, 6)]:
                with self.subTest(kind=kind, index=index, switch=switch, seed=seed):
                    system = SwitchedDeceived(seed, index, kind, switch)
                    what, found, said = outcome(system, folder)
                    self.assertEqual((what, found), ("right", index), said + system.text())

    def test_what_switches_is_apart(self):
        """What misleads does not switch: by time, a state, reinit(), a discrete variable or a diode."""
        self.find(*((kind, 3 + (k + i) % 2, switch, 1) for i, switch in enumerate(APART)
                    for k, kind in enumerate(["const", "bent", "factor", "bentpair"])
                    if (kind, switch) != ("bentpair", "invariant")))  # fmt: skip

    def test_what_misleads_switches(self):
        """A right side, a coefficient, the factor of a sum of rows, and two equations that change places."""
        self.find(*((kind, 2 + (k + i) % 3, switch, 1) for k, kind in enumerate(["const", "coord", "factor"])
                    for i, switch in enumerate(["driven", "coefficient", "mixing", "swap"])))  # fmt: skip

    def test_rates_jump_and_states_do_not(self):
        """Where equations are differentiated more often than needed, no impulse acts."""
        self.find(("time", 4, "bentstate", 1), ("coord", 4, "bentstate", 1), ("time", 4, "bentstatetime", 4),
                  ("bent", 3, "bentstatetime", 2), ("const", 4, "bentstatetime", 4), ("time", 4, "driven", 2))  # fmt: skip

    def test_start_values_that_meet_the_equations_stay(self):
        """Products of rows are met by other values of the algebraic end as well."""
        self.find(("product", 2, "diode", 501), ("product", 2, "diode", 2009), ("product", 2, "diode", 2055))

    def test_no_other_branch_begins_at_an_event(self):
        """Rates jump. All variables can go on, and the equations are met by other values of them, too."""
        self.find(("bentpair", 1, "bentstate", 1011), ("bentpair", 1, "bentstate", 1015),
                  ("bentpair", 4, "bentstate", 1001), ("bentpair", 4, "bentstate", 1020), ("time", 4, "bentstate", 3000))  # fmt: skip

    def test_no_other_branch_begins_at_the_start(self):
        """All start values can stay, and the equations are met by other derivatives, too: the flow of
        Newton's iteration leads from 0 to those of the solution."""
        self.find(("bentpair", 1, "end", 1000), ("product", 1, "endtime", 1008), ("product", 2, "state", 2007),
                  ("bentpair", 4, "endtime", 1027), ("product", 4, "diode", 3003), ("product", 2, "mixing", 3004))  # fmt: skip

    def test_no_other_branch_begins_where_an_algebraic_variable_jumps(self):
        self.find(("bentpair", 2, "end", 1014))

    def test_no_step_leaps_to_another_branch(self):
        """The pairs depend on each other on the way, where a step may end at any root of a sine or a
        tangent: what is followed is right up to where the run stops, if it does."""
        with tempfile.TemporaryDirectory() as folder:
            cases = (("bentpair", 4, "swap", 3005), ("bentpair", 3, "endtime", 1024), ("bentpair", 4, "swap", 3003))
            for kind, index, switch, seed in cases[:daedal.of_grid(3, 1, 1)]:
                with self.subTest(kind=kind, index=index, switch=switch, seed=seed):
                    system = SwitchedDeceived(seed, index, kind, switch)
                    what, _, said = outcome(system, folder)
                    self.assertIn(what, ("right", "stopped"), said + system.text())

    def test_what_vanishes_on_solutions_is_no_pivot(self):
        """Combinations are free of what rounding leaves, as of 0.8567 - (0.9825 - 0.1258), and of what
        a state during a run makes of 0."""
        self.find(("coordtime", 2, "coefficient", 501), ("factor", 3, "coefficient", 3000), ("factor", 4, "driven", 1))

    def test_equations_are_formed_anew_before_an_event(self):
        """The event is one in their unknowns."""
        self.find(("time", 4, "bentstatetime", 1))

    def test_equations_of_a_mode_are_formed_anew(self):
        """In the arena of those of the mode, before the event leads to another mode."""
        self.find(("passtime", 2, "mixing", 1), ("passtime", 3, "coefficient", 1), ("passany", 2, "coefficient", 5))

    def test_a_jump_that_depends_on_its_way(self):
        """x1 jumps, which is y2 + m y1; y1 + k sin(y2), whose derivative occurs, does not. What the
        linear balance of y1 and y2 says is another jump."""
        with tempfile.TemporaryDirectory() as folder:
            system = SwitchedDeceived(1, 1, "coordbent", "endtime")
            what, _, said = outcome(system, folder)
            self.assertEqual(what, "stopped", said)
            self.assertIn("the jump depends on its way", said)
            self.assertLess(abs(float(re.search(r"event at t = (\S+)", said).group(1)) - system.T), 1e-6)


ENERGY = """model Energy
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), p, q, r;
equation
  der(x) = v;
  der(v) = -x;
  sin(der(p) - r - cos(time)) + 0.8*(p - sin(time) - x) = 0;
  sinh(der(p) - r - cos(time)) + 1.1*(p - sin(time) - x)*(2 + x) = 0;
  der(q) + q = p;
  annotation(__daedal(invariant = {x^2 + v^2}));
end Energy;
"""


class Declared(unittest.TestCase):
    def test_an_invariant_beside_what_is_embedded(self):
        """p = sin t + cos t, and r = p' - cos t = -sin t."""
        done = daedal.run(["run", "-", "--stop", 2, "--rtol", 1e-8, "--points", 5, "--quiet"], ENERGY)
        self.assertEqual(done.code, 0, done.err)
        for row in daedal.rows(done.out)[1]:
            t = row["time"]
            self.assertLess(abs(row["p"] - math.sin(t) - math.cos(t)), 1e-6)
            self.assertLess(abs(row["r"] + math.sin(t)), 1e-6)


TURNED = """model Turned
  Real u(start = 1, fixed = true), x1, x2;
equation
  der(u) = -u + x1;
  cos({0})*(der(x1) - (if {1} > 0 then 0.7 else 1.5)*x2 - u) - sin({0})*(x1 - sin(time)) = 0;
  sin({0})*(der(x1) - (if {1} > 0 then 0.7 else 1.5)*x2 - u) + cos({0})*(x1 - sin(time)) = 0;
end Turned;
"""


class Revisited(unittest.TestCase):
    def test_modes_that_are_visited_again(self):
        """x1 = sin t, and the coefficient of x2 switches many times, while each factor of a combination
        passes 0. What turns the rows may depend on what jumps: a run is right, or it stops."""
        stopped = 0
        seeds = range(0, 60, 3)
        for seed in seeds:
            draw = random.Random(seed)
            of = draw.choice(["u", "x1", "time", "x2"])
            rate, phase, speed = draw.uniform(1, 6), draw.uniform(0, 3), draw.uniform(2, 9)
            of_time = draw.random() < 0.5
            relation = f"sin({speed!r}*{'time' if of_time else 'x1'})"
            model = TURNED.format(f"({rate!r}*{of} + {phase!r})", relation)
            with self.subTest(seed=seed):
                done = daedal.run(["run", "-", "--stop", 6, "--points", 61, "--rtol", 1e-8, "--quiet"], model)
                rows = daedal.rows(done.out)[1]
                for row in rows:
                    t = row["time"]
                    u = 1.5*math.exp(-t) + (math.sin(t) - math.cos(t))/2
                    on = math.sin(speed*(t if of_time else math.sin(t)))
                    self.assertLess(max(abs(row["u"] - u), abs(row["x1"] - math.sin(t))), 1e-5, model)
                    if abs(on) > 1e-3:
                        self.assertLess(abs((0.7 if on > 0 else 1.5)*row["x2"] - (math.cos(t) - u)), 1e-4, model)
                self.assertTrue(done.code == 0 or (of == "x2" and rows), done.err)
                stopped += done.code != 0
        self.assertLessEqual(stopped, len(seeds)//5)


def count(arguments, options):
    totals = {}
    with tempfile.TemporaryDirectory() as folder:
        for switch in arguments.switches.split(","):
            for kind in arguments.kinds.split(","):
                for index in map(int, arguments.index.split(",")):
                    counts = totals.setdefault(switch, dict.fromkeys(OUTCOMES, 0))
                    for seed in range(arguments.seed, arguments.seed + arguments.count):
                        system = SwitchedDeceived(seed, index, kind, switch)
                        what, found, said = outcome(system, folder, *options, timeout=30)
                        counts[what] += 1
                        counts["other index"] += what == "right" and found != index
                        if what != "right":
                            print(f"{what}: {kind} {index} {switch} {seed}: {' '.join(said.split())[:200]}",
                                  flush=True)
            print(f"{switch:15}: {totals[switch]}", flush=True)
    print({what: sum(c[what] for c in totals.values()) for what in OUTCOMES})


if __name__ == "__main__":
    by_seed.main_of_kinds(count, 2, kinds=",".join(KINDS), switches=",".join(SWITCHES), index="1,2,3,4")

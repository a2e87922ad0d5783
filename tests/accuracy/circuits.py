"""Random circuits in nodal analysis, in SI units with picofarads and nanoseconds, against the same with
time in nanoseconds: capacitors between two nodes make rows whose derivatives cancel."""
import json
import random
import unittest

from simulation import daedal

CIRCUITS, TOLERANCE = 40, 1e-6


class Circuit:
    """Nodes 1 to n; equations as text in which {s} is 1, or a second in nanoseconds."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.nodes = rng.randint(3, 6)
        self.currents = {k: [] for k in range(self.nodes + 1)}
        self.declared, self.laws = [], []
        for node in range(1, self.nodes + 1):
            other = rng.randrange(node)
            self.add(node, other, f"{self.drop(node, other)}/{round(10 ** rng.uniform(1.5, 3))}")
        for _ in range(rng.randint(2, 3)):
            self.capacitor(*rng.sample(range(1, self.nodes + 1), 2))
        for _ in range(rng.randint(0, 2)):
            self.capacitor(rng.randint(1, self.nodes), 0)
        for number in range(rng.randint(1, 2)):
            self.diode(number)
        for number in range(rng.randint(0, 2)):
            self.inductor(number)
        self.source()

    def name(self, node):
        return f"v{node}" if node else "0"

    def drop(self, node, other):
        return f"({self.name(node)} - {self.name(other)})"

    def add(self, node, other, current):
        self.currents[node].append(f"- {current}")
        self.currents[other].append(f"+ {current}")

    def pair(self):
        return self.rng.sample(range(self.nodes + 1), 2)

    def law(self, name, node, other, text):
        self.declared.append(f"{name}(start = 1e-4, nominal = 1e-3)")
        self.laws.append(text)
        self.add(node, other, name)

    def capacitor(self, node, other):
        slopes = " - ".join(f"der({self.name(k)})" for k in (node, other) if k)
        self.add(node, other, f"{self.rng.uniform(0.2, 5):.3g}e-12*{{s}}*({slopes})")

    def diode(self, number):
        node, other = self.pair()
        bias = self.rng.choice([0, 2e-4, 1.5e-3])  # on both sides: equations as written differ
        drop = self.drop(node, other)
        self.law(f"id{number}", node, other,
                 f"id{number} - {bias} = 1e-14*(exp({drop}/0.0258) - 1) - {bias}")

    def inductor(self, number):
        node, other = self.pair()
        size, loss = self.rng.uniform(1, 9), self.rng.uniform(1, 20)
        self.law(f"il{number}", node, other, f"{size:.3g}e-9*{{s}}*der(il{number}) = "
                 f"{self.drop(node, other)} - {loss:.3g}*il{number}")

    def source(self):
        rng, node = self.rng, self.rng.randint(1, self.nodes)
        self.law("is", node, 0, f"is = -{rng.uniform(5e-4, 4e-3):.3g}*sin({rng.uniform(0.5, 2):.3g}e9*time/{{s}})"
                 f" - {rng.uniform(0, 3e-3):.3g}*(1 - exp(-2e8*time/{{s}})) + v{node}/500")

    def model(self, second):
        voltages = [f"v{k}(start = 0.1)" for k in range(1, self.nodes + 1)]
        text = "model Circuit Real " + ", ".join(voltages + self.declared) + ";\nequation\n"
        for node in range(1, self.nodes + 1):
            text += "  0 = " + " ".join(self.currents[node]) + ";\n"
        text += "".join(f"  {law};\n" for law in self.laws) + "end Circuit;\n"
        return text.replace("{s}", repr(second))


def describe(text):
    return json.loads(daedal.run(["check", "-", "--json"], text).out)


class Circuits(unittest.TestCase):
    def test_in_seconds_and_in_nanoseconds(self):
        met = 0
        for seed in range(CIRCUITS):
            circuit, start = Circuit(seed), None
            runs, hidden = [], []
            for second in 1e9, 1.0:
                text = circuit.model(second)
                if start:  # the same values in both
                    for name, value in start.items():
                        text = text.replace(f"{name}(start = 0.1)", f"{name}(start = {value!r})")
                        text = text.replace(f"{name}(start = 1e-4,", f"{name}(start = {value!r},")
                hidden.append(len(describe(text)["hidden_constraints"]))
                done = daedal.run(["run", "-", f"--stop={20e-9 * second!r}", "--points=41",
                                   f"--rtol={TOLERANCE}", f"--atol={TOLERANCE}"], text)
                if done.code != 0:
                    break  # some have no solution: a loop of negative resistance
                runs.append(daedal.rows(done.out)[1])
                start = {k: v for k, v in runs[0][0].items() if k != "time"}
            if not runs:
                continue
            met += 1
            self.assertEqual(len(runs), 2, f"circuit {seed} stops in seconds alone")
            self.assertEqual(hidden[0], hidden[1], f"circuit {seed}")
            for one, other in zip(*runs, strict=True):
                for name, value in other.items():
                    if name == "time":
                        continue
                    size = (1 if name[0] == "v" else 1e-3) + abs(value)
                    off = abs(one[name] - value) / (TOLERANCE * size)
                    self.assertLess(off, 100, f"circuit {seed}: {name} at {other['time']}")
        self.assertGreater(met, CIRCUITS // 2)


if __name__ == "__main__":
    unittest.main()

"""Models of a course in time that is known: what those of several random tests share."""

import math

import daedal

ALLOWED = 1e-4  # at tolerance 1e-6


class Model:
    """Text and solution. [T] stands for the time, or for a state that is equal to it.

    draw: a random.Random; stop: the end; declared, equations: the text; exact: for each variable that is looked at, a
    function of the time."""

    def number(self, low=0.3, high=2.0):
        return round(self.draw.uniform(low, high), 2)

    def smooth(self):
        """A text and its course, which stays away from 0."""
        a, b, c = self.number(1.5, 3), self.number(0.3, 1), self.number()
        return self.draw.choice([
            (f"({a} + {b}*sin({c}*[T]))", lambda t: a + b*math.sin(c*t)),
            (f"({a} - {b}*cos({c}*[T]))", lambda t: a - b*math.cos(c*t)),
            (f"({a} - {b}*exp(-{c}*[T]))", lambda t: a - b*math.exp(-c*t))])

    def text(self):
        clock = self.draw.random() < 0.4
        lines = "".join(f"  {e};\n" for e in self.equations)
        if clock:
            lines += "  der(s) = 1;\n"
            self.declared.append("Real s(start = 0, fixed = true);")
        return f"model M {' '.join(self.declared)}\nequation\n{lines}end M;\n".replace("[T]", "s" if clock else "time")

    def allowed(self, t):
        """The largest relative error at t."""
        return ALLOWED


def fault(model, rows, *options):
    """What is wrong in a run of a model with so many rows after its start, with these options, and its text; '' if
    nothing is."""
    text = model.text()
    at = ",".join(repr(k*model.stop/rows) for k in range(rows + 1))
    run = daedal.run(["run", "-", "--quiet", f"--stop={model.stop}", f"--at={at}", *options], text)
    if run.code != 0:
        return "stops: " + run.err, text
    names, *lines = (line.split(",") for line in run.out.splitlines())
    for line in lines:
        values = dict(zip(names, map(float, line)))
        t = values["time"]
        for name, exact in model.exact.items():
            if not abs(values[name] - exact(t)) <= model.allowed(t)*(1 + abs(exact(t))):
                return f"{name}({t}) is {values[name]} and not {exact(t)}: {run.err}", text
    return "", text


def count(fault_of, seed, models):
    """Prints what fault_of(seed) finds in so many models, and how many are right, stop, or are wrong."""
    stopped = wrong = 0
    for number in range(seed, seed + models):
        found, text = fault_of(number)
        stops = found.startswith("stops")
        stopped += stops
        wrong += found != "" and not stops
        if found:
            print(f"{number}: {found}\n{text}", flush=True)
    print(f"{models} models, {models - stopped - wrong} right, {stopped} stopped, {wrong} wrong")

"""Random index-2 systems and mechanisms whose exact solution is known, in units drawn at random.

Each variable is its size times one of order 1, each equation is multiplied by a factor of its own;
nothing else differs from the same system in units of 1."""
import math
import random


class Units:
    """Draws sizes between 10^-decades and 10^decades, and writes variables in these."""

    def __init__(self, rng, decades, nominal):
        self.rng, self.decades, self.nominal = rng, decades, nominal

    def draw(self):
        return 10.0 ** self.rng.uniform(-self.decades, self.decades)

    def declare(self, name, size, start, fixed=False):
        parts = [f"start = {start * size!r}"]
        if fixed:
            parts.append("fixed = true")
        if self.nominal:
            parts.append(f"nominal = {size!r}")
        return f"  Real {name}({', '.join(parts)});\n"


def cosine(rng):
    """cos(w t + p) as text, its w and its p."""
    w, p = rng.uniform(0.5, 2), rng.uniform(0, 6)
    return f"cos({w!r}*time + {p!r})", w, p


def weighted(coefficients, terms):
    return " + ".join(f"({c!r})*{term}" for c, term in zip(coefficients, terms))


def index_2(seed, decades, nominal, stop):
    """x' = f(t, x) + B z, 0 = C (x - x(t)): text and {name: (size, value at the stop)}."""
    rng = random.Random(seed)
    m = rng.choice([1, 2])
    n = m + rng.choice([1, 2, 3])
    wave = [cosine(rng) for _ in range(n)]
    exact = [text for text, _, _ in wave]
    force = [f"sin(time + {k + 1})" for k in range(m)]
    a = [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    b = [[rng.uniform(-0.3, 0.3) for _ in range(m)] for _ in range(n)]
    c = [[rng.uniform(-0.3, 0.3) for _ in range(n)] for _ in range(m)]
    for k in range(m):  # C B is diagonally dominant
        b[k][k] = c[k][k] = rng.uniform(1.5, 2)
    units = Units(rng, decades, nominal)
    size, of_force = [units.draw() for _ in range(n)], [units.draw() for _ in range(m)]
    text = "model Index2\n"
    for j, (_, w, p) in enumerate(wave):
        text += units.declare(f"x{j}", size[j], math.cos(p), fixed=j >= m)
    for k in range(m):
        text += units.declare(f"z{k}", of_force[k], 0)
    text += "equation\n"
    x = [f"(x{j}/{size[j]!r})" for j in range(n)]
    away = [f"({x[j]} - {exact[j]})" for j in range(n)]
    pull = [f"(z{k}/{of_force[k]!r} - {force[k]})" for k in range(m)]
    for j, (_, w, p) in enumerate(wave):
        bent = [f"({away[i]} + 0.3*({x[i]}^2 - {exact[i]}^2))" for i in range(n)]
        right = f"-{w!r}*sin({w!r}*time + {p!r}) + {weighted(a[j], bent)} + {weighted(b[j], pull)}"
        factor = units.draw()
        text += f"  {factor!r}*der(x{j})/{size[j]!r} = {factor!r}*({right});\n"
    for k in range(m):
        text += f"  {units.draw()!r}*({weighted(c[k], away)}) = 0;\n"
    known = {f"x{j}": (size[j], math.cos(w * stop + p)) for j, (_, w, p) in enumerate(wave)}
    known.update({f"z{k}": (of_force[k], math.sin(stop + k + 1)) for k in range(m)})
    return text + "end Index2;\n", known


def driven(seed, decades, nominal, stop):
    """mechanism() without freedom, its equations of motion multiplied as well; at its start there are
    no reactions."""
    return mechanism(seed, decades, nominal, stop, driven=True)


def mechanism(seed, decades, nominal, stop, driven=False):
    """M q'' = f + G' lambda, 0 = phi(t, q), with q and lambda that are known: as index_2()."""
    rng = random.Random(seed)
    n = rng.choice([2, 3, 4, 5])
    m = n if driven else rng.randint(1, n - 1)
    wave = [cosine(rng) for _ in range(n)]
    exact = [text for text, _, _ in wave]
    late = [0 if driven else k + 1 for k in range(m)]
    force = [f"sin(time + {late[k]})" for k in range(m)]
    c = [[rng.choice([0, 1]) * rng.uniform(-1, 1) for _ in range(n)] for _ in range(m)]
    for k in range(m):
        c[k][k] = rng.choice([-1, 1]) * rng.uniform(1.5, 2.5)
    curved = [rng.uniform(0, 0.3) for _ in range(m)]
    mass = [rng.uniform(0.5, 3) for _ in range(n)]
    units = Units(rng, decades, nominal)
    size = [units.draw() for _ in range(n)]
    units.decades /= 3  # of reactions and constraints
    of_force = [units.draw() for _ in range(m)]

    def reaction(j, at, pull):
        slopes = [f"({c[k][j]!r} + {2 * curved[k] * (j == 0)!r}*{at})" for k in range(m)]
        return " + ".join(f"{slope}*{one}" for slope, one in zip(slopes, pull))

    text = "model Mechanism\n"
    for j, (_, w, p) in enumerate(wave):
        text += units.declare(f"q{j}", size[j], math.cos(p), fixed=j >= m)
        text += units.declare(f"v{j}", size[j], -w * math.sin(p), fixed=j >= m)
    for k in range(m):
        text += units.declare(f"f{k}", of_force[k], 0)
    text += "equation\n"
    q = [f"(q{j}/{size[j]!r})" for j in range(n)]
    away = [f"({q[j]} - {exact[j]})" for j in range(n)]
    for j, (_, w, p) in enumerate(wave):
        own = [f"(f{k}/{of_force[k]!r})" for k in range(m)]
        motion = f"-{mass[j] * w * w!r}*{exact[j]} - ({reaction(j, exact[0], force)})"
        motion += f" + {reaction(j, q[0], own)} - 0.3*{away[j]}"
        factor = units.draw() if driven else 1
        text += f"  der(q{j}) = v{j};\n"
        text += f"  {factor * mass[j] / size[j]!r}*der(v{j}) = {factor!r}*({motion});\n"
    for k in range(m):
        bend = f"{curved[k]!r}*({q[0]}^2 - {exact[0]}^2)"
        text += f"  {units.draw()!r}*({weighted(c[k], away)} + {bend}) = 0;\n"
    known = {f"q{j}": (size[j], math.cos(w * stop + p)) for j, (_, w, p) in enumerate(wave)}
    known.update({f"f{k}": (of_force[k], math.sin(stop + late[k])) for k in range(m)})
    return text + "end Mechanism;\n", known

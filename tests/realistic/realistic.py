#!/usr/bin/env python3
"""The zoo of realistic models against independent references: `make realistic`, and a test.

Without options a shortened set of runs; --full all of them, as a table of families by methods and
tolerances. What is wrong with status 0, what stops, and what changes with the rows that are asked
for are counted, and no count may grow beyond the one in expected.json."""

import argparse
import json
import os
import random
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import runs
from runs import REFERENCES, Run, daedal, perform, text_of

TOLERANCES = [1e-3, 1e-5, 1e-7, 1e-9]
TINY = 1e-12
NAMED = ["bdf", "mebdf", "radau", "radau-iia5", "rodas5p"]  # the ones a shortened set looks at
ONCE_WRONG = {
    "rectifiers/Bridge": [("radau", 1e-5)],  # an iteration with the Jacobian of the other phase
    "mechanisms/SliderCrank": [("state-space-dopri5", 1e-7), ("hedop5", 1e-9)],  # within steps
    "ions/Neutralisation": [("hedop5", 1e-9)],  # the same, where algebraic variables jump
}
# What stops of NAMED is counted in expected.json: radau-iia5 on ions/Sweep, as at 16 of 30
# tolerances about 1e-6. There a variable falls far below the tolerance, and stages that are
# continued into the next step are noise in it. The last digits of the start decide where it stops.
EXPECTED = runs.HERE / "expected.json"
JOBS = os.cpu_count() or 1


def adaptive_methods():
    """Every method with an error estimate of order 3 or more, for equations of any form."""
    catalogue = json.loads(daedal.run(["method", "--json"]).out)
    return [m["name"] for m in catalogue if m["adaptive"] and m["order"] >= 3]


# What is run -------------------------------------------------------------------------------------


def runs_of_auto(model, tolerances, rows, atols):
    for rtol in tolerances:
        for atol in atols:
            yield from (Run(model, "auto", rtol, atol or rtol, number) for number in rows)


def variant_runs(model, tolerances):
    for variant in "shuffled", "renamed", "other units":
        for rtol in tolerances:
            yield Run(model, "auto", rtol, rtol, "at", variant)


def short_runs(models):
    """A few tolerances by auto for each model, its variants at one, and one draw of the methods."""
    chance = random.Random(15)
    for model in models:
        yield from runs_of_auto(model, [1e-4, 1e-6], ["at"], [None])
        yield Run(model, "auto", 1e-6, TINY, 2)
        yield from variant_runs(model, [1e-6])
        yield Run(model, chance.choice(NAMED), 1e-6, 1e-6)
        for method, rtol in ONCE_WRONG.get(model, []):
            yield Run(model, method, rtol, rtol)


def full_runs(models):
    for model in models:
        yield from runs_of_auto(model, TOLERANCES, ["at", 2, 1001], [None, TINY])
        yield from variant_runs(model, TOLERANCES)
        for method in adaptive_methods():
            for rtol in TOLERANCES:
                yield Run(model, method, rtol, rtol)
                yield Run(model, method, rtol, TINY, 2)


# The rows that are asked for ---------------------------------------------------------------------


def row_settings(model, times):
    first = next(iter(REFERENCES[model]["variables"]))
    third = times[0] + (times[-1] - times[0]) / 3
    return [
        ["--points", "2"],
        ["--points", "1001"],
        ["--at", ",".join(map(runs.number, [third, times[-1]]))],
        ["--interval", runs.number((times[-1] - times[0]) / 37)],
        ["--points", "57", "--vars", first],
    ]


def ends(model, rtol):
    """Whether all settings of the rows end alike: the same status and the same last numbers."""
    times, found = REFERENCES[model]["times"], []
    for rows in row_settings(model, times):
        args = ["run", "-", "--quiet", "--stop", runs.number(times[-1])]
        args += ["--max-steps", runs.MAX_STEPS, "--rtol", str(rtol), "--atol", str(rtol), *rows]
        done = daedal.run(args, text_of(model), timeout=runs.LIMIT)
        last = daedal.rows(done.out)[1][-1:] if done.code == 0 else []
        found.append((done.code, last[0] if last else {}))
    return model, rtol, [differs(found[0], other) for other in found[1:]]


def differs(one, other):
    """What is not the same in two ends, or nothing."""
    if one[0] != other[0]:
        return f"status {one[0]} and {other[0]}"
    for name, value in other[1].items():
        if one[1][name] != value:
            return f"{name} = {one[1][name]!r} and {value!r}"
    return ""


# What is said ------------------------------------------------------------------------------------


def tolerance_name(rtol):
    return f"{rtol:.0e}".replace("e-0", "e-")


def cell(results):
    """right/judged runs, then what failed: w wrong, s stopped, and the largest error."""
    counts = Counter(r.outcome for r in results)
    judged = sum(counts[o] for o in ("right", "wrong", "stopped"))
    if not judged:
        return "-"
    bad = "".join(f" {counts[o]}{o[0]}" for o in ("wrong", "stopped") if counts[o])
    return f"{counts['right']}/{judged}{bad}"


def worst_error(results):
    """Largest error of the right runs, in tolerances."""
    return max((r.error for r in results if r.outcome == "right"), default=0)


def print_table(results, title):
    print(f"\n{title}: right/all, then wrong (w), stopped (s); largest right error in tolerances")
    columns = sorted({r.run.rtol for r in results}, reverse=True)
    print(f"{'family':14}{'method':20}" + "".join(f"{tolerance_name(c):>20}" for c in columns))
    table = defaultdict(list)
    for r in results:
        table[r.run.model.split("/")[0], r.run.method, r.run.rtol].append(r)
    for family, method in sorted({key[:2] for key in table}):
        cells = ""
        for rtol in columns:
            here = table.get((family, method, rtol), [])
            cells += f"{cell(here) + f' {worst_error(here):.2g}':>20}" if here else f"{'':>20}"
        print(f"{family:14}{method:20}{cells}")


def describe(r):
    run = r.run
    told = f"{r.error:.3g} tolerances in {r.where}" if r.outcome == "wrong" else r.reason
    how = f"rtol {run.rtol:.0e} atol {run.atol:.0e} rows {run.rows}, {run.variant}"
    return f"{r.outcome:8}{run.model:28}{run.method:20}{how}: {told}"


def by_itself(method):
    return "auto" if method == "auto" else "named"


def changed(results):
    """Models and tolerances at which auto's outcome is not the same in all variants and rows."""
    groups = defaultdict(set)
    for r in results:
        if r.run.method == "auto":
            groups[r.run.model, r.run.rtol].add(r.outcome)
    return [f"{model} at {rtol:.0e}" for (model, rtol), seen in groups.items() if len(seen) > 1]


def verdicts(results, endings):
    """The counts that may not grow, and what they consist of."""
    counts, told = Counter(), []
    for r in results:
        if r.outcome in ("wrong", "stopped"):
            counts[f"{by_itself(r.run.method)} {r.outcome}"] += 1
            told.append(describe(r))
    for name in changed(results):
        counts["outcome changes"] += 1
        told.append(f"outcome changes with rows or variant: {name}")
    for model, rtol, found in endings:
        if any(found):
            counts["end depends on rows"] += 1
            told.append(f"end depends on rows: {model} at {rtol:.0e}: {next(filter(None, found))}")
    return counts, told


def judge(counts, part):
    """Against expected.json: true where no count has grown."""
    allowed, good = json.loads(EXPECTED.read_text())[part], True
    if allowed is None:
        print(f"no bounds of the {part} set are recorded: {dict(counts)}")
        return True
    for name in sorted({*counts, *allowed}):
        more = counts[name] > allowed.get(name, 0)
        good = good and not more
        note = "MORE THAN EXPECTED" if more else "expected" if counts[name] else "none"
        if counts[name] < allowed.get(name, 0):
            note += f"; lower the bound of {allowed[name]} in expected.json"
        print(f"{name:24}{counts[name]:6}  {note}")
    return good


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="all methods, tolerances and rows")
    parser.add_argument("--models", default="", help="only models whose name has this prefix")
    parser.add_argument("--method", default="", help="only this method")
    parser.add_argument("--auto", action="store_true", help="with --full: only auto")
    parser.add_argument("--json", default="", help="write all results there")
    return parser.parse_args()


def chosen(given):
    models = [m for m in sorted(REFERENCES) if m.startswith(given.models)]
    wanted = list(full_runs(models) if given.full else short_runs(models))
    method = "auto" if given.auto else given.method
    return models, [run for run in wanted if not method or run.method == method]


def save(results, path):
    rows = [
        {**r.run._asdict(), **{k: v for k, v in r._asdict().items() if k != "run"}} for r in results
    ]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=0)


def complete():
    """Sixty models in ten families at least, and each with its reference."""
    models = {f"{path.parent.name}/{path.stem}" for path in runs.MODELS.glob("*/*.mo")}
    alone = sorted(models ^ set(REFERENCES))
    if alone:
        print("a model without a reference, or a reference without its model:", *alone)
    return not alone and len(models) >= 60 and len(runs.families()) >= 10


def main():
    given = options()
    models, wanted = chosen(given)
    with ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(perform, wanted))
        settings = TOLERANCES if given.full else [1e-5]
        jobs = [(m, rtol) for m in models for rtol in settings]
        endings = list(pool.map(lambda job: ends(*job), jobs)) if not given.method else []
    if given.json:
        save(results, given.json)
    print_table([r for r in results if r.run.variant == "as written"], "as written")
    other = [r for r in results if r.run.variant != "as written"]
    if other:
        print_table(other, "shuffled, renamed, in other units")
    counts, told = verdicts(results, endings)
    print("\n" + "\n".join(told) + f"\n\n{len(results)} runs of {len(models)} models")
    part = ("auto" if given.auto else "full") if given.full else "short"
    good = judge(counts, part)
    sys.exit(0 if complete() and good else 1)


if __name__ == "__main__":
    main()

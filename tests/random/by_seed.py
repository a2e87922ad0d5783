"""Programs that are a test, and that count what other seeds give if they are asked to."""

import argparse
import sys
import unittest


def main(count):
    """Runs the tests; with options starting with "--", count(seed, models) instead."""
    if len(sys.argv) < 2 or not sys.argv[1].startswith("--"):
        unittest.main()
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    count(arguments.seed, arguments.count)


def main_of_kinds(count, models, **kinds):
    """The same of tests with several kinds of models: count(arguments, options), where options are for the command;
    `kinds`: what else may be asked for, and the default."""
    if len(sys.argv) < 2 or not sys.argv[1].startswith("--"):
        unittest.main()
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=models)
    for name, default in kinds.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    count(*parser.parse_known_args())


def judge_all(judge, seeds):
    """What judge(seed) says, each with the seeds of which it says so."""
    found = {}
    for seed in seeds:
        found.setdefault(judge(seed), []).append(seed)
    return found


def print_judged(found):
    for said, seeds in sorted(found.items(), key=lambda item: len(item[1])):
        print(len(seeds), said, seeds[:12])


def all_right(test, judge, numbers, least):
    """Asserts of models that judge(number) finds nothing wrong with them, and judges as many as `least`: it returns
    a model's text and what is wrong, '' if nothing is; or None for a model that is not asked for."""
    judged = 0
    for number in numbers:
        found = judge(number)
        if found is None:
            continue
        judged += 1
        with test.subTest(number=number):
            test.assertEqual(found[1], "", found[0])
    test.assertGreater(judged, least)


def count_wrong(judge, seed, models):
    """Prints what such a judge finds wrong, and how much of it there is."""
    judged = wrong = 0
    for number in range(seed, seed + models):
        found = judge(number)
        judged += found is not None
        if found and found[1]:
            wrong += 1
            print(f"{number}: {found[1]}\n{found[0]}", flush=True)
    print(f"{judged} models, {wrong} wrong")

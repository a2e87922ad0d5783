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

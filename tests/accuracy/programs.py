"""The C programs among the examples: one a problem form, one of events and one of a projection, each
near its reference."""

import os
import re
import subprocess
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "c")
BUILT = sys.argv.pop(1)

# Errors of single steps, each below the tolerance, may have grown to this much of it at the end.
GROWTH = 100

NAMES = "events", "invariant", "linear", "mass", "mechanical", "residual", "semi_explicit", "three_body"


class Programs(unittest.TestCase):
    def test_each_is_near_its_reference(self):
        for name in NAMES:
            with self.subTest(program=name):
                run = subprocess.run(
                    [os.path.join(BUILT, "example_" + name)], capture_output=True, text=True
                )
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                said = re.search(r"relative error (\S+) with rtol (\S+), \d+ (?:steps|flights)\n$", run.stdout)
                self.assertIsNotNone(said, run.stdout)
                error, rtol = map(float, said.groups())
                self.assertLess(error, GROWTH * rtol)

    def test_there_are_no_others_and_each_is_short(self):
        sources = sorted(f for f in os.listdir(FOLDER) if f.endswith(".c"))
        self.assertEqual(sources, [name + ".c" for name in NAMES])
        for source in sources:
            with open(os.path.join(FOLDER, source)) as text:
                self.assertLess(len(text.readlines()), 80, source)


if __name__ == "__main__":
    unittest.main()

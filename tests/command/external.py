"""--library: external functions of a model, from shared libraries."""
import os
import pathlib
import re
import sys
import unittest
from math import exp

from daedal import ROOT, CommandTest, rows, run

LIBRARY = pathlib.Path(os.path.abspath(sys.argv.pop()))

MODEL = """model Decay
  function rate
    input Real x, k[:];
    output Real y;
    external "C" y = decay_rate(x, k, size(k, 1)) annotation(Library = "decay", Include = "#include <decay.h>");
    annotation(Inline = false);
  end rate;
  Real x(start = 1, fixed = true);
equation
  der(x) = rate(x, {1, 0.5, 0.5});
end Decay;
"""


class External(CommandTest):
    def test_values(self):
        """x' = -2 x by the library, whose path has a '/' or not, and for all subcommands."""
        for path, folder in (LIBRARY, None), (LIBRARY.name, LIBRARY.parent):
            done = run(["run", "-", "--library", path, "--points", "2", "--rtol", "1e-9"], MODEL, cwd=folder)
            self.assert_near(rows(done.out)[1][-1]["x"], exp(-2), 1e-8)
            self.assert_says(done.err, "derivatives by differences", "external function rate")
        self.assert_says(run(["check", "-", "--library", LIBRARY], MODEL).out, "1 degree of freedom")
        self.assert_says(run(["init", "-", "--library", LIBRARY], MODEL).out, "der = -2")

    def test_document(self):
        """The model of docs/external.md: m' = -0.02 m^2."""
        document = (ROOT / "docs" / "external.md").read_text(encoding="utf-8")
        model = re.search(r"^```modelica\n(.*?)^```$", document, re.DOTALL | re.MULTILINE).group(1)
        done = run(["run", "-", "--library", LIBRARY, "--points", "2", "--rtol", "1e-9"], model)
        self.assert_near(rows(done.out)[1][-1]["m"], 1 / 1.02, 1e-8)

    def test_what_is_missing(self):
        """No library, one that cannot be loaded, one without the function: each is named, with a remedy."""
        done = run(["run", "-"], MODEL)
        self.assertEqual(done.code, 3)
        self.assert_says(done.err, "decay_rate needs a library", "--library libNAME.so", "<stdin>:5:5")
        done = run(["run", "-", "--library", "libno.so"], MODEL)
        self.assertEqual(done.code, 2)
        self.assert_says(done.err, '"libno.so" cannot be loaded')
        done = run(["run", "-", "--library", LIBRARY], MODEL.replace("decay_rate", "decay_rates"))
        self.assertEqual(done.code, 3)
        self.assert_says(done.err, "decay_rates is not in", LIBRARY.name, "nearest: decay_rate")

    def test_flat_text(self):
        """A model of components keeps its external functions in the flat text, which gives the same."""
        text = "package P\n" + MODEL.replace("Decay", "Part") + "model Whole\n Part a;\nend Whole;\nend P;\n"
        flat = run(["flatten", "-", "--model", "P.Whole", "--library", LIBRARY], text).out
        self.assert_says(flat, 'external "C" y = decay_rate(x, k, size(k, 1));')
        done = run(["run", "-", "--library", LIBRARY, "--points", "2", "--rtol", "1e-9"], flat)
        self.assert_near(rows(done.out)[1][-1]["a.x"], exp(-2), 1e-8)


if __name__ == "__main__":
    unittest.main()

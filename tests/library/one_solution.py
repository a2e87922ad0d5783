"""Frictions that stick on one shaft, or far from breaking away, meet the equations in several modes, with one motion:
no note tells of several solutions."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from daedal import CommandTest, run  # noqa: E402

SHAFT = """model M
  import Daedal.Rotational.*;
  import Daedal.Blocks.*;
  Inertia j(J = 1, w(start = 2, fixed = true), phi(start = 0, fixed = true));
  Brake b1(tau_max = 1), b2(tau_max = {second});
  TimeTable u1(table = [0, 1; 3, 1; 3.2, 0.5; 10, 0.5]), u2(table = [0, 1; 3, 1; 4, 0; 10, 0]);
  ConstantTorque t(tau_constant = 0.2);
equation
  connect(j.flange_b, b1.flange_a);
  connect(b1.flange_a, b2.flange_a);
  connect(u1.y, b1.u);
  connect(u2.y, b2.u);
  connect(t.flange, j.flange_a);
end M;
"""


class OneSolution(CommandTest):
    def test_two_brakes_stop_one_shaft(self):
        for second in (0.5, 1, 2):
            with self.subTest(second=second):
                found = run(["run", "--stop", "5", "--points", "2", "--vars", "j.w,j.phi", "-"],
                            SHAFT.format(second=second))
                self.assertEqual(found.code, 0, found.err)
                self.assertNotIn("several solutions", found.err)
                w, phi = map(float, found.out.split()[-1].split(",")[1:])
                self.assertAlmostEqual(w, 0, delta=1e-9)
                # braked from 2 rad/s by 1 + second - 0.2
                self.assertAlmostEqual(phi, 2/(0.8 + second), delta=1e-5)


if __name__ == "__main__":
    unittest.main()

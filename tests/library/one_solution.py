"""Frictions that stick on one shaft, or far from breaking away, meet the equations in several modes, with one motion:
no note tells of several solutions. One does where something else follows from which of them holds the shaft."""
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

    def test_what_follows_from_one_brake_differs(self):
        # the wear, and the work done: while the shaft rests, any part of the torque may be that of the first brake
        for second, rate, several in [(0.5, "b1.tau", True), (1, "b2.tau - b1.tau", True),
                                      (2, "if b1.mode == 0 then 1 else 0", True), (2, "b1.tau*j.w", False),
                                      (0.5, "b1.tau + b2.tau", False)]:
            with self.subTest(second=second, rate=rate):
                text = SHAFT.format(second=second).replace(
                    "equation", f"  Real e(start = 0, fixed = true);\nequation\n  der(e) = {rate};", 1)
                found = run(["run", "--stop", "2", "--points", "2", "--vars", "j.w", "-"], text)
                self.assertEqual(found.code, 0, found.err)
                self.assertEqual("several solutions" in found.err, several, found.err)
                if several:
                    self.assertIn("the one with the fewest changes is taken", found.err)
                    self.assertIn("b1.mode", found.err)
                    self.assertIn("b2.mode", found.err)


if __name__ == "__main__":
    unittest.main()

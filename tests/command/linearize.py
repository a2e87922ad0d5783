"""`linearize`: its answers in words and as JSON, and what is refused."""
import json
import math
import unittest

from daedal import DECAY, PENDULUM, CommandTest, run

RLC = """model RLC
  parameter Real R = 2, L = 0.5, C = 0.1;
  input Real u;
  output Real uc(start = 0, fixed = true);
  Real i(start = 0, fixed = true), ur, ul;
equation
  ur = R*i; L*der(i) = ul; C*der(uc) = i; u = ur + ul + uc;
end RLC;
"""

LADDER = """model Ladder
  model Cell "a resistor to a capacitor" input Real u; output Real v(start = 0); Real i;
    equation u - v = 2*i; der(v) = i; end Cell;
  Cell c[4]; input Real u;
equation
  c[1].u = u; for k in 2:4 loop c[k].u = c[k-1].v; end for;
end Ladder;
"""


def answer(args, stdin=None):
    result = run(["linearize", *args, "--json"], stdin)
    return result, json.loads(result.out)


class Answers(CommandTest):
    def test_words_have_eigenvalues_states_and_matrices(self):
        out = run(["linearize", "-"], RLC).out
        self.assert_says(out, "5 variables, 2 finite eigenvalues, 3 infinite, index 1", "input: u", "output: uc")
        self.assertRegex(out, r"-2 \+- 4i +0\.4472 +4\.47214 +0\.711763 +0\.5 +uc 50 %, i 50 %")
        self.assertRegex(out, r"(?m)^  a +0 +10\n +-2 +-4$")

    def test_json_has_all_matrices(self):
        result, found = answer(["-"], RLC)
        self.assertEqual(result.code, 0)
        for name, rows, columns in ("E", 5, 5), ("A", 5, 5), ("B", 5, 1), ("C", 1, 5):
            self.assertEqual((len(found[name]), len(found[name][0])), (rows, columns))
        space = found["state_space"]
        self.assertEqual((space["states"], space["B"], space["C"], space["D"]), (["uc", "i"], [[0], [2]], [[1, 0]], [[[0]]]))
        self.assertEqual([e["imaginary"] for e in found["eigenvalues"]], [4, -4])
        self.assertEqual((found["states"], found["infinite"], found["index"]), (2, 3, 1))
        self.assert_near(found["eigenvalues"][0]["participation"]["i"], 0.5, 1e-12)

    def test_format_is_json_as_well(self):
        self.assertEqual(run(["linearize", "-", "--format=json"], RLC).out, run(["linearize", "-", "--json"], RLC).out)
        self.assertEqual(run(["linearize", "-", "--format=text"], RLC).out, run(["linearize", "-"], RLC).out)

    def test_a_time_of_the_run_and_settings_are_taken(self):
        cubic = "model M Real x(start = 1, fixed = true); equation der(x) = -x^3; end M;"
        _, found = answer(["-", "--at=1.5", "--rtol=1e-10"], cubic)
        self.assert_near(found["time"], 1.5, 0)
        self.assert_near(found["eigenvalues"][0]["real"], -3 / 4, 1e-8)  # x^2 = 1/(1 + 2 t)
        self.assertIn("no equilibrium", found["notes"][0])
        _, found = answer(["-", "--set=x=2"], cubic)
        self.assertEqual(found["eigenvalues"][0]["real"], -12)

    def test_ports_by_names_and_patterns_in_a_hierarchical_model(self):
        _, found = answer(["-", "--outputs=c[2:3].v,c[1].v"], LADDER)
        self.assertEqual((found["inputs"], found["outputs"]), (["u"], ["c[2].v", "c[3].v", "c[1].v"]))
        for e, k in zip(found["eigenvalues"], range(4)):
            self.assertEqual(e["real"], -0.5)
        _, found = answer(["-", "--outputs=*.v"], LADDER)
        self.assertEqual(len(found["outputs"]), 4)

    def test_a_followed_mechanism_gives_natural_frequencies(self):
        _, found = answer([PENDULUM, "--set=x=0", "--set=y=-1", "--set=vx=0"])
        self.assert_near(found["eigenvalues"][0]["imaginary"], math.sqrt(9.82), 1e-12)
        self.assertEqual((found["states"], found["index"]), (2, 3))


class Refusals(CommandTest):
    def test_what_is_no_port_is_refused(self):
        self.assert_refused(["linearize", "-", "--inputs=ud"], '--inputs: no variable is called "ud"', "nearest: u", stdin=RLC)
        self.assert_refused(["linearize", "-", "--outputs=q*"], '--outputs: no variable matches "q*"', stdin=RLC)
        refused = run(["linearize", "-", "--inputs=i"], RLC)
        self.assertEqual(refused.code, 2)
        self.assert_says(refused.err, "i is no input")

    def test_one_time_and_known_formats(self):
        self.assert_refused(["linearize", "-", "--at=1,2"], "--at", stdin=DECAY)
        self.assert_refused(["linearize", "-", "--format=csv"], "--format", "csv", stdin=DECAY)

    def test_a_failure_is_said_in_json_too(self):
        result, found = answer(["-"], "model M Real x(start = 0, fixed = true), y; equation der(x) = 1; y = sqrt(x); end M;")
        self.assertEqual(result.code, 1)
        self.assertEqual(found["status"], "not_evaluable")
        self.assert_says(found["message"], "sqrt(x)", "not finite")
        result, found = answer(["-"], "model M Real x; equation x = y; end M;")
        self.assertEqual((result.code, found["status"]), (3, "model_error"))


if __name__ == "__main__":
    unittest.main()

"""Absurd inputs: never a crash, never a hang, always a message of a sensible length."""
import os
import random
import subprocess
import unittest

from daedal import COMMAND, DECAY, CommandTest, folder, run

SECONDS = 20


def model(equation, declarations=""):
    return f"model M\n  Real x;\n{declarations}equation\n  {equation};\nend M;\n"


class Absurd(CommandTest):
    def refuse(self, text, *parts, subcommands=("run", "check")):
        """Refused with a message that holds all parts; the text may be bytes."""
        with folder() as here:
            (here / "m.mo").write_bytes(text if isinstance(text, bytes) else text.encode())
            for subcommand in subcommands:
                result = run([subcommand, "m.mo"], timeout=SECONDS, cwd=here)
                self.assert_no_crash(result)
                self.assertEqual(result.code, 3, result.err[:500])
                self.assert_says(result.err, *parts)
                self.assertGreater(len(result.err), 10)
                self.assertLess(len(result.err), 20000)
                self.assert_printable(result.err)

    def solve(self, text, codes=(0,)):
        result = run(["run", "-", "--points=2"], text, timeout=SECONDS)
        self.assert_no_crash(result)
        self.assertIn(result.code, codes, result.err[:500])
        self.assertGreater(len(result.err), 10)
        self.assertLess(len(result.err), 20000)

    def assert_printable(self, text):
        """Nothing that a terminal would take for a command, and nothing that is not UTF-8."""
        self.assertNotRegex(text, r"[\x00-\x08\x0b-\x1f\x7f]")
        self.assertNotRegex(text, r"[\udc80-\udcff]")


class Files(Absurd):
    def test_an_empty_file(self):
        self.refuse("", "m.mo:1:1: error: ")

    def test_nothing_but_blanks_and_comments(self):
        for text in " \n\t\n", "// a\n/* b */\n", "\ufeff":
            self.refuse(text, "m.mo:", "error: ")

    def test_a_folder(self):
        with folder() as here:
            self.assert_refused(["run", here], str(here))

    def test_a_file_of_bytes(self):
        bytes_of_all_kinds = bytes(range(256)) * 4000
        for text in (
            bytes_of_all_kinds,
            b"\x7fELF" + bytes_of_all_kinds,
            b"\x00" * 100000,
            b"\xff\xfe" * 50000,
        ):
            self.refuse(text, "m.mo:1:1: error: ")

    def test_a_byte_of_nothing_within_a_model(self):
        self.refuse("model M\n  Real x;\0\nequation\n  x = 1;\nend M;\n", "m.mo:2:")

    def test_bytes_that_are_no_letters_in_a_name(self):
        self.refuse(
            b"model M\n  Real '\xff\xfe';\nequation\n  '\xff\xfe' = 1;\nend M;\n", "m.mo:2:"
        )

    def test_a_text_in_another_encoding(self):
        self.refuse(DECAY.encode("utf-16"), "m.mo:1:", "error: ", "UTF-8")

    def test_megabytes_of_random_text(self):
        letters = random.Random(1).choices(
            " \n;=+-*/()[]{}.,'\"abcdefghijxyz0123456789", k=2_000_000
        )
        self.refuse("".join(letters), "m.mo:", "error: ")
        self.refuse("model M\n" + "".join(letters), "m.mo:", "error: ")

    def test_megabytes_of_one_letter(self):
        for letter in "x", "(", "'", '"', "\n", "1", ";", "/*", "-":
            self.refuse(letter * 1_000_000, "m.mo:", "error: ", subcommands=["check"])

    def test_a_byte_order_mark_and_dos_line_ends_are_no_mistakes(self):
        self.solve("\ufeff" + DECAY)
        self.solve(DECAY.replace(";", ";\r\n"))

    def test_a_model_that_is_cut_anywhere(self):
        for length in range(0, len(DECAY) - 2, 3):
            self.refuse(DECAY[:length], "m.mo:", subcommands=["check"])


class Texts(Absurd):
    def test_deep_nesting(self):
        deep = 200_000
        for text in (
            model("x = " + "(" * deep + "1" + ")" * deep),
            model("x = " + "(" * deep),
            model("x = " + "-" * deep + "1"),
            model("x = " + "{" * deep),
            model("x = " + "[" * deep),
            model("x = " + "sin(" * deep),
            model("x = " + "if time > 0 then " * deep),
            model("if time > 0 then\n" * deep + "x = 1"),
            model("for i in 1:1 loop\n" * deep + "x = 1"),
            model("x = if " + "not " * deep + "true then 1 else 2"),
        ):
            self.refuse(text, "m.mo:", "error: ", subcommands=("check",))

    def test_moderate_nesting_is_no_mistake(self):
        deep = 100
        for expression in "(" * deep + "1" + ")" * deep, "abs(" * deep + "1" + ")" * deep:
            self.solve(model(f"x = {expression}"))

    def test_long_chains_are_solved_or_refused(self):
        long = 100_000
        for expression in (
            "1" + "+1" * long,
            "1" + "*1" * long,
            "time" + "+time" * long,
            "time" + "-time" * long,
            "time" + "*time" * long,
            "1" + "^1" * 1000,
            "time" + "/2" * long,
        ):
            self.solve(model(f"x = {expression}"), codes=(0, 1, 3))

    def test_a_name_of_ten_thousand_characters(self):
        name = "n" * 10_000
        result = run(
            ["run", "-", "--points=2"], f"model M Real {name}; equation {name} = 1; end M;", SECONDS
        )
        self.assertEqual((result.code, result.out.splitlines()[0]), (0, f"time,{name}"))
        self.refuse(model(f"x = {name}"), "m.mo:4:7: error: ")

    def test_arguments_of_ten_thousand_characters(self):
        name = "n" * 10_000
        for args in (
            [name],
            ["run", name],
            ["run", "-", f"--{name}"],
            ["run", "-", f"--vars={name}"],
            ["run", "-", f"--set={name}=1"],
            ["run", "-", f"--out={name}.csv"],
            ["run", "-", f"--at={name}"],
            ["run", "-", f"--method={name}"],
            ["run", "-", f"--rtol={name}"],
            ["run", "-", f"--rtol={'1' * 10_000}"],
            ["run", "-", f"--plot={name}.svg"],
            ["run", "-", f"--set=k={name}"],
        ):
            self.assert_refused(args, stdin=DECAY, timeout=SECONDS)

    def test_an_unterminated_string_comment_or_name(self):
        for text in (
            'model M "' + "a" * 100_000,
            "model M /*" + "a" * 100_000,
            "model M Real '" + "a" * 100_000,
        ):
            self.refuse(text, "m.mo:1:", "error: ")

    def test_many_errors_are_not_all_told(self):
        self.refuse(model(";\n  ".join(f"x = y{k}" for k in range(100_000))), "m.mo:4:7: error: ")

    def test_numbers_of_a_million_digits(self):
        for number in "1" * 1_000_000, "0." + "0" * 1_000_000 + "1", "1e" + "9" * 1_000_000:
            self.solve(model(f"x = {number}"), codes=(0, 1, 3))


class Sizes(Absurd):
    def test_an_array_of_a_thousand_million_elements(self):
        huge = 10**9
        for declaration, equation in (
            (f"  Real y[{huge}];\n", "x = 1; y = zeros(size(y, 1))"),
            ("", f"x = sum(i for i in 1:{huge})"),
            ("", f"x = sum(fill(1, {huge}))"),
            ("", f"x = 1; for i in 1:{huge} loop x = 1; end for"),
            ("  Real y[100000, 100000];\n", "x = 1"),
            (f"  parameter Integer n = {huge};\n  Real y[n];\n", "x = 1"),
        ):
            self.refuse(model(equation, declaration), "m.mo:", "error: ")

    def test_sizes_that_no_number_holds(self):
        for size in (
            "9999999999999999999999",
            "-1",
            "1e30",
            "1.5",
            "9223372036854775807",
            "4611686018427387904, 4",
        ):
            self.refuse(model("x = 1", f"  Real y[{size}];\n"), "m.mo:3:", "error: ")

    def test_a_loop_of_definitions(self):
        self.refuse(model("x = p", "  parameter Real p = q, q = p;\n"), "m.mo:3:", "error: ")
        self.refuse(model("x = y", "  Real y[size(y, 1)];\n"), "m.mo:3:", "error: ")

    def test_a_function_that_calls_itself(self):
        text = "function f input Real u; output Real y; algorithm y := f(u) + 1; end f;\n" + model(
            "x = f(1)"
        )
        self.refuse(text, "m.mo:", "error: ")

    def test_equations_that_grow_by_doubling(self):
        names = ", ".join(f"y{k}" for k in range(60))
        equations = "; ".join(f"y{k} = y{k - 1}*y{k - 1}" for k in range(1, 60))
        self.solve(model(f"x = y59; y0 = 1; {equations}", f"  Real {names};\n"), codes=(0, 1, 3))

    def test_a_function_that_doubles_its_argument_sixty_times(self):
        calls = "f(" * 60 + "time" + ")" * 60
        self.solve(
            "function f input Real u; output Real y; algorithm y := u + u; end f;\n"
            + model(f"x = {calls}"),
            codes=(0, 1, 3),
        )

    def test_a_chain_of_high_index(self):
        n = 200
        names = ", ".join(f"y{k}" for k in range(n))
        equations = "; ".join(f"der(y{k}) = y{k + 1}" for k in range(n - 1))
        self.solve(
            model(f"y0 = sin(time); {equations}; x = 1", f"  Real {names};\n"), codes=(0, 1, 3)
        )

    def test_memory_grows_no_faster_than_a_model(self):
        """Each equation holds two variables, whatever their number."""
        used = []
        for count in 6000, 12000:
            with folder() as here:
                declarations = "".join(f"Real x{k}(start = 1);\n" for k in range(count))
                equations = "".join(
                    f"der(x{k}) = -x{k} + 0.5*x{(k + 1) % count};\n" for k in range(count)
                )
                (here / "m.mo").write_text(f"model M {declarations}equation {equations}end M;")
                child = subprocess.Popen(
                    [COMMAND, "init", here / "m.mo"],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual(child.returncode, 0)
                used.append(usage.ru_maxrss)
        self.assertLess(used[1], 2.5 * used[0])

    def test_more_output_times_than_can_be_kept(self):
        for option in "--points=1000000001", "--interval=1e-300":
            self.assert_refused(["run", "-", option], stdin=DECAY, timeout=SECONDS)


if __name__ == "__main__":
    unittest.main()

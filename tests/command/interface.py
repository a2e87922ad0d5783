"""The command line: subcommands, options, the model's place, files, and what is refused."""
import json
import re
import unittest

from daedal import CORPUS, DECAY, ENDLESS, EXAMPLES, ROOT, CommandTest, folder, run

FLAGS = ROOT / "src" / "cli" / "flags.def"
OPTIONS = ROOT / "include" / "daedal" / "options.def"
LETTERS = {"run": "r", "check": "c", "init": "i", "linearize": "l", "flatten": "f", "method": "m"}
MODELS = [subcommand for subcommand in LETTERS if subcommand != "method"]  # which take one
ROW = re.compile(r"^X\((.*)\)\s*$", re.MULTILINE)
FIELD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]+)\s*(?:,|$)')


def listed(path):
    """The rows of a .def list, each a list of its fields without quotes."""
    rows = ROW.findall(path.read_text())
    return [[field.strip().strip('"') for field in FIELD.findall(row)] for row in rows]


def expected_options(subcommand):
    """The options that the two lists give a subcommand: flags without a solver's bool members."""
    names = {row[1] for row in listed(FLAGS) if LETTERS[subcommand] in row[3]}
    if subcommand in ("run", "linearize"):
        names |= {row[1].replace("_", "-") for row in listed(OPTIONS) if row[0] != "bool"}
    return names


def numbers():
    """The options that take numbers: name, whole, lowest, highest."""
    return [
        (row[1].replace("_", "-"), row[0] == "size_t", float(row[3]), float(row[4]))
        for row in listed(OPTIONS)
        if row[0] in ("double", "size_t")
    ]


class Help(CommandTest):
    def test_no_arguments_at_all_give_a_short_help_on_standard_error(self):
        result = run([])
        self.assertEqual((result.code, result.out), (2, ""))
        self.assert_says(result.err, "usage: daedal", *LETTERS)
        self.assertLess(len(result.err.splitlines()), 25)

    def test_help_of_the_command_lists_the_subcommands(self):
        for flag in "--help", "-h":
            result = run([flag])
            self.assertEqual((result.code, result.err), (0, ""))
            self.assert_says(result.out, "usage: daedal", "MODEL", "--version", *LETTERS)
            self.assertEqual(set(re.findall(r"^  ([a-z]+) ", result.out, re.M)), set(LETTERS))

    def test_help_of_a_subcommand_lists_its_options_and_none_else(self):
        for subcommand in LETTERS:
            for flag in "--help", "-h":
                result = run([subcommand, flag])
                self.assertEqual((result.code, result.err), (0, ""))
                found = re.findall(r"^ +(?:-\w, )?--([a-z-]+)", result.out, re.M)
                self.assertEqual(len(found), len(set(found)))
                self.assertEqual(set(found), expected_options(subcommand))
                self.assertIn(f"usage: daedal {subcommand} ", result.out)

    def test_help_gives_the_meaning_of_each_option_in_its_line(self):
        for row in listed(OPTIONS):
            if row[0] != "bool":
                self.assertRegex(
                    run(["run", "--help"]).out,
                    rf"--{row[1].replace('_', '-')} .*{re.escape(row[6])}",
                )

    def test_help_says_the_default_of_the_tolerances(self):
        for name in "rtol", "atol":
            self.assertRegex(run(["run", "--help"]).out, rf"--{name} .*\b1e-0?6\b")

    def test_help_wins_over_a_missing_model(self):
        self.assertEqual(run(["run", "--rtol", "1e-3", "--help"]).code, 0)

    def test_version(self):
        version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
        result = run(["--version"])
        self.assertEqual(result, (0, f"daedal {version}\n", ""))


class Refusals(CommandTest):
    def test_a_formulation_of_mechanisms_is_refused_before_anything_is_written(self):
        self.assert_refused(
            ["run", "-", "--formulation=ggl"], "formulation ggl", "index1", stdin=DECAY
        )

    def test_an_unknown_subcommand_is_refused_with_the_nearest_one(self):
        self.assert_refused(["chekc", "m.mo"], '"chekc"', "nearest: check", "--help")
        self.assert_refused(["zzzzzz"], '"zzzzzz"', "--help")

    def test_an_unknown_option_before_the_subcommand_is_called_an_option(self):
        message = self.assert_refused(["--verison"], "--verison", "--version")
        self.assertNotIn("subcommand", message.split("nearest")[0])

    def test_an_unknown_option_is_refused_with_the_nearest_one(self):
        self.assert_refused(["run", "-", "--rotl", "1"], "--rotl", "nearest: --rtol", stdin=DECAY)
        self.assert_refused(
            ["run", "-", "--formulatoin=direct"],
            "--formulatoin",
            "nearest: --formulation",
            stdin=DECAY,
        )
        self.assert_refused(["check", "-", "--jsno"], "nearest: --json", stdin=DECAY)

    def test_an_unknown_letter_is_named_as_it_was_given(self):
        for given in ["-x"], ["-qx"], ["-x", "-q"]:
            message = self.assert_refused(["run", "-", *given], '"-x"', stdin=DECAY)
            self.assertNotIn("--x", message)

    def test_the_beginning_of_an_option_is_not_taken_for_it(self):
        self.assert_refused(["run", "-", "--st=1"], "--start", "--stop", "--stats", stdin=DECAY)
        self.assert_refused(["run", "-", "--sto=1"], '"--sto"', "--stop", stdin=DECAY)
        self.assert_refused(["run", "-", "--sto", "1"], '"--sto"', "--stop", stdin=DECAY)

    def test_an_option_of_another_subcommand_is_refused(self):
        for subcommand, option in ("check", "--stop=1"), ("init", "--points=3"), ("check", "-q"):
            self.assert_refused(
                [subcommand, "-", option], option.split("=")[0].strip("-"), stdin=DECAY
            )

    def test_a_value_where_none_belongs_is_said_to_be_too_much(self):
        message = self.assert_refused(["run", "-", "--json=1"], "--json", "value", stdin=DECAY)
        self.assertNotIn("there is no option", message)

    def test_a_missing_value_is_named(self):
        self.assert_refused(["run", "-", "--rtol"], "value", "--rtol", stdin=DECAY)
        self.assert_refused(["run", "-", "-o"], "value", "-o", stdin=DECAY)

    def test_a_missing_model_is_refused(self):
        for subcommand in MODELS:
            self.assert_refused([subcommand], "model", "standard input")

    def test_two_models_are_refused(self):
        self.assert_refused(["run", "a.mo", "b.mo"], "one model", '"b.mo"')

    def test_a_model_that_cannot_be_read_is_refused_with_the_reason(self):
        for subcommand in MODELS:
            self.assert_refused(
                [subcommand, "nosuch.mo"], '"nosuch.mo"', "No such file or directory"
            )

    def test_a_folder_is_no_model(self):
        with folder() as here:
            self.assert_refused(["run", here], str(here), "irectory")

    def test_conflicting_output_times_are_refused(self):
        for pair in (
            ["--points=3", "--interval=1"],
            ["--points=3", "--at=1"],
            ["--at=1", "--interval=1"],
        ):
            self.assert_refused(
                ["run", "-", *pair], "--points", "--interval", "--at", "one", stdin=DECAY
            )


class Numbers(CommandTest):
    def refuse(self, name, value):
        return self.assert_refused(
            ["run", "-", f"--{name}={value}"], f"--{name}", value, stdin=DECAY
        )

    def test_a_number_out_of_its_bounds_is_refused_with_the_bounds(self):
        for name, _, lowest, highest in numbers():
            below = -1 if lowest == 0 else 0 if lowest == 1 else lowest / 10
            for value in below, highest * 10:
                text = f"{value:g}"
                self.assert_says(self.refuse(name, text), f"{lowest:g}", f"{highest:g}")

    def test_what_is_no_number_is_refused(self):
        for name, *_ in numbers():
            for value in "abc", "1x", "1,5", "nan", "inf", "1e999", "--":
                self.refuse(name, value)
            self.assert_refused(["run", "-", f"--{name}="], f"--{name}", stdin=DECAY)

    def test_a_count_must_be_whole(self):
        for name in [name for name, whole, *_ in numbers() if whole] + ["points"]:
            self.assert_says(self.refuse(name, "2.5"), "whole")

    def test_times_must_be_numbers(self):
        for name in "start", "stop", "interval", "at":
            for value in "abc", "1s", "nan", "inf":
                self.refuse(name, value)
            self.assert_refused(["run", "-", f"--{name}="], f"--{name}", stdin=DECAY)

    def test_an_interval_between_outputs_is_above_zero(self):
        self.refuse("interval", "0")
        self.refuse("interval", "-1")

    def test_points_count_both_ends(self):
        for value in "1", "0", "-3", "1e30":
            self.refuse("points", value)


class Names(CommandTest):
    def test_an_unknown_method_is_refused_with_the_nearest_one(self):
        for option, value, nearest in [
            ("method", "radua5", "radau5"),
            ("formulation", "indx1", "index1"),
            ("projection", "coordinat", "coordinate"),
        ]:
            self.assert_refused(
                ["run", "-", f"--{option}={value}"],
                f'"{value}"',
                f'nearest: "{nearest}"',
                stdin=DECAY,
            )

    def test_a_projection_that_a_model_cannot_have_is_refused_before_anything_is_written(self):
        self.assert_refused(
            ["run", "-", "--projection=embedded"], "embedded", "coordinate", stdin=DECAY
        )

    def test_an_unknown_parameter_of_a_method_is_refused(self):
        self.assert_refused(["run", "-", "--method=radau5:rho_inf=0.8"], "rho_inf", stdin=DECAY)

    def test_an_alias_is_reported_by_the_name_of_its_row(self):
        self.assertIn(", radau-iia3, ", run(["run", "-", "--method=radau5"], DECAY).err)


class Places(CommandTest):
    """Where options, the model and files stand."""

    def test_options_stand_before_or_after_the_model(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            args = [
                ["run", "--points", "3", "m.mo"],
                ["run", "m.mo", "--points", "3"],
                ["run", "--points=3", "--", "m.mo"],
                ["run", "--quiet", "m.mo", "--points=3"],
            ]
            answers = {run(one, cwd=here).out for one in args}
            self.assertEqual(len(answers), 1)
            self.assertEqual(len(answers.pop().splitlines()), 4)

    def test_after_two_dashes_everything_is_a_model(self):
        with folder() as here:
            (here / "--odd.mo").write_text(DECAY)
            self.assertEqual(run(["run", "--points=2", "--", "--odd.mo"], cwd=here).code, 0)

    def test_a_dash_is_standard_input(self):
        for subcommand in MODELS:
            self.assertEqual(run([subcommand, "-"], DECAY).code, 0)

    def test_a_model_is_told_by_its_content_and_not_by_its_ending(self):
        flat = "//! base 0.1.0\npackage P\n  model Q Real 'q'; equation 'q' = 1; end Q;\nend P;\n"
        with folder() as here:
            for name in "m.mo", "m.bmo", "m.txt", "m":
                for text, column in (DECAY, "x"), (flat, "q"):
                    (here / name).write_text(text)
                    self.assertTrue(run(["run", name], cwd=here).out.startswith(f"time,{column}\n"))

    def test_messages_name_the_file_as_it_was_given(self):
        with folder() as here:
            (here / "m.mo").write_text("model M\n  Real x;\nequation\n  x = tim;\nend M;\n")
            for subcommand in MODELS:
                result = run([subcommand, "m.mo"], cwd=here)
                self.assertEqual((result.code, result.out), (3, ""))
                self.assertRegex(result.err, r"^m\.mo:4:7: error: tim is not declared\n")
                self.assert_says(result.err, "  x = tim;\n", "^~~\n", "time")

    def test_out_holds_what_standard_output_would_have_held(self):
        with folder() as here:
            plain = run(["run", "-", "--points=5"], DECAY).out
            for given in ["--out=a.csv"], ["--out", "b.csv"], ["-o", "c.csv"], ["-od.csv"]:
                result = run(["run", "-", "--points=5", *given], DECAY, cwd=here)
                self.assertEqual((result.code, result.out), (0, ""))
            self.assertEqual([path.read_text() for path in sorted(here.glob("?.csv"))], [plain] * 4)

    def test_an_out_that_cannot_be_written_is_found_before_computing(self):
        self.assert_refused(
            ["run", "-", "--out=/nonexistent/x.csv", *ENDLESS],
            "--out",
            "/nonexistent/x.csv",
            "No such file or directory",
            stdin=DECAY,
        )
        self.assert_refused(
            ["run", "-", "--stats=/nonexistent/x.json", *ENDLESS],
            "--stats",
            "/nonexistent/x.json",
            "No such file or directory",
            stdin=DECAY,
        )

    def test_any_ending_is_csv(self):
        with folder() as here:
            expected = run(["run", "-", "--points=3"], stdin=DECAY).out
            for name in "x.txt", "x", "csv", "x.CSV.gz":
                result = run(["run", "-", "--points=3", f"--out={name}"], stdin=DECAY, cwd=here)
                self.assertEqual((result.code, result.out), (0, ""), result.err)
                self.assertEqual((here / name).read_text(), expected)
            result = run(["run", "-", "--out=/dev/null", "--stats=/dev/null"], stdin=DECAY)
            self.assertEqual((result.code, result.out), (0, ""), result.err)

    def test_a_flag_is_no_name_of_a_file(self):
        with folder() as here:
            for flag in "out", "stats", "plot":
                for name in "-", "--quiet":
                    self.assert_refused(
                        ["run", "-", f"--{flag}={name}", *ENDLESS], flag, f"./{name}", stdin=DECAY
                    )
            self.assertEqual(list(here.iterdir()), [])

    def test_a_refused_run_leaves_older_files_alone(self):
        wrong = (
            ["--vars=nosuch"],
            ["--set=nosuch=1"],
            ["--at=7"],
            ["--method=nosuch"],
            ["--plot=x.gif"],
            ["--stats=/nonexistent/x.json"],
            ["--plot=/nonexistent/x.png"],
        )
        with folder() as here:
            path = here / "old.csv"
            for option in wrong:
                path.write_text("precious")
                self.assert_refused(["run", "-", f"--out={path}", *option], stdin=DECAY)
                self.assertEqual(path.read_text(), "precious", option)

    def test_a_run_that_does_not_start_leaves_older_rows_alone(self):
        singular = ["--method=hem4", "--formulation=direct", "--step=0.01"]
        cases = (
            (2, EXAMPLES / "linear_index2.mo", singular),
            (1, CORPUS / "ErrAssertStart.mo", []),
            (3, CORPUS / "ErrInconsistentInitial.mo", []),
        )
        with folder() as here:
            old, new, stats = here / "old.csv", here / "new.csv", here / "stats.json"
            for code, model, options in cases:
                old.write_text("precious")
                stats.write_text("of an older run " * 1000)
                for path in old, new:
                    result = run(["run", model, f"--out={path}", f"--stats={stats}", *options])
                    self.assertEqual(result.code, code, result.err)
                    self.assertNotEqual(json.loads(stats.read_text())["status"], "ok")
                self.assertEqual(old.read_text(), "precious", model)
                self.assertFalse(new.exists(), model)

    def test_a_run_that_starts_replaces_older_rows(self):
        with folder() as here:
            path = here / "old.csv"
            for model, code in (CORPUS / "ErrPoleDuringRun.mo", 1), (CORPUS / "RLC.mo", 0):
                args = ["run", model, "-q", "--points=5"]
                path.write_text("precious\n" * 10000)
                self.assertEqual(run([*args, f"--out={path}"]).code, code)
                self.assertEqual(path.read_text(), run(args).out)


if __name__ == "__main__":
    unittest.main()

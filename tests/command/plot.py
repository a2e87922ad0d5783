"""Pictures: written and named as they should be, and nothing that a model says is executed."""
import pathlib
import re
import shutil
import unittest
import xml.etree.ElementTree as xml

from daedal import CORPUS, DECAY, ENDLESS, CommandTest, folder, rows, run

MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-1."}

# Each as it stands between the quotes of the model, and as it should be read in the picture.
HOSTILE = [
    ("`touch made-by-backticks`",) * 2,
    ("$(touch made-by-dollar)",) * 2,
    ("a; rm -rf ./victim",) * 2,
    ('he said "hi"',) * 2,
    ('" ; system "touch made-by-quote" ; "',) * 2,
    (r"{/Symbol a}_{i}^{2}",) * 2,
    ("under_score^hat@at&amp;",) * 2,
    ("100 % %d %s %f",) * 2,
    (r"C:\\temp\\new", r"C:\temp\new"),
    ("größe λ 速度",) * 2,
    ("two  spaces # no comment",) * 2,
    ("a,b\\tc", "a,b c"),
    ("<b>&lt;</b>",) * 2,
    ("columnheader(1)",) * 2,
    ("-",) * 2,
    ("x' using 1:2".replace("'", r"\'"), "x' using 1:2"),
]


def hostile_model():
    names = [f"'{name}'" for name, _ in HOSTILE]
    equations = " ".join(f"{name} = {k} + time;" for k, name in enumerate(names))
    return f"model Hostile Real {', '.join(names)}; equation {equations} end Hostile;\n"


class PlotTest(CommandTest):
    def draw(self, here, model, name="x.svg", *options, noted=""):
        """Draw a model (a path or a text) into here/name, with a note of this or none; the picture's bytes."""
        given, text = (model, None) if isinstance(model, pathlib.Path) else ("-", model)
        result = run(["run", given, "-q", f"--plot={name}", *options], text, cwd=here)
        self.assertEqual((result.code, result.err == ""), (0, not noted), result.err)
        self.assert_says(result.err, noted)
        return (here / name).read_bytes()

    def texts(self, picture):
        """All texts of an SVG picture, in its order."""
        root = xml.fromstring(picture)
        return [
            "".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")
        ]


class Pictures(PlotTest):
    def test_the_ending_decides_the_kind(self):
        with folder() as here:
            for ending, magic in MAGIC.items():
                picture = self.draw(here, DECAY, "x" + ending)
                self.assertTrue(picture.startswith(magic), picture[:20])
                self.assertGreater(len(picture), 1000)

    def test_rows_are_written_as_ever(self):
        with folder() as here:
            plain = run(["run", "-", "--points=5"], DECAY).out
            result = run(["run", "-", "--points=5", "--plot=x.svg"], DECAY, cwd=here)
            self.assertEqual(result.out, plain)
            result = run(["run", "-", "--points=5", "--plot=x.svg", "--out=x.csv"], DECAY, cwd=here)
            self.assertEqual((result.out, (here / "x.csv").read_text()), ("", plain))

    def test_names_and_the_time_are_written(self):
        with folder() as here:
            found = self.texts(self.draw(here, CORPUS / "PendulumCartesian.mo"))
        for text in "x", "y", "vx", "vy", "F", "time [s]":
            self.assertIn(text, found)

    def test_variables_of_one_unit_share_a_panel_that_names_it(self):
        with folder() as here:
            found = " ".join(self.texts(self.draw(here, CORPUS / "RLC.mo")))
        self.assertLess(found.index("[V]"), found.index("i_L"))
        for unit in "[V]", "[A]":
            self.assertEqual(found.count(unit), 1, "a unit stands at its axis")
        self.assertEqual(found.count("time [s]"), 1)

    def test_a_jump_is_upright_whatever_the_distance_of_rows(self):
        text = (
            "model Jump Real x(start = 0, fixed = true); Boolean late = time > 0.37; "
            "equation der(x) = if late then 2 else 1; when late then reinit(x, -1); end when; end Jump;"
        )
        for span, count in (["--stop=1", "--points=3"], 2), (["--at=0.4,0.5,1", "--stop=1"], 0):
            with folder() as here:
                rows_without = run(["run", "-", *span], text).out
                picture = self.draw(here, text, "x.svg", *span).decode()
                self.assertEqual(run(["run", "-", *span, "--plot=y.svg"], text, cwd=here).out, rows_without)
            upright = 0
            for curve in picture.split('id="gnuplot_plot_')[1:]:
                path = re.search(r"d='M([^']*)'", curve)[1]
                point = [tuple(map(float, p.split(","))) for p in re.findall(r"[\d.]+,[\d.]+", path)]
                upright += any(
                    abs(a[0] - b[0]) < 0.01 and abs(a[1] - b[1]) > 50
                    for a, b in zip(point, point[1:])
                )
            self.assertEqual(upright, count, span)

    def test_the_axis_of_time_ends_with_the_run(self):
        with folder() as here:
            labels = self.texts(self.draw(here, DECAY, "x.svg", "--stop=7.2"))
        self.assertIn("7", [label.strip() for label in labels])
        self.assertNotIn("8", [label.strip() for label in labels])

    def test_small_numbers_without_a_unit_are_not_flattened_by_large_ones(self):
        names = {"a": "7000*time", "b": "time", "c": "3*time", "d": "1e-12*time", "e": "0*time"}
        text = f"model Sizes Real {', '.join(names)}; equation "
        text += " ".join(f"{name} = {value};" for name, value in names.items()) + " end Sizes;"
        with folder() as here:
            found = [label.strip() for label in self.texts(self.draw(here, text))]
        self.assertEqual([name for name in found if name in names], list(names))
        self.assertIn("7000", found)
        self.assertIn("3", found[found.index("a") :], "what is smaller has an axis of its own")

    def test_vars_limit_what_is_drawn(self):
        with folder() as here:
            found = self.texts(
                self.draw(here, CORPUS / "PendulumCartesian.mo", "x.svg", "--vars=vy,F")
            )
        self.assertTrue({"vy", "F"} <= set(found))
        self.assertTrue({"x", "y", "vx"}.isdisjoint(found))

    def test_many_variables_find_room_beside_the_panel(self):
        count = 60
        names = [f"variable_{k}" for k in range(count)]
        text = (
            f"model Many Real {', '.join(names)}; equation "
            + " ".join(f"{name} = {k}*time;" for k, name in enumerate(names))
            + " end Many;"
        )
        with folder() as here:
            picture = self.draw(here, text).decode()
        height = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', picture)[1])
        border = float(
            re.search(r"d='M[\d.]+,[\d.]+ L[\d.]+,[\d.]+ L([\d.]+),[\d.]+ L[^']*Z *'", picture)[1]
        )
        labels = re.findall(
            r'translate\(([\d.]+),([\d.]+)\)"[^>]*text-anchor="(\w+)">\s*<text>(?:<tspan[^>]*>)?'
            r"(variable_\d+)<",
            picture,
        )
        self.assertEqual([label[3] for label in labels], names)
        for x, y, anchor, name in labels:
            left = float(x) - (6 * len(name) if anchor == "end" else 0)
            self.assertGreaterEqual(left, border, f"{name} lies upon the curves")
            self.assertLess(float(y), height)

    def test_an_earlier_picture_is_replaced(self):
        with folder() as here:
            (here / "x.svg").write_text("old" * 100000)
            self.assertTrue(self.draw(here, DECAY).rstrip().endswith(b"</svg>"))

    def test_a_failed_run_draws_what_was_computed(self):
        with folder() as here:
            result = run(["run", CORPUS / "ErrPoleDuringRun.mo", "--plot=x.svg", "-q"], cwd=here)
            self.assertEqual(result.code, 1)
            self.assertNotIn("gnuplot", result.err)
            self.assertIn("y", self.texts((here / "x.svg").read_bytes()))

    def test_a_run_without_a_row_leaves_no_broken_picture(self):
        with folder() as here:
            result = run(["run", CORPUS / "ErrNoRealRoot.mo", "--plot=x.svg", "-q"], cwd=here)
            self.assertEqual(result.code, 1)
            self.assertNotIn("gnuplot", result.err)
            self.assertFalse((here / "x.svg").exists())

    def test_one_row_and_values_that_never_change_are_drawn(self):
        with folder() as here:
            self.draw(here, "model M Real x; equation x = 1; end M;")
            self.draw(here, DECAY, "x.svg", "--at=0.5")
            self.draw(here, DECAY, "x.svg", "--start=1", "--stop=0")


class Hostile(PlotTest):
    def test_names_are_drawn_as_given_and_nothing_is_executed(self):
        with folder() as here:
            (here / "victim").mkdir()
            for ending in MAGIC:
                picture = self.draw(here, hostile_model(), "x" + ending)
                self.assertEqual({path.name for path in here.iterdir()}, {"victim", "x" + ending})
                if ending == ".svg":
                    found = self.texts(picture)
                (here / ("x" + ending)).unlink()
        self.assertEqual(
            [text for text in found if text in [name for _, name in HOSTILE]],
            [name for _, name in HOSTILE],
        )

    def test_units_are_drawn_as_given_and_nothing_is_executed(self):
        units = [
            "`touch made`",
            '\\"; system \\"touch made\\"',
            "kg.m2/s",
            "Ω·m_2",
            "$(touch made)",
            "%",
        ]
        text = (
            "model M "
            + " ".join(f'Real u{k}(unit = "{unit}") = {k};' for k, unit in enumerate(units))
            + " end M;"
        )
        with folder() as here:
            found = "\n".join(self.texts(self.draw(here, text, noted="not read as units")))
            self.assertEqual([path.name for path in here.iterdir()], ["x.svg"])
        self.assert_says(found, *(unit.replace("\\", "") for unit in units))

    def test_the_csv_has_the_same_names(self):
        header, _ = rows(run(["run", "-", "--points=2"], hostile_model()).out)
        self.assertEqual(header[1:5], [name for _, name in HOSTILE[:4]])

    def test_a_picture_s_own_name_is_data_too(self):
        with folder() as here:
            name = "`touch made` $(touch made) 'x' \"y\".svg"
            self.draw(here, DECAY, name)
            self.assertEqual([path.name for path in here.iterdir()], [name])

    def test_settings_of_the_user_s_gnuplot_do_not_change_the_picture(self):
        with folder() as here:
            (here / "home").mkdir()
            (here / "home" / ".gnuplot").write_text(
                "set logscale y\nset title 'mine'\nset terminal dumb\n"
            )
            result = run(
                ["run", "-", "-q", "--plot=x.svg"],
                DECAY,
                cwd=here,
                env={"HOME": str(here / "home")},
            )
            self.assertEqual(result.code, 0)
            self.assertNotIn("mine", self.texts((here / "x.svg").read_bytes()))


class Refusals(PlotTest):
    def test_a_wrong_ending_is_found_before_the_run(self):
        with folder() as here:
            for name in "x.gif", "x", "svg", "x.svg.txt":
                self.assert_refused(
                    ["run", "-", f"--plot={here / name}", *ENDLESS],
                    name,
                    ".svg",
                    ".png",
                    ".pdf",
                    stdin=DECAY,
                )
            self.assertEqual(list(here.iterdir()), [])

    def test_a_picture_that_cannot_be_written_is_found_before_the_run(self):
        self.assert_refused(
            ["run", "-", "--plot=/nonexistent/x.svg", *ENDLESS],
            "--plot",
            "/nonexistent/x.svg",
            "No such file or directory",
            stdin=DECAY,
        )

    def test_without_gnuplot_the_package_is_named_before_the_run(self):
        with folder() as here:
            for path in str(here), "", None:
                result = run(
                    ["run", "-", "--plot=x.svg", *ENDLESS], DECAY, 20, {"PATH": path}, here
                )
                self.assertEqual((result.code, result.out), (2, ""), result.err)
                self.assert_says(result.err, "gnuplot", "apt-get install gnuplot-nox")
            self.assertEqual(list(here.iterdir()), [])

    def test_a_gnuplot_that_fails_is_told(self):
        with folder() as here:
            (here / "gnuplot").write_text("#!/bin/sh\nexit 1\n")
            (here / "gnuplot").chmod(0o755)
            result = run(
                ["run", "-", "-q", "--plot=x.svg", "--points=3"],
                DECAY,
                20,
                {"PATH": f"{here}:/usr/bin:/bin"},
                here,
            )
            self.assertEqual((result.code, len(result.out.splitlines())), (1, 4))
            self.assert_says(result.err, "gnuplot", "x.svg")
            self.assertFalse((here / "x.svg").exists(), "no empty picture is left")

    def test_a_picture_on_a_full_disk_is_told(self):
        with folder() as here:
            (here / "x.svg").symlink_to("/dev/full")
            result = run(["run", "-", "-q", "--plot=x.svg"], DECAY, cwd=here)
            self.assertEqual(result.code, 1, result.err)
            self.assertIn("x.svg", result.err)


class Temporary(PlotTest):
    def test_nothing_is_left_behind(self):
        with folder() as here:
            (here / "tmp").mkdir()
            for model, status in (
                ("Decay", 0),
                ("ErrPoleDuringRun", 1),
                ("ErrInconsistentInitial", 3),
            ):
                result = run(
                    ["run", CORPUS / f"{model}.mo", "--plot=x.svg"],
                    cwd=here,
                    env={"TMPDIR": str(here / "tmp")},
                )
                self.assertEqual(result.code, status)
                self.assertEqual(list((here / "tmp").iterdir()), [])

    def test_a_temporary_folder_that_is_not_there_is_told(self):
        with folder() as here:
            result = run(
                ["run", "-", "--plot=x.svg"], DECAY, env={"TMPDIR": "/nonexistent"}, cwd=here
            )
        self.assertEqual((result.code, result.out), (2, ""))
        self.assert_says(result.err, "/nonexistent")
        self.assertNotIn('"x.svg"', result.err)

    def test_gnuplot_is_there(self):
        self.assertIsNotNone(shutil.which("gnuplot"), "these tests need gnuplot (tools/setup)")


if __name__ == "__main__":
    unittest.main()

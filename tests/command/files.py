"""What outputs must not do to files: overwrite the model or each other, end with half a row."""
import os
import select
import signal
import subprocess
import time
import unittest

from daedal import DECAY, ENDLESS, CommandTest, folder, run, start

QUIET = {"stderr": subprocess.DEVNULL}


class SameFile(CommandTest):
    def setUp(self):
        self.entered = folder()
        self.here = self.entered.__enter__()
        self.addCleanup(self.entered.__exit__, None, None, None)
        (self.here / "m.mo").write_text(DECAY)

    def refused(self, *args, **streams):
        """Status 2 before anything is computed, opened or made."""
        before = {path.name: path.read_bytes() for path in self.here.iterdir() if path.is_file()}
        result = run(["run", *args, *ENDLESS], cwd=self.here, **streams)
        self.assertEqual(result.code, 2, result.err)
        self.assertIn("overwrite", result.err)
        after = {path.name: path.read_bytes() for path in self.here.iterdir() if path.is_file()}
        self.assertEqual(after, before)

    def allowed(self, *args):
        result = run(["run", *args, "--points=3"], cwd=self.here)
        self.assertEqual(result.code, 0, result.err)

    def test_the_model_stays(self):
        (self.here / "sub").mkdir()
        os.symlink("m.mo", self.here / "soft")
        os.link(self.here / "m.mo", self.here / "hard.csv")
        os.symlink("..", self.here / "sub" / "up")
        other = ["./m.mo", "sub/../m.mo", "sub/up/m.mo", self.here / "m.mo", "soft", "hard.csv"]
        for name in "m.mo", *other:
            self.refused("m.mo", f"--out={name}")
            self.refused("m.mo", f"--stats={name}")
            self.refused("soft", f"--out={name}")
        self.refused_with_model_on_standard_input()

    def refused_with_model_on_standard_input(self):
        with open(self.here / "m.mo") as model:
            child = start(["run", "-", "--out=m.mo"], stdin=model, cwd=self.here, **QUIET)
            self.assertEqual(child.wait(60), 2)
        self.assertEqual((self.here / "m.mo").read_text(), DECAY)

    def test_a_model_and_its_picture(self):
        os.rename(self.here / "m.mo", self.here / "m.svg")
        self.refused("m.svg", "--plot=m.svg", "--out=x.csv")

    def test_two_outputs_that_exist(self):
        (self.here / "a.csv").write_text("old\n")
        os.symlink("a.csv", self.here / "b.csv")
        os.link(self.here / "a.csv", self.here / "c.svg")
        self.refused("m.mo", "--out=a.csv", "--stats=./a.csv")
        self.refused("m.mo", "--out=b.csv", "--stats=a.csv")
        self.refused("m.mo", "--out=a.csv", "--plot=c.svg")
        self.refused("m.mo", "--stats=a.csv", "--plot=c.svg")

    def test_two_outputs_that_are_to_be_made(self):
        (self.here / "sub").mkdir()
        os.symlink("sub/new.csv", self.here / "link")
        os.symlink("link", self.here / "link2")
        os.symlink(self.here / "sub" / "new.csv", self.here / "far")
        self.refused("m.mo", "--out=x.csv", "--stats=x.csv")
        self.refused("m.mo", "--out=x.csv", "--stats=sub/../x.csv")
        self.refused("m.mo", f"--out={self.here}/x.csv", "--stats=x.csv")
        self.refused("m.mo", "--out=link", "--stats=sub/new.csv")
        self.refused("m.mo", "--out=far", "--stats=link2")
        self.refused("m.mo", "--out=p.svg", "--plot=p.svg")

    def test_a_file_that_standard_output_goes_to(self):
        with open(self.here / "x.json", "w") as answer:
            args = ["run", "m.mo", "--json", "--out=x.json"]
            child = start(args, stdout=answer, cwd=self.here, **QUIET)
            self.assertEqual(child.wait(60), 2)
        with open(self.here / "m.mo", "a") as appended:
            child = start(["run", "m.mo"], stdout=appended, cwd=self.here, **QUIET)
            self.assertEqual(child.wait(60), 2)
        self.assertEqual((self.here / "m.mo").read_text(), DECAY)

    def test_what_is_not_the_same(self):
        (self.here / "sub").mkdir()
        self.allowed("m.mo", "--out=a.csv", "--stats=b.csv")
        self.allowed("m.mo", "--out=b.csv", "--stats=sub/a.csv")
        self.allowed("m.mo", "--out=/dev/null", "--stats=/dev/null")
        self.assertEqual((self.here / "m.mo").read_text(), DECAY)

    def test_a_loop_of_links_is_no_hang(self):
        os.symlink("loop2", self.here / "loop")
        os.symlink("loop", self.here / "loop2")
        result = run(["run", "m.mo", "--out=loop", "--stats=loop2"], cwd=self.here)
        self.assertEqual(result.code, 2)


class TwoRuns(CommandTest):
    """Two runs do not write one file at the same time: the second one is refused at once."""

    def endless(self, here, *args):
        args = ["run", "m.mo", "--points=1000001", *args, *ENDLESS]
        child = start(args, cwd=here, stderr=subprocess.DEVNULL)
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        return child

    def is_written(self, path):
        end = time.monotonic() + 20
        while time.monotonic() < end and not (path.exists() and path.stat().st_size > 20000):
            time.sleep(0.02)
        return path.exists() and path.stat().st_size > 20000

    def test_a_file_has_one_writer(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            child = self.endless(here, "--out=x.csv", "--stats=s.json", "--events=e.csv")
            self.assertTrue(self.is_written(here / "x.csv"))
            for option, name in ("out", "x.csv"), ("stats", "s.json"), ("events", "e.csv"):
                with self.subTest(option=option):
                    others = {path.name for path in here.iterdir()}
                    out = [] if option == "out" else ["--out=y.csv"]
                    second = run(["run", "m.mo", f"--{option}={name}", *out], cwd=here)
                    self.assertEqual(second.code, 2, second.err)
                    self.assertRegex(second.err, f'--{option}: another run writes "{name}"')
                    self.assertEqual({path.name for path in here.iterdir()}, others)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.wait(20), 130)
            lines = (here / "x.csv").read_text().splitlines()
            self.assertEqual({line.count(",") for line in lines}, {1})
            again = run(["run", "m.mo", "--out=x.csv", "--points=3", "-q"], cwd=here)
            self.assertEqual((again.code, again.err), (0, ""))
            self.assertEqual(len((here / "x.csv").read_text().splitlines()), 4)

    def test_devices_have_many(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            self.endless(here, "--out=/dev/null", "--stats=s.json")
            end = time.monotonic() + 20
            while time.monotonic() < end and not (here / "s.json").exists():
                time.sleep(0.02)
            second = run(["run", "m.mo", "--out=/dev/null", "-q"], cwd=here)
            self.assertEqual((second.code, second.err), (0, ""))


class WholeRows(CommandTest):
    """Rows of many lengths, and blocks that no row fits into evenly."""

    MODEL = (
        "model Wide Real x[%d](each start = 1, each fixed = true); "
        "equation for i in 1:%d loop der(x[i]) = -i*x[i]; end for; end Wide;\n"
    )
    MANY = ["-", "--stop=1e6", "--points=100000001", "-q"]

    def endless(self, width, *args, **streams):
        child = start(
            ["run", *self.MANY, *args], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, **streams
        )
        child.stdin.write(self.MODEL % (width, width))
        child.stdin.close()
        return child

    def check(self, text, width):
        self.assertEqual(text[-1], "\n")
        self.assertEqual({line.count(",") for line in text.splitlines()}, {width})

    def test_each_write_is_of_whole_rows(self):
        """A pipe of packets shows them."""
        for width in 1, 3, 50:
            out, into = os.pipe2(os.O_DIRECT)
            child = self.endless(width, stdout=into)
            os.close(into)
            packets = [os.read(out, 65536) for _ in range(40)]
            child.kill()
            child.wait(60)
            os.close(out)
            for packet in packets:
                self.check(packet.decode(), width)

    def test_a_kill_leaves_whole_rows_in_a_pipe(self):
        for width in 1, 3, 50:
            out, into = os.pipe()
            child = self.endless(width, stdout=into)
            os.close(into)
            select.select([out], [], [], 60)
            child.kill()
            child.wait(60)
            with open(out) as rows:
                self.check(rows.read(), width)

    def test_a_kill_leaves_whole_rows_in_a_file(self):
        """But for the instant in which the file gets a new page."""
        broken = 0
        for part in range(16):
            with folder() as here:
                child = self.endless(3, "--out=x.csv", cwd=here)
                out, end = here / "x.csv", time.monotonic() + 30
                while time.monotonic() < end and not (out.exists() and out.stat().st_size > 40000):
                    time.sleep(0.002)
                time.sleep(0.0007 * part)
                child.kill()
                child.wait(60)
                text = out.read_text()
            self.assertGreater(len(text), 40000)
            broken += text[-1] != "\n"
        self.assertLessEqual(broken, 6)


if __name__ == "__main__":
    unittest.main()

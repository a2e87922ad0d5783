"""Where output goes wrong or stops: full disks, closed pipes, Ctrl-C, terminals."""
import json
import os
import pty
import select
import signal
import subprocess
import time
import unittest

from daedal import (
    CORPUS,
    DECAY,
    ENDLESS,
    PENDULUM,
    CommandTest,
    Result,
    folder,
    last_object,
    rows,
    run,
    start,
)

# 2e6 rows, some 80 MB: more than any pipe holds.
MANY = ["--points=2000001"]


def wait_for(condition, seconds=20):
    """Wait until a condition holds; whether it came to that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class FullDisk(CommandTest):
    def check(self, result):
        self.assert_no_crash(result)
        self.assertEqual(result.code, 1, result.err)
        self.assertIn("No space left on device", result.err)
        self.assertIn("could not be written", result.err)

    def with_full_output(self, args, stdin=DECAY):
        """Run with a standard output on which nothing fits."""
        with open("/dev/full", "w") as full:
            child = start(args, stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE)
            err = child.communicate(stdin, timeout=60)[1]
        return Result(child.returncode, "", err)

    def test_rows_on_a_full_standard_output(self):
        for points in "3", "100000":
            result = self.with_full_output(["run", "-", f"--points={points}", "--stats"])
            self.check(result)
            self.assertEqual(last_object(result.err)["status"], "output_failed")

    def test_rows_in_a_file_on_a_full_disk(self):
        with folder() as here:
            (here / "full.csv").symlink_to("/dev/full")
            for points in "3", "100000":
                result = run(
                    ["run", "-", "--out=full.csv", f"--points={points}", "--stats"], DECAY, cwd=here
                )
                self.check(result)
                self.assertIn("full.csv", result.err)
                self.assertEqual(last_object(result.err)["status"], "output_failed")

    def test_statistics_on_a_full_disk(self):
        with folder() as here:
            (here / "full.json").symlink_to("/dev/full")
            self.check(run(["run", "-", "--points=2", "--stats=full.json"], DECAY, cwd=here))

    def test_answers_on_a_full_standard_output(self):
        for args in (
            ["run", "-", "--json"],
            ["check", "-"],
            ["check", "-", "--json"],
            ["init", "-"],
            ["init", "-", "--json"],
        ):
            self.check(self.with_full_output(args))

    def test_help_and_version_on_a_full_standard_output(self):
        for args in ["--help"], ["run", "--help"], ["--version"]:
            self.check(self.with_full_output(args))


class ClosedStreams(CommandTest):
    def in_shell(self, line, here):
        (here / "m.mo").write_text(DECAY)
        return subprocess.run(
            f'"$DAEDAL" {line}', shell=True, cwd=here, capture_output=True, text=True, timeout=60
        )

    def test_rows_for_a_closed_standard_output_go_into_no_other_file(self):
        with folder() as here:
            done = self.in_shell("run m.mo --points=3 --stats=s.json >&-", here)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(json.loads((here / "s.json").read_text())["status"], "output_failed")

    def test_messages_for_a_closed_standard_error_go_into_no_other_file(self):
        with folder() as here:
            self.in_shell("run m.mo --points=3 --out=x.csv 2>&-", here)
            self.assertEqual(len(rows((here / "x.csv").read_text())[1]), 3)

    def test_a_closed_standard_input_is_no_model(self):
        with folder() as here:
            done = self.in_shell("run - <&-", here)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("standard input", done.stderr)


class ClosedPipe(CommandTest):
    def close_after(self, lines, args, stdin=DECAY):
        """Run with a reader that takes so many lines and goes away: exit status and messages."""
        child = start(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(stdin)
        child.stdin.close()
        for _ in range(lines):
            self.assertNotEqual(child.stdout.readline(), "")
        child.stdout.close()
        err = child.stderr.read()
        child.stderr.close()
        return child.wait(30), err

    def test_a_reader_that_goes_away_ends_a_run_quietly(self):
        for lines in 0, 1, 100:
            began = time.monotonic()
            self.assertEqual(self.close_after(lines, ["run", "-", *MANY]), (0, ""))
            self.assertLess(time.monotonic() - began, 20)

    def test_a_reader_that_was_never_there_ends_it_quietly_too(self):
        for args in (
            ["run", "-"],
            ["run", "-", "--json"],
            ["check", "-"],
            ["init", "-"],
            ["check", "-", "--json"],
        ):
            reader, writer = os.pipe()
            os.close(reader)
            child = start(args, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            err = child.communicate(DECAY, timeout=30)[1]
            self.assertEqual(
                (child.returncode, [line for line in err.splitlines() if " steps, " not in line]),
                (0, []),
                args,
            )

    def test_the_shell_s_head_gets_its_line(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            done = subprocess.run(
                '"$DAEDAL" run m.mo --points=2000001 | head -1',
                shell=True,
                cwd=here,
                capture_output=True,
                text=True,
                timeout=60,
            )
        self.assertEqual((done.stdout, done.stderr), ("time,x\n", ""))


EDGES = """model Edges Real x(start = 0, fixed = true);
equation der(x) = if sin(1e4*time) > 0 then 1 else -1; annotation(experiment(StopTime = 1e4));
end Edges;"""


class Interrupt(CommandTest):
    def interrupt(self, args, ready, here, by=(signal.SIGINT,), **streams):
        """Send Ctrl-C, or other signals, when a condition holds: exit status, messages, seconds
        until the end."""
        child = start(args, stderr=subprocess.PIPE, cwd=here, **streams)
        try:
            self.assertTrue(wait_for(lambda: ready() or child.poll() is not None))
            self.assertIsNone(child.poll(), "ended by itself")
            began = time.monotonic()
            for number in by:
                child.send_signal(number)
            err = child.communicate(timeout=20)[1]
            return child.returncode, err, time.monotonic() - began
        finally:
            child.kill()
            child.communicate()

    def started(self, path):
        return lambda: path.exists() and path.stat().st_size > 20000

    def test_a_run_stops_with_whole_rows_and_statistics(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            out = here / "x.csv"
            code, err, seconds = self.interrupt(
                ["run", "m.mo", "--out=x.csv", "--stats", "--points=100000001"],
                self.started(out),
                here,
                stdout=subprocess.DEVNULL,
            )
            text = out.read_text()
        self.assertEqual(code, 130)
        self.assertLess(seconds, 5)
        stats = last_object(err)
        self.assertEqual(stats["status"], "stopped")
        self.assertRegex(stats["message"], r"^stopped at t = \S+ on request$")
        self.assertTrue(err.startswith(f"daedal: {stats['message']}\n"), err)
        self.assertTrue(text.endswith("\n"))
        found = rows(text)[1]
        self.assertGreater(len(found), 100)
        self.assertTrue(all(set(row) == {"time", "x"} for row in found))

    def test_rows_are_kept_when_the_terminal_is_closed_or_the_time_is_up(self):
        """A shell and the system both tell that a terminal is closed."""
        for by in ((signal.SIGHUP, signal.SIGHUP), (signal.SIGTERM,)):
            with self.subTest(by=by), folder() as here:
                (here / "m.mo").write_text(DECAY)
                out = here / "x.csv"
                code, err, _ = self.interrupt(
                    ["run", "m.mo", "--points=1000001", "--out=x.csv", *ENDLESS],
                    self.started(out),
                    here,
                    by=by,
                )
                text = out.read_text()
                self.assertEqual(code, 130)
                self.assertRegex(err, r"^daedal: stopped at t = \S+ on request\n$")
                self.assertTrue(text.endswith("\n"))
                self.assertGreater(len(rows(text)[1]), 100)

    def test_what_nohup_ignores_stays_ignored(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            child = start(
                ["run", "m.mo", "--points=1000001", "--out=x.csv", *ENDLESS],
                stderr=subprocess.PIPE,
                cwd=here,
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
            )
            try:
                self.assertTrue(wait_for(self.started(here / "x.csv")))
                child.send_signal(signal.SIGHUP)
                time.sleep(0.3)  # nothing is to be seen
                self.assertIsNone(child.poll())
            finally:
                child.kill()
                child.communicate()

    def test_an_endless_run_stops_quickly(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            code, err, seconds = self.interrupt(
                [
                    "run",
                    "m.mo",
                    "--points=1000001",
                    "--out=x.csv",
                    "--stats=s.json",
                    "-q",
                    *ENDLESS,
                ],
                self.started(here / "x.csv"),
                here,
            )
            stats = json.loads((here / "s.json").read_text())
        self.assertEqual((code, stats["status"]), (130, "stopped"))
        self.assertLess(seconds, 5)
        self.assertEqual(len(err.splitlines()), 1)

    def test_the_statistics_of_json_are_written_too(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            with open(here / "answer", "w") as answer:
                code, _, _ = self.interrupt(
                    ["run", "m.mo", "--json", "--out=x.csv", "--points=1000001", *ENDLESS],
                    self.started(here / "x.csv"),
                    here,
                    stdout=answer,
                )
            self.assertEqual(
                (code, last_object((here / "answer").read_text())["status"]), (130, "stopped")
            )

    def test_a_step_with_very_many_rows_can_be_interrupted(self):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            (here / "nowhere.csv").symlink_to("/dev/null")
            end = time.monotonic() + 0.5
            code, err, seconds = self.interrupt(
                ["run", "m.mo", "--points=1000000000", "--step=0.5", "--out=nowhere.csv"],
                lambda: time.monotonic() > end,
                here,
            )
        self.assertEqual(code, 130)
        self.assertRegex(err, r"^daedal: stopped at t = \S+ on request\n$")
        self.assertLess(seconds, 5)

    def test_a_second_one_ends_what_the_first_cannot(self):
        """Rows that nobody reads keep the command from looking at the first."""
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            child = start(["run", "m.mo", *MANY], cwd=here, stdout=subprocess.PIPE)
            try:
                select.select([child.stdout], [], [], 20)
                time.sleep(0.3)
                child.send_signal(signal.SIGINT)
                time.sleep(0.2)
                self.assertIsNone(child.poll())
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.wait(20), -signal.SIGINT)
            finally:
                child.kill()
                child.communicate()

    def test_a_run_of_many_events_can_be_interrupted(self):
        with folder() as here:
            (here / "m.mo").write_text(EDGES)
            code, _, seconds = self.interrupt(
                [
                    "run",
                    "m.mo",
                    "--max-steps=1e15",
                    "--out=x.csv",
                    "--points=10000001",
                ],
                self.started(here / "x.csv"),
                here,
            )
        self.assertEqual(code, 130)
        self.assertLess(seconds, 5)

    def test_waiting_for_standard_input_can_be_interrupted(self):
        child = start(
            ["run", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(0.3)  # nothing can be seen of its waiting
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=10)
        self.assertIn(child.returncode, (130, -signal.SIGINT))
        self.assertEqual(out, "")


class Terminal(CommandTest):
    def on_terminal(self, args, stdout=None):
        """Run with standard error on a terminal, and standard output too where None is said."""
        ours, theirs = pty.openpty()
        child = start(args, stdout=theirs if stdout is None else stdout, stderr=theirs)
        os.close(theirs)
        seen = b""
        while select.select([ours], [], [], 30)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            seen += piece
        os.close(ours)
        self.assertEqual(child.wait(30), 0)
        return seen.decode().replace("\r\n", "\n")

    def test_progress_goes_to_a_terminal(self):
        seen = self.on_terminal(["run", PENDULUM, "--rtol=1e-9"], subprocess.DEVNULL)
        self.assertRegex(seen, r"\r *\d+ %")
        self.assertRegex(seen, r"\r\x1b\[K0 to 1 s: \d+ steps")

    def test_quiet_shows_none(self):
        self.assertEqual(self.on_terminal(["run", PENDULUM, "--quiet"], subprocess.DEVNULL), "")

    def test_progress_goes_to_nothing_else(self):
        self.assertNotIn("%", run(["run", PENDULUM]).err)
        ours, theirs = pty.openpty()
        child = start(["run", PENDULUM, "--points=2"], stdout=theirs, stderr=subprocess.PIPE)
        os.close(theirs)
        err = child.communicate(timeout=30)[1]
        os.close(ours)
        self.assertEqual(err.count("\n"), 1)
        self.assertNotIn("%", err)

    def test_rows_and_progress_do_not_mix_on_one_terminal(self):
        seen = self.on_terminal(["run", PENDULUM, "--rtol=1e-9", "--points=20"])
        lines = seen.split("\n")
        self.assertEqual(lines[0], "time,x,y,vx,vy,F")
        for line in lines[1:21]:
            self.assertRegex(line, r"^[-0-9.e+]+(,[-0-9.e+]+){5}$")


if __name__ == "__main__":
    unittest.main()

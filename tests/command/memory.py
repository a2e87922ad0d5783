"""Exhausted memory: whichever allocation of the command fails, it answers as if none had, or says so."""
import os
import re
import subprocess
import sys
import unittest

from daedal import COMMAND, DECAY, PENDULUM, ROOT, SANITIZED, THINNED, CommandTest, folder, tell_left_out

sys.path.insert(0, str(ROOT / "bench"))
import reading

SHIM = os.path.abspath(sys.argv.pop(1))
# What may differ: times, and reasons, which are cut.
LOOSE = re.compile(r'"(cpu_seconds|reasons)":("[^"]*"|[^,}]*)')


class Exhausted(CommandTest):
    def answer(self, args, here, failing=None):
        """Exit status, answer and messages, and the count of allocations."""
        reader, writer = os.pipe()
        env = {**os.environ, "LD_PRELOAD": SHIM, "ALLOCATIONS_TO": str(writer)}
        if failing is not None:
            env["ALLOCATION_FAILS"] = str(failing)
        done = subprocess.run(
            [COMMAND, *args],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            cwd=here,
            env=env,
            pass_fds=[writer],
        )
        os.close(writer)
        with open(reader) as count:
            made = int(count.readline() or 0)
        return done.returncode, LOOSE.sub("", done.stdout), done.stderr, made

    def each(self, *args):
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            (here / "p.mo").write_text(PENDULUM.read_text())
            code, out, err, made = self.answer(args, here)
            self.assertEqual(code, 0, err)
            said, part = 0, 20 if THINNED else 40
            tried = {*range(min(made, part)), *range(part, made, 1 + made // part)}
            tell_left_out("allocations", made - len(tried), made, "between those that failed")
            for k in tried:
                with self.subTest(args=args, allocation=k):
                    found = self.answer(args, here, k)
                    if found[0] == 0:
                        self.assertEqual(found[1], out)
                        continue
                    said += 1
                    unopened = re.search('cannot (be read|write ".*"): Cannot allo', found[2])
                    self.assertEqual(found[0], 2 if unopened else 1, found[2])
                    self.assertRegex(found[2], "memory is exhausted|Cannot allocate memory")
            self.assertGreater(said, 0)

    def test_run(self):
        self.each("run", "m.mo", "--points=3")
        self.each("run", "p.mo", "--points=3", "--stop=0.1")

    def test_run_with_files(self):
        self.each("run", "m.mo", "--points=3", "--out=x.csv", "--stats=s.json")

    def test_run_json(self):
        self.each("run", "m.mo", "--json", "--points=3", "--out=x.csv", "--vars=der(*),*")

    def test_linearize(self):
        self.each("linearize", "p.mo", "--json", "--outputs=x,v*")

    def test_check(self):
        self.each("check", "p.mo")
        self.each("check", "p.mo", "--json")

    def test_init(self):
        self.each("init", "p.mo")
        self.each("init", "p.mo", "--json")

    def test_method(self):
        self.each("method")
        self.each("method", "radau-iia5", "--json")


# The most memory of a run up to its first step, and of `check`, in kB for each of SIZE equations,
# with a twentieth to spare for other compilers and C libraries. bench/reading.py prints what it is.
SIZE = 20000
MOST = {
    "heat": (3.76, 2.79),
    "cells": (2.07, 1.95),
    "ladder": (2.39, 2.18),
    "loops": (3.86, 3.24),
    "components": (2.02, 1.99),
    "connected_arrays": (2.44, 2.39),
    "relations": (5.27, 4.53),
}


class Peak(CommandTest):
    RUN = ("run", "-q", "--stop=1e-9", "--points=2", f"--out={os.devnull}")

    def peak(self, path, words=RUN, **setting):
        """The most memory of a run up to its first step, or of another command."""
        child = os.posix_spawn(
            COMMAND,
            [COMMAND, *words, path],
            {**os.environ, **setting},
            file_actions=[(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_WRONLY, 0) for n in (1, 2)],
        )
        _, status, used = os.wait4(child, 0)
        self.assertEqual(status, 0)
        return used.ru_maxrss

    def test_what_is_given_back_goes_back_to_the_system(self):
        """As it does where the user has told the C library so."""
        with folder() as here:
            (here / "m.mo").write_text(reading.ladder(60000)[1])
            told = self.peak(here / "m.mo", MALLOC_MMAP_THRESHOLD_="262144")
            self.assertLess(self.peak(here / "m.mo"), 1.04 * told)

    @unittest.skipIf(SANITIZED, "sanitizers take memory for themselves")
    def test_equations_take_no_more_than_they_did(self):
        for family, most in MOST.items():
            with folder() as here:
                equations, text = reading.FAMILIES[family](SIZE)
                (here / "m.mo").write_text(text)
                for words, allowed in zip((self.RUN, ("check",)), most):
                    with self.subTest(family=family, command=words[0]):
                        self.assertLess(1.024 * self.peak(here / "m.mo", words) / equations, allowed)


if __name__ == "__main__":
    unittest.main()

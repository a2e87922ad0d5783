"""The installed library as its users meet it: pkg-config, find_package, headers, symbols, command.

The environment names the build folder (BUILD), the compilers (CC, CXX) and cmake (CMAKE)."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["BUILD"]).resolve()
CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "c++")
CMAKE = os.environ.get("CMAKE", "cmake")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
DECLARATION = re.compile(r"DAE_API\s[^;(]*?\b(dae_\w+)\(")


def call(*words, **more):
    """Run a program that must succeed; what it says on standard output."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=120, **more
    )
    if done.returncode != 0:
        raise AssertionError(
            f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="daedal-install-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.prefix = pathlib.Path(cls.scratch.name) / "a prefix"
        call(CMAKE, "--install", BUILD, "--prefix", cls.prefix)
        cls.library = next(cls.prefix.rglob("libdaedal.so"))
        cls.headers = sorted((cls.prefix / "include" / "daedal").glob("*.h"))
        cls.environment = {**os.environ, "LD_LIBRARY_PATH": str(cls.library.parent)}

    def setUp(self):
        work = tempfile.TemporaryDirectory(prefix="daedal-user-")
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name)

    def pkg_config(self, *words):
        found = {
            **os.environ,
            "PKG_CONFIG_PATH": str(self.library.parent / "pkgconfig"),
            "PKG_CONFIG_LIBDIR": "",
        }
        return call("pkg-config", *words, "daedal", env=found)

    def assert_user_works(self, program, **more):
        said = call(program, HERE / "decay.mo", **more)
        self.assertRegex(said, r"^x\(1\) = 0\.1353\d\d by [a-z0-9-]+\n$")


class Users(Installed):
    def test_pkg_config_builds_a_program(self):
        words = shlex.split(self.pkg_config("--cflags", "--libs"))
        call(CC, "-std=c17", *STRICT, HERE / "user.c", *words, "-lm", "-o", self.work / "user")
        self.assert_user_works(self.work / "user", env=self.environment)

    def test_the_readme_keeps_its_word(self):
        """Its model, what `check` says of it, the closing line, the wrong start, the C programs."""
        text = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        pendulum, charging = [model for language, model in blocks if language == "modelica"]
        of_model, of_equations = [program for language, program in blocks if language == "c"]
        check, wrong = [answer for language, answer in blocks if not language]
        (self.work / "pendulum.mo").write_text(pendulum)
        (self.work / "charging.mo").write_text(charging)
        daedal = self.prefix / "bin" / "daedal"
        self.assertEqual(call(daedal, "check", "pendulum.mo", cwd=self.work), check)
        columns = call(daedal, "run", "charging.mo", "--vars", "c.v,*.i", "-q", cwd=self.work).partition("\n")[0]
        self.assertTrue(columns.startswith("time,c.v,battery.p.i,"), columns)
        done = subprocess.run(
            [daedal, "run", "pendulum.mo", "-o", "p.csv"],
            cwd=self.work,
            capture_output=True,
            text=True,
        )
        said = re.search(r"`(0 to 5 s: [^`]*) worst", text)[1]
        self.assertEqual(done.stderr.rpartition(" worst")[0], said)
        other = pendulum.replace("x(start = 0.6)", "x(start = 0.7, fixed = true)")
        (self.work / "pendulum.mo").write_text(other)
        done = subprocess.run(
            [daedal, "run", "pendulum.mo"], cwd=self.work, capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (3, wrong))
        (self.work / "pendulum.mo").write_text(pendulum)
        (self.work / "charging.mo").write_text(charging)
        said = self.compile_and_run(of_model)
        row = (self.work / "p.csv").read_text().splitlines()[-1].split(",")
        self.assertAlmostEqual(float(said.removeprefix("x(5) = ")), float(row[1]), places=5)
        said = self.compile_and_run(of_equations)
        # v' = i with i + i^3 = t - v tends to i = 1, v = t - 2
        self.assertAlmostEqual(float(said.removeprefix("v(20) = ")), 18, delta=0.02)

    def compile_and_run(self, program):
        (self.work / "p.c").write_text(program)
        words = shlex.split(self.pkg_config("--cflags", "--libs"))
        call(CC, "-std=c17", *STRICT, "p.c", *words, "-o", "p", cwd=self.work)
        return call(self.work / "p", cwd=self.work, env=self.environment)

    def test_pkg_config_points_to_where_it_was_installed(self):
        folders = [
            word[2:]
            for word in shlex.split(self.pkg_config("--cflags", "--libs"))
            if word[:2] in ("-I", "-L")
        ]
        self.assertEqual(len(folders), 2)
        for folder in folders:
            self.assertIn(self.prefix.resolve(), pathlib.Path(folder).resolve().parents)

    def test_find_package_builds_a_program(self):
        call(
            CMAKE,
            "-S",
            HERE,
            "-B",
            self.work,
            f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_COMPILER={CC}",
        )
        call(CMAKE, "--build", self.work)
        self.assert_user_works(self.work / "user")

    def test_find_package_refuses_another_minor_version(self):
        (self.work / "CMakeLists.txt").write_text(
            (HERE / "CMakeLists.txt").read_text().replace("daedal 0.1", "daedal 0.2")
        )
        done = subprocess.run(
            [
                CMAKE,
                "-S",
                self.work,
                "-B",
                self.work / "build",
                f"-DCMAKE_PREFIX_PATH={self.prefix}",
                f"-DCMAKE_C_COMPILER={CC}",
            ],
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("0.2", done.stderr)

    def test_all_versions_agree(self):
        version = call(self.prefix / "bin" / "daedal", "--version").split()[1]
        self.assertEqual(self.pkg_config("--modversion").strip(), version)
        self.assertEqual(self.library.resolve().name, f"libdaedal.so.{version}")

    def test_the_installed_command_runs_by_itself(self):
        out = call(
            self.prefix / "bin" / "daedal",
            "run",
            HERE / "decay.mo",
            "--json",
            cwd="/",
            env={"PATH": os.environ["PATH"]},
        )
        self.assertEqual(json.loads(out)["status"], "ok")


class Library(Installed):
    def declared(self):
        text = "".join(header.read_text() for header in self.headers)
        return set(DECLARATION.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.S)))

    def exported(self):
        lines = call("nm", "-D", "--defined-only", self.library).splitlines()
        return {line.split()[2].split("@")[0] for line in lines}

    def test_it_exports_what_the_headers_declare_and_nothing_else(self):
        self.assertEqual(self.exported(), self.declared())
        self.assertTrue(all(name.startswith("dae_") for name in self.declared()))
        self.assertGreater(len(self.declared()), 20)

    def test_its_soname_has_the_major_version(self):
        said = call("readelf", "-d", self.library)
        self.assertRegex(said, r"SONAME.*\[libdaedal\.so\.0\]")
        self.assertTrue((self.library.parent / "libdaedal.so.0").is_symlink())

    def test_it_carries_no_path_of_its_build(self):
        for path in self.library, self.prefix / "bin" / "daedal":
            self.assertNotRegex(call("readelf", "-d", path), r"(?i)R(UN)?PATH")

    def test_it_neither_exits_nor_prints(self):
        undefined = {
            line.split()[-1].split("@")[0]
            for line in call("nm", "-D", "--undefined-only", self.library).splitlines()
        }
        forbidden = {
            "exit",
            "abort",
            "_exit",
            "printf",
            "puts",
            "putchar",
            "stdout",
            "stderr",
            "perror",
        }
        self.assertEqual(undefined & forbidden, set())


class Headers(Installed):
    def test_all_of_them_are_installed(self):
        ours = HERE.parents[1] / "include" / "daedal"
        self.assertEqual(
            {path.name for path in ours.iterdir()},
            {path.name for path in (self.prefix / "include" / "daedal").iterdir()},
        )

    def test_the_main_one_includes_all_others(self):
        said = call(
            CC, "-M", "-I", self.prefix / "include", self.prefix / "include" / "daedal" / "daedal.h"
        )
        for header in self.headers:
            self.assertIn(f"/{header.name}", said)

    def compile(self, compiler, language, standard):
        for header in self.headers:
            call(
                compiler,
                f"-std={standard}",
                *STRICT,
                "-fsyntax-only",
                "-I",
                self.prefix / "include",
                "-x",
                language,
                "-",
                input=f"#include <daedal/{header.name}>\n"
                f"#include <daedal/{header.name}>\nint main(void);\n",
            )

    def test_each_compiles_alone_as_c17(self):
        self.compile(CC, "c", "c17")

    def test_each_compiles_alone_as_cxx17(self):
        self.compile(CXX, "c++", "c++17")

    def test_a_cxx_program_links(self):
        (self.work / "user.cpp").write_text(
            "#include <daedal/daedal.h>\n#include <cstring>\n"
            'int main() { return std::strcmp(dae_status_word(DAE_OK), "ok"); }\n'
        )
        call(
            CXX,
            "-std=c++17",
            *STRICT,
            self.work / "user.cpp",
            "-I",
            self.prefix / "include",
            self.library,
            "-o",
            self.work / "user",
        )
        call(self.work / "user", env=self.environment)


if __name__ == "__main__":
    unittest.main()

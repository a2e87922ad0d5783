"""docs/language.md, records.md, tables.md, units.md, hierarchy.md and library.md keep their word: their models run, and their commands answer
as they are shown.

The environment variable DAEDAL names the command.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
DOCUMENT = DOCS / "language.md"
COMMAND = os.path.abspath(os.environ.get("DAEDAL") or sys.exit("DAEDAL must name the command"))


def blocks():
    """The language and the text of each fenced block."""
    for document in DOCUMENT, *(DOCS / f"{name}.md" for name in ("records", "tables", "units", "hierarchy", "library")):
        text = document.read_text(encoding="utf-8")
        yield from re.findall(r"^```([^\n]+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def models():
    """The file name, the text and the kind of each model: "", "wrong", "files" if it needs others, or
    "classes" without one."""
    for language, text in blocks():
        if language.startswith("modelica"):
            name = re.search(r"^(?:model|package) '?(\w+)", text, re.MULTILINE).group(1)
            yield f"{name}.mo", text, language.partition(" ")[2]


def commands():
    """Each command with the answer that is shown, which may be none."""
    for language, text in blocks():
        if language == "console":
            for line in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                yield line.partition("\n")[::2]


class Document(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text, _ in models():
            pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")

    def answer(self, line):
        """The status and all that is written by a command line."""
        line = re.sub(r"^daedal\b", f"'{COMMAND}'", line)
        done = subprocess.run(
            line,
            shell=True,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    def test_each_model_runs(self):
        found = list(models())
        self.assertGreater(len(found), 6)
        self.assertEqual(len({name for name, _, _ in found}), len(found))
        for name, _, kind in found:
            if kind in ("classes", "files"):
                continue
            for command in "check", "init", "run --points=2":
                with self.subTest(model=name, command=command):
                    code, said = self.answer(f"daedal {command} {name}")
                    self.assertEqual(code, 3 if kind == "wrong" else 0, said)

    def test_each_command_answers_as_shown(self):
        found = list(commands())
        self.assertGreater(len(found), 6)
        for line, shown in found:
            with self.subTest(line):
                code, said = self.answer(line)
                if shown.strip():
                    self.assertEqual(said.rstrip("\n"), shown.rstrip("\n"))
                else:
                    self.assertEqual(code, 0, said)

    def test_it_is_short(self):
        self.assertLessEqual(len(DOCUMENT.read_text(encoding="utf-8").splitlines()), 300)


if __name__ == "__main__":
    unittest.main()

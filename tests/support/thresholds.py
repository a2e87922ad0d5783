"""docs/thresholds.md names each constant of src/ that is one, with its file, and none that is not there."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARED = re.compile(r"static const (?:double|int) ([A-Z][A-Z_0-9]*\b[^;]*);", re.S)
NAME = re.compile(r"\b([A-Z][A-Z_0-9]+)(?:\[[^\]]*\])*\s*=")


def constants():
    """(file, name) of each `static const double` and `static const int` in capitals."""
    found = set()
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        for declared in DECLARED.findall(path.read_text(encoding="utf-8")):
            found |= {(path.name, name) for name in NAME.findall(declared)}
    return found


def rows():
    text = (ROOT / "docs" / "thresholds.md").read_text(encoding="utf-8")
    listed = set()
    for line in text.splitlines():
        files = re.findall(r"`(?:[a-z]+/)?([a-z_0-9]+\.(?:c|h|def))`", line)
        listed |= {(file, name) for file in files for name in re.findall(r"\b[A-Z][A-Z_0-9]+\b", line)}
    return listed


def main():
    declared, listed = constants(), rows()
    files = {path.name for path in (ROOT / "src").rglob("*")}
    missing = sorted(declared - listed)
    gone = sorted({file for file, _ in listed} - files)
    for file, name in missing:
        print(f"docs/thresholds.md says nothing of {name} in {file}")
    for file in gone:
        print(f"docs/thresholds.md names {file}, which is no file of src/")
    sys.exit(1 if missing or gone else 0)


if __name__ == "__main__":
    main()

"""docs/thresholds.md names each constant of src/ that is one, with its file, and none that is not there; of
round-off each file uses the levels of base/round_off.h that its rows name, and has no levels of its own. Where
both give a number, it is the same."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARED = re.compile(r"static const (?:double|int) ([A-Z][A-Z_0-9]*\b[^;]*);", re.S)
HEADER = ROOT / "src" / "base" / "round_off.h"
LEVELS = re.findall(r"#define (ROUND_OFF_\w+)", HEADER.read_text(encoding="utf-8"))
LEVEL = re.compile(r"\b(?:" + "|".join(LEVELS) + r")\b")
OWN = re.compile(r"(?:[3-9]|[0-9]{2,}|1e[0-9]+) \* DBL_EPSILON|\* 0x1p-5[0-9] \*|\bROUND_OFF\b")
NAME = re.compile(r"\b([A-Z][A-Z_0-9]+)(?:\[[^\]]*\])*\s*=")


def constants():
    """(file, name) of each `static const double` and `static const int` in capitals."""
    found = set()
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        for declared in DECLARED.findall(path.read_text(encoding="utf-8")):
            found |= {(path.name, name) for name in NAME.findall(declared)}
    return found


def levels():
    """(file, level) of each level of round-off that a file uses, and the lines that make one of their own."""
    used, own = set(), []
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        if path == HEADER:
            continue
        used |= {(path.name, level) for level in LEVEL.findall(text)}
        own += [f"{path.name}: {line.strip()}" for line in text.splitlines() if OWN.search(line)]
    return used, own


def rows():
    text = (ROOT / "docs" / "thresholds.md").read_text(encoding="utf-8")
    listed = set()
    for line in text.splitlines():
        files = re.findall(r"`(?:[a-z]+/)?([a-z_0-9]+\.(?:c|h|def))`", line)
        listed |= {(file, name) for file in files for name in re.findall(r"\b[A-Z][A-Z_0-9]+\b", line)}
    return listed


VALUED = re.compile(r"^\| `([A-Z][A-Z_0-9]+)(?:\.(\w+))?` \| ([^|]+) \| `([a-z_0-9]+\.[ch])`")


def number(text):
    """A plain number or a power of two, or None."""
    text = re.sub(r"^2\^(-?\d+)$", r"0x1p\1", text.strip().replace(",", ""))
    for plain in (float, float.fromhex):
        try:
            return plain(text)
        except ValueError:
            pass
    return None


def other_values():
    """(file, name, listed, there) where a row and its file give different numbers, and how many are compared."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.[ch]")}
    other, compared = [], 0
    for line in (ROOT / "docs" / "thresholds.md").read_text(encoding="utf-8").splitlines():
        row = VALUED.match(line)
        if not row or row[4] not in texts:
            continue
        name, member, listed, file = row.groups()
        place = rf"\b{name} = \{{[^;]*?\.{member} = " if member else rf"\b{name} = "
        there = re.findall(place + r"([-+.\w]+)(?=[,;} ])(?! [-+*/])", texts[file])
        values = {number(value) for value in there} - {None}
        if number(listed) is not None and values:
            compared += 1
            if number(listed) not in values:
                other.append((file, name + (f".{member}" if member else ""), listed.strip(), " and ".join(there)))
    return other, compared


def main():
    declared, listed = constants(), rows()
    files = {path.name for path in (ROOT / "src").rglob("*")}
    missing = sorted(declared - listed)
    gone = sorted({file for file, _ in listed} - files)
    for file, name in missing:
        print(f"docs/thresholds.md says nothing of {name} in {file}")
    used, own = levels()
    named = {pair for pair in listed if LEVEL.fullmatch(pair[1])}
    for file, name in sorted(used ^ named):
        print(f"{name} in {file}: used and not in docs/thresholds.md, or there and not used")
    for line in own:
        print(f"a level of round-off that base/round_off.h does not name: {line}")
    for file in gone:
        print(f"docs/thresholds.md names {file}, which is no file of src/")
    other, compared = other_values()
    for file, name, listed, there in other:
        print(f"docs/thresholds.md says {name} = {listed}, and {file} {there}")
    print(f"{compared} values compared")
    sys.exit(1 if missing or gone or own or used ^ named or other or compared < 600 else 0)


if __name__ == "__main__":
    main()

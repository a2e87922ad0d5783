#!/usr/bin/env python3
"""Makes references.json anew: python3 tests/realistic/make_references.py [FAMILY/MODEL...].

Needs NumPy and SciPy (Debian: python3-scipy), which tools/setup does not install: tests read the
file, none runs this program. Nothing of daedal is used. Names choose which entries are renewed."""

import importlib
import json
import pathlib
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "reference"))
import common  # noqa: E402

FILE = HERE / "references.json"
for source in sorted((HERE / "reference").glob("*.py")):
    importlib.import_module(source.stem)


def made(name):
    begin = time.time()
    try:
        entry = common.make(common.CASES[name]())
    except Exception as error:  # the other cases go on; this one is told
        return name, None, f"{type(error).__name__}: {error}"
    return name, entry, f"{time.time() - begin:.1f} s"


def line(name, entry, note):
    if not entry:
        return f"{name:40} failed: {note}"
    digits = min(v["digits"] for v in entry["variables"].values())
    grown = max(max(v["condition"][1:]) for v in entry["variables"].values())
    return f"{name:40} digits {digits:5.1f}  condition {grown:9.2g}  {note}"


def write(entries):
    known = {name: entries[name] for name in sorted(entries) if name in common.CASES}
    FILE.write_text(json.dumps(known, indent=1) + "\n")


def main(names):
    chosen = [n for n in common.CASES if not names or any(n.startswith(k) for k in names)]
    with ProcessPoolExecutor(2) as pool:
        for done in as_completed(pool.submit(made, name) for name in chosen):
            name, entry, note = done.result()
            print(line(name, entry, note), flush=True)
            entries = json.loads(FILE.read_text()) if FILE.exists() else {}
            write({**entries, **({name: entry} if entry else {})})


if __name__ == "__main__":
    main(sys.argv[1:])

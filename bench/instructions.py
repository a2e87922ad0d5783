"""What the code of today costs beside older code: instructions of whole processes.

    instructions.py [--models] [--since COMMIT] [NAME ...]

Each problem of the Test Set for IVP Solvers below, or those named, is solved once, in a process of
its own, by `auto`, `bdf` and `radau-iia3` at 1e-6. With --models, examples are run by the command
as a user does, the reading of the text included. Cachegrind counts the instructions; they hardly
scatter. The table has how many more this code takes than the older one, which is the code before
events if none is named. An asterisk marks a run whose digits, steps, rejected steps or calls are
not the same. The older code is unpacked and built once, in the directory for temporary files, and
stays there. Needs valgrind."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEFORE_EVENTS = "1946ecf0~1"
METHODS = "auto", "bdf", "radau-iia3"
PROBLEMS = ("chemical Akzo Nobel", "HIRES", "van der Pol", "Robertson", "transistor amplifier",
            "car axis", "Andrews squeezer", "water tube", "Fekete", "slider crank", "NAND gate")
MODELS = ("andrews", "car_axis", "chemical_akzo_nobel", "linear_index2", "linear_index3",
          "pendulum", "prescribed_motion", "rc_ladder", "singular_perturbation",
          "transistor_amplifier", "turning_pendulum", "van_der_pol")
COUNTS = "steps", "rejected", "residual_calls", "jacobian_calls", "factorizations"
TARGET = """
add_executable(once EXCLUDE_FROM_ALL once.c)
target_link_libraries(once PRIVATE daedal_objects zoo)
"""


def output_of(words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, **more).stdout


def build(tree):
    output_of(["cmake", "--preset", "release"], cwd=tree)
    output_of(["cmake", "--build", "--preset", "release", "--target", "once", "daedal"], cwd=tree)
    return tree / "build"


def unpack(commit):
    """The older tree, with the program that solves one problem."""
    name = output_of(["git", "rev-parse", "--short", commit], cwd=ROOT, text=True).strip()
    tree = pathlib.Path(tempfile.gettempdir()) / f"daedal-{name}"
    if not tree.exists():
        tree.mkdir()
        archive = output_of(["git", "archive", commit], cwd=ROOT)
        subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
    lists = tree / "bench" / "CMakeLists.txt"
    if "once.c" not in lists.read_text():
        lists.write_text(lists.read_text() + TARGET)
    shutil.copy(ROOT / "bench" / "once.c", tree / "bench")
    return tree


def words_of(run, commands):
    if len(run) == 2:
        return [commands / "once", *run, "1e-6"]
    model = ROOT / "examples" / f"{run[0]}.mo"
    return [commands / "daedal", "run", model, "--out", "/dev/null", "--stats"]


def count(run, commands):
    """Instructions of a process, and what the run took."""
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                           "--cachegrind-out-file=/dev/null", *words_of(run, commands)],
                          capture_output=True, text=True, check=True)
    instructions = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", "")
    stats = re.search(r"^\{.*\}$", done.stderr, re.MULTILINE)
    took = [json.loads(stats[0])[name] for name in COUNTS] if stats else done.stdout
    return int(instructions), took


def compare(run, older, newer):
    before, after = count(run, older), count(run, newer)
    note = "" if before[1] == after[1] else " *"
    return f"{100 * (after[0] / before[0] - 1):+.1f} %{note}".replace("-", "−")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--since", metavar="COMMIT", default=BEFORE_EVENTS)
    parser.add_argument("names", metavar="NAME", nargs="*")
    options = parser.parse_args()
    older, newer = build(unpack(options.since)), build(ROOT)
    names = options.names or (MODELS if options.models else PROBLEMS)
    heads = ["run"] if options.models else METHODS
    print("| |" + "".join(f" `{head}` |" for head in heads))
    print("|" + " --- |" * (len(heads) + 1))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [[pool.submit(compare, (name,) if options.models else (name, head), older, newer)
                 for head in heads] for name in names]
        for name, row in zip(names, rows):
            print(f"| {name} |" + "".join(f" {cell.result()} |" for cell in row), flush=True)


if __name__ == "__main__":
    main()

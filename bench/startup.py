"""From the text of a small model to its first step: medians of many runs, in milliseconds.

Prints, and asserts nothing: the wall time of whole processes, beside that of one that does nothing;
and the time that the command counts from the consistent start on. The variable DAEDAL names the
command."""

import json
import os
import pathlib
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("DAEDAL", str(ROOT / "build" / "daedal"))
MODELS = "linear_index2", "pendulum", "car_axis", "andrews"
RUNS = 200
TINY = "1e-9"


def wall_times(arguments):
    found = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        found.append(1000 * (time.perf_counter() - begun))
    return found


def counted_time(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    stats = json.loads(done.stderr.splitlines()[-1])
    return stats["steps"], 1000 * stats["cpu_seconds"]


def show(title, times, note=""):
    low, middle, high = statistics.quantiles(times, n=10)[0::4]
    print(f"{title:28}{middle:9.2f}{low:9.2f}{high:9.2f}  {note}", flush=True)


def main():
    print(f"{'':28}{'median':>9}{'10 %':>9}{'90 %':>9}   ms of {RUNS} runs")
    show("/bin/true", wall_times(["/bin/true"]))
    show("daedal --version", wall_times([COMMAND, "--version"]))
    for model in MODELS:
        path = str(ROOT / "examples" / f"{model}.mo")
        run = [COMMAND, "run", path, "--stop", TINY, "--points", "2", "--quiet"]
        steps, counted = counted_time([*run, "--stats"])
        show(f"check {model}", wall_times([COMMAND, "check", path]))
        show(f"run {model}", wall_times(run), f"{steps} steps, {counted:.2f} ms counted")


if __name__ == "__main__":
    main()

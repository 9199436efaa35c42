"""What benches that run engines in turns, and documents of them, share."""
import math
import platform
import time
from pathlib import Path


def least_time(run, seconds):
    """The least seconds of one call of `run`, called until `seconds` are over, once at least."""
    least, end = math.inf, time.perf_counter() + seconds
    while True:
        begin = time.perf_counter()
        run()
        now = time.perf_counter()
        least = min(least, now - begin)
        if now > end:
            return least


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()

#!/usr/bin/env python3
"""recount and one DuckDB query on the same files, run in turn: medians, and the medians of the ratios of each pair.

    pairs.py [INTENTS [PAIRS]]      a million intents and 15 pairs, if nothing is said

Needs the `duckdb` command (PyPI: duckdb-cli). Run it on a machine that does nothing else.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")


def timed(command, folder):
    with open(os.devnull, "w") as nowhere:
        begin = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
    # 1: the made files hold violations.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command[0]} failed")
    return wall, used.ru_utime, used.ru_maxrss / 1024


def main():
    intents, pairs = (sys.argv[1:] + ["1000000", "15"][len(sys.argv) - 1 :])[:2]
    cargo = ["cargo", "run", "--release", "--quiet"]
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(cargo + ["--example", "made", "--", folder, intents], cwd=ROOT, check=True)
        recount = [os.path.join(ROOT, "target", "release", "recount"), "check", "attempts.jsonl", "effects.jsonl"]
        ours = recount + ["--ledger-final", "--limit", "1"]
        rival = ["duckdb", "-c", ".read " + os.path.join(HERE, "query.sql")]
        runs = [(timed(ours, folder), timed(rival, folder)) for _ in range(int(pairs))]
    for at, what in enumerate(["wall s", "user s", "memory MB"]):
        mine = statistics.median(run[0][at] for run in runs)
        theirs = statistics.median(run[1][at] for run in runs)
        ratio = statistics.median(run[0][at] / run[1][at] for run in runs)
        print(f"{what:9}  recount {mine:8.2f}  duckdb {theirs:8.2f}  ratio {ratio:.2f}")


main()

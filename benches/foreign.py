#!/usr/bin/env python3
"""The same calls as native lines, as OTLP spans and as MCP frames, each checked alone and in turn: medians, and the
medians of the ratios to the native form within each turn.

    foreign.py [RECORDS [TURNS]]      a million records and 9 turns, if nothing is said
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FORMS = ["native", "otlp", "mcp"]
CALL = {
    "native": r'"key":"(?P<key>[^"]+)","payload":{"order_id":"(?P<order>\d+)","amount":"(?P<amount>[^"]+)"',
    "otlp": r'"order_id":"(?P<order>\d+)","amount":"(?P<amount>[^"]+)"[^}]*"idempotency_key":"(?P<key>[^"]+)"',
}
CALL["mcp"] = CALL["otlp"]
ROW = '{"effect_id":"rf_%s","operation_id":"%s","order_id":"%s","amount":"%s","currency":"USD","committed_at":"2026-11-30T23:00:00Z"}\n'
CONFIG = '[traces.otlp]\npath = "otlp.jsonl"\nfields.operation_id = "args.idempotency_key"\n'


def ledger(folder, form):
    """One row for each operation: then all is well, and nothing but reading and joining is measured."""
    seen = {}
    with open(os.path.join(folder, form + ".jsonl")) as trace:
        for line in trace:
            for call in re.finditer(CALL[form], line.replace('\\"', '"')):
                seen.setdefault(call["key"], (call["order"], call["amount"]))
    with open(os.path.join(folder, form + "-ledger.jsonl"), "w") as file:
        for key, (order, amount) in seen.items():
            # The receipts of the answers are numbered as the requests are.
            file.write(ROW % (key.rpartition("request_")[2], key, order, amount))


def timed(command, folder):
    with open(os.devnull, "w") as nowhere:
        begin = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
    # 1 and 3: there are violations, and nearly nothing stands in the ledger.
    if os.waitstatus_to_exitcode(status) not in (0, 1, 3):
        sys.exit(f"{command[0]} failed")
    return wall, used.ru_utime, used.ru_maxrss / 1024


def main():
    records, turns = (sys.argv[1:] + ["1000000", "9"][len(sys.argv) - 1 :])[:2]
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    recount = os.path.join(os.path.abspath(target), "release", "recount")
    subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "recount"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        made = ["cargo", "run", "--release", "--quiet", "--example", "made", "--", folder, records, "foreign"]
        subprocess.run(made, cwd=ROOT, check=True)
        with open(os.path.join(folder, "otlp.toml"), "w") as file:
            file.write(CONFIG)
        for form in FORMS:
            ledger(folder, form)
        size = {form: os.path.getsize(os.path.join(folder, form + ".jsonl")) for form in FORMS}
        # The native form and the frames name the operation; the spans have it where a mapping says.
        trace = {form: ["--trace", form + ".jsonl"] for form in FORMS} | {"otlp": ["--config", "otlp.toml"]}
        end = ["--ledger-final", "--now", "2026-12-02T00:00:00Z", "--limit", "1"]
        command = {form: [recount, "check"] + trace[form] + ["--ledger", form + "-ledger.jsonl"] + end for form in FORMS}
        runs = [{form: timed(command[form], folder) for form in FORMS} for _ in range(int(turns))]
    print("form     MB per file    wall s   ratio    user s   ratio    MB/s of user    memory MB")
    for form in FORMS:
        wall, user, memory = (statistics.median(run[form][at] for run in runs) for at in range(3))
        more = [statistics.median(run[form][at] / run["native"][at] for run in runs) for at in range(2)]
        print(
            f"{form:8} {size[form] / 1e6:11.0f} {wall:9.2f} {more[0]:7.2f} {user:9.2f} {more[1]:7.2f}"
            f" {size[form] / 1e6 / user:15.0f} {memory:12.0f}"
        )


main()

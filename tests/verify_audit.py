#!/usr/bin/env python3
"""A second verifier of recount's audit log, from docs/audit.md alone: Python, standard library only.

    verify_audit.py [--expect-head SEQ:HASH] FILE..

FILE is an export (JSON lines) or a book (SQLite). One line a file: `OK ENTRIES SEQ:HASH` or `BROKEN SEQ WHY`.
Exit code 0 if all hold, 6 if one does not. Of a book it walks the chain; the tables are compared by recount alone.
"""
import hashlib
import json
import sqlite3
import sys

FIELDS = "schema seq prev ts actor action subject before after evidence reason note tool".split()
LARGEST = 2**53 - 1


class Broken(Exception):
    pass


def members(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise Broken("a name is there twice")
    return dict(pairs)


def whole(text):
    number = int(text)
    if abs(number) > LARGEST:
        raise Broken("a number is beyond 2^53")
    return number


def fraction(text):
    raise Broken("a number is not whole")


def read(text):
    try:
        return json.loads(text, object_pairs_hook=members, parse_int=whole, parse_float=fraction, parse_constant=fraction)
    except (ValueError, RecursionError) as why:
        raise Broken(f"no JSON: {why}") from why


def canonical(value):
    """RFC 8785, for values without fractions: names sorted by UTF-16 code units, nothing between."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(element) for element in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def lines_of_export(data):
    lines = data.split(b"\n")
    for line in lines[:-1]:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as why:
            raise Broken("not UTF-8") from why
        outer = read(text)
        if not isinstance(outer, dict) or not set(outer) <= {"entry", "hash", "sig"}:
            raise Broken("the line is no entry")
        if "sig" in outer and not (isinstance(outer["sig"], str) and outer["sig"]):
            raise Broken("the signature is no text")
        if canonical(outer) != text:
            raise Broken("the line is not in canonical form")
        entry = outer.get("entry")
        number = entry.get("seq") if isinstance(entry, dict) else None
        yield number, canonical(entry), outer.get("hash"), outer.get("sig")
    if lines[-1]:
        raise Broken("the last line is torn")


def rows_of_book(path):
    book = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        yield from book.execute("SELECT seq, text, hash, sig FROM audit ORDER BY seq")
    except sqlite3.Error as why:
        raise Broken(f"the file is damaged: {why}") from why
    finally:
        book.close()


def walk(entries, expected):
    seq, prev, met = 0, "0" * 64, expected is None
    try:
        for number, text, stored, sig in entries:
            if number != seq + 1:
                raise Broken("a number is missing or there twice")
            value = read(text)
            if not isinstance(value, dict) or canonical(value) != text:
                raise Broken("the text is not in canonical form")
            if hashlib.sha256(text.encode("utf-8")).hexdigest() != stored:
                raise Broken("the hash is not that of the text")
            if value.get("prev") != prev:
                raise Broken("it does not name the hash before it")
            if value.get("seq") != seq + 1 or value.get("schema") != "recount.audit.v1":
                raise Broken("the text has another number or schema")
            if not all(field in value for field in FIELDS):
                raise Broken("a field is missing")
            seq, prev = seq + 1, stored
            if expected and seq == expected[0]:
                if stored != expected[1]:
                    seq -= 1
                    raise Broken("it is not the entry whose head was kept elsewhere")
                met = True
            policy = value.get("policy")
            if isinstance(policy, dict) and policy.get("signed") is True and not sig:
                seq -= 1
                raise Broken("it was signed, and its signature is missing")
        if not met:
            return False, f"BROKEN {expected[0]} the chain ends at entry {seq}"
    except (Broken, UnicodeError, sqlite3.Error) as why:
        return False, f"BROKEN {seq + 1} {why}"
    return True, f"OK {seq} {seq}:{prev}"


def verify(path, expected):
    with open(path, "rb") as file:
        data = file.read()
    is_book = data.startswith(b"SQLite format 3\0")
    return walk(rows_of_book(path) if is_book else lines_of_export(data), expected)


def main(words):
    expected = None
    if words[:1] == ["--expect-head"]:
        seq, hash_ = words[1].split(":")
        expected, words = (int(seq), hash_), words[2:]
    good = True
    for path in words:
        holds, line = verify(path, expected)
        good = good and holds
        print(line)
    return 0 if good else 6


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

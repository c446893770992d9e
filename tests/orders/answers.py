#!/usr/bin/env python3
"""
Are the answers of `everett orders` right? answers.py EVERETT PROGRAM..., in an empty directory: for each program of this folder, from all seq_cst and from all relaxed,

  - the program with the orders that are needed is ok, compiled from what `--diff` makes of the source (where all is to be changed), and as --order has it;
  - each needed order that is weakened by itself, to whatever C permits below it, has a finding;
  - the finding that is reported for it is replayed from the report;
  - repair costs no more than what weakening ends with, and where orders are published, none has to be stronger (PUBLISHED).
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LOAD = ["relaxed", "acquire", "seq_cst"]
STORE = ["relaxed", "release", "seq_cst"]
ALL = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
OPTIONS = {"load": LOAD, "store": STORE, "read-modify-write": ALL, "compare_exchange": ALL, "compare_exchange failure": LOAD, "fence": ALL}
WORDS = {"load": "load", "store": "store", "read-modify-write": "rmw", "compare_exchange": "cas", "compare_exchange failure": "cas", "fence": "fence"}
STRENGTH = {"relaxed": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}

# Of these the source has the orders that are published: from seq_cst each ends with the same, or weaker ones. Repair may end with others, which cost less.
PUBLISHED = ["chase_lev", "michael_scott", "ring_spsc", "seqlock", "treiber"]

failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL " + text)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def within(a, b):
    allows = {"relaxed": set(), "acquire": {"a"}, "release": {"r"}, "acq_rel": {"a", "r"}, "seq_cst": {"a", "r", "s"}}
    return allows[a] <= allows[b]


def is_added(site):
    return site["operation"].startswith("fence before ")


def options(site):
    return ["relaxed", "seq_cst"] if is_added(site) else OPTIONS[site["operation"]]


def change(site, order):
    slash = "/" if site["operation"].endswith(" failure") else ""
    word = "before-" + WORDS[site["operation"][len("fence before "):]] if is_added(site) else WORDS[site["operation"]]
    return "%s:%d:%d:%s=%s%s" % (site["file"], site["line"], site["column"], word, slash, order)


def cost(sites):
    """By the table for x86-64, and then by strength."""
    dear = {("store", "seq_cst"): 20, ("fence", "seq_cst"): 30}
    return (sum(dear.get(("fence" if is_added(s) else s["operation"], s["needed"]), 0) for s in sites), sum(STRENGTH[s["needed"]] for s in sites))


class Program:
    def __init__(self, everett, name):
        self.everett, self.name = everett, name
        self.checker = "./" + name
        for f in (name + ".c", "orders.h", "sites.h"):
            shutil.copy(os.path.join(HERE, f), ".")
        made = run(everett, "cc", "-g", "-o", self.checker, name + ".c")
        assert made.returncode == 0, made.stderr

    def check(self, orders):
        words = [w for o in orders for w in ("--order", o)]
        return run(self.everett, "run", "-q", "-m", "rc11", *words, self.checker)

    def answer(self, start):
        r = run(self.everett, "orders", "-q", "--from", start, "--target", "x86-64", "--json", "out.json", "--diff", "out.patch", self.checker)
        if r.returncode:
            fail("%s from %s: status %d: %s" % (self.name, start, r.returncode, r.stderr))
            return None
        with open("out.json") as f:
            return json.load(f)["results"][0]

    def confirm(self, start, result):
        sites = result["sites"]
        needed = [change(s, s["needed"]) for s in sites]
        r = self.check(needed)
        if r.returncode:
            fail("%s from %s: the answer does not hold: %s" % (self.name, start, r.stderr))
        weakened = 0
        for i, site in enumerate(sites):
            if start == "relaxed" and site["needed"] == "relaxed":
                continue
            if site["needed"] != "relaxed" and site["executed"] and not site["because"]:
                fail("%s from %s: no reason for line %d" % (self.name, start, site["line"]))
            for order in options(site):
                if order != site["needed"] and within(order, site["needed"]):
                    weakened += 1
                    r = self.check(needed[:i] + [change(site, order)] + needed[i + 1:])
                    if r.returncode != 1:
                        fail("%s from %s: line %d could be %s" % (self.name, start, site["line"], order))
            if site["because"]:
                r = run(self.everett, "replay", "-q", "--trust-report", "--site", str(i + 1), "out.json")
                if r.returncode != 1:
                    fail("%s from %s: site %d is not replayed: %s" % (self.name, start, i + 1, r.stderr))
        return weakened

    def compile_patched(self, start):
        """The patch is relative to what the source has, so it may be empty."""
        if os.path.getsize("out.patch"):
            r = run("patch", "-s", "-p1", "-i", "out.patch")
            if r.returncode:
                fail("%s from %s: the patch does not apply: %s" % (self.name, start, r.stdout))
        r = run(self.everett, "check", "-q", "-m", "rc11", self.name + ".c")
        if r.returncode:
            fail("%s from %s: patched, it is not ok: %s" % (self.name, start, r.stderr))
        shutil.copy(os.path.join(HERE, self.name + ".c"), ".")


def main():
    for name in sys.argv[2:]:
        p = Program(sys.argv[1], name)
        costs, weakened = {}, 0
        for start in ("seq_cst", "relaxed"):
            result = p.answer(start)
            if not result:
                continue
            weakened += p.confirm(start, result)
            p.compile_patched(start)
            costs[start] = cost(result["sites"])
            for s in result["sites"]:
                if start == "seq_cst" and name in PUBLISHED and not within(s["needed"], s["now"]):
                    fail("%s from %s: line %d is %s, and %s is published" % (name, start, s["line"], s["needed"], s["now"]))
        if len(costs) == 2 and costs["relaxed"] > costs["seq_cst"]:
            fail("%s: repair costs %s, weakening %s" % (name, costs["relaxed"], costs["seq_cst"]))
        print("%s: cost %s, %d weaker orders fail" % (name, costs.get("seq_cst"), weakened))
    sys.exit(failures > 0)


main()

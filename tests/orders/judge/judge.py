#!/usr/bin/env python3
"""
The judge of `everett orders`: brute force over all assignments of orders to small programs.

judge.py EVERETT [PROGRAM...], in an empty directory. Each assignment is checked by an ordinary `everett run` of a checker whose orders are variables, so that the table of sites, by which
`everett orders` changes orders, plays no part. Of the answers is then asked

  - that weakening ends in an assignment that holds, and of which no single order can be weakened;
  - that repair ends in one that holds, and none that holds costs less, by the table of costs below;
  - that each counterexample is one: its replay with its orders has the finding;
  - that every assignment stronger than one that holds does hold, which the search relies on.

Of programs whose names end in _added the assignments include fences before their accesses, which repair has to add; what is enumerated there is told by ADDED.

Then the answers are falsified in several ways, and each has to be rejected.
"""
import copy
import itertools
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]  # as C numbers them
LOAD = ["relaxed", "acquire", "seq_cst"]
STORE = ["relaxed", "release", "seq_cst"]
ALL = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
OPTIONS = {"load": LOAD, "store": STORE, "read-modify-write": ALL, "compare_exchange": ALL, "compare_exchange failure": LOAD, "fence": ALL}

# The orders of each program by number, and the models to ask.
PROGRAMS = {
    "mp": (["store", "load"], ["rc11"]),
    "mp_fences": (["fence", "store", "load", "fence"], ["rc11"]),
    "sb": (["store", "load", "store", "load"], ["rc11"]),
    "sb_fences": (["fence", "fence"], ["rc11", "tso", "pso"]),
    "lock": (["compare_exchange", "compare_exchange failure", "store", "store"], ["rc11"]),
    "sequence": (["store", "read-modify-write", "load"], ["rc11"]),
}

# Programs to which fences are added: for each model the orders that are enumerated, of accesses and of the fence before each. What is not cheaper on any target than what is there, and
# as strong, may be left out. Under TSO and PSO orders of accesses stay as they are.
RELAXED, ENDS = ["relaxed"], ["relaxed", "seq_cst"]
ADDED = {
    "sb_added": (["store", "load", "store", "load"], {"tso": ([RELAXED] * 4, [ALL] * 4), "pso": ([RELAXED] * 4, [["relaxed", "release", "seq_cst"]] * 4)}),
    "mp_added": (["store", "store", "load", "load"], {"pso": ([RELAXED] * 4, [ALL] * 4), "rc11": ([RELAXED, STORE, LOAD, RELAXED], [RELAXED, ALL, RELAXED, ALL])}),
    "two_stores_added": (["store", "store", "load", "store", "load", "load"], {"rc11": ([STORE[1:], STORE[1:], LOAD[2:], STORE[1:], LOAD[2:], LOAD[2:]], [RELAXED] + [ENDS] * 2 + [RELAXED] + [ENDS] * 2)}),
}
MOST = 8  # see programs.h

# What docs/orders.md says that orders cost; what it does not name is free.
COSTS = {
    "x86-64": {("store", "seq_cst"): 20, ("fence", "seq_cst"): 30},
    "aarch64": {
        ("load", "acquire"): 1, ("load", "seq_cst"): 2, ("store", "release"): 2, ("store", "seq_cst"): 2,
        ("read-modify-write", "acquire"): 1, ("read-modify-write", "release"): 1, ("read-modify-write", "acq_rel"): 2,
        ("read-modify-write", "seq_cst"): 2, ("compare_exchange", "acquire"): 1, ("compare_exchange", "release"): 1,
        ("compare_exchange", "acq_rel"): 2, ("compare_exchange", "seq_cst"): 2, ("compare_exchange failure", "acquire"): 1,
        ("compare_exchange failure", "seq_cst"): 1, ("fence", "acquire"): 5, ("fence", "release"): 10, ("fence", "acq_rel"): 10,
        ("fence", "seq_cst"): 10,
    },
}


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def within(a, b):
    """Is a the same order as b, or a weaker one?"""
    allows = {"relaxed": set(), "acquire": {"a"}, "release": {"r"}, "acq_rel": {"a", "r"}, "seq_cst": {"a", "r", "s"}}
    return allows[a] <= allows[b]


class Judge:
    def __init__(self, everett, program, model):
        self.everett, self.program, self.model = everett, program, model
        self.operations = PROGRAMS[program][0]
        self.source = os.path.join(HERE, program + ".c")

    def enumerate(self):
        """All assignments that hold, by checks of a program whose orders are variables."""
        made = run(self.everett, "cc", "-g", "-DARGUMENTS", "-o", self.program, self.source)
        assert made.returncode == 0, made.stderr
        self.holding = set()
        for orders in itertools.product(*(OPTIONS[o] for o in self.operations)):
            r = run(self.everett, "run", "-q", "-m", self.model, self.program, "--", *(str(NAMES.index(o)) for o in orders))
            assert r.returncode in (0, 1), r.stderr
            if r.returncode == 0:
                self.holding.add(orders)

    def ask(self, start, *options):
        defines = ["-DORDER_%d=memory_order_%s" % x for x in enumerate(start)]
        r = run(self.everett, "orders", "-q", "-m", self.model, "--in", self.program + ".c", *options, "--json", "out.json", *defines, self.source)
        with open("out.json") as f:
            result = json.load(f)["results"][0]
        return r.returncode, result, defines

    def sites(self, result):
        """Those that are numbered, in the order of the source; those of programs.h must stay as they are."""
        for s in result["sites"]:
            assert s["file"].endswith(self.program + ".c") or (s["needed"] == s["now"] and not s["asked"]), s
        asked = [s for s in result["sites"] if s["file"].endswith(self.program + ".c")]
        assert [s["operation"] for s in asked] == self.operations, (self.program, [(s["operation"], s["line"]) for s in asked])
        return asked

    def needed(self, result):
        return tuple(s["needed"] for s in self.sites(result))

    def cost(self, target, orders):
        strength = {"relaxed": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}
        return (sum(COSTS[target].get(x, 0) for x in zip(self.operations, orders)), sum(strength[o] for o in orders))

    # ---- complaints: empty if all is well ----

    def about_monotony(self):
        for orders in self.holding:
            for stronger in itertools.product(*(OPTIONS[o] for o in self.operations)):
                if all(within(a, b) for a, b in zip(orders, stronger)) and stronger not in self.holding:
                    yield "%s holds, the stronger %s does not" % (orders, stronger)

    def about_weakening(self, result):
        needed = self.needed(result)
        if needed not in self.holding:
            yield "%s does not hold" % (needed,)
        for i, operation in enumerate(self.operations):
            for order in OPTIONS[operation]:
                weaker = needed[:i] + (order,) + needed[i + 1:]
                if order != needed[i] and within(order, needed[i]) and weaker in self.holding:
                    yield "%s can be weakened to %s" % (needed, weaker)

    def about_repair(self, result, start, target):
        needed = self.needed(result)
        if needed not in self.holding:
            yield "%s does not hold" % (needed,)
        for orders in self.holding:
            if all(within(a, b) for a, b in zip(start, orders)) and self.cost(target, orders) < self.cost(target, needed):
                yield "%s costs less than %s" % (orders, needed)

    def about_reasons(self, result, defines):
        for site in self.sites(result):
            because = site["because"]
            if not because:
                # Nothing weaker exists, or it was not changed by a repair.
                if site["needed"] != "relaxed" and not result["repaired"]:
                    yield "no reason for %s of line %d" % (site["needed"], site["line"])
                continue
            changes = [x for o in because["orders"] for x in ("--order", o)]
            r = run(self.everett, "check", "-q", "-m", self.model, *changes, "--replay", because["schedule"], "--json", "again.json", *defines, self.source)
            again = json.load(open("again.json"))["results"][0]["findings"] if r.returncode == 1 else []
            if not any((f["kind"], f["line"]) == (because["kind"], because["line"]) for f in again):
                yield "the reason for %s of line %d is none: %s" % (site["needed"], site["line"], r.stderr)


def judge(everett, program, model):
    j = Judge(everett, program, model)
    j.enumerate()
    complaints = list(j.about_monotony())
    strongest = tuple("seq_cst" for _ in j.operations)
    weakest = tuple("relaxed" for _ in j.operations)
    rejected = 0

    status, result, defines = j.ask(strongest)
    complaints += ["status %d" % status] if status else []
    complaints += j.about_weakening(result)
    complaints += j.about_reasons(result, defines)
    # One order too strong, one too weak, and a reason that is none.
    for i, site in enumerate(j.sites(result)):
        for order in OPTIONS[site["operation"]]:
            if order == site["needed"]:
                continue
            wrong = copy.deepcopy(result)
            j.sites(wrong)[i]["needed"] = order
            if not list(j.about_weakening(wrong)) and j.needed(wrong) not in j.holding:
                complaints.append("the judge does not mind %s" % (j.needed(wrong),))
            rejected += bool(list(j.about_weakening(wrong)))
    reasons = [s for s in j.sites(result) if s["because"]]
    if reasons:
        wrong = copy.deepcopy(result)
        for s in j.sites(wrong):
            if s["because"]:
                s["because"]["orders"] = []
        if not list(j.about_reasons(wrong, defines)):
            complaints.append("the judge does not mind reasons with all orders as they were")
        rejected += 1

    # Fences that are relaxed in the source would be no sites: this begins with relaxed orders, but not in the source.
    for target in COSTS:
        status, result, defines = j.ask(strongest, "--from", "relaxed", "--target", target)
        start = weakest
        complaints += ["repair: status %d" % status] if status else []
        complaints += j.about_repair(result, start, target)
        complaints += j.about_reasons(result, defines)
        wrong = copy.deepcopy(result)
        for s in j.sites(wrong):
            s["needed"] = "seq_cst"
        if j.cost(target, j.needed(wrong)) > j.cost(target, j.needed(result)):
            if not list(j.about_repair(wrong, start, target)):
                complaints.append("the judge does not mind a repair that costs more")
            rejected += 1

    # From what is neither all nor nothing, with what the source has.
    some = tuple("acquire" if o == "load" else "release" if o in ("store", "fence") else "seq_cst" for o in j.operations)
    some = tuple("relaxed" if o == "compare_exchange failure" else s for o, s in zip(j.operations, some))
    status, result, defines = j.ask(some)
    complaints += ["status %d" % status] if status else []
    if some in j.holding:
        complaints += j.about_weakening(result)
    else:
        complaints += j.about_repair(result, some, "aarch64" if os.uname().machine == "aarch64" else "x86-64")
    for c in complaints:
        print("%s under %s: %s" % (program, model, c))
    print("%s under %s: %d of %d assignments hold, %d false answers rejected" % (
        program, model, len(j.holding), len(list(itertools.product(*(OPTIONS[o] for o in j.operations)))), rejected))
    return not complaints and rejected > 0


class AddedJudge(Judge):
    """Orders of the accesses, and then of the fence before each of them."""

    def __init__(self, everett, program, model):
        self.everett, self.program, self.model = everett, program, model
        self.accesses = ADDED[program][0]
        self.operations = self.accesses + ["fence before " + a for a in self.accesses]
        self.domain = [o for part in ADDED[program][1][model] for o in part]
        self.source = os.path.join(HERE, program + ".c")

    def arguments(self, orders):
        n = len(self.accesses)
        numbers = [str(NAMES.index(o)) for o in orders]
        return numbers[:n] + ["0"] * (MOST - n) + numbers[n:]

    def holds(self, orders):
        r = run(self.everett, "run", "-q", "-m", self.model, self.program, "--", *self.arguments(orders))
        assert r.returncode in (0, 1), r.stderr
        return r.returncode == 0

    def enumerate(self):
        made = run(self.everett, "cc", "-g", "-DARGUMENTS", "-o", self.program, self.source)
        assert made.returncode == 0, made.stderr
        self.holding = set(orders for orders in itertools.product(*self.domain) if self.holds(orders))

    def sites(self, result):
        """Of a fence that is not added there is none."""
        own = [s for s in result["sites"] if s["file"].endswith(self.program + ".c")]
        accesses = [s for s in own if not s["operation"].startswith("fence before")]
        assert [s["operation"] for s in accesses] == self.accesses, self.program
        fences = {(s["line"], s["column"]): s for s in own if s["operation"].startswith("fence before")}
        none = {"operation": "none", "now": "relaxed", "needed": "relaxed", "because": None, "line": 0}
        found = [fences.get((s["line"], s["column"]), none) for s in accesses]
        assert all(f is none or f["operation"] == "fence before " + a for f, a in zip(found, self.accesses))
        assert len(fences) == sum(f is not none for f in found)
        return accesses + found

    def cost(self, target, orders):
        n = len(self.accesses)
        cost, strength = Judge.cost(self, target, orders[:n])
        for o in orders[n:]:
            if o != "relaxed":
                cost += max(1, COSTS[target].get(("fence", o), 0))
                strength += {"acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}[o]
        return (cost, strength)

    def about_repair(self, result, target):
        """What is enumerated need not have the weakest orders: costs alone are compared."""
        needed = self.needed(result)
        if not self.holds(needed):
            yield "%s does not hold" % (needed,)
        for orders in self.holding:
            if self.cost(target, orders)[0] < self.cost(target, needed)[0]:
                yield "%s costs less than %s" % (orders, needed)
        for i, order in enumerate(needed):
            for weaker in ALL:
                if order != weaker and within(weaker, order) and not (i < len(self.accesses) and weaker not in OPTIONS[self.accesses[i]]):
                    if self.holds(needed[:i] + (weaker,) + needed[i + 1:]):
                        yield "%s of %s could be %s" % (i, needed, weaker)


def judge_added(everett, program, model):
    j = AddedJudge(everett, program, model)
    j.enumerate()
    complaints, rejected, added = [], 0, 0
    for target in COSTS:
        status, result, defines = j.ask(["relaxed"] * len(j.accesses), "--from", "relaxed", "--target", target, "--diff", "out.patch")
        complaints += ["status %d" % status] if status else []
        complaints += j.about_repair(result, target)
        complaints += j.about_reasons(result, defines)
        added += sum(s["operation"].startswith("fence before") for s in j.sites(result))
        # One site weaker, and one fence too many.
        for i, order in enumerate(j.needed(result)):
            for other in ("relaxed", "seq_cst"):
                wrong = copy.deepcopy(result)
                if other == order or j.sites(wrong)[i]["operation"] == "none":
                    continue
                j.sites(wrong)[i]["needed"] = other
                found = list(j.about_repair(wrong, target))
                if not found and (other == "relaxed" or j.cost(target, j.needed(wrong))[0] > j.cost(target, j.needed(result))[0]):
                    complaints.append("the judge does not mind %s" % (j.needed(wrong),))
                rejected += bool(found)
    for c in complaints:
        print("%s under %s: %s" % (program, model, c))
    count = 1
    for options in j.domain:
        count *= len(options)
    print("%s under %s: %d of %d assignments hold, %d fences added, %d false answers rejected" % (program, model, len(j.holding), count, added, rejected))
    return not complaints and rejected > 0


def main():
    everett, wanted = sys.argv[1], sys.argv[2:] or [*PROGRAMS, *ADDED]
    fine = [judge(everett, p, m) for p in wanted if p in PROGRAMS for m in PROGRAMS[p][1]]
    fine += [judge_added(everett, p, m) for p in wanted if p in ADDED for m in ADDED[p][1]]
    sys.exit(not all(fine))


main()

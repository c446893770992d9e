#!/usr/bin/env python3
"""The judge of --preemptions: preemptions.py CHECKER EVERETT COUNT [FIRST]. CHECKER is tests/cli/preemptions.sh's interpreter.

Random programs of two or three threads, each a few reads, writes, increments and critical sections. Here all interleavings are enumerated by brute force, with the preemptions
that each has, and so for each class (who reads from whom; with the order of writes: traces) the fewest that it needs. For each bound Everett must count exactly the classes that
need no more; as it has run an execution of each that it counts, equal numbers are equal sets. Without a bound it must count all.
"""
import json
import os
import random
import subprocess
import sys

checker, everett, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
first = int(sys.argv[4]) if len(sys.argv) > 4 else 0


def random_program(source):
    """Threads are lists of operations: (what, variable). L and U are one mutex, which every thread uses or none."""
    threads = source.choice([2, 2, 3])
    locked = source.random() < 0.3
    program = []
    for _ in range(threads):
        length = source.randint(1, 5 if threads == 2 else 3)
        ops = [(source.choice('RRWWA'), source.randrange(2)) for _ in range(length)]
        if locked:
            low = source.randrange(len(ops))
            ops[low:low + 1] = [('L', 2), ops[low], ('U', 2)]
        program.append(ops)
    return program


def visible(program):
    """Without accesses to what no two threads access, one of them to write: these are no events, and nobody is interrupted there."""
    def shared(variable):
        users = [{what for what, v in ops if v == variable} for ops in program]
        writers = [i for i, whats in enumerate(users) if whats - {'R'}]
        return sum(map(bool, users)) > 1 and bool(writers)
    return [[op for op in ops if shared(op[1])] for ops in program]


def classes(program, ordered):
    """The fewest preemptions of each class."""
    found = {}

    def step(at, last, holder, writes, sources, running, preemptions):
        able = [t for t, ops in enumerate(program) if at[t] < len(ops) and not (ops[at[t]][0] == 'L' and holder is not None)]
        if not able:
            assert all(at[t] == len(ops) for t, ops in enumerate(program))
            key = (tuple(sorted(sources.items())), tuple(map(tuple, writes)) if ordered else ())
            found[key] = min(found.get(key, preemptions), preemptions)
            return
        for t in able:
            what, variable = program[t][at[t]]
            name = (t, at[t])
            now = dict(sources)
            if what != 'W':
                now[name] = last[variable]
            wrote = what in 'WALU'
            step(at[:t] + (at[t] + 1,) + at[t + 1:],
                 last[:variable] + (name,) + last[variable + 1:] if wrote else last,
                 t if what == 'L' else None if what == 'U' else holder,
                 [w + [name] if wrote and v == variable else w for v, w in enumerate(writes)],
                 now, t, preemptions + (running in able and running != t))

    step((0,) * len(program), (None,) * 3, None, [[], [], []], {}, None, 0)
    return found


def explored(program, equivalence, options):
    words = [''.join(f'{what}{variable}' for what, variable in ops) for ops in program]
    subprocess.run([everett, 'run', '-q', '-m', 'sc', '-e', equivalence, *options, '--json', 'p.json', checker, '--', *words],
                   stderr=subprocess.DEVNULL, check=False)
    with open('p.json') as file:
        return json.load(file)['results'][0]


wrong = judged = 0
for seed in range(first, first + count):
    program = random_program(random.Random(seed))
    for equivalence in ('rf', 'traces'):
        needs = classes(visible(program), equivalence == 'traces')
        most = max(needs.values())
        for bound in [*range(most + 1), None]:
            want = sum(1 for n in needs.values() if bound is None or n <= bound)
            result = explored(program, equivalence, ['--preemptions', str(bound)] if bound is not None else [])
            judged += 1
            if (result['executions'], result['verdict']) != (want, 'ok'):
                wrong += 1
                print(f'seed {seed}, {equivalence}, bound {bound}: {result["executions"]} classes ({result["verdict"]}), not {want}: {program}')
print(f'{judged} searches of {count} programs, {wrong} wrong')
sys.exit(wrong > 0)

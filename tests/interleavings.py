#!/usr/bin/env python3
"""How many executions engine `none` has of contracts in which memory is freed while others use it, or is guarded.

    interleavings.py    compare with the counts that the contracts give

Independent of Everett: the programs, and the synchronisation that they use, are written down once more, as threads that yield
their steps, and all interleavings are counted. The rules are those of docs/engines/none.md and of "Faults and lifetimes" in
docs/architecture.md: an access to memory that is freed looks at its life first, and follows at once if it can; under TSO and
PSO a store is a step when it leaves its buffer, and the end of a lifetime is followed by a step of its own. Under RA accesses
that the program orders are no steps (`guarded`).
"""
import os
import re
import sys


class Gone(Exception):
    """The memory is freed: the thread ends."""


class Execution:
    """Steps are (kind, location, value). Between two of them each thread's next step is known."""

    def __init__(self, model, threads):
        self.model = model
        self.memory = {}
        self.threads = [thread(self) for thread in threads]
        self.buffers = [[] for _ in threads]
        self.next = [None] * len(threads)
        self.looked = None  # who has looked at a life, and goes on at once if it can
        for i in range(len(threads)):
            self.go_on(i, None)

    def go_on(self, i, value):
        try:
            self.next[i] = self.threads[i].send(value)
            while self.model != 'sc' and self.next[i][0] == 'store':
                self.buffers[i].append(self.next[i][1:])
                self.next[i] = self.threads[i].send(None)
        except (StopIteration, Gone):
            self.next[i] = None

    def is_ready(self, i):
        if not self.next[i]:
            return False
        kind, location, _ = self.next[i]
        if kind in ('load', 'free'):
            return True
        return not self.buffers[i] and not (kind == 'lock' and self.memory.get(location))

    def flushes(self, i):
        seen = set()
        for position, (location, _) in enumerate(self.buffers[i]):
            if location not in seen and (self.model == 'pso' or position == 0):
                yield i, position
            seen.add(location)

    def choices(self):
        if self.looked is not None and self.is_ready(self.looked):
            return [(self.looked, None)]
        everybody = range(len(self.threads))
        return [(i, None) for i in everybody if self.is_ready(i)] + [f for i in everybody for f in self.flushes(i)]

    def step(self, i, flushed):
        self.looked = None
        if flushed is not None:
            location, value = self.buffers[i].pop(flushed)
            self.memory[location] = value
            return
        kind, location, value = self.next[i]
        old = self.memory.get(location, 0)
        if kind == 'load':
            old = next((v for l, v in reversed(self.buffers[i]) if l == location), old)
            if value == 'looks' and not old:
                self.looked = i
        elif kind == 'add':
            self.memory[location] = old + value
        elif kind == 'cas':
            self.memory[location] = value[1] if old == value[0] else old
        elif kind == 'trylock':
            self.memory[location] = 1
        elif kind not in ('free', 'fence'):
            self.memory[location] = value
        self.go_on(i, old)


class WeakExecution:
    """
    Release-acquire: a step of a read chooses its source, a step of a store its place in coherence, and stores come first. A
    thread knows of what its program order and its sources tell it. It reads the last write that it knows of or a later one, and
    writes behind one of these; nothing comes between a read-modify-write and its source. Locks and fences read the last of
    their kind, but for a trylock that fails: it has read any lock. `memory` has the initial values, those of locks, and what is guarded.
    """

    def __init__(self, model, threads):
        self.model = model
        self.memory = {}
        self.threads = [thread(self) for thread in threads]
        self.known = [frozenset() for _ in threads]
        self.next = [None] * len(threads)
        self.looked = None
        self.events = []  # (what it has written, what its thread knows then, whether it reads what comes before it)
        self.coherence = {}  # of a location: its writes, by their numbers; None is the initial one
        for i in range(len(threads)):
            self.go_on(i, None)

    def go_on(self, i, value):
        try:
            self.next[i] = self.threads[i].send(value)
        except (StopIteration, Gone):
            self.next[i] = None

    def value(self, location, write):
        return self.memory.get(location, 0) if write is None else self.events[write][0]

    def sources(self, i):
        writes = self.coherence.setdefault(self.next[i][1], [None])
        return writes[max(k for k, w in enumerate(writes) if w is None or w in self.known[i]):]

    def is_free(self, location, write):
        """May another write come right behind this one?"""
        writes = self.coherence[location]
        behind = writes.index(write) + 1
        return behind == len(writes) or not self.events[writes[behind]][2]

    def steps(self, i):
        if not self.next[i]:
            return []
        kind, location, value = self.next[i]
        sources = self.sources(i)
        if kind == 'load':
            return [(i, w) for w in sources]
        if kind in ('store', 'exchange', 'cas'):
            return [(i, w) for w in sources
                    if self.is_free(location, w) or (kind == 'cas' and self.value(location, w) != value[0])]
        if kind == 'fence':
            return [(i, sources[-1])]
        held = self.memory.get(location)
        steps = [(i, sources[-1])] if kind == 'unlock' or not held else []
        if kind == 'trylock':
            steps += [(i, w) for w in sources if w is not None and self.value(location, w) and (i, w) not in steps]
        return steps

    def choices(self):
        if self.looked is not None and (steps := self.steps(self.looked)):
            return steps
        everybody = range(len(self.threads))
        for i in everybody:
            if self.next[i] and self.next[i][0] == 'store':
                return self.steps(i)
        return [step for i in everybody for step in self.steps(i)]

    def step(self, i, source):
        kind, location, value = self.next[i]
        old = self.value(location, source)
        if kind in ('lock', 'unlock', 'trylock') and not (kind == 'trylock' and old):
            self.memory[location] = value
        self.looked = i if value == 'looks' and not old else None
        self.known[i] |= {len(self.events)}
        if kind != 'store' and source is not None:
            self.known[i] |= self.events[source][1]
        written = value[1] if kind == 'cas' else value
        self.events.append((written, self.known[i], kind != 'store'))
        if not (kind == 'load' or (kind == 'cas' and old != value[0]) or (kind == 'trylock' and old)):
            writes = self.coherence.setdefault(location, [None])
            writes.insert(writes.index(source) + 1, len(self.events) - 1)
        self.go_on(i, old)


def count(model, threads):
    total, prefixes = 0, [[]]
    while prefixes:
        prefix = prefixes.pop()
        execution = (WeakExecution if model == 'ra' else Execution)(model, threads)
        for choice in prefix:
            execution.step(*choice)
        while choices := execution.choices():
            prefixes += [prefix + [other] for other in choices[1:]]
            prefix = prefix + [choices[0]]
            execution.step(*choices[0])
        total += 1
    return total


# --- steps

def load(location):
    return (yield 'load', location, None)


def store(location, value):
    yield 'store', location, value


def add(location, value):
    return (yield 'add', location, value)


def lock(location):
    yield 'lock', location, 1


def unlock(location):
    yield 'unlock', location, 0


def trylock(location):
    return not (yield 'trylock', location, 1)


def exchange(location, value):
    return (yield 'exchange', location, value)


def compare_exchange(location, expected, desired):
    return (yield 'cas', location, (expected, desired))


def fence(execution):
    """An event of RA alone. Under TSO and PSO what comes next would have to wait."""
    assert execution.model in ('sc', 'ra')
    if execution.model == 'ra':
        yield 'fence', 'fence', None


def guarded(execution, step):
    """A load or store that happens-before orders with all that it could conflict with: under RA, at once."""
    if execution.model != 'ra':
        return (yield from step)
    kind, location, value = next(step)
    old = execution.memory.get(location, 0)
    if kind != 'load':
        execution.memory[location] = value
    return old


def use(step):
    """A step on memory that may be freed."""
    if (yield 'load', 'life', 'looks'):
        raise Gone
    return (yield from step)


def free(execution):
    if (yield 'exchange', 'life', 1):
        raise Gone
    if execution.model in ('tso', 'pso'):
        yield 'free', 'life', None


# --- semaphores as in src/runtime/sync/semaphore.c: `empty` is locked while there is nothing to take

def start_semaphore(execution):
    execution.memory.setdefault('empty', 1)
    execution.memory.setdefault('value', 0)


def post(execution):
    start_semaphore(execution)
    yield from use(lock('inner'))
    value = execution.memory['value']
    execution.memory['value'] = value + 1
    if not value:
        yield from use(unlock('empty'))
    yield from use(unlock('inner'))


def wait(execution):
    start_semaphore(execution)
    yield from use(lock('empty'))
    yield from use(lock('inner'))
    execution.memory['value'] -= 1
    if execution.memory['value']:
        yield from use(unlock('empty'))
    yield from use(unlock('inner'))


def destroy_semaphore(execution):
    yield from use(unlock('inner'))
    if not execution.memory['value']:
        yield from use(unlock('empty'))


def wait_and_free(execution):
    yield from wait(execution)
    yield from destroy_semaphore(execution)
    yield from free(execution)


def wait_twice_and_free(execution):
    yield from wait(execution)
    yield from wait_and_free(execution)


def wait_and_free_early(execution):
    yield from wait(execution)
    yield from free(execution)


# --- readers-writer locks as in src/runtime/sync/rwlock.c

def reader_of_rwlock(execution):
    yield from use(lock('inner'))
    readers = execution.memory.get('readers', 0)
    if not readers:
        yield from use(lock('taken'))
    execution.memory['readers'] = readers + 1
    yield from use(unlock('inner'))
    last = (yield from add('done', 1)) == 1
    yield from use(lock('inner'))
    execution.memory['readers'] -= 1
    left = execution.memory['readers']
    yield from use(unlock('inner'))
    if not left:
        yield from use(unlock('taken'))
    if last:
        yield from free(execution)


# --- programs of loads and stores

def pop_and_free(execution):
    empty = yield from load('top is empty')
    yield from store('top is empty', 1)
    # The fence of an ordered store is no step: what comes next, if anything, waits for the buffer.
    if not empty:
        yield from free(execution)


def stores_late(execution):
    yield from use(store('item', 1))
    yield from store('flag', 1)


def frees_if_flagged(execution):
    if (yield from load('flag')):
        yield from free(execution)


# --- programs/hazard_pointer.h: `head` is 0 for the first node and 1 for the second, `hazard` 0 for none

def reader_with_hazard(fences, looks_again, is_freed):
    """Is the node's end unordered with its use? Then, under RA, using it is a step, too."""
    def run(execution):
        node = yield from load('head')
        yield from store('hazard', node + 1)
        if fences:
            yield from fence(execution)
        if looks_again and (yield from load('head')) != node:
            return
        if node:  # its value is compared with 1, then with 2
            yield from guarded(execution, load('second value'))
            yield from guarded(execution, load('second value'))
        elif is_freed or execution.model != 'ra':
            yield from use(load('value'))
        yield from store('hazard', 0)
    return run


def writer_with_hazard(fences, is_freed):
    def run(execution):
        yield from guarded(execution, store('second value', 2))  # by main, before it creates the writer
        old = yield from exchange('head', 1)
        if fences:
            yield from fence(execution)
        if (yield from load('hazard')) != old + 1 and (is_freed or execution.model != 'ra'):
            yield from free(execution)
    return run


# --- programs/treiber.h: `top` is (node, tag), where None is no node. In no execution two threads use members of node 1, but to read them.

def pop(execution):
    execution.memory.setdefault('top', (0, 0))
    execution.memory.setdefault('next', 1)
    old = yield from load('top')
    while True:
        node, tag = old
        if node is None:
            return None
        following = (yield from load('next')) if node == 0 else execution.memory.get('next of 1')
        found = yield from compare_exchange('top', old, (following, tag + execution.tagged))
        if found == old:
            if node == 0:
                yield from guarded(execution, exchange('owned', 1))
            return node
        old = found


def push(execution, node):
    old = yield from load('top')
    if node == 0:
        yield from guarded(execution, store('owned', 0))
    while True:
        if node == 0:
            yield from store('next', old[0])
        else:
            execution.memory['next of 1'] = old[0]
        found = yield from compare_exchange('top', old, (node, old[1] + execution.tagged))
        if found == old:
            return
        old = found


def pops_one(tagged):
    def run(execution):
        execution.tagged = tagged
        yield from pop(execution)
    return run


def pops_two(tagged):
    def run(execution):
        execution.tagged = tagged
        node = yield from pop(execution)
        yield from pop(execution)
        if node is not None:
            yield from push(execution, node)
    return run


# --- condition variables as in src/runtime/sync/cond.c: `cond` guards who waits, who has taken `asleep` once and takes it again to sleep. Here the mutex
# orders all that is done to `cond`.

def in_condition(execution, queued, is_freed):
    """Who waits from now on? Returns who did."""
    for step in (lock('cond'), unlock('cond')):
        yield from guarded(execution, use(step) if is_freed and execution.model != 'ra' else step)
    before = execution.memory.get('queued', False)
    execution.memory['queued'] = queued
    return before


def wait_for_condition(execution, is_freed):
    yield from lock('asleep')
    yield from in_condition(execution, True, is_freed)
    yield from unlock('m')
    yield from lock('asleep')
    yield from lock('m')


def signal(execution, is_freed):
    if (yield from in_condition(execution, False, is_freed)):
        yield from unlock('asleep')


def produces(execution):
    yield from guarded(execution, store('data', 42))
    yield from lock('m')
    yield from guarded(execution, store('ready', 1))
    yield from unlock('m')
    yield from signal(execution, False)


def consumes(execution):
    yield from lock('m')
    while not (yield from guarded(execution, load('ready'))):
        yield from wait_for_condition(execution, False)
    yield from guarded(execution, load('data'))
    yield from unlock('m')


def waits_once(execution):
    yield from lock('m')
    yield from guarded(execution, store('waiting', 1))
    if not (yield from guarded(execution, load('ready'))):
        yield from wait_for_condition(execution, True)
    yield from guarded(execution, load('ready'))
    yield from unlock('m')


def wakes_and_frees(execution):
    yield from lock('m')
    yield from guarded(execution, store('ready', 1))
    if (yield from guarded(execution, load('waiting'))):
        yield from signal(execution, True)
    if execution.model != 'ra':
        yield from use(unlock('cond'))
        yield from free(execution)
    yield from unlock('m')


# --- programs whose memory is guarded by locks

def spins(execution):
    yield from lock('spin')
    yield from guarded(execution, load('count'))
    yield from guarded(execution, store('count', 1))
    yield from unlock('spin')


def tries_to_spin(execution):
    if (yield from trylock('spin')):
        yield from guarded(execution, load('count'))
        yield from guarded(execution, store('count', 1))
        yield from unlock('spin')


CONTRACTS = (
    ('programs/semaphore_freed.c', [post, wait_and_free], ('sc',)),
    ('programs/semaphore_freed_two.c', [post, post, wait_twice_and_free], ('sc',)),
    ('findings/semaphore_freed_early.c', [post, post, wait_and_free_early], ('sc',)),
    ('findings/rwlock_freed_by_reader.c', [reader_of_rwlock, reader_of_rwlock], ('sc',)),
    ('findings/pop_double_free.c', [pop_and_free, pop_and_free], ('sc', 'tso', 'pso')),
    ('findings/late_store.c', [stores_late, frees_if_flagged], ('sc', 'tso', 'pso')),
    ('programs/hazard_pointer.c', [reader_with_hazard(True, True, False), writer_with_hazard(True, False)], ('sc', 'ra')),
    ('findings/hazard_pointer_fence.c', [reader_with_hazard(False, True, True), writer_with_hazard(False, True)], ('sc', 'ra')),
    ('findings/hazard_pointer_look.c', [reader_with_hazard(True, False, True), writer_with_hazard(True, True)], ('sc', 'ra')),
    ('programs/treiber_tagged.c', [pops_one(1), pops_two(1)], ('sc', 'ra')),
    ('findings/treiber_aba.c', [pops_one(0), pops_two(0)], ('sc', 'ra')),
    ('programs/spinlocks.c', [spins, tries_to_spin], ('sc', 'ra')),
    ('programs/cond_handoff_unlocked.c', [produces, consumes], ('sc', 'ra')),
    ('programs/cond_destroyed_by_waker.c', [waits_once, wakes_and_frees], ('sc', 'ra')),
)


def stated(contract, model):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), contract)
    with open(path, encoding='utf-8') as file:
        found = re.search(rf'^// executions:.*\b{model}/none:([0-9]+)', file.read(), re.M)
    return int(found[1]) if found else None


def main():
    wrong = 0
    for contract, threads, models in CONTRACTS:
        for model in models:
            counted, said = count(model, threads), stated(contract, model)
            print(f'{contract} {model}/none: {counted}' + ('' if counted == said else f', but the contract says {said}'))
            wrong += counted != said
    sys.exit(wrong != 0)


if __name__ == '__main__':
    main()

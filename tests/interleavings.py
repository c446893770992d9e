#!/usr/bin/env python3
"""How many executions engine `none` has of contracts in which memory is freed while others use it.

    interleavings.py    compare with the counts that the contracts give

Independent of Everett: the programs, and the synchronisation that they use, are written down once more, as threads that yield
their steps, and all interleavings are counted. The rules are those of docs/engines/none.md and of "Faults and lifetimes" in
docs/architecture.md: an access to memory that is freed looks at its life first, and follows at once if it can; under TSO and
PSO a store is a step when it leaves its buffer, and the end of a lifetime is followed by a step of its own.
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
        elif kind != 'free':
            self.memory[location] = value
        self.go_on(i, old)


def count(model, threads):
    total, prefixes = 0, [[]]
    while prefixes:
        prefix = prefixes.pop()
        execution = Execution(model, threads)
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


def use(step):
    """A step on memory that may be freed."""
    if (yield 'load', 'life', 'looks'):
        raise Gone
    return (yield from step)


def free(execution):
    if (yield 'exchange', 'life', 1):
        raise Gone
    if execution.model != 'sc':
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


CONTRACTS = (
    ('programs/semaphore_freed.c', [post, wait_and_free], ('sc',)),
    ('programs/semaphore_freed_two.c', [post, post, wait_twice_and_free], ('sc',)),
    ('findings/semaphore_freed_early.c', [post, post, wait_and_free_early], ('sc',)),
    ('findings/rwlock_freed_by_reader.c', [reader_of_rwlock, reader_of_rwlock], ('sc',)),
    ('findings/pop_double_free.c', [pop_and_free, pop_and_free], ('sc', 'tso', 'pso')),
    ('findings/late_store.c', [stores_late, frees_if_flagged], ('sc', 'tso', 'pso')),
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

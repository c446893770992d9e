#!/usr/bin/env python3
"""How many Mazurkiewicz traces the locks of this folder have under SC if a failed attempt is no event.

    count.py           the table `expected`: program, number of threads, complete traces
    count.py --check   enumerate the traces of two and three threads without the symmetry reduction, and compare

Independent of Everett: the algorithms are written down once more, as threads that yield their operations. A wait is an
operation that is enabled only while it would succeed. Two operations conflict if they access the same location and one
of them writes it, so a trace is, for each location, the order of its writes, with a set of reads between two of them.
Prefixes of traces are enumerated breadth first; equal ones are merged.
"""
import sys
from functools import lru_cache
from math import factorial


def always(value):
    return True


class Operation:
    """Reads `location`, and writes `update` of what it found there, unless `update` is None or yields None."""

    def __init__(self, location, update=None, enabled=always, is_rmw=False):
        self.location = location
        self.update = update
        self.enabled = enabled
        self.is_rmw = is_rmw


def read(location):
    return Operation(location)


def write(location, value):
    return Operation(location, lambda old: value)


def rmw(location, update):
    return Operation(location, update, is_rmw=True)


def cas(location, expected, desired):
    """A compare-exchange that may fail, and then only reads."""
    return rmw(location, lambda old: desired if old == expected else None)


def wait(location, value):
    """Waits until the location has this value."""
    return Operation(location, enabled=lambda old: old == value)


def wait_rmw(location, expected, desired):
    """A retry loop around an exchange or a compare-exchange; only the attempt that succeeds is an event."""
    return Operation(location, lambda old: desired, lambda old: old == expected, is_rmw=True)


def critical_section():
    found = yield read('counter')
    yield write('counter', found + 1)


# The algorithms. Thread `me` of `n`; every location is 0 at first. Threads are interchangeable (the barrier's neighbours
# are not, but it orders their accesses in only one way), and the first read-modify-write of each is on the same location.


def tas(me, n):
    yield wait_rmw('lock', 0, 1)
    yield from critical_section()
    yield write('lock', 0)


def ttas(me, n):
    yield wait('lock', 0)
    yield wait_rmw('lock', 0, 1)
    yield from critical_section()
    yield write('lock', 0)


def ticket(me, n):
    mine = yield rmw('next', lambda old: old + 1)
    yield wait('serving', mine)
    yield from critical_section()
    yield write('serving', mine + 1)


def mcs(me, n):
    name = me + 1  # 0 is the null pointer
    yield write(('closed', name), 1)
    previous = yield rmw('tail', lambda old: name)
    if previous:
        yield write(('next', previous), name)
        yield wait(('closed', name), 0)
    yield from critical_section()
    successor = yield read(('next', name))
    if not successor:
        if (yield cas('tail', name, 0)) == name:
            return
        successor = yield Operation(('next', name), enabled=lambda old: old != 0)
    yield write(('closed', successor), 0)


def clh(me, n):
    name = me + 1  # node 0 is open and belongs to nobody
    yield write(('closed', name), 1)
    previous = yield rmw('tail', lambda old: name)
    yield wait(('closed', previous), 0)
    yield from critical_section()
    yield write(('closed', name), 0)


def anderson(me, n):
    slot = yield rmw('drawn', lambda old: old + 1)
    if slot:  # gate 0 is open at first
        yield wait(('open', slot), 1)
    yield from critical_section()
    yield write(('open', slot), 0)
    yield write(('open', (slot + 1) % n), 1)


def barrier(me, n):
    yield write(('written', me), 1)
    before = yield rmw('arrived', lambda old: old + 1)
    if before + 1 == n:
        yield write('arrived', 0)
        yield write('sense', 1)
    else:
        yield wait('sense', 1)
    assert (yield read(('written', (me + 1) % n))) == 1


PROGRAMS = {'tas': tas, 'ttas': ttas, 'cas': tas, 'ticket': ticket, 'mcs': mcs, 'clh': clh, 'anderson': anderson,
            'barrier': barrier}


class Enumeration:
    """The traces of `program` with n threads. A thread's state is the tuple of the values that it has found."""

    def __init__(self, program, n, ordered):
        self.n = n
        self.ordered = ordered
        self.next_operation = lru_cache(maxsize=None)(lambda me, found: self.run(program, me, found))

    def run(self, program, me, found):
        """The operation that follows when the earlier ones have found these values, and whether it is the first
        read-modify-write; None at the end."""
        thread = program(me, self.n)
        operation, first = next(thread), True
        for value in found:
            first = first and not operation.is_rmw
            try:
                operation = thread.send(value)
            except StopIteration:
                return None
        return operation, first and operation.is_rmw

    def successors(self, trace):
        """A trace is (found by each thread, {location: (value, ((write, reads), ...))} as a frozenset of items,
        number of threads past their first read-modify-write)."""
        found, items, placed = trace
        locations = dict(items)
        for me in range(self.n):
            step = self.next_operation(me, found[me])
            if step is None:
                continue
            operation, takes_place = step
            if self.ordered and takes_place and placed != me:
                continue
            old, order = locations.get(operation.location, (0, ((None, frozenset()),)))
            if not operation.enabled(old):
                continue
            new = operation.update(old) if operation.update else None
            event = (me, len(found[me]))
            if new is None:
                last, readers = order[-1]
                order, new = order[:-1] + ((last, readers | {event}),), old
            else:
                order += ((event, frozenset()),)
            yield (found[:me] + (found[me] + (old,),) + found[me + 1:],
                   frozenset({**locations, operation.location: (new, order)}.items()), placed + takes_place)

    def count(self):
        level, complete = {(((),) * self.n, frozenset(), 0)}, 0
        while level:
            following = set()
            for trace in level:
                enabled = list(self.successors(trace))
                following.update(enabled)
                if not enabled:
                    found, items, _ = trace
                    assert all(self.next_operation(i, found[i]) is None for i in range(self.n)), 'deadlock'
                    assert dict(items).get('counter', (self.n,))[0] == self.n, 'no mutual exclusion'
                    complete += 1
            level = following
        return complete


def traces(program, n):
    """Permuting the threads makes N! different traces of any trace. So only those are enumerated in which the threads
    make their first read-modify-writes in the order of their numbers."""
    return factorial(n) * Enumeration(program, n, ordered=True).count()


def main():
    if sys.argv[1:] == ['--check']:
        for name, program in PROGRAMS.items():
            for n in (2, 3):
                assert Enumeration(program, n, ordered=False).count() == traces(program, n), f'{name} {n}'
        return
    for name, program in PROGRAMS.items():
        for n in range(2, 7 if name == 'barrier' else 6):
            print(f'{name} {n} {traces(program, n)}')


if __name__ == '__main__':
    main()

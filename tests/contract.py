#!/usr/bin/env python3
"""Tests whose first lines say what must come out: contract.py TEST. README.md describes the words.

Prints "ok NAME", or "FAIL NAME" and the reason, for each exploration that is compared with something. run.sh calls this,
with TOP, EVERETT and LIMIT in the environment.
"""
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

COUNTS = ('executions', 'blocked', 'truncated', 'redundant')
CLASSES = ('traces', 'rf', 'rvf', 'outcomes')

# Engines that explore exactly one execution for each class of a kind.
EXACT = (('traces', 'trace', ('sc', 'tso', 'pso')), ('rf', 'rf', ('sc', 'tso', 'pso', 'ra', 'rc11')))

# What rvf does not know about, and says so.
RVF_REFUSES = 'cannot detect data races'


class Failed(Exception):
    """What is wrong, as lines of text."""


def place(text):
    return re.fullmatch(r'[a-z-]+( at [^ ,]+:[0-9]+)?', text)


class Clause:
    """Findings, and the models or pairs under which they are all that is found; without any: everywhere."""

    def __init__(self, text):
        self.text = text
        findings, under, places = text.partition(' under ')
        self.findings = [] if findings == 'none' else findings.split(', ')
        self.places = places.split()
        self.is_sound = all(place(f) for f in self.findings) and bool(under) == bool(self.places) and \
            all(re.fullmatch('[a-z0-9]+(/[a-z]+)?', p) for p in self.places)

    def covers(self, pair):
        return not self.places or pair in self.places or pair.split('/')[0] in self.places


class Contract:
    def __init__(self, path):
        self.options, self.pairs, self.clauses, self.outputs = [], [], [], []
        self.refused, self.incomplete, self.counts, self.complaints = '', [], {}, []
        with open(path, errors='surrogateescape') as file:
            for line in file:
                if not line.startswith('//'):
                    break
                word = re.match(r'//\s*([A-Za-z-]+):\s*(.*)$', line)
                if word:
                    self.read(word[1], word[2].rstrip())
        self.check()

    def read(self, word, rest):
        if word == 'everett':
            self.options = rest.split()
        elif word in COUNTS + CLASSES:
            for item in rest.split():
                self.read_count(word, item)
        elif word == 'finding':
            self.clauses += [Clause(c.strip()) for c in rest.split(';')]
        elif word == 'output':
            self.outputs.append(rest)
        elif word == 'refused':
            self.refused = rest
        elif word == 'incomplete':
            self.incomplete += rest.split()
        elif word == 'set':
            if rest not in ('slow', 'long'):
                self.complaints.append(f"set: '{rest}' is neither slow nor long")
        elif word == 'part-of':
            self.complaints.append(f"part-of: '{rest}' does not name this file in its 'everett:' line")
        else:
            self.complaints.append(f"unknown contract word '{word}:'")

    def read_count(self, word, item):
        match = re.fullmatch('([a-z0-9]+/[a-z]+):([0-9]+)', item)
        if not match:
            self.complaints.append(f"{word}: '{item}' is not MODEL/ENGINE:COUNT")
            return
        pair = match[1]
        if (word, pair) in self.counts:
            self.complaints.append(f'{word}: {pair} twice')
        self.counts[word, pair] = int(match[2])
        if word == 'executions':
            self.pairs.append(pair)

    def check(self):
        """A contract that tests less than it seems to is none."""
        complain = self.complaints.append
        if self.refused:
            if self.pairs or self.clauses:
                complain("'refused:' excludes 'executions:' and 'finding:'")
            return
        if not self.pairs:
            complain("no 'executions:' line: nothing would be tested")
        if not self.clauses:
            complain("no 'finding:' line")
        for word, pair in [*self.counts, *(('incomplete', p) for p in self.incomplete)]:
            if pair not in self.pairs:
                complain(f"{word}: {pair} is not in 'executions:'")
        for clause in self.clauses:
            if not clause.is_sound:
                complain(f"finding: cannot read '{clause.text}'")
            for where in clause.places:
                if not any(where in (pair, pair.split('/')[0]) for pair in self.pairs):
                    complain(f"finding: '{where}' is not in 'executions:'")
        for pair in self.pairs:
            covering = sum(clause.covers(pair) for clause in self.clauses)
            if covering != 1:
                complain(f'finding: {covering} clauses for {pair}')

    def findings(self, pair):
        return [f for clause in self.clauses if clause.covers(pair) for f in clause.findings]

    def count(self, word, pair):
        return self.counts.get((word, pair), 0)

    def counted_classes(self, pair):
        return [word for word in CLASSES if (word, pair) in self.counts]

    def is_limited(self, pair):
        """Does a limit end the search? If there are executions, but none comes to its end, it is complete all the same."""
        return pair in self.incomplete and (self.count('executions', pair) != 0 or
                                            self.count('blocked', pair) + self.count('truncated', pair) == 0)


class Explored:
    """What Everett has said of a program."""

    def __init__(self, status, said, report=None, classes=()):
        self.status, self.said, self.classes = status, said, classes
        self.results = report['results'] if report else []

    def has_report(self):
        return bool(self.results)

    def all_executions(self):
        return sum(r['executions'] + r['blocked'] + r['truncated'] for r in self.results)

    def blocked(self):
        return sum(r['blocked'] for r in self.results)

    def is_everything(self):
        """If everything was explored, and no execution ran to its end, the status is 3."""
        if self.status == 3:
            return all(r['complete'] and r['executions'] == 0 for r in self.results)
        return self.status in (0, 1) and self.has_report()

    def class_set(self, kind):
        return {line.split()[1] for line in self.classes if line.startswith(kind + ' ')}


class Program:
    """The program of a test. It is compiled once; from then on what came out is run."""

    def __init__(self, folder, file, options, scratch):
        self.folder, self.file = folder, file
        cut = options.index('--') if '--' in options else len(options)
        self.before, self.after = options[:cut], options[cut:]
        # What is not for the compiler.
        self.asked = [w for w in self.before
                      if not re.match(r'-[DUILlWwfgO]|-std=|-m.|-pthread$', w) and not w.endswith('.c')]
        self.checker, self.json, self.list = (os.path.join(scratch, n) for n in ('checker', 'json', 'classes'))

    def everett(self, *words):
        """In the folder of the test, so that file names in reports are plain."""
        done = subprocess.run([os.environ['EVERETT'], *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=int(os.environ.get('LIMIT', '7200')), check=False)
        return done.returncode, done.stdout.decode(errors='replace')

    def compile_only(self):
        return Explored(*self.everett('check', *self.before, self.file, *self.after))

    def explore(self, pair, *words, classes=False):
        model, engine = pair.split('/')
        for old in (self.json, self.list):
            if os.path.exists(old):
                os.remove(old)
        # What the hunt finds, the search need not count; cli/hunt.sh is about that.
        words = ['-m', model, '-e', engine, '--hunt', '0', '--json', self.json, *words, *(['--classes', self.list] if classes else [])]
        if os.path.exists(self.checker):
            said = self.everett('run', *words, *self.asked, self.checker, *self.after)
        else:
            said = self.everett('check', '--keep', self.checker, *words, *self.before, self.file, *self.after)
        return Explored(*said, self.read_report(), self.read_classes())

    def read_report(self):
        try:
            with open(self.json, 'rb') as file:
                return json.loads(file.read().decode(errors='replace'))
        except (OSError, ValueError):
            return None

    def read_classes(self):
        if not os.path.exists(self.list):
            return []
        with open(self.list, errors='replace') as file:
            return file.read().splitlines()

    def replay(self):
        return Explored(*self.everett('replay', '--trust-report', self.json))


def tail(explored):
    return explored.said.splitlines()[-20:]


def compare(expected, actual, names, explored):
    if expected != actual:
        lines = list(difflib.unified_diff(expected, actual, *names, n=20, lineterm=''))
        raise Failed(lines + tail(explored))


def describe_expected(contract, pair):
    findings = contract.findings(pair)
    verdict, status = 'ok', 0
    if pair in contract.incomplete:
        verdict, status = 'incomplete', 3
    if findings:
        verdict, status = 'finding', 1
    return [f'exit status {status}', f'result {pair}, verdict {verdict}{", complete" if verdict == "ok" else ""}',
            *(f'{word} {contract.count(word, pair)}' for word in COUNTS),
            *(f'{word} {contract.count(word, pair)}' for word in contract.counted_classes(pair)),
            *(f'finding {f}' for f in sorted(findings)), *(f'output {line}' for line in contract.outputs)]


def name_finding(finding, expected):
    """Only its kind, where the contract gives no place."""
    kind, file = finding['kind'], os.path.basename(finding.get('file') or '')
    full = f'{kind} at {file}:{finding.get("line")}'
    return kind if full not in expected and kind in expected else full


def output_of(result):
    findings = result['findings']
    output = (findings[0].get('output') if findings else None) or result.get('output') or ''
    return output.removesuffix('\n').split('\n')


def describe_actual(contract, pair, explored):
    lines = [f'exit status {explored.status}']
    expected, findings = contract.findings(pair), []
    for r in explored.results:
        complete = ', complete' if r['verdict'] == 'ok' and r['complete'] else ''
        lines.append(f'result {r["model"]}/{r["equivalence"]}, verdict {r["verdict"]}{complete}')
        lines += [f'{word} {r[word]}' for word in COUNTS]
        lines += [f'{word} {r["classes"].get(word)}' for word in contract.counted_classes(pair)]
        findings += [name_finding(f, expected) for f in r['findings']]
    lines += [f'finding {f}' for f in sorted(findings)]
    if contract.outputs:
        lines += [f'output {line}' for r in explored.results for line in output_of(r)]
    return lines


def check_pair(contract, program, pair, *words):
    """One exploration, compared with the contract; its report with a finding is replayed."""
    explored = program.explore(pair, *words, classes=bool(contract.counted_classes(pair)))
    if not explored.has_report():
        raise Failed([f'no JSON result; exit status {explored.status}', *tail(explored)])
    compare(describe_expected(contract, pair), describe_actual(contract, pair, explored), ('expected', 'actual'), explored)
    if not contract.findings(pair):
        return
    replayed = program.replay()
    if replayed.status != 1 or explored.results[0]['findings'][0]['kind'] not in replayed.said:
        raise Failed([f'replay: exit status {replayed.status}, or another finding', *tail(replayed)])


def describe_all(explored, executions):
    lines = []
    for r in explored.results:
        lines += sorted({f'finding {f["kind"]} at {f.get("file")}:{f.get("line")}' for f in r['findings']})
        lines += [f'complete {r["complete"]}', f'executions {executions}', *not_executed(r)]
    return lines


def not_executed(result):
    """What no execution has reached does not depend on who explores all of them."""
    for file in result.get('coverage', {'files': []})['files']:
        yield from (f'not executed: {file["file"]}:{line}' for line in file['lines']['not_executed'])
        yield from (f'not executed: {file["file"]}:{b["line"]} {b["number"]} {b["edge"]}' for b in file['branches'] if not b['executed'])


def explore_all(program, pair, *words):
    explored = program.explore(pair, '-k', *words, classes=True)
    if not explored.is_everything():
        raise Failed(tail(explored))
    return explored


def check_agreement(program, pair, kind, by_none):
    """The engine finds what brute force finds, by one execution for each class."""
    explored = explore_all(program, pair, '--check')
    classes, executions = len(by_none.class_set(kind)), explored.all_executions()
    # Of executions in which a loop waits in vain there may be several of a class.
    if by_none.blocked():
        executions = min(executions, classes)
    expected = [*describe_all(by_none, classes), 'redundant 0', *sorted(by_none.class_set(kind))]
    redundant = sum(r['redundant'] for r in explored.results)
    actual = [*describe_all(explored, executions), f'redundant {redundant}', *sorted(explored.class_set(kind))]
    compare(expected, actual, ('none', pair), explored)


def outcomes(explored):
    """
    Which loops wait in vain depends on the order of writes, and an execution of rvf stands for all orders. It has executions in
    which a thread is left in a loop that it would leave in another; others have none.
    """
    lines = (line.split(' ', 2) for line in explored.classes if line.startswith('outcome '))
    kept = (re.sub(' no-progress@[^ ]*', '', ' ' + ' '.join(words[2:])) for words in lines)
    return sorted({text for text in kept if not text.endswith(' blocked')})


def check_rvf(program, by_none):
    """rvf finds what brute force finds, with no more executions than there are classes. False: it does not know all that it needs."""
    explored = program.explore('sc/rvf', '-k', '--check', classes=True)
    if not explored.is_everything():
        if RVF_REFUSES not in explored.said:
            raise Failed(tail(explored))
        return False
    expected = [*describe_all(by_none, 0), *outcomes(by_none)]
    actual = [*describe_all(explored, 0), *outcomes(explored)]
    most = len(by_none.class_set('rvf'))
    if not explored.blocked() and explored.all_executions() > most:
        expected.append(f'executions: at most {most}')
        actual.append(f'executions {explored.all_executions()}')
    compare(expected, actual, ('none', 'rvf'), explored)
    return True


class Tally:
    def __init__(self):
        self.lines = []

    def ok(self, name):
        self.lines.append(f'ok {name}')

    def fail(self, name, reasons):
        self.lines += [f'FAIL {name}', *('    ' + r for r in reasons)]

    def attempt(self, name, check):
        """True if there was something to check, and it held."""
        try:
            held = check() is not False
        except Failed as failed:
            self.fail(name, failed.args[0])
            return False
        except subprocess.TimeoutExpired as late:
            self.fail(name, [str(late)])
            return False
        if held:
            self.ok(name)
        return held


def run_refused(contract, program, test, tally):
    explored = program.compile_only()
    if explored.status == 2 and contract.refused in explored.said:
        tally.ok(test)
    else:
        tally.fail(test, [f'exit status {explored.status}; expected 2 and: {contract.refused}', *tail(explored)])


def run_agreements(contract, program, test, tally):
    """Whatever is explored by brute force, and to its end, every engine must agree about."""
    for pair in contract.pairs:
        model, engine = pair.split('/')
        if engine != 'none' or contract.is_limited(pair):
            continue
        try:
            by_none = explore_all(program, pair)
        except Failed as failed:
            tally.fail(f'{test} {pair} explores all', failed.args[0])
            continue
        for exact, kind, models in EXACT:
            if model in models:
                tally.attempt(f'{test} {model}/{exact} agrees with none',
                              lambda p=f'{model}/{exact}', k=kind, n=by_none: check_agreement(program, p, k, n))
        if model == 'sc':
            tally.attempt(f'{test} sc/rvf agrees with none', lambda n=by_none: check_rvf(program, n))


def run(test, scratch):
    """Every pair twice, as users run it and with the self-check."""
    tally = Tally()
    path = os.path.join(os.environ['TOP'], 'tests', test)
    contract = Contract(path)
    if contract.complaints:
        tally.fail(test, contract.complaints)
        return tally
    program = Program(os.path.dirname(path), os.path.basename(path), contract.options, scratch)
    if contract.refused:
        run_refused(contract, program, test, tally)
        return tally

    def twice(pair):
        check_pair(contract, program, pair)
        check_pair(contract, program, pair, '--check')

    for pair in contract.pairs:
        tally.attempt(f'{test} {pair}', lambda p=pair: twice(p))
    run_agreements(contract, program, test, tally)
    return tally


def main():
    with tempfile.TemporaryDirectory() as scratch:
        print('\n'.join(run(sys.argv[1], scratch).lines))


if __name__ == '__main__':
    main()

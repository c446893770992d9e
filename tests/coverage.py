#!/usr/bin/env python3
"""The judge of coverage: coverage.py PROGRAMS [SEED]

Random programs of one thread are compiled by gcc with gcov, by clang with its own coverage, and by Everett; all run them. What gcov says of a line that
both know must be what Everett says, and what clang says of the ways out of a condition. Nothing is compared by default: what is
left out is named below, and there is a least number of what must have been compared.

$EVERETT is the driver, $CLANG_DIR the folder of clang and its tools.
"""
import collections
import json
import os
import random
import subprocess
import sys

FUNCTIONS = 12


class Program:
    """Every statement has a line of its own, but for a few that share one."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ['#include <stdlib.h>', 'static int fuel = 30000, sink;', 'static volatile int zero;']
        self.labels = 0
        for number in range(FUNCTIONS):
            self.function(number)
        self.main()

    def put(self, depth, text):
        self.lines.append('\t' * depth + text)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def value(self):
        return self.random.choice(['a', 'b', 'c', str(self.random.randrange(6))])

    def condition(self, depth=2):
        if depth and self.chance(35):
            operator = self.random.choice(['&&', '||'])
            text = f'{self.condition(depth - 1)} {operator} {self.condition(depth - 1)}'
            return f'!({text})' if self.chance(20) else f'({text})'
        return f'(a + {self.value()} - b * {self.random.randrange(2, 6)} + c) % {self.random.randrange(2, 4)} {self.random.choice(["==", "!="])} 0'

    def block(self, depth, number, loop):
        for _ in range(self.random.randrange(1, 3)):
            self.statement(depth, number, loop)

    def statement(self, depth, number, loop):
        kinds = ['set', 'set', 'call'] if depth > 3 else ['set', 'call', 'if', 'if', 'ifelse', 'for', 'while', 'do', 'switch', 'goto']
        if depth > 1:
            kinds += ['return', 'exit'] if self.chance(30) else []
            kinds += ['break', 'continue'] if loop else []
        getattr(self, 'put_' + self.random.choice(kinds))(depth, number, loop)

    def put_set(self, depth, number, loop):
        self.put(depth, self.random.choice([f'c += {self.value()};', 'sink ^= c;', f'c = {self.value()} * 3 + sink % 7;']))

    def put_call(self, depth, number, loop):
        if number:
            self.put(depth, f'c += f{self.random.randrange(number)}({self.value()}, {self.value()});')
        else:
            self.put(depth, 'sink++;')

    def put_if(self, depth, number, loop):
        self.put(depth, f'if ({self.condition()}) {{')
        self.block(depth + 1, number, loop)
        self.put(depth, '}')

    def put_ifelse(self, depth, number, loop):
        self.put(depth, f'if ({self.condition()}) {{')
        self.block(depth + 1, number, loop)
        self.put(depth, '} else {')
        self.block(depth + 1, number, loop)
        self.put(depth, '}')

    def put_for(self, depth, number, loop):
        self.labels += 1
        i = f'i{self.labels}'
        self.put(depth, f'for (int {i} = 0; {i} < {self.random.randrange(4)}; {i}++) {{')
        self.block(depth + 1, number, True)
        self.put(depth, '}')

    def put_while(self, depth, number, loop):
        self.put(depth, f'while ({self.condition(0)}) {{')
        self.put(depth + 1, 'a++;')
        self.put(depth + 1, 'if (fuel-- < 0)')
        self.put(depth + 2, 'break;')
        self.block(depth + 1, number, True)
        self.put(depth, '}')

    def put_do(self, depth, number, loop):
        self.put(depth, 'do {')
        self.put(depth + 1, 'b--;')
        self.block(depth + 1, number, True)
        self.put(depth, f'}} while (fuel-- > 0 && {self.condition(0)});')

    def put_switch(self, depth, number, loop):
        self.put(depth, 'switch ((a + c) % 4) {')
        for case in self.random.sample(range(-3, 4), 3):
            self.put(depth, f'case {case}:')
            self.block(depth + 1, number, loop)
            if self.chance(60):
                self.put(depth + 1, 'break;')
        if self.chance(60):
            self.put(depth, 'default:')
            self.block(depth + 1, number, loop)
        self.put(depth, '}')

    def put_goto(self, depth, number, loop):
        self.put(depth, f'if ({self.condition(1)})')
        self.put(depth + 1, 'goto out;')

    def put_return(self, depth, number, loop):
        self.put(depth, f'return {self.value()};')

    def put_exit(self, depth, number, loop):
        self.put(depth, 'if (fuel > 0 && sink > 100000)')
        self.put(depth + 1, 'exit(0);')

    def put_break(self, depth, number, loop):
        self.put(depth, f'if ({self.condition(0)})')
        self.put(depth + 1, 'break;')

    def put_continue(self, depth, number, loop):
        self.put(depth, f'if ({self.condition(0)})')
        self.put(depth + 1, 'continue;')

    def function(self, number):
        self.put(0, f'int f{number}(int a, int b)')
        self.put(0, '{')
        self.put(1, 'int c = a - b;')
        self.put(1, 'if (fuel-- < 0)')
        self.put(2, 'goto out;')
        if number == FUNCTIONS // 2:
            # From here nobody comes back: what is behind calls of this one is not executed.
            self.put(1, f'if (fuel < {self.random.choice([0, 29000, 29950])})')
            self.put(2, 'exit(0);')
        for _ in range(4):
            self.statement(1, number, False)
        self.put(1, 'return c;')
        self.put(0, 'out:')
        self.put(1, 'return c + 1;')
        self.put(0, '}')

    def main(self):
        self.put(0, 'int main(void)')
        self.put(0, '{')
        for number in range(FUNCTIONS):
            for _ in range(self.random.randrange(6)):
                self.put(1, f'sink += f{number}({self.random.randrange(-5, 9)}, {self.random.randrange(-5, 9)} + zero);')
        self.put(1, 'return 0;')
        self.put(0, '}')

    def text(self):
        return '\n'.join(self.lines) + '\n'


def run(*words, env=None):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    if done.returncode:
        sys.exit(f'{" ".join(words)}: status {done.returncode}\n{done.stderr.decode()}')
    return done.stdout


def of_gcov(file):
    """Line -> was it executed?"""
    run('gcc', '-w', '-O0', '--coverage', '-o', 'with-gcov', file)
    run('./with-gcov')
    said = json.loads(run('gcov', '--json-format', '--stdout', 'with-gcov-' + file.replace('.c', '.gcda')))
    lines = collections.defaultdict(bool)
    for line in said['files'][0]['lines']:
        lines[line['line_number']] |= line['count'] > 0
    return lines


def of_clang(file):
    """Line -> for each condition in it, from left to right: was it ever true, was it ever false?"""
    tools = os.environ['CLANG_DIR']
    run(f'{tools}/clang', '-w', '-O0', '-fprofile-instr-generate', '-fcoverage-mapping', '-o', 'with-clang', file)
    run('./with-clang', env=dict(os.environ, LLVM_PROFILE_FILE='profile'))
    run(f'{tools}/llvm-profdata', 'merge', '-o', 'merged', 'profile')
    said = json.loads(run(f'{tools}/llvm-cov', 'export', '-instr-profile', 'merged', './with-clang'))
    branches = collections.defaultdict(list)
    for line, column, _, _, taken, passed, *_ in sorted(said['data'][0]['files'][0]['branches']):
        branches[line].append((taken > 0, passed > 0))
    return branches


def of_everett(file, *options):
    run(os.environ['EVERETT'], 'check', '-q', '--json', 'result', '--coverage', 'info', *options, file)
    return json.load(open('result'))['results'][0]['coverage']['files'][0]


def conditions(coverage):
    found = collections.defaultdict(dict)
    for b in coverage['branches']:
        if b['edge'] in ('true', 'false'):
            found[b['line']].setdefault(b['number'], {})[b['edge']] = b['executed']
    return {line: [(by[key]['true'], by[key]['false']) for key in sorted(by)] for line, by in found.items()}


def whole(conditions):
    """Of a && b in the condition of a loop, Everett has the ways of a, and those of the whole."""
    (a, not_a), (b, not_b) = conditions
    return [(a, not_a), (b, not_a or not_b)]


def compare(file, source, counted):
    ours = of_everett(file)
    lines = {line: True for line in ours['lines']['executed']} | {line: False for line in ours['lines']['not_executed']}
    text = source.split('\n')
    wrong = []
    for line, executed in sorted(of_gcov(file).items()):
        if line in lines:
            counted['lines'] += 1
            counted['dead lines'] += not executed
            if executed != lines[line]:
                wrong.append(f'line {line}: {executed} with gcov, {lines[line]} with Everett')
        elif not text[line - 1].lstrip().startswith(('int ', 'case ', 'default:', 'out:')):
            wrong.append(f'line {line} has code, and Everett does not know')
    known, mine = of_clang(file), conditions(ours)
    # clang counts a case of a switch as a condition.
    for line in sorted(set(known) | set(mine)):
        if text[line - 1].lstrip().startswith(('case', 'default', 'switch')):
            continue
        counted['conditions'] += len(known[line])
        counted['one way only'] += sum(a != b for a, b in known[line])
        if line not in lines and not any(a or b for a, b in known[line]):
            continue  # behind a return, where the compiler leaves out what is never reached
        if text[line - 1].lstrip().startswith('} while'):
            known[line] = whole(known[line])
        if known[line] != mine.get(line):
            wrong.append(f'line {line}: conditions {known[line]} with clang, {mine.get(line)} with Everett')
    counted['cases'] += compare_cases(ours, known, text, wrong)
    return wrong


def compare_cases(ours, known, text, wrong):
    """A switch of ours has an edge for each case; clang tells whether control came to it from the switch, at the line of the label."""
    n = 0
    for b in ours['branches']:
        if not b['edge'].startswith('case'):
            continue
        label = next(i for i in range(b['line'] + 1, len(text)) if is_label(text, b['line'], i, b['edge']))
        n += 1
        if known[label][0][0] != b['executed']:
            wrong.append(f'line {label}: {b["edge"]} {known[label]} with clang, {b["executed"]} with Everett')
    return n


def is_label(text, switch, line, edge):
    """Is the line the label of the switch in the line? Those of one switch are indented as it is."""
    depth = len(text[switch - 1]) - len(text[switch - 1].lstrip('\t'))
    return text[line - 1] == '\t' * depth + edge + ':'


def main():
    programs, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    counted, bad = collections.Counter(), 0
    for n in range(programs):
        program = Program(seed + n)
        file = f'random{seed + n}.c'
        with open(file, 'w') as out:
            out.write(program.text())
        wrong = compare(file, program.text(), counted)
        bad += bool(wrong)
        for w in wrong[:10]:
            print(f'{file}: {w}')
    print(', '.join(f'{counted[k]} {k}' for k in counted))
    least = {'lines': 60, 'dead lines': 5, 'conditions': 25, 'one way only': 5, 'cases': 3}
    for k, v in least.items():
        if counted[k] < v * programs:
            sys.exit(f'too few {k} were compared')
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""Lay out the paragraphs of Markdown files that have a line of more than 140 columns.

    wrap.py FILE...            rewrite the files
    wrap.py --check FILE...    name the lines that are too long, and paragraphs that Markdown makes a part of the item above them, because
                               no blank line is in between; exit status 1 if there are any

A paragraph without such a line stays as it is, and so do headings, tables, code, HTML, quotations and definitions of links. A line is
never broken within code or a link, or where what comes next would begin something else than text.
"""
import re
import sys

WIDTH = 140

FENCE = re.compile(r'\s*(```+|~~~+)')
ITEM = re.compile(r'(\s*)([-*+]|\d+[.)])(\s+)(?=\S)')
# What is no text: a heading, a table, HTML, a quotation, the definition of a link, a rule or an underline.
OTHER = re.compile(r'\s*(#{1,6}(\s|$)|\||<|>|\[[^]]+\]:\s|([-*_=]\s*){3,}$)')
# A word that would begin something if it came first in a line.
BEGINS = re.compile(r'([-*+]|\d+[.)]|#{1,6}|[|<>].*|(-{2,}|={1,}|_{3,}|\*{3,})|(```|~~~).*|\[[^]]+\]:.*)$')
# What is not broken: code, links, and runs of anything else that has no blank.
PIECE = re.compile(r'(?:(`+)(?:(?!\1).)+\1|!?\[(?:[^][]|\[[^]]*\])*\]\([^)]*\)|[^\s`[]+|[`[])+')


def words_of(text):
    """The words of a paragraph; those that must not begin a line hang on the one before."""
    words = []
    for match in PIECE.finditer(text):
        word = ' '.join(match.group().split())
        if words and BEGINS.match(word):
            words[-1] += ' ' + word
        else:
            words.append(word)
    return words


def filled(text, first, rest):
    """The paragraph, whose lines begin with these."""
    lines, line = [], None
    for word in words_of(text):
        if line is None:
            line = first + word
        elif len(line) + 1 + len(word) <= WIDTH:
            line += ' ' + word
        else:
            lines.append(line)
            line = rest + word
    return lines + [line]


def laid_out(paragraph):
    """A list of lines, the first of which may begin an item."""
    if max(map(len, paragraph)) <= WIDTH:
        return paragraph
    item = ITEM.match(paragraph[0])
    first = item.group() if item else re.match(r'\s*', paragraph[0]).group()
    text = [paragraph[0][len(first):]] + paragraph[1:]
    lines, part = [], []
    for i, line in enumerate(text):
        part.append(line.strip())
        # Two blanks or a backslash at the end of a line break it in what readers see.
        if i + 1 == len(text) or line.endswith('  ') or line.endswith('\\'):
            more = filled(' '.join(part), first if not lines else ' ' * len(first), ' ' * len(first))
            lines += more[:-1] + [more[-1] + ('  ' if line.endswith('  ') else '')]
            part = []
    return lines


def joins_item(paragraph, line):
    """Whether this line of text comes right after an item, but is not indented as its text is."""
    item = ITEM.match(paragraph[0])
    return item and len(line) - len(line.lstrip()) < item.end()


def parts(lines):
    """Pairs: whether these lines are a paragraph, and the lines."""
    paragraph, fence, blank, code = [], None, True, False
    for line in lines:
        opens = FENCE.match(line)
        code = not paragraph and blank and re.match(r'( {4}|\t)', line) and (code or not ITEM.match(line))
        other = fence or opens or code or not line.strip() or OTHER.match(line)
        if paragraph and (other or ITEM.match(line) or joins_item(paragraph, line)):
            yield True, paragraph
            paragraph = []
        if other:
            yield False, [line]
        else:
            paragraph.append(line)
        if opens and not fence:
            fence = opens.group(1)
        elif opens and opens.group(1).startswith(fence) and line.strip() == opens.group(1):
            fence = None
        blank = code or not line.strip()
    if paragraph:
        yield True, paragraph


def main():
    check = sys.argv[1:2] == ['--check']
    found = 0
    for path in sys.argv[1 + check:]:
        with open(path, encoding='utf-8') as file:
            old = file.read()
        new, number, before = [], 1, None
        for text, lines in parts(old.split('\n')):
            if text and check and before and not ITEM.match(lines[0]) and joins_item(before, lines[0]):
                print('%s:%d: a blank line is missing above, after the item' % (path, number))
                found += 1
            before = lines if text else None
            for i, line in enumerate(lines):
                # A word that is longer than a line is nobody's fault.
                if text and check and len(line) > WIDTH and laid_out(lines) != lines:
                    print('%s:%d: %d columns; `make format` breaks the line' % (path, number + i, len(line)))
                    found += 1
            number += len(lines)
            new += laid_out(lines) if text else lines
        new = '\n'.join(new)
        assert re.sub(r'\s+', '', new) == re.sub(r'\s+', '', old), path
        if not check and new != old:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(new)
    return found > 0


sys.exit(main())

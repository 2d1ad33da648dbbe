"""Misses of caches on a log of Lackey's (standard input).

    caches.py SIZE,WAYS,LINE...              as Cachegrind simulates them
    caches.py drcachesim SIZE,WAYS,LINE...   as drcachesim does

Levels stand in their order, the one next to the processor first. Cachegrind: an access is no longer
than the shortest line, a modify is a load, an access that lies in two lines misses once, and what
misses in one level is looked up in the next as a whole. drcachesim: a modify is a load and a store,
and each line counts by itself and is looked up in the next level if it misses.
"""
import re
import sys
from collections import OrderedDict

by_line = sys.argv[1] == "drcachesim"
levels = []
for text in sys.argv[2 if by_line else 1:]:
    size, ways, line = (int(number) for number in text.split(","))
    levels.append(([OrderedDict() for _ in range(size // ways // line)], ways, line))
longest = min(line for _, _, line in levels)


def misses(level, address, size):
    sets, ways, line = level
    missed = False
    for number in range(address // line, (address + size - 1) // line + 1):
        entries = sets[number % len(sets)]
        missed |= number not in entries
        entries[number] = None
        entries.move_to_end(number)
        if len(entries) > ways:
            entries.popitem(last=False)
    return missed


def each_line(index, kind, address, size):
    line = levels[index][2]
    while size > 0:
        part = min(size, line - address % line)
        counts[0][kind] += index == 0
        if misses(levels[index], address, part):
            counts[index + 1][kind] += 1
            if index + 1 < len(levels):
                each_line(index + 1, kind, address, part)
        address += part
        size -= part


counts = [[0, 0] for _ in range(len(levels) + 1)]
for text in sys.stdin:
    access = re.fullmatch(r" ([LSM]) ([0-9a-f]+),(\d+)\n", text)
    if access and by_line:
        for kind in (0, 1) if access[1] == "M" else (int(access[1] == "S"),):
            each_line(0, kind, int(access[2], 16), max(1, int(access[3])))
    elif access:
        kind, address, size = access[1] == "S", int(access[2], 16), int(access[3])
        counts[0][kind] += 1
        for index, level in enumerate(levels):
            if not misses(level, address, min(max(1, size), longest)):
                break
            counts[index + 1][kind] += 1
for loads, stores in counts:
    print(loads, stores)

"""Misses of caches on a log of Lackey's (standard input), as Cachegrind simulates them.

    caches.py SIZE,WAYS,LINE...   levels, the one next to the processor first

An access is no longer than the shortest line, a modify is a load, an access that lies in two lines
misses once, and what misses in one level is looked up in the next as a whole.
"""
import re
import sys
from collections import OrderedDict

levels = []
for text in sys.argv[1:]:
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


counts = [[0, 0] for _ in range(len(levels) + 1)]
for text in sys.stdin:
    access = re.fullmatch(r" ([LSM]) ([0-9a-f]+),(\d+)\n", text)
    if access:
        kind, address, size = access[1] == "S", int(access[2], 16), int(access[3])
        counts[0][kind] += 1
        for index, level in enumerate(levels):
            if not misses(level, address, min(max(1, size), longest)):
                break
            counts[index + 1][kind] += 1
for loads, stores in counts:
    print(loads, stores)

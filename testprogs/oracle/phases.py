"""Spans of alike intervals, of all accesses as csv of `madt sql` (standard input): number,
function, module, data, region, address and size, in the order of the trace.

phases.py LENGTH CHANGE: accesses of an interval, twice as many as often as there would be more than
512 of them; by which part intervals of one phase may differ. Prints the letter of each span, its
first and last access, how many accesses it has, and lines of 64 bytes. The definition is that of
docs/CACHES.md: phases by their order, of single intervals between two phases the nearer one.
"""
import csv
import itertools
import sys
from collections import Counter

length, change = int(sys.argv[1]), float(sys.argv[2])
rows = list(csv.DictReader(sys.stdin))
while length * 512 < len(rows):
    length *= 2
intervals = [rows[at:at + length] for at in range(0, len(rows), length)]


def signature(accesses):
    return (Counter((row["function"], row["module"]) for row in accesses),
            Counter((row["data"], row["region"]) for row in accesses))


def difference(one, other):
    parts = 0
    for mine, theirs in zip(one, other):
        sums = sum(mine.values()), sum(theirs.values())
        parts += sum(abs(mine[key] / sums[0] - theirs[key] / sums[1]) for key in mine | theirs)
    return parts / 4


phases, found = [], []
for each in map(signature, intervals):
    nearest = min(phases, key=lambda phase: difference(each, phase), default=None)
    if nearest is None or difference(each, nearest) > change:
        nearest = (Counter(), Counter())
        phases.append(nearest)
    for mine, theirs in zip(nearest, each):
        mine.update(theirs)
    found.append(next(at for at, phase in enumerate(phases) if phase is nearest))
whole = found[:]
for at in range(2, len(found) - 2):
    before, behind = whole[at - 1], whole[at + 1]
    if whole[at - 2] == before != whole[at] != behind == whole[at + 2]:
        found[at] = min((before, behind), key=lambda phase: difference(
            signature(intervals[at]), phases[phase]))
letters = {phase: letter for letter, phase in enumerate(dict.fromkeys(found))}
for phase, group in itertools.groupby(range(len(found)), key=lambda at: found[at]):
    span = [row for at in group for row in intervals[at]]
    lines = {line for row in span for line in range(
        int(row["address"]) // 64, (int(row["address"]) + max(1, int(row["size"])) - 1) // 64 + 1)}
    print(letters[phase], span[0]["number"], span[-1]["number"], len(span), len(lines),
          sep=",")

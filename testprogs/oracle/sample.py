"""Reuse distances of one line in some in what `madt convert --to csv` wrote (standard input).

sample.py ONE_IN SIZE...: sizes of caches in lines. Prints the distances, and the mean error of the
curve of misses that theory allows at these sizes: three times the sum of what comes of which lines
are in the sample (each misses so often, and is there or not), and of how many others lie between
two references to a line (binomial, here by its normal approximation).
"""
import csv
import math
import sys
from collections import Counter

one_in, sizes = int(sys.argv[1]), [int(size) for size in sys.argv[2:]]
references = []
for row in csv.DictReader(sys.stdin):
    if row["kind"] in "LS":
        address, size = int(row["address"], 16), max(1, int(row["size"]))
        references += range(address // 64, (address + size - 1) // 64 + 1)


def chosen(line):  # the hash of splitmix64
    bits = 2**64 - 1
    mixed = line + 0x9E3779B97F4A7C15 & bits
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & bits
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & bits
    return mixed ^ mixed >> 31 < bits // one_in


def distances(lines):  # of each line how often it has which distance: the stack of Mattson
    stack, counts = [], Counter()
    for line in lines:
        at = stack.index(line) if counts[line] else -1
        del stack[max(at, 0):at + 1]
        stack.insert(0, line)
        counts[line] += 1
        counts[line, at] += 1
    return {key: count for key, count in counts.items() if isinstance(key, tuple)}


def share(distance, size):  # how likely it is that a sample has at least this distance
    mean = max(0, distance) / one_in
    spread = math.sqrt(2 * mean * (1 - 1 / one_in)) or 1e-9
    return 1 if distance < 0 else math.erfc((size / one_in - 0.5 - mean) / spread) / 2


found = Counter({0: 0})
for (line, distance), count in distances(filter(chosen, references)).items():
    found[max(-1, distance * one_in)] += count * one_in
missing = len(references) - sum(found.values())
for distance in sorted(found.keys() - {-1}):
    change = max(missing, -found[distance])
    found[distance] += change
    missing -= change
for distance, count in found.items():
    print("distance", distance, count, sep=",")
bound, exact = 0, distances(references)
for size in sizes:
    misses, shift = Counter(), 0
    for (line, distance), count in exact.items():
        missed = distance < 0 or distance >= size
        misses[line] += missed * count
        shift += abs(share(distance, size) - missed) * count
    squares = sum(count * count for count in misses.values())
    bound += 3 * (math.sqrt((one_in - 1) * squares) + shift) / len(references)
print("bound", bound / len(sizes), sep=",")

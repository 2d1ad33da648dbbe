"""Reuse distances of lines of 64 bytes in what `madt convert --to csv` wrote (standard input).

reuse.py WINDOW SIZE...: accesses of a window of the working set, sizes of caches in lines. After
Bennett and Kruskal, "LRU stack processing", IBM Journal of Research and Development 19(4), 1975.
"""
import csv
import sys
from collections import Counter

window, sizes = int(sys.argv[1]), [int(size) for size in sys.argv[2:]]
rows = [row for row in csv.DictReader(sys.stdin) if row["kind"] in "LS"]
times = sum(2 + int(row["size"]) // 64 for row in rows) + 1
tree = [0] * (times + 1)


def add(time, change):
    while time <= times:
        tree[time] += change
        time += time & -time


def upto(time):
    return tree[time] + upto(time & time - 1) if time else 0


last, now, distances, functions = {}, 0, Counter(), {}
for number, row in enumerate(rows):
    if number % window == 0:
        working_set, before = set(), len(last)
    address = int(row["address"], 16)
    name = row["function"].lstrip("'") + " [" + row["module"] + "]"
    counts = functions.setdefault(name, [0] * (2 + len(sizes)))
    for line in range(address // 64, (address + max(1, int(row["size"])) - 1) // 64 + 1):
        now += 1
        distance = len(last) - upto(last[line]) if line in last else -1
        if line in last:
            add(last[line], -1)
        last[line] = now
        add(now, 1)
        distances[distance] += 1
        missed = [distance < 0 or distance >= size for size in sizes]
        for index, counted in enumerate([True, distance < 0] + missed):
            counts[index] += counted
        working_set.add(line)
    if (number + 1) % window == 0 or number + 1 == len(rows):
        print("window", number % window + 1, len(working_set), len(last) - before, sep=",")
for distance, count in sorted(distances.items()):
    print("distance", distance, count, sep=",")
for name, counts in sorted(functions.items()):
    print("function", name, *counts, sep=",")

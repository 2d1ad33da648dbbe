"""Members that are used together, of all accesses as csv of `madt sql` (standard input): thread,
symbol, member and type, in the order of the trace.

affinity.py WINDOW: prints type, member, other member, how many accesses there are to each, and how
many of each lie within a window of accesses of their thread that has one to the other member of the
same value: a variable, a block, or an element of it.
"""
import csv
import re
import sys
from collections import Counter, defaultdict

window = int(sys.argv[1])
threads, counts, near = defaultdict(list), Counter(), Counter()
for row in csv.DictReader(sys.stdin):
    path = re.fullmatch(r"((?:\[\d+\])*)[.']?({[^}]*}|\w+)?.*", row["member"].rstrip("?"))
    value = (row["symbol"], path[1]) if path and path[2] else None
    type_name = re.sub(r"(\[\d*\])+$", "", row["type"])
    threads[row["thread"]].append((value, type_name, path and path[2]))
for accesses in threads.values():
    for at, (value, type_name, member) in enumerate(accesses):
        if value:
            counts[type_name, member] += 1
            around = accesses[max(0, at - window + 1):at + window]
            for other in {other for same, _, other in around if same == value} - {member}:
                near[type_name, member, other] += 1
for type_name, member, other in sorted(near):
    if member < other:
        of, of_other = counts[type_name, member], counts[type_name, other]
        print(type_name, member, other, of, of_other, near[type_name, member, other],
              near[type_name, other, member], sep=";")

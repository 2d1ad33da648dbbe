"""Runs a program in gdb, and says of each call of touch in which thread-local variable its argument
lies: a line with the variable and the offset in it, or with a question mark."""

import os

import gdb

NAMES = os.environ['names'].split()
OUT = open(os.environ['out'], 'w')
MASK = (1 << 64) - 1


def variables():
    for name in NAMES:
        try:
            start = int(gdb.parse_and_eval('&' + name)) & MASK
            yield name, start, int(gdb.parse_and_eval('sizeof(' + name + ')'))
        except gdb.error:
            continue


class Touch(gdb.Breakpoint):
    def stop(self):
        at = int(gdb.newest_frame().read_register('rdi')) & MASK
        found = ['%s+%d' % (name, at - start) for name, start, size in variables()
                 if start <= at < start + size]
        OUT.write((' '.join(found) or '?') + '\n')
        return False


for line in ('pagination off', 'confirm off', 'breakpoint pending on',
             'handle SIGUSR1 nostop noprint pass', 'libthread-db-search-path $sdir:$pdir'):
    gdb.execute(line if line.startswith('handle') else 'set ' + line)
Touch('touch')
gdb.execute('run')
OUT.close()

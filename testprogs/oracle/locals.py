"""Steps a program in gdb from begin() to end() and says of its instructions which variables lie
where: for each instruction at one of the addresses in the file $codes a line: its address, the
canonical frame address, the stack's variables as name:function:start:end, and saved registers."""

import os
import re

import gdb

CODES = {int(line, 16) for line in open(os.environ['codes'])}
OUT = open(os.environ['out'], 'w')
SAVED = re.compile(r'(\w+) at (0x[0-9a-f]+)')
MASK = (1 << 64) - 1
saved = {}


def function(frame):
    if frame.function() is not None:
        return frame.function().name
    return '?'


def variables(frame):
    """Of a frame, or of one that is inlined: gdb has a frame for each."""
    found = []
    try:
        block = frame.block()
    except RuntimeError:
        return found
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_argument or symbol.is_variable:
                try:
                    value = symbol.value(frame)
                    address = value.address
                    if address is None or value.is_optimized_out:
                        continue
                    start = int(address) & MASK
                    found.append((symbol.name, start, start + value.type.sizeof))
                except (gdb.error, RuntimeError):
                    continue
        if block.function is not None:
            break
        block = block.superblock
    return found


def registers(pc, cfa):
    """The saved registers at an instruction, by their distances from the frame's address."""
    if pc not in saved:
        text = gdb.execute('info frame', to_string=True)
        part = text.split('Saved registers:')
        places = SAVED.findall(part[1]) if len(part) > 1 else []
        saved[pc] = ','.join('%s@%d' % (name, int(at, 16) - cfa) for name, at in places)
    return saved[pc]


def real(frame):
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def said(outermost):
    frame = gdb.newest_frame()
    pc = frame.pc()
    text = gdb.execute('info frame', to_string=True)
    cfa = int(re.search(r'frame at (0x[0-9a-f]+)', text).group(1), 16)
    places = []
    while frame is not None and frame.is_valid():
        name = function(frame)
        owner = function(real(frame))
        for variable, start, end in variables(frame):
            places.append('%s:%s:%s:%x:%x' % (variable, name, owner, start, end))
        if owner == outermost and frame.type() != gdb.INLINE_FRAME:
            break
        frame = frame.older()
    OUT.write('%x %x %s %s\n' % (pc, cfa, ' '.join(places), registers(pc, cfa)))


gdb.execute('set pagination off')
gdb.execute('set confirm off')
gdb.execute('set disable-randomization on')
gdb.execute('break begin')
gdb.execute('run', to_string=True)
gdb.execute('finish', to_string=True)
LAST = int(gdb.parse_and_eval('(long)&end'))
while True:
    pc = gdb.newest_frame().pc()
    if pc == LAST:
        break
    if pc in CODES:
        said('run')
    gdb.execute('stepi', to_string=True)
OUT.close()
gdb.execute('kill')

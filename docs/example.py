#!/usr/bin/env python3
"""Writes docs/example.madt, a small trace, and docs/example.txt, which explains each of its bytes.

The trace has a line of every letter, but for those of calls.

Usage: example.py [FOLDER]     (default: the folder of this file)
Written from docs/FORMAT.md alone, as an example of a writer. Nothing is compressed, so that all can
be seen.
"""
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from reader import NONE, SIZES, crc32c  # noqa: E402

TITLE = '''The bytes of example.madt: offset, bytes, meaning (docs/FORMAT.md). Made by example.py.
Words whose code is 0, 8 or 15 have no residual, and so no line of their own.

'''
PID, THREAD, OTHER = 4242, 4242, 4243
(MALLOC, CALLOC, MMAP, REALLOC_BEGIN, REALLOC_END, MREMAP_BEGIN, MREMAP_END, FREE,
 MUNMAP) = range(1, 10)
THREAD_START = 24
SYSTEM_CALL = 38
NEWER = 60000  # of what a newer recorder might write
SITE_TEMPLATE = 12


class Bytes:
    """Bytes with what each of them means."""

    def __init__(self):
        self.parts = []

    def put(self, form, value, note):
        shown = f'{value:#x}' if form == 'Q' else str(value)
        self.parts.append((struct.pack('<' + form, value), f'{note} {shown}'))

    def raw(self, data, note):
        self.parts.append((data, note))

    def string(self, text, note):
        self.raw(struct.pack('<I', len(text)) + text.encode(), f'{note} "{text}"')

    def data(self):
        return b''.join(data for data, _ in self.parts)


def unsigned(value):
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def signed(value):
    """The number of which the format's formula makes this one."""
    value = (value + 2 ** 63) % 2 ** 64 - 2 ** 63
    return (value << 1 ^ value >> 63) & NONE


class Known:
    """What the frame has told of a record template."""

    def __init__(self, number, told, words, index, last):
        self.number, self.told, self.index = number, told, index
        self.words = [[last, 0, 0] for _ in words]
        self.likely = self.second = None


class Events:
    """The columns of an EVTS frame."""

    def __init__(self):
        self.kinds, self.codes, self.control, self.residuals = [], [], Bytes(), Bytes()
        self.known = {}
        self.before = Known(-1, 0, (), -1, 0)
        self.epoch = self.last = self.near = 0
        self.ticket = 0
        self.size_codes, self.place_codes, self.end_codes = [], [], []
        self.sizes, self.places = Bytes(), Bytes()
        self.site_sizes = {}
        self.top = self.gone = 0

    def record(self, number, epoch, words, what, site=None):
        told = len(words) if site is None else site
        known = self.known.get((number, told))
        new = known is None
        if new:
            known = Known(number, told, words, len(self.known), self.last)
            self.known[number, told] = known
        before = self.before
        which = 3 if new else 0 if known is before.likely else 1 if known is before.second else 2
        step = epoch - self.epoch
        self.kinds.append(which if which < 2 and not step else 2)
        if self.kinds[-1] == 2:
            self.tell(which, known, step, what)
        if which:
            self.before.likely, self.before.second = known, self.before.likely
        self.before, self.epoch = known, epoch
        for at, (word, state) in enumerate(zip(words, known.words)):
            self.word(word, state, f'{what}, word {at}')

    def tell(self, which, known, step, what):
        data = bytes([which | (4 if step else 0)])
        of = f'site {known.told}' if known.number == SITE_TEMPLATE else f'{known.told} words'
        note = ('the likely template', 'the second likely template',
                f'the template with index {known.index}',
                f'new: template {known.number} of {of}')[which]
        if which == 2:
            data += unsigned(known.index)
        elif which == 3:
            data += unsigned(known.number) + unsigned(known.told)
        if step:
            data += unsigned(signed(step))
            note += f', epoch {step:+d}'
        self.control.raw(data, f'{what}: {note}')

    def word(self, word, state, what):
        if word == NONE:
            self.codes.append(15)
            return
        last, stride, before = state
        difference = word - last
        by = [(len(bytes_of(signed(difference - base))), code)
              for base, code in ((stride, 0), (self.near, 8))]
        size, code = min(by) if by[1][0] < 7 else by[0]
        base = self.near if code else stride
        residual = bytes_of(signed(difference - base))
        self.codes.append(code + min(size, 7))
        if residual:
            name = 'near' if code else 'stride'
            note = f'{what}: {word:#x} = last {last:#x} + {name} {base:#x} + residual'
            self.residuals.raw(residual, note)
        difference &= NONE
        state[:] = word, difference if difference == before else stride, difference
        self.near = difference or self.near
        self.last = word

    def event(self, kind, what, address=0, size=0, old=0, old_size=0, code=0, thread=THREAD):
        words = [kind | bool(code) << 16, self.ticket, thread, address, size, old, old_size]
        words += [code] * bool(code)
        self.record(0, self.ticket, words, what)
        self.ticket += 1

    def birth(self, site, size, what, address=None, rank=0):
        """An allocation in a short form, at an address or where a freed block was."""
        self.site(site, what)
        last = self.site_sizes.get(site, 0)
        self.size_codes.append(0 if size == last else 1 if size <= 256 else 2)
        if size != last:
            self.sizes.raw(bytes([size - 1 & 255]), f'{what}: size {size}')
        self.site_sizes[site] = size
        if address is None:
            self.place_codes.append(1 if rank else 0)
            if rank:
                self.places.raw(unsigned(rank), f'{what}: {rank} freed blocks are in front')
            return
        self.place_codes.append(2 if address == self.top else 3)
        if address != self.top:
            self.places.raw(unsigned(signed(address - self.top)),
                            f'{what}: {address:#x} = top {self.top:#x} + this')
        self.top = address + (max(size + 23 >> 4, 2) << 4)

    def end(self, site, what, distance=None, address=None):
        """The end of the cell's block, of another one that is known, or of one at an address."""
        self.site(site, what)
        self.end_codes.append(1 if distance else 2 if address else 0)
        if distance:
            self.places.raw(unsigned(distance), f'{what}: the block {distance} below the next')
        elif address:
            self.places.raw(unsigned(signed(address - self.gone)),
                            f'{what}: {address:#x} = gone {self.gone:#x} + this')
            self.gone = address

    def site(self, site, what):
        self.record(SITE_TEMPLATE, self.ticket, (), what, site)
        self.ticket += 1

    def access(self, number, words, what):
        self.record(number, self.ticket, words, what)

    def payload(self, loads, stores, blocks, allocations):
        out = Bytes()
        words = len(self.kinds) + len(self.codes)
        out.put('I', len(self.kinds), 'records')
        for note, value in (
                ('words', words), ('loads', loads), ('stores', stores),
                ('bulk transfers', blocks), ('allocation events', allocations),
                ('control bytes', len(self.control.data())),
                ('residual bytes', len(self.residuals.data())),
                ('short allocations', len(self.size_codes)), ('short ends', len(self.end_codes)),
                ('size bytes', len(self.sizes.data())),
                ('place bytes', len(self.places.data()))):
            out.put('I', value, note)
        column(out, self.kinds, 2, 'kinds of records')
        column(out, self.codes, 4, 'codes of words')
        out.parts += self.control.parts + self.residuals.parts
        column(out, self.size_codes, 2, 'codes of sizes')
        column(out, self.place_codes, 2, 'codes of places')
        column(out, self.end_codes, 2, 'codes of ends')
        out.parts += self.sizes.parts + self.places.parts
        out.raw(bytes(8), 'zeros')
        return out


def bytes_of(value):
    """As many bytes as a residual may have: 0 to 6, or 8."""
    size = next(size for size in SIZES if value < 256 ** size)
    return value.to_bytes(size, 'little')


def column(out, values, bits, note):
    each = 8 // bits
    for at in range(0, len(values), 6 * each):
        row = values[at:at + 6 * each]
        data = bytes(sum(value << bits * place for place, value in enumerate(row[i:i + each]))
                     for i in range(0, len(row), each))
        out.raw(data, f'{note}: {" ".join(map(str, row))}')


def meta(**values):
    out = Bytes()
    for key, value in values.items():
        out.string(key, 'key')
        out.string(value, 'value')
    return out


def maps():
    out = Bytes()
    for protection, kind, start, end, label in (
            (5, 1, 0x1000, 0x2000, '[demo]'), (3, 2, 0x4000, 0x5000, '[.bss]'),
            (3, 3, 0x10000, 0x20000, '[heap]'), (3, 4, 0x30000, 0x40000, '[anon]')):
        out.raw(bytes([1, protection, kind, 0]), f'add, protection {protection}, kind {kind}')
        for note, value in ('start', start), ('end', end), ('origin', start):
            out.put('Q', value, note)
        out.string(label, 'label')
    return out


def symbols():
    out = Bytes()
    for kind, start, size, name in (
            (1, 0x4010, 40, 'table'), (2, 0x1100, 128, 'main'), (2, 0x1180, 64, 'fill')):
        out.raw(bytes([1, kind, 0, 0]), f'add, {" data code".split(" ")[kind]}')
        out.put('Q', start, 'start')
        out.put('Q', size, 'size')
        out.string(name, 'name')
    return out


def templates():
    out = Bytes()
    for template, sites in (
            (16, ((0x1188, 4, 1, 8), (0x118c, 4, 2, 8))), (17, ((0x1120, 7, 3, 4),)),
            (18, ((0x1130, 5, 200, 0), (0x1130, 5, 201, 0)))):
        out.put('I', template, 'template')
        out.put('I', len(sites), 'sites')
        for code, length, access, size in sites:
            out.put('Q', code, 'code address')
            what = ('', 'load', 'store', 'modify')[access] if access < 4 else f'access {access}'
            out.raw(bytes([length, access, 0, 0]), f'{length} bytes, {what}, operand 0, no flags')
            out.put('H', size, 'size')
            out.put('H', 0, 'no frame offset')
    return out


def events():
    out = Events()
    out.event(MALLOC, 'M 1', address=0x10010, size=32, code=0x1104)
    for i in range(4):
        out.access(16, [0x4010 + 8 * i, NONE if i == 2 else 0x10010 + 8 * i], f'fill {i}')
    out.access(17, [0x4018], 'modify')
    out.event(CALLOC, 'C 2', address=0x10030, size=40, code=0x110a)
    out.event(REALLOC_BEGIN, 'realloc begins', old=0x10010, code=0x1112)
    out.event(REALLOC_END, 'R 3', address=0x10060, size=56, old=0x10010, code=0x1112)
    out.access(1, [0x1130, 0x10060, 0x4010, 40], 'Y')
    out.access(2, [0x1138, 0x10030, 16], 'W')
    out.access(3, [0x1140, 0x10038, 9], 'G')
    out.event(MMAP, 'P 4', address=0x30000, size=8192, code=0x1146)
    out.event(MREMAP_BEGIN, 'mremap begins', old=0x30000, old_size=8192, code=0x114e)
    out.event(MREMAP_END, 'E 5', address=0x34000, size=12288, old=0x30000, old_size=8192,
              code=0x114e)
    out.event(THREAD_START, 'a thread begins', thread=OTHER)
    out.access(6, [OTHER], 'thread')
    out.access(4, [0x50010, 0x34008], 'L of unknown code')
    out.access(6, [THREAD], 'thread')
    out.event(FREE, 'F 6', old=0x10030, code=0x1156)
    out.birth(0, 24, 'M 7, short', address=0x100a0)
    out.birth(0, 24, 'M 8, short', address=0x100c0)
    out.end(2, 'F 9, short', distance=2)
    out.end(2, 'F 10, short')
    out.birth(0, 20, 'M 11, short', rank=1)
    out.birth(0, 19, 'M 12, short')
    out.end(2, 'F 13, short', address=0x10060)
    out.event(MALLOC, 'M 14, failed', size=2 ** 40, code=0x1104)
    out.event(MUNMAP, 'U 15', old=0x34000, old_size=12288, code=0x1160)
    out.event(SYSTEM_CALL, 'a system call', address=0x1000, size=0x4000)
    out.access(0, [NEWER, out.ticket, THREAD, 1, 2], 'an event of a newer recorder')
    out.access(18, [0x50010, 3], 'a record of a newer recorder')
    return out.payload(loads=6, stores=4, blocks=4, allocations=15)


def index(offset, frames):
    out = Bytes()
    for note, value in (
            ('accesses', 10), ('bulk transfers', 4), ('allocation events', 15),
            ('frames', frames), ('offset', offset), ('first number', 0)):
        out.put('Q', value, note)
    return out


def frame(kind, thread, payload):
    """The parts of a frame."""
    data = payload.data()
    out = Bytes()
    out.raw(kind.encode(), f'frame {kind}')
    for note, value in (
            ('pid', PID), ('tid', thread), ('raw length', len(data)), ('stored length', len(data)),
            ('flags', 0)):
        out.put('I', value, note)
    out.raw(struct.pack('<I', crc32c(out.data() + data)), 'checksum')
    return out.parts + payload.parts


def trace():
    out = Bytes()
    out.raw(b'MADTRACE', 'magic')
    for note, value in ('version', 11), ('reserved', 0):
        out.put('H', value, note)
    out.put('I', 0, 'features')
    for kind, payload in (
            ('META', meta(command='demo', engine='splice')), ('MAPS', maps()),
            ('SYMS', symbols()), ('TMPL', templates())):
        out.parts += frame(kind, 0, payload)
    offset = len(out.data())
    out.parts += frame('EVTS', THREAD, events())
    out.parts += frame('META', 0, meta(ended='exit 0', completeness='complete'))
    out.parts += frame('INDX', 0, index(offset, 6))
    return out.parts


def explained(parts):
    at = 0
    for data, note in parts:
        if note.startswith('frame '):
            yield ''
        for i in range(0, len(data), 12):
            yield f'{at + i:04x}  {data[i:i + 12].hex(" "):36s}{"" if i else note}'.rstrip()
        at += len(data)


if __name__ == '__main__':
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    all_parts = trace()
    (folder / 'example.madt').write_bytes(b''.join(data for data, _ in all_parts))
    (folder / 'example.txt').write_text(TITLE + '\n'.join(explained(all_parts)) + '\n')

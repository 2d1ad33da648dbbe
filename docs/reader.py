#!/usr/bin/env python3
"""Prints the lines of `madt print --raw`, as an example of a reader.

Written from docs/FORMAT.md alone.

Usage: reader.py TRACE
Exit status: 0, or 1 if the file is no trace, is damaged or has no end; then the lines in front of
the fault have been printed. What is of a kind that this reader does not know has no line, and is
counted on standard error.
Needs Python 3.10, and before Python 3.14 the zstd command.
"""
import struct
import subprocess
import sys
from bisect import bisect_left, bisect_right

try:
    from compression.zstd import decompress
except ImportError:
    def decompress(packed):
        zstd = subprocess.run(['zstd', '-dcq'], input=packed, stdout=subprocess.PIPE, check=True)
        return zstd.stdout

NONE = 2 ** 64 - 1
LETTERS = {1: 'M', 2: 'C', 3: 'P', 5: 'R', 7: 'E', 8: 'F', 9: 'U', 10: 'P', 40: 'M', 42: 'R', 43: 'F', 62: 'M'}
TYPES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 24, 25, 26, 28, 29, 30, 31, 33, 34, 35, 36, 37, 38, 39,
         40, 41, 42, 43, 48, 49, 50, 51, 52, 54, 55, 56, 57, 58, 59, 60, 61, 62}
LINES = {48: ('T', (0, 'number'), (1, 'number'), (2, 'number'), (3, 'number'), (4, 'code')),
         56: ('K', (0, 'address'), (1, 'ticks'), (2, 'duration'), (3, 'text'), (4, 'code')),
         57: ('V', (0, 'address'), (1, 'ticks'), (2, 'duration'), (3, 'number'), (4, 'code'))}  # letter, then place and type of each word
FRAMES = {'META', 'SYMS', 'SRCS', 'DECL', 'TYPS', 'LOCS', 'ARGS', 'PROC'}  # of no use for these lines
SIZES = (0, 1, 2, 3, 4, 5, 6, 8)


class Damage(Exception):
    """Something in the file is not what the format says."""


def crc_table():
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
        yield value


CRC = tuple(crc_table())


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc = crc >> 8 ^ CRC[(crc ^ byte) & 255]
    return crc ^ 0xffffffff


def frames(file):
    """Yields type, tid and payload of each frame."""
    while head := file.read(28):
        if len(head) < 28:
            raise Damage('the file ends in the head of a frame')
        kind, _, tid, raw, stored, flags, checksum = struct.unpack('<4s6I', head)
        payload = file.read(stored)
        whole = len(payload) == stored and crc32c(head[:24] + payload) == checksum
        if not whole or flags & 0xfffe or raw > 16 << 20:
            raise Damage('a frame is cut off or damaged')
        yield kind.decode(), tid, decompress(payload) if flags & 1 else payload


def signed(value):
    return value >> 1 ^ -(value & 1)


class Cursor:
    """Takes numbers from a payload, front to back."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        values = struct.unpack_from('<' + form, self.data, self.at)
        self.at += struct.calcsize('<' + form)
        return values

    def string(self):
        length, = self.take('I')
        self.at += length
        return self.data[self.at - length:self.at].decode(errors='replace')

    def unsigned(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def more(self):
        return self.at < len(self.data)


class Regions:
    """The address space, as far as MAPS frames have told."""

    def __init__(self):
        self.starts, self.ends, self.labels = [], [], []

    def read(self, payload):
        cursor = Cursor(payload)
        while cursor.more():
            op, _, _, _, start, end, _ = cursor.take('4B3Q')
            label = cursor.string()
            first = bisect_right(self.ends, start)
            behind = bisect_left(self.starts, end)
            self.starts[first:behind] = [start] if op else []
            self.ends[first:behind] = [end] if op else []
            self.labels[first:behind] = [label] if op else []

    def label(self, address):
        at = bisect_right(self.starts, address) - 1
        return self.labels[at] if at >= 0 and address < self.ends[at] else '[?]'


class Template:
    """What a frame has told of one record template.

    Its likely followers; of each word the last value, the stride, the last difference.
    """

    def __init__(self, number, count, last):
        self.number = number
        self.words = [[last, 0, 0] for _ in range(count)]
        self.likely = self.second = self.site = None


def two_bits(data, at, count):
    """Numbers of two bits each, from back to front, and where they end."""
    end = at + (count + 3) // 4
    return [data[at + i // 4] >> 2 * (i % 4) & 3 for i in reversed(range(count))], end


class Records:
    """The records of an EVTS frame."""

    def __init__(self, payload):
        self.count, words, *self.counts, control, residuals = struct.unpack_from('<8I', payload)
        births, ends, sizes, places = struct.unpack_from('<4I', payload, 32)
        self.data = payload
        self.kinds = 48
        self.codes = self.kinds + (self.count + 3) // 4
        self.control = Cursor(payload, self.codes + (words - self.count + 1) // 2)
        self.residual = self.control.at + control
        at = self.residual + residuals
        self.size_codes, at = two_bits(payload, at, births)
        self.place_codes, at = two_bits(payload, at, births)
        self.end_codes, at = two_bits(payload, at, ends)
        self.sizes, self.places = Cursor(payload, at), Cursor(payload, at + sizes)
        if at + sizes + places + 8 != len(payload):
            raise Damage('the columns of a frame are not as long as its head says')
        self.word = self.near = self.last = self.moved = self.epoch = 0
        self.known = []

    def __iter__(self):
        template = Template(-1, 0, 0)
        for index in range(self.count):
            kind = self.data[self.kinds + index // 4] >> 2 * (index % 4) & 3
            template = self.next(template, kind)
            words = [self.value(known) for known in template.words]
            yield template.number, template.site, words

    def next(self, template, kind):
        control = kind
        if kind == 2:
            control, = self.control.take('B')
        which = control & 3
        if which < 2:
            found = template.second if which else template.likely
        elif which == 2:
            found = self.known[self.control.unsigned()]
        else:
            number, count = self.control.unsigned(), self.control.unsigned()
            found = Template(number, 0 if number == 12 else count, self.last)
            found.site = count
            self.known.append(found)
        if which:
            template.likely, template.second = found, template.likely
        if control & 4:
            self.epoch = self.epoch + signed(self.control.unsigned()) & 0xffffffff
        return found

    def value(self, known):
        code = self.data[self.codes + self.word // 2] >> 4 * (self.word % 2) & 15
        self.word += 1
        if code == 15:
            return NONE
        last, stride, before = known
        residual = self.data[self.residual:self.residual + SIZES[code & 7]]
        self.residual += len(residual)
        base = stride if code < 8 else self.near
        step = base + signed(int.from_bytes(residual, 'little')) & NONE
        self.last = last + step & NONE
        known[:] = self.last, step if step == before else stride, step
        if step:
            self.near, self.moved = step, self.last
        return self.last


def size_class(size):
    found = size + 23 >> 4
    return found if found < 64 else 0


class Allocations:
    """What ring events say, in full or in a short form, in one EVTS frame."""

    def __init__(self, records):
        self.records = records
        self.sites = []
        self.sizes = []  # of the last allocation of each site
        self.blocks = []  # address, class, and whether it lives
        # addresses by class; the last of a list is the first of the format's
        self.freed = [[] for _ in range(64)]
        self.cells = [-1] * 4096
        self.top = self.gone = 0

    def add(self, address, size):
        self.blocks.append([address, size_class(size), True])

    def full(self, words):
        """The type, address, size, old address, old size and code of an event in full."""
        kind = words[0] & 0xffff
        _, thread, address, size, old, old_size = words[1:7]
        code = words[7] if words[0] >> 16 else 0
        site = kind, thread, code, old_size
        if kind in (1, 2, 8) and code and site not in self.sites and len(self.sites) < 65536:
            self.sites.append(site)
            self.sizes.append(0)
        if kind in (1, 2):
            self.add(address, size)
        return kind, address, size, old, old_size, code

    def free(self, block):
        address, its_class, lives = self.blocks[block]
        if block < 0 or not lives:
            raise Damage('a block ends that does not live')
        self.blocks[block][2] = False
        self.freed[its_class].append(address)
        return address

    def short(self, site):
        """As full(), of an event in a short form."""
        kind, _, code, chain = self.sites[site]
        cell = self.records.moved // 8 % 4096
        if kind == 8:
            return kind, 0, 0, self.end(cell), chain, code
        size = self.sizes[site] = self.size(self.sizes[site])
        address = self.place(size)
        self.cells[cell] = len(self.blocks)
        self.add(address, size)
        return kind, address, size, 0, chain, code

    def end(self, cell):
        told = self.records.end_codes.pop()
        if told == 0:
            return self.free(self.cells[cell])
        number = self.records.places.unsigned()
        if told == 1:
            return self.free(len(self.blocks) - number)
        self.gone = self.gone + signed(number) & NONE
        return self.gone

    def size(self, last):
        told = self.records.size_codes.pop()
        if told == 3:
            return self.records.sizes.unsigned()
        return 256 * (told - 1) + self.records.sizes.take('B')[0] + 1 if told else last

    def place(self, size):
        told = self.records.place_codes.pop()
        freed = self.freed[size_class(size)]
        if told < 2:
            passed = self.records.places.unsigned() if told else 0
            address = freed.pop(-1 - passed)
            if passed:
                freed[:] = freed[-passed:] + freed[:-passed]
            return address
        address = self.top + (signed(self.records.places.unsigned()) if told == 3 else 0) & NONE
        self.top = address + (max((size + 23 & NONE) >> 4, 2) << 4) & NONE
        return address


def raw_word(word, form):
    """A word of an event as its line has it."""
    if form == 'text':
        characters = word.to_bytes(8, 'little').split(b'\0')[0]
        return ''.join(chr(c) if 32 <= c < 127 else '?' for c in characters)
    if form == 'code':
        return f'{word & NONE >> 1:#x}'
    return f'{word:#x}' if form == 'address' else str(word)


class Lines:
    """Turns frames into lines."""

    def __init__(self, out):
        self.out = out
        self.regions = Regions()
        self.sites = {}
        self.number = self.allocation = self.unknown = 0
        self.told = {}  # how many lines of each kind of LINES

    def define(self, payload):
        cursor = Cursor(payload)
        while cursor.more():
            template, count = cursor.take('2I')
            self.sites[template] = [cursor.take('Q4B2H')[:3:2] for _ in range(count)]

    def events(self, payload):
        records = Records(payload)
        allocations = Allocations(records)
        before = self.number, self.allocation
        for template, site, words in records:
            if template >= 16:
                self.record(self.sites[template], words)
            elif template in (4, 5):
                self.access(words[1], words[0], template - 3)
            elif template in (1, 2, 3):
                self.bulk(template, words)
            elif template == 0 and words[0] & 0xffff in TYPES:
                self.event(*allocations.full(words))
            elif template == 12:
                self.allocated(*allocations.short(site))
            elif template != 6:
                self.unknown += 1
        loads, stores, blocks, allocated = records.counts
        told = before[0] + loads + stores + blocks, before[1] + allocated
        if (self.number, self.allocation) != told:
            raise Damage('a frame does not hold what its head says')

    def record(self, sites, words):
        code, kind = sites[0]
        if kind > 7:
            self.unknown += words[0] != NONE
            self.number += words[0] != NONE
        elif kind in (4, 5):
            if words[0] != NONE:
                fields = [f'{code:#x}'] + [
                    str(word) if access == 6 else f'{word:#x}'
                    for (_, access), word in zip(sites, words, strict=True)]
                self.numbered('BX'[kind - 4], ','.join(fields))
        else:
            for (code, access), address in zip(sites, words, strict=True):
                self.access(address, code, access)

    def access(self, address, code, access):
        for letter, bit in ('L', 1), ('S', 2):
            if access & bit and address != NONE:
                self.numbered(letter, f'{address:#x},{self.regions.label(address)},{code:#x}')

    def bulk(self, template, words):
        if NONE in words[1:]:
            return
        code, *places, length = words
        code &= NONE >> 1
        shown = [f'{place:#x}' for place in places] + [str(length)]
        shown += [self.regions.label(place) for place in places] + [f'{code:#x}']
        self.numbered(' YWG'[template], ','.join(shown))

    def numbered(self, letter, text):
        self.out.write(f'{letter}#{self.number}:{text}\n')
        self.number += 1

    def event(self, kind, *words):
        if kind not in LINES:
            self.allocated(kind, *words)
            return
        letter, *shown = LINES[kind]
        self.told[kind] = number = self.told.get(kind, 0) + 1
        fields = [raw_word(words[at], form) for at, form in shown]
        self.out.write(f'{letter}#{number}:{",".join(fields)}\n')

    def allocated(self, kind, address, size, old, old_size, code):
        letter = LETTERS.get(kind)
        if not letter:
            return
        made = 0 if address > NONE - 4096 else address
        if letter in 'FU':
            fields = [f'{old:#x}'] + [str(old_size)] * (letter == 'U')
        else:
            fields = [f'{made:#x}', str(size)] + [f'{old:#x}'] * (letter in 'RE')
        self.allocation += 1
        self.out.write(f'{letter}#{self.allocation}:{",".join(fields)},{code & NONE >> 1:#x}\n')


def read(file, out):
    magic, version, _, features = struct.unpack('<8s2HI', file.read(16))
    if magic != b'MADTRACE' or version != 11 or features & 0xffff:
        raise Damage('no trace of version 11')
    lines = Lines(out)
    count = 0
    for kind, _, payload in frames(file):
        if kind == 'INDX':
            if struct.unpack_from('<Q', payload, 24)[0] != count or file.read(1):
                raise Damage('the index is not the end of this file')
            if lines.unknown:
                print(f'{lines.unknown} of kinds that this reader does not know', file=sys.stderr)
            return
        count += 1
        if kind == 'MAPS':
            lines.regions.read(payload)
        elif kind == 'TMPL':
            lines.define(payload)
        elif kind == 'EVTS':
            lines.events(payload)
        elif kind not in FRAMES:
            lines.unknown += 1
    raise Damage('the file ends without an index')


if __name__ == '__main__':
    try:
        with open(sys.argv[1], 'rb') as trace:
            read(trace, sys.stdout)
    except Damage as damage:
        sys.exit(f'{sys.argv[1]}: {damage}')
    except (LookupError, TypeError, AttributeError, ValueError, struct.error,
            subprocess.SubprocessError) as error:
        sys.exit(f'{sys.argv[1]}: a payload is malformed: {error!r}')

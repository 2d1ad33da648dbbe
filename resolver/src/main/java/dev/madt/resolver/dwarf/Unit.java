package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A unit of {@code .debug_info} or {@code .debug_types} (DWARF 5, section 7.5.1); its entries are
 * read when asked for.
 */
final class Unit {
    static final int TYPE = 0x02;
    private static final int SKELETON = 0x04;
    private static final int SPLIT = 0x05;
    private static final int SPLIT_TYPE = 0x06;

    /** Bytes in front of a table of strings, and of one of lists (DWARF 5, 7.26, 7.28, 7.29). */
    private static final int STRING_HEADER = 8;

    private static final int LIST_HEADER = 12;
    /** Bytes more that a length has in the 64-bit format. */
    private static final int WIDE_LENGTH = 8;

    private final DwarfFile file;
    private final ByteBuffer bytes;
    private final int offset;
    private final int end;
    private final Encoding encoding;
    private final long signature;
    private final long typeOffset;
    private final int firstEntry;
    private final long abbreviations;
    private final boolean isType;
    private final boolean isSkeleton;
    private Die root;
    private Unit whole;

    /** Reads the header at the reader's position, behind the length. */
    Unit(
            DwarfFile file,
            SectionReader in,
            ByteBuffer section,
            int offset,
            long end,
            boolean wide,
            boolean types) {
        this.file = file;
        this.offset = offset;
        this.end = (int) end;
        this.bytes = section.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit((int) end);
        int version = in.u16();
        if (version < 2 || version > 5) {
            throw malformed("DWARF version " + version + " is not read");
        }
        encoding = new Encoding(version, wide);
        int kind = version == 5 ? in.u8() : types ? TYPE : 1;
        int address = version == 5 ? in.u8() : 0;
        abbreviations = in.offset(wide);
        address = version == 5 ? address : in.u8();
        if (address != Encoding.ADDRESS) {
            throw malformed("addresses of " + address + " bytes");
        }
        boolean typed = kind == TYPE || kind == SPLIT_TYPE;
        signature = typed || kind == SKELETON || kind == SPLIT ? in.u64() : 0;
        typeOffset = typed ? in.offset(wide) : 0;
        firstEntry = in.position();
        isType = typed;
        isSkeleton = kind == SKELETON;
    }

    DwarfFile file() {
        return file;
    }

    /** The section up to the unit's end; positions are offsets in the section. */
    ByteBuffer bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    int end() {
        return end;
    }

    Encoding encoding() {
        return encoding;
    }

    /** Returns whether the unit describes one type and no code. */
    boolean isType() {
        return isType;
    }

    /** Returns this unit with what was split off from it, if anything was and can be read. */
    Unit whole() {
        if (whole == null) {
            whole = isSkeleton ? file.whole(this) : this;
        }
        return whole;
    }

    /** The unit that has the addresses and lines: the skeleton of one that was split off. */
    Unit head() {
        return file.skeleton() == null ? this : file.skeleton();
    }

    /** Of a type unit: what references name it by. Of one that is split: what both parts have. */
    long signature() {
        return signature;
    }

    /** Of a type unit: the entry of its type. */
    Die typeEntry() {
        return Die.at(this, offset + typeOffset);
    }

    int firstEntry() {
        return firstEntry;
    }

    /** Returns how the entries are laid out; to be kept only while they are read. */
    AbbreviationTable abbreviations() {
        return file.abbreviations(abbreviations);
    }

    /** Returns whether entries of this kind may occur. */
    boolean usesTag(int tag) {
        return abbreviations().usesTag(tag);
    }

    /** The unit's own entry. */
    Die root() {
        if (root == null) {
            root = Die.at(this, firstEntry);
        }
        return root;
    }

    /** Returns what relative ranges and locations count from. */
    long baseAddress() {
        return head().root().address(Attribute.LOW_PC);
    }

    /** The address with an index in {@code .debug_addr}. */
    long address(long index) {
        Unit head = head();
        SectionReader in = new SectionReader(
                head.file.section(".debug_addr"),
                indexed(head.root().sectionOffset(Attribute.ADDR_BASE), index, Encoding.ADDRESS));
        return in.u64();
    }

    /** The string with an index in {@code .debug_str_offsets}. */
    String indexedString(long index) {
        long base = base(Attribute.STR_OFFSETS_BASE, STRING_HEADER);
        int size = encoding.offsetSize();
        SectionReader in =
                new SectionReader(file.section(".debug_str_offsets"), indexed(base, index, size));
        return file.string(".debug_str", in.offset(encoding.wide()));
    }

    /** Offset in {@code .debug_rnglists} or {@code .debug_loclists} of the list with an index. */
    long listOffset(String section, int baseAttribute, long index) {
        long base = base(baseAttribute, LIST_HEADER);
        SectionReader in = new SectionReader(
                file.section(section), indexed(base, index, encoding.offsetSize()));
        return base + in.offset(encoding.wide());
    }

    /** Offset of a table; what was split off has one of each kind, and says no more of it. */
    private long base(int attribute, int header) {
        return file.skeleton() == null
                ? root().sectionOffset(attribute)
                : header + (encoding.wide() ? WIDE_LENGTH : 0);
    }

    private long indexed(long base, long index, int size) {
        if (base < 0 || index < 0 || index > Integer.MAX_VALUE) {
            throw malformed("an index of " + Long.toUnsignedString(index) + " without a base");
        }
        return base + index * size;
    }

    /** The bytes of a block as {@link Form#read} gives it. */
    ByteBuffer block(long raw) {
        return bytes.slice((int) (raw >>> 32), (int) raw).order(ByteOrder.LITTLE_ENDIAN);
    }

    MalformedDwarfException malformed(String cause) {
        return new MalformedDwarfException("unit of .debug_info", offset, cause);
    }
}

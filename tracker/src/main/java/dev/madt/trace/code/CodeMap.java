package dev.madt.trace.code;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The code map of one module: which of its instructions access memory, where and how, its calls and
 * its functions. The file is mapped and read in place; entry N is template first_template + N of
 * the module. Look-ups take logarithmic time. Immutable.
 */
public final class CodeMap implements ModuleTemplates {
    /** Longest instruction, by the processor manuals. */
    private static final int LONGEST = 15;

    private final ByteBuffer bytes;
    private final int entries;
    private final int operandsAt;

    CodeMap(ByteBuffer bytes) {
        this.bytes = bytes;
        this.entries = bytes.getInt(SharedLayout.Codemap.ENTRIES);
        this.operandsAt = SharedLayout.Codemap.BYTES + entries * SharedLayout.CodeEntry.BYTES;
    }

    /**
     * Maps a code map whose contents {@code madtcode_check} has found sound, or which was just
     * made.
     *
     * @throws IOException with file, offset and cause if it cannot be read, or is not a whole code
     *     map of this version
     */
    public static CodeMap open(Path file) throws IOException {
        ByteBuffer bytes;
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < SharedLayout.Codemap.BYTES || size > Integer.MAX_VALUE) {
                throw new IOException(
                        file + ", byte " + size + ": a code map of this size is not possible");
            }
            bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        new CodeMapCheck(file, bytes).check();
        return new CodeMap(bytes);
    }

    /** Returns where its functions are. */
    public CodeFunctions functions() {
        int size = bytes.getInt(SharedLayout.Codemap.FUNCTIONS) * SharedLayout.CodeFunction.BYTES;
        return new CodeFunctions(bytes.slice(bytes.capacity() - size, size));
    }

    @Override
    public int entries() {
        return entries;
    }

    /** ELF virtual address of the instruction. */
    public long offset(int entry) {
        return bytes.getInt(at(entry) + SharedLayout.CodeEntry.OFFSET) & 0xffffffffL;
    }

    /** Bytes of the instruction. */
    public int length(int entry) {
        return bytes.get(at(entry) + SharedLayout.CodeEntry.LENGTH) & 0xff;
    }

    /** Bits {@code CODE_…} of {@link SharedLayout}. */
    public int flags(int entry) {
        return bytes.get(at(entry) + SharedLayout.CodeEntry.FLAGS) & 0xff;
    }

    /** Words of the entry's template: one per site. */
    @Override
    public int words(int entry) {
        return bytes.get(at(entry) + SharedLayout.CodeEntry.WORDS) & 0xff;
    }

    /** ELF virtual address that a direct call calls; of other entries 0. */
    public long target(int entry) {
        return bytes.getInt(at(entry) + SharedLayout.CodeEntry.TARGET) & 0xffffffffL;
    }

    /** The entry at this ELF virtual address, or -1. */
    public int find(long offset) {
        int entry = firstFrom(offset);
        return entry < entries && offset(entry) == offset ? entry : -1;
    }

    /**
     * The call that ends at this return address (an ELF virtual address), or -1. Entries can
     * overlap where data or an odd jump lie between them; of several such calls one inside a known
     * function is taken before one in a gap, then the longest, since the shorter are most likely
     * its tail read as an instruction.
     */
    public int findEndingAt(long offset) {
        int best = -1;
        for (int entry = firstFrom(Math.max(0, offset - LONGEST));
                entry < entries && offset(entry) < offset;
                entry++) {
            boolean ends = offset(entry) + length(entry) == offset
                    && (flags(entry) & SharedLayout.CODE_CALL) != 0;
            if (ends && (best < 0 || inGap(best) && !inGap(entry))) {
                best = entry;
            }
        }
        return best;
    }

    private boolean inGap(int entry) {
        return (flags(entry) & SharedLayout.CODE_GAP) != 0;
    }

    /**
     * One site per word of the entry's template, in order; an operand of several elements has a
     * site for each.
     *
     * @param bias added to ELF virtual addresses
     */
    @Override
    public AccessSite[] sites(int entry, long bias) {
        AccessSite[] sites = new AccessSite[words(entry)];
        int operand = operandsAt
                + bytes.getInt(at(entry) + SharedLayout.CodeEntry.FIRST_OPERAND)
                        * SharedLayout.CodeOperand.BYTES;
        for (int filled = 0; filled < sites.length; operand += SharedLayout.CodeOperand.BYTES) {
            AccessSite site = site(operand, offset(entry) + bias, length(entry));
            int elements = bytes.get(operand + SharedLayout.CodeOperand.ELEMENTS) & 0xff;
            for (int i = 0; i < elements; i++) {
                sites[filled++] = site;
            }
        }
        return sites;
    }

    private AccessSite site(int operand, long address, int length) {
        return new AccessSite(
                address,
                length,
                AccessKind.of(bytes.get(operand + SharedLayout.CodeOperand.ACCESS)),
                bytes.getShort(operand + SharedLayout.CodeOperand.SIZE) & 0xffff,
                bytes.get(operand + SharedLayout.CodeOperand.NUMBER) & 0xff,
                (bytes.get(operand + SharedLayout.CodeOperand.FLAGS) & SharedLayout.OPERAND_STACK)
                        != 0);
    }

    /**
     * Says which register and how much make up an address on the stack: an operand that is marked
     * as one and has no index.
     *
     * @param register as instructions number it: 4 rsp, 5 rbp
     */
    public record StackOperand(int register, long displacement) {}

    /**
     * An operand of the instruction at an ELF virtual address, if it is one on the stack; else
     * null.
     */
    public StackOperand stackOperand(long offset, int number) {
        int operand = operand(offset, number);
        boolean stack = operand >= 0
                && (bytes.get(operand + SharedLayout.CodeOperand.FLAGS)
                                & SharedLayout.OPERAND_STACK)
                        != 0;
        return stack ? stackOperand(operand) : null;
    }

    /**
     * Returns whether an operand of the instruction at an ELF virtual address is masked, with its
     * elements one behind the other.
     */
    public boolean isMasked(long offset, int number) {
        int operand = operand(offset, number);
        return operand >= 0
                && bytes.get(operand + SharedLayout.CodeOperand.SHAPE) == SharedLayout.SHAPE_MASKED;
    }

    /** Returns where an operand of the instruction at an ELF virtual address lies; -1: nowhere. */
    private int operand(long offset, int number) {
        int entry = find(offset);
        int count = entry < 0 ? 0 : bytes.get(at(entry) + SharedLayout.CodeEntry.OPERANDS) & 0xff;
        for (int i = 0; i < count; i++) {
            int operand = operandsAt
                    + (bytes.getInt(at(entry) + SharedLayout.CodeEntry.FIRST_OPERAND) + i)
                            * SharedLayout.CodeOperand.BYTES;
            if ((bytes.get(operand + SharedLayout.CodeOperand.NUMBER) & 0xff) == number) {
                return operand;
            }
        }
        return -1;
    }

    private StackOperand stackOperand(int operand) {
        boolean indexed = (bytes.get(operand + SharedLayout.CodeOperand.INDEX) & 0xff)
                != SharedLayout.REGISTER_NONE;
        int register = indexed
                ? SharedLayout.REGISTER_NONE
                : bytes.get(operand + SharedLayout.CodeOperand.BASE) & 0xff;
        return new StackOperand(
                register, bytes.getLong(operand + SharedLayout.CodeOperand.DISPLACEMENT));
    }

    /** The module's build-id; empty if it has none. */
    public byte[] buildId() {
        byte[] id = new byte[bytes.getInt(SharedLayout.Codemap.BUILD_ID_LENGTH)];
        bytes.get(SharedLayout.Codemap.BUILD_ID, id);
        return id;
    }

    /** Executable bytes of the module. */
    public long textBytes() {
        return bytes.getLong(SharedLayout.Codemap.TEXT_BYTES);
    }

    /** Of these outside every known function. */
    public long gapBytes() {
        return bytes.getLong(SharedLayout.Codemap.GAP_BYTES);
    }

    /** Of these not decodable. */
    public long badBytes() {
        return bytes.getLong(SharedLayout.Codemap.BAD_BYTES);
    }

    /** Instructions decoded in all. */
    public long instructions() {
        return bytes.getInt(SharedLayout.Codemap.INSTRUCTIONS) & 0xffffffffL;
    }

    private int at(int entry) {
        if (entry < 0 || entry >= entries) {
            throw new IndexOutOfBoundsException("entry " + entry + " of " + entries);
        }
        return SharedLayout.Codemap.BYTES + entry * SharedLayout.CodeEntry.BYTES;
    }

    /** The first entry at or above this address; {@link #entries()} if there is none. */
    private int firstFrom(long offset) {
        int low = 0;
        int high = entries;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (offset(middle) < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

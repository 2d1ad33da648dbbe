package dev.madt.trace.code;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.WordSources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The templates of a splice plan ({@code madt_plan.h}); what else is in the file concerns the
 * target alone. The file is mapped and read in place. Immutable.
 */
public final class SplicePlan implements ModuleTemplates {
    /** {@code MADT_PLAN_VERSION}, {@code MADT_PLAN_VARIANTS}. */
    public static final int VERSION = 28;

    public static final int VARIANTS = 3;
    /** {@code MADT_PLAN_DERIVED_WORDS}: of a template with derived words, all of them, at most. */
    public static final int DERIVED_WORDS = 16;

    /**
     * {@code MADT_PLAN_BELOW}: what is asked for first. Its areas lie more than
     * {@link #BELOW_BYTES} below the module.
     */
    public static final int BELOW = 0;

    public static final long BELOW_BYTES = 224L << 20;
    /**
     * {@code MADT_PLAN_ABOVE}: where programs at fixed addresses find room if there is none below
     * them.
     */
    public static final int ABOVE = 1;

    /** {@code MADT_PLAN_STACK}, a flag: what lies on the stack is recorded too. */
    public static final int STACK = 1;
    /**
     * {@code MADT_PLAN_HOOKS}, a flag: nothing is recorded, the plan leads the program's own
     * allocator through the wrappers.
     */
    public static final int HOOKS = 2;
    /** {@code MADT_PLAN_TLS}, a flag: operands relative to FS are recorded too. */
    public static final int TLS = 4;

    /** {@code MADT_PLAN_KEPT}, a flag: by the base of FS that the shim keeps for each thread. */
    public static final int KEPT = 16;
    /**
     * {@code MADT_PLAN_ALLOCATOR}, a flag: for a process that runs already, in which an allocator
     * has hooks wherever it is defined.
     */
    public static final int ALLOCATOR = 8;

    /** {@code MADT_PLAN_AWAITED}, a flag: functions open or close windows. */
    public static final int AWAITED = 32;

    private static final long MAGIC = 0x4e414c505444414dL;
    private static final int BYTES = 288;
    private static final int VARIANT = 64;
    private static final int EPOCH_PAGE = 80;
    private static final int AREAS = 88;
    private static final int AREA_BYTES = 16;
    private static final int AREA_SIZE = 12;
    private static final int PAGE = 4096;
    private static final int FLAGS = 68;
    private static final int PATCHES = 96;
    private static final int HOOKED = 216;
    private static final int HOOKED_BYTES = 12;
    private static final int SPRINGBOARDS = 224;
    private static final int TEMPLATES = 104;
    private static final int WORDS = 112;
    private static final int SITES = 160;
    private static final int TACTICS = 6;
    private static final int SITES_LEFT = 192;
    private static final int SITES_LIKELY = 252;
    private static final int TEXT_BYTES = 200;
    private static final int PROVEN_BYTES = 208;
    private static final int FIRST_TEMPLATE = 232;
    private static final int SPRINGBOARD_BYTES = 12;
    /**
     * {@code MADT_PLAN_TEMPLATE_WORDS}, {@code MADT_PLAN_TEMPLATE_DERIVES} and so on: a template's
     * byte.
     */
    static final int TEMPLATE_WORDS = 64;

    /** {@code MADT_PLAN_CODES}: that words have, from 1 on. */
    static final int CODES = 32;

    static final int TEMPLATE_DERIVES = 64;
    static final int TEMPLATE_WHOLE = 128;
    static final int TEMPLATE_PROBE = 192;
    /** {@code MADT_TACTIC_NEAR}. */
    private static final int NEAR = 3;
    /** {@code MADT_PLAN_ROWS}: in a block of a packed table. */
    static final int ROWS = 64;
    /** {@code MADT_PLAN_TACTIC}: of a patch's length, below its tactic. */
    private static final int LENGTH_BITS = 6;

    private final ByteBuffer bytes;
    private final PackedTemplates templates;
    private final PackedRows patches;
    private final int springboardsAt;
    private final int hooksAt;

    private SplicePlan(Path file, ByteBuffer bytes) throws IOException {
        this.bytes = bytes;
        require(file, bytes.getLong(0) == MAGIC, 0, "not a splice plan");
        require(
                file,
                bytes.getInt(8) == VERSION,
                8,
                "plan version " + bytes.getInt(8) + ", this madt knows " + VERSION);
        patches = packed(file, PATCHES);
        springboardsAt = table(file, SPRINGBOARDS, SPRINGBOARD_BYTES);
        hooksAt = table(file, HOOKED, HOOKED_BYTES);
        int count = bytes.getInt(TEMPLATES + 4);
        templates = new PackedTemplates(
                bytes, table(file, TEMPLATES, 1), index(file, WORDS, count), count);
    }

    /**
     * Maps a plan that {@code madtcode_plan_check} has found sound, or which was just made.
     *
     * @throws IOException with file, offset and cause if it cannot be read, or is no plan of this
     *     version with its templates inside
     */
    public static SplicePlan open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < BYTES || size > Integer.MAX_VALUE) {
                throw new IOException(
                        file + ", byte " + size + ": a splice plan of this size is not possible");
            }
            return new SplicePlan(
                    file,
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, size)
                            .order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    /** Returns where a table begins; it was seen to lie within the file. */
    private int table(Path file, int at, int size) throws IOException {
        long offset = bytes.getInt(at) & 0xffffffffL;
        long count = bytes.getInt(at + 4) & 0xffffffffL;
        require(
                file,
                offset + count * size <= bytes.capacity(),
                at,
                count + " items of " + size + " bytes from byte " + offset + " of "
                        + bytes.capacity());
        return (int) offset;
    }

    private PackedRows packed(Path file, int at) throws IOException {
        int count = bytes.getInt(at + 4);
        return new PackedRows(bytes, index(file, at, count), count);
    }

    /** Returns where the index of a packed table begins; it was seen to lie within the file. */
    private int index(Path file, int at, int rows) throws IOException {
        int offset = table(file, at, 0);
        require(
                file,
                PackedRows.fits(bytes, offset, rows),
                at,
                "an index of " + rows + " rows from byte " + offset + " of " + bytes.capacity());
        return offset;
    }

    private static void require(Path file, boolean holds, int at, String cause) throws IOException {
        if (!holds) {
            throw new IOException(file + ", byte " + at + ": " + cause);
        }
    }

    /** Returns where its areas lie: which of the variants it is. */
    public int variant() {
        return bytes.getInt(VARIANT);
    }

    /** A part of an address space. */
    public interface Room {
        /** Takes a range; false if something is there. */
        boolean take(long start, long end);
    }

    /**
     * Takes the places that a process needs for the plan, as far as they are free.
     *
     * @param bias of the module, added to the plan's addresses
     * @return whether all were
     */
    public boolean fits(long bias, Room room) {
        boolean fits = take(bias + bytes.getLong(EPOCH_PAGE), PAGE, room);
        int count = bytes.getInt(AREAS + 4);
        for (int i = 0; fits && i < count; i++) {
            int at = bytes.getInt(AREAS) + i * AREA_BYTES;
            fits = take(bias + bytes.getLong(at), bytes.getInt(at + AREA_SIZE), room);
        }
        return fits;
    }

    private static boolean take(long start, int size, Room room) {
        return start > 0 && room.take(start, start + size);
    }

    /** Returns how many functions it hooks as allocators by other names. */
    public int namedHooks() {
        int count = bytes.getInt(HOOKED + 4);
        int named = 0;
        for (int i = 0; i < count; i++) {
            named += bytes.getInt(hooksAt + i * HOOKED_BYTES) < 0 ? 1 : 0; // MADT_HOOK_NAMED
        }
        return named;
    }

    @Override
    public int entries() {
        return templates.count();
    }

    @Override
    public int firstTemplate() {
        return bytes.getInt(FIRST_TEMPLATE);
    }

    @Override
    public int words(int entry) {
        return templates.stored(entry);
    }

    @Override
    public WordSources sources(int entry) {
        return templates.sources(entry);
    }

    @Override
    public boolean isProbe(int entry) {
        return templates.isProbe(entry);
    }

    @Override
    public AccessSite[] sites(int entry, long bias) {
        return templates.sites(entry, bias);
    }

    /**
     * Returns whether the patches that begin from one address to another can be taken away by
     * themselves: they lie within, no other reaches into them, and nothing leads to a springboard
     * or holds one.
     */
    public boolean areAlone(long start, long end) {
        PackedRows.Row patch = patches.lastUpTo(start - 1);
        if (patch != null && patchEnd(patch) > start) {
            return false;
        }
        patch = patch == null ? patches.first() : patch.next();
        long last = start;
        for (; patch != null && patch.key() < end; patch = patch.next()) {
            if (patch.extra() >>> LENGTH_BITS == NEAR) {
                return false;
            }
            last = patchEnd(patch);
        }
        int springboards = bytes.getInt(SPRINGBOARDS + 4);
        int springboard = firstSpringboardFrom(springboards, start);
        return last <= end
                && (springboard == springboards || springboardAddress(springboard) >= end);
    }

    /** Begin and end of the patch around an address; null if there is none. */
    public long[] patch(long address) {
        PackedRows.Row patch = patches.lastUpTo(address);
        return patch == null || patchEnd(patch) <= address
                ? null
                : new long[] {patch.key(), patchEnd(patch)};
    }

    /** {@code madt_plan_patch_of}. */
    private static long patchEnd(PackedRows.Row patch) {
        return patch.key() + (patch.extra() & (1 << LENGTH_BITS) - 1);
    }

    private long springboardAddress(int springboard) {
        return bytes.getInt(springboardsAt + springboard * SPRINGBOARD_BYTES) & 0xffffffffL;
    }

    /** The first springboard with this address or a greater one. */
    private int firstSpringboardFrom(int springboards, long address) {
        int low = 0;
        int high = springboards;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (springboardAddress(middle) < address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns whether it records what lies on the stack. */
    public boolean recordsStack() {
        return (bytes.getInt(FLAGS) & STACK) != 0;
    }

    /** Instructions of known functions that are left as they are, and record nothing. */
    public int sitesLeft() {
        return bytes.getInt(SITES_LEFT);
    }

    /** Instructions of known functions that access memory. */
    public long sites() {
        long sites = sitesLeft();
        for (int tactic = 0; tactic < TACTICS; tactic++) {
            sites += bytes.getInt(SITES + tactic * Integer.BYTES);
        }
        return sites;
    }

    /**
     * Instructions that access memory in what is in no known function and has the looks of code:
     * padding and tables have none.
     */
    public long sitesLikely() {
        return bytes.getInt(SITES_LIKELY);
    }

    /** Executable bytes of the module. */
    public long textBytes() {
        return bytes.getLong(TEXT_BYTES);
    }

    /** Of these in functions that are known: all others stay as they are. */
    public long provenBytes() {
        return bytes.getLong(PROVEN_BYTES);
    }
}

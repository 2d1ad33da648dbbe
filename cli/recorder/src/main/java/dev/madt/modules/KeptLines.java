package dev.madt.modules;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Keeps what the debug information of a module says of the addresses that sessions have asked for:
 * to read it takes a short program longer than all else. A file is mapped and read in place, and
 * replaced by a larger one where a session has asked for more. Not for use by several threads.
 *
 * <pre>
 * 0   "MADTLINE"             8   version u32, CRC32 of all bytes behind it u32
 * 16  file size u64          24  number of slots, a power of two, u32; of entries u32
 * 32  slots: address u64, where its entry is u64; an empty one is 0
 *     entries: length u32, what {@link ModuleLines} makes of them
 * </pre>
 */
final class KeptLines {
    /** To be raised with every change of what is kept. */
    static final int VERSION = 3;

    private static final long MAGIC = 0x454e494c_5444414dL;
    private static final int SUM_AT = 12;
    private static final int SUMMED = 16;
    private static final int HEAD = 32;
    private static final int SLOT = 16;
    private static final int FEWEST_SLOTS = 16;
    private static final int MOST = 1 << 15;
    private static final long MOST_BYTES = 1 << 23;

    /** Null if there is none. */
    private final ByteBuffer kept;

    private final int slots;
    private final int entries;
    private final LongObjectHashMap<byte[]> more = new LongObjectHashMap<>();
    private long bytes;

    private KeptLines(ByteBuffer kept) {
        this.kept = kept;
        this.slots = kept == null ? 0 : kept.getInt(24);
        this.entries = kept == null ? 0 : kept.getInt(28);
        this.bytes = kept == null ? 0 : kept.limit();
    }

    /** Returns what a file says; nothing if it is not there or damaged, or is null. */
    static KeptLines of(Path file) {
        return new KeptLines(file == null ? null : map(file));
    }

    private static ByteBuffer map(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < HEAD || size > Integer.MAX_VALUE) {
                return null;
            }
            ByteBuffer all = channel.map(FileChannel.MapMode.READ_ONLY, 0, size)
                    .order(ByteOrder.LITTLE_ENDIAN);
            return isSound(all) ? all : null;
        } catch (IOException e) {
            return null; // it is made anew
        }
    }

    private static boolean isSound(ByteBuffer all) {
        return all.getLong(0) == MAGIC
                && all.getInt(8) == VERSION
                && all.getLong(16) == all.limit()
                && all.getInt(SUM_AT) == sum(all);
    }

    private static int sum(ByteBuffer all) {
        CRC32 sum = new CRC32();
        sum.update(all.slice(SUMMED, all.limit() - SUMMED));
        return (int) sum.getValue();
    }

    /** The levels at an address, none where nothing is known of it; null if nobody has asked. */
    ByteBuffer find(long address) {
        byte[] added = more.get(address);
        if (added != null) {
            return ByteBuffer.wrap(added).order(ByteOrder.LITTLE_ENDIAN);
        }
        int slot = first(address, slots);
        for (int i = 0; i < slots; i++) {
            long found = kept.getLong(HEAD + SLOT * slot);
            if (found == 0) {
                return null;
            } else if (found == address) {
                return entry(slot);
            }
            slot = slot + 1 & slots - 1;
        }
        return null;
    }

    private ByteBuffer entry(int slot) {
        int at = (int) kept.getLong(HEAD + SLOT * slot + Long.BYTES);
        return kept.slice(at + Integer.BYTES, kept.getInt(at)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int first(long address, int slots) {
        return (int) (address * 0x9e3779b97f4a7c15L >>> 32) & slots - 1;
    }

    /** Takes the levels at an address that {@link #find} does not know. */
    void add(long address, byte[] levels) {
        if (address != 0 && entries + more.size() < MOST && bytes < MOST_BYTES) {
            more.put(address, levels);
            bytes += levels.length;
        }
    }

    /** Returns whether it holds more than its file. */
    boolean hasGrown() {
        return !more.isEmpty();
    }

    /** Writes all that it holds into a new file. */
    void write(Path file) throws IOException {
        ByteBuffer all = all();
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            while (all.hasRemaining()) {
                channel.write(all);
            }
        }
    }

    private ByteBuffer all() {
        LongObjectHashMap<byte[]> levels = new LongObjectHashMap<>(more);
        for (int slot = 0; slot < slots; slot++) {
            long address = kept.getLong(HEAD + SLOT * slot);
            if (address != 0) {
                ByteBuffer entry = entry(slot);
                byte[] copy = new byte[entry.limit()];
                entry.get(copy);
                levels.put(address, copy);
            }
        }
        int places = FEWEST_SLOTS;
        while (places < 2 * levels.size()) {
            places *= 2;
        }
        long size = HEAD + (long) SLOT * places;
        for (byte[] entry : levels.values()) {
            size += Integer.BYTES + entry.length;
        }
        ByteBuffer to = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
        to.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(size);
        to.putInt(places).putInt(levels.size()).position(HEAD + SLOT * places);
        int number = places;
        levels.forEachKeyValue((address, entry) -> put(to, number, address, entry));
        to.flip();
        return to.putInt(SUM_AT, sum(to));
    }

    private static void put(ByteBuffer to, int slots, long address, byte[] entry) {
        int slot = first(address, slots);
        while (to.getLong(HEAD + SLOT * slot) != 0) {
            slot = slot + 1 & slots - 1;
        }
        to.putLong(HEAD + SLOT * slot, address);
        to.putLong(HEAD + SLOT * slot + Long.BYTES, to.position());
        to.putInt(entry.length).put(entry);
    }
}

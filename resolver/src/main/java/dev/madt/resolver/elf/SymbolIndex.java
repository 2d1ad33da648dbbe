package dev.madt.resolver.elf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Symbols by address: one per start address, the innermost one found for an address that several
 * cover. A symbol without a size reaches to the next one or to the end of its section, and gives
 * way to one with a size. Lookup is logarithmic but for nested symbols.
 *
 * <p>All of it stands in one range of bytes, little-endian, which can be kept in a file: a row
 * for each symbol, the places of all names, the names (UTF-8).
 *
 * <pre>
 * 0  symbols u32    4  names u32    8  bytes of names u32    12  0
 * 16 a row: start u64, end u64, reach u64 (the last end up to here), first name u32, sized u32
 *    behind the rows: where each name begins u32, and where the last one ends; the names
 * </pre>
 */
public final class SymbolIndex {
    /** Says where functions end whose ends nobody but their symbols knows. */
    public static final LongUnaryOperator AS_LISTED = start -> start;

    private static final int HEAD = 16;
    private static final int ROW = 32;
    private static final int END = 8;
    private static final int REACH = 16;
    private static final int NAME = 24;
    private static final int SIZED = 28;

    private final ByteBuffer bytes;
    private final int count;
    private final int names;
    private final int placesAt;
    private final int textAt;

    /**
     * @param sorted by {@link SymbolCandidate#ORDER}
     * @param ends gives for the start of a symbol where it ends at the earliest; the start itself
     *     where that is not known
     */
    public SymbolIndex(List<SymbolCandidate> sorted, LongUnaryOperator ends) {
        this(new Rows(sorted, ends).bytes);
    }

    /** Takes what {@link #bytes} gave; nobody changes it any more. */
    public SymbolIndex(ByteBuffer stored) {
        bytes = stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        count = bytes.getInt(0);
        names = bytes.getInt(4);
        placesAt = HEAD + ROW * count;
        textAt = placesAt + Integer.BYTES * (names + 1);
    }

    /** All of it. */
    public ByteBuffer bytes() {
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The symbol that covers the address, or null. */
    public ElfSymbol find(long address) {
        int at = covering(address);
        return at < 0 ? null : symbol(at);
    }

    /** Returns where the symbol begins that covers the address; -1 if none does. */
    public long startAround(long address) {
        int at = covering(address);
        return at < 0 ? -1 : start(at);
    }

    private int covering(long address) {
        int unsized = -1;
        for (int at = lastUpTo(address); at >= 0 && reach(at) > address; at--) {
            if (end(at) <= address) {
                continue;
            }
            if (isSized(at)) {
                return at;
            }
            unsized = unsized < 0 ? at : unsized;
        }
        return unsized;
    }

    /** Tells whether a symbol with a size covers the address. */
    public boolean isSizedAt(long address) {
        int at = covering(address);
        return at >= 0 && isSized(at);
    }

    /** All names of symbols that start at the address. */
    public List<String> namesAt(long address) {
        int at = lastUpTo(address);
        if (at < 0 || start(at) != address) {
            return List.of();
        }
        int next = at + 1 < count ? firstName(at + 1) : names;
        List<String> found = new ArrayList<>(next - firstName(at));
        for (int name = firstName(at); name < next; name++) {
            found.add(name(name));
        }
        return found;
    }

    /** All symbols, sorted by address. */
    public List<ElfSymbol> all() {
        List<ElfSymbol> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(symbol(i));
        }
        return all;
    }

    /** The last symbol that does not begin behind an address; -1 if all do. */
    private int lastUpTo(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (start(middle) <= address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private ElfSymbol symbol(int at) {
        return new ElfSymbol(start(at), end(at) - start(at), name(firstName(at)));
    }

    private boolean isSized(int at) {
        return bytes.getInt(row(at) + SIZED) != 0;
    }

    private static int row(int at) {
        return HEAD + ROW * at;
    }

    private long start(int at) {
        return bytes.getLong(row(at));
    }

    private long end(int at) {
        return bytes.getLong(row(at) + END);
    }

    private long reach(int at) {
        return bytes.getLong(row(at) + REACH);
    }

    private int firstName(int at) {
        return bytes.getInt(row(at) + NAME);
    }

    private String name(int name) {
        int from = bytes.getInt(placesAt + Integer.BYTES * name);
        byte[] text = new byte[bytes.getInt(placesAt + Integer.BYTES * (name + 1)) - from];
        bytes.get(textAt + from, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Puts the rows together. */
    private static final class Rows {
        private final ByteBuffer bytes;
        private final LongUnaryOperator ends;
        private long reach;

        Rows(List<SymbolCandidate> sorted, LongUnaryOperator ends) {
            this.ends = ends;
            byte[][] texts = new byte[sorted.size()][];
            int text = 0;
            for (int i = 0; i < texts.length; i++) {
                texts[i] = sorted.get(i).name().getBytes(StandardCharsets.UTF_8);
                text += texts[i].length;
            }
            int count = groups(sorted);
            bytes = ByteBuffer.allocate(
                            HEAD + ROW * count + Integer.BYTES * (texts.length + 1) + text)
                    .order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(count).putInt(texts.length).putInt(text).putInt(0);
            addAll(sorted);
            int place = 0;
            for (byte[] name : texts) {
                bytes.putInt(place);
                place += name.length;
            }
            bytes.putInt(place);
            for (byte[] name : texts) {
                bytes.put(name);
            }
            bytes.flip();
        }

        private static int groups(List<SymbolCandidate> sorted) {
            int count = 0;
            for (int i = 0; i < sorted.size(); i++) {
                if (i == 0 || sorted.get(i).address() != sorted.get(i - 1).address()) {
                    count++;
                }
            }
            return count;
        }

        private void addAll(List<SymbolCandidate> sorted) {
            for (int first = 0; first < sorted.size(); ) {
                int next = first + 1;
                while (next < sorted.size()
                        && sorted.get(next).address() == sorted.get(first).address()) {
                    next++;
                }
                long following = next < sorted.size() ? sorted.get(next).address() : Long.MAX_VALUE;
                add(sorted.subList(first, next), first, following);
                first = next;
            }
        }

        private void add(List<SymbolCandidate> aliases, int firstName, long following) {
            SymbolCandidate shown = aliases.get(0);
            long size = ends.applyAsLong(shown.address()) - shown.address();
            for (SymbolCandidate alias : aliases) {
                size = Math.max(size, alias.size());
            }
            boolean sized = size > 0;
            if (!sized) {
                size = Math.max(0, Math.min(following, shown.limit()) - shown.address());
            }
            long end = shown.address() + size;
            reach = Math.max(reach, end);
            bytes.putLong(shown.address()).putLong(end).putLong(reach);
            bytes.putInt(firstName).putInt(sized ? 1 : 0);
        }
    }
}

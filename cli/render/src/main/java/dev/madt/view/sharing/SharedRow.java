package dev.madt.view.sharing;

import dev.madt.view.DataObject;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Counts what threads do with data that have a name in common, and says what keeps them apart. */
final class SharedRow {
    /** Locks that are named where there are several. */
    private static final int NAMES = 3;

    private final NamedBytes data;
    /** Says whether it is what locks are made of. */
    final boolean lock;
    /** Indexes of threads. */
    final BitSet threads = new BitSet();

    final BitSet writers = new BitSet();
    long accesses;
    long stores;
    long bytes;
    /** Bytes that threads accessed in no order, without a lock in common. */
    long unguarded;

    private long atomic;
    private boolean isAtomicType;
    private boolean isSystems;
    private boolean guarded;
    private boolean read;
    private boolean sameBlock = true;
    /** Locks of all bytes; null: none is known yet. */
    private Set<String> single;
    /** Names that the locks of all bytes have in common. */
    private Set<String> common;
    /** The same of locks that lie with what they guard. */
    private Set<String> own;

    /** Holds locks that threads had as readers, of all bytes that are unguarded. */
    private Set<String> readers;

    private final Set<String> all = new TreeSet<>();

    SharedRow(String name, boolean lock) {
        data = NamedBytes.of(name);
        this.lock = lock;
    }

    String name() {
        return data.text();
    }

    /** Says which rows are alike but for where their bytes lie. */
    record Alike(String data, String under, BitSet threads, BitSet writers) {}

    Alike alike() {
        return new Alike(data.group(), under(), threads, writers);
    }

    /** Adds the bytes of a row that is alike, and has been told. */
    void join(SharedRow other) {
        data.add(other.data);
        accesses += other.accesses;
        stores += other.stores;
        bytes += other.bytes;
        unguarded += other.unguarded;
    }

    /** Says that the type is one of atomic variables. */
    void atomicType() {
        isAtomicType = true;
    }

    /** Says that only the C library stores to it, and that it is its own variable. */
    void systems() {
        isSystems = true;
    }

    /**
     * Adds bytes.
     *
     * @param each the name of these alone
     */
    void add(SharedCell cell, Supplier<String> each) {
        int count = Integer.bitCount(cell.bytes);
        threads.or(cell.threads());
        writers.or(cell.writers());
        accesses += cell.accesses;
        stores += cell.stores;
        bytes += count;
        if (isSystems) {
            return; // it is in order by what only that library knows
        }
        if (cell.atomic || isAtomicType) {
            atomic += count;
        } else if (cell.unguarded) {
            unguarded += count;
            Set<String> names = new TreeSet<>();
            cell.readers.locks().forEach(reader -> names.add(reader.name().common()));
            readers = both(readers, names);
        } else if (cell.guards != null) {
            guarded(cell, each);
        } else {
            read |= cell.read;
        }
    }

    private void guarded(SharedCell cell, Supplier<String> each) {
        Set<String> singles = new TreeSet<>();
        Set<String> commons = new TreeSet<>();
        Set<String> owns = new TreeSet<>();
        boolean within = false;
        for (LockSet.Lock lock : cell.guards.locks()) {
            singles.add(lock.name().single());
            commons.add(lock.name().common());
            within |= cell.object.contains(lock.address());
            if (cell.object.contains(lock.address()) && isOwn(lock.name().single(), each.get())) {
                owns.add(brief(lock.name().common(), cell.object));
            }
        }
        guarded = true;
        sameBlock &= within && cell.object.kind() == DataObject.Kind.BLOCK;
        single = both(single, singles);
        common = both(common, commons);
        own = both(own, owns);
        if (all.size() <= NAMES) {
            all.addAll(singles);
        }
    }

    private String asReaders() {
        return readers.isEmpty() ? "" : " (" + String.join(", ", readers) + " for reading)";
    }

    private static Set<String> both(Set<String> known, Set<String> more) {
        if (known == null) {
            return more;
        }
        known.retainAll(more);
        return known;
    }

    /** Returns whether a lock is a member of that of which the data are a member, too. */
    private static boolean isOwn(String lock, String data) {
        int member = Math.max(lock.lastIndexOf('.'), lock.lastIndexOf("->"));
        return member > 0
                && !lock.substring(member).contains("]")
                && data.length() > member
                && data.startsWith(lock.substring(0, member))
                && (data.charAt(member) == '.' || data.charAt(member) == '-');
    }

    /** Leaves out what the data's name says, too. */
    private static String brief(String lock, DataObject object) {
        String whole = object.commonName();
        return lock.startsWith(whole) && lock.length() > whole.length()
                ? lock.substring(whole.length())
                : lock;
    }

    /** Says what keeps threads apart. */
    String under() {
        if (unguarded > 0 && unguarded == bytes) {
            return "no lock" + asReaders();
        }
        if (unguarded > 0) {
            return "no lock in part" + asReaders() + (guarded ? "; " + guards() : "");
        }
        return isSystems
                ? "the C library's"
                : guarded
                        ? guards()
                        : atomic > 0
                                ? "atomic"
                                : read ? "only read at a time" : "one thread at a time";
    }

    private String guards() {
        if (!single.isEmpty()) {
            return String.join(", ", single);
        }
        if (!own.isEmpty()) {
            return "its own " + String.join(", ", own);
        }
        if (!common.isEmpty()) {
            return "one of " + String.join(", ", common);
        }
        return sameBlock
                ? "a lock of the same block"
                : "several: " + all.stream().limit(NAMES).collect(Collectors.joining(", "))
                        + (all.size() > NAMES ? ", …" : "");
    }
}

package dev.madt.view.report;

import dev.madt.resolver.line.Members;
import java.util.function.Function;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * The rows of the members of one variable or block, or of those that share them. Rows are
 * remembered by offset and size of the access, a bounded number of them.
 *
 * @param <R> a row
 */
final class MemberRows<R> {
    /** Says what a member is called. */
    interface Naming {
        String name(Members members, long offset, long size);
    }

    private static final int KEPT = 1 << 16;
    private static final int SIZES = 7;

    private final Members members;
    private final long indices;
    private final Naming naming;
    private final Function<String, R> row;
    private final LongObjectHashMap<R> known = new LongObjectHashMap<>();
    private R whole;

    /**
     * @param members null if they are not known
     * @param indices elements of the longest array that has a row for each
     * @param row makes a row from what stands behind the name
     */
    MemberRows(Members members, long indices, Function<String, R> row) {
        this(members, indices, (of, offset, size) -> of.path(offset, size, indices), row);
    }

    /** As above; {@code row} makes a row of what {@code naming} says: nothing of a whole. */
    MemberRows(Members members, long indices, Naming naming, Function<String, R> row) {
        this.members = members;
        this.indices = indices;
        this.naming = naming;
        this.row = row;
    }

    /** The row of an access to so many bytes from an offset on. */
    R of(long offset, long size) {
        if (members == null || offset < 0) {
            return whole();
        }
        long twin = members.twin(offset, indices);
        if (size >>> SIZES != 0 || twin >>> Long.SIZE - SIZES - 1 != 0) {
            return row.apply(naming.name(members, twin, size));
        }
        long key = twin << SIZES | size;
        R tally = known.get(key);
        if (tally == null) {
            tally = row.apply(naming.name(members, twin, size));
            if (known.size() >= KEPT) {
                known.clear();
            }
            known.put(key, tally);
        }
        return tally;
    }

    private R whole() {
        if (whole == null) {
            whole = row.apply("");
        }
        return whole;
    }
}

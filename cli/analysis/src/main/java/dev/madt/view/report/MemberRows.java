package dev.madt.view.report;

import dev.madt.resolver.line.Members;
import java.util.function.Function;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * The rows of the members of one variable or block, or of those that share them. Rows are
 * remembered by offset and size of the access, a bounded number of them.
 */
final class MemberRows {
    private static final int KEPT = 1 << 16;
    private static final int SIZES = 7;

    private final Members members;
    private final long indices;
    private final Function<String, Tally> row;
    private final LongObjectHashMap<Tally> known = new LongObjectHashMap<>();
    private Tally whole;

    /**
     * @param members null if they are not known
     * @param indices elements of the longest array that has a row for each
     * @param row makes a row from what stands behind the name
     */
    MemberRows(Members members, long indices, Function<String, Tally> row) {
        this.members = members;
        this.indices = indices;
        this.row = row;
    }

    /** The row of an access to so many bytes from an offset on. */
    Tally of(long offset, long size) {
        if (members == null || offset < 0) {
            return whole();
        }
        long twin = members.twin(offset, indices);
        if (size >>> SIZES != 0 || twin >>> Long.SIZE - SIZES - 1 != 0) {
            return row.apply(members.path(twin, size, indices));
        }
        long key = twin << SIZES | size;
        Tally tally = known.get(key);
        if (tally == null) {
            tally = row.apply(members.path(twin, size, indices));
            if (known.size() >= KEPT) {
                known.clear();
            }
            known.put(key, tally);
        }
        return tally;
    }

    private Tally whole() {
        if (whole == null) {
            whole = row.apply("");
        }
        return whole;
    }
}

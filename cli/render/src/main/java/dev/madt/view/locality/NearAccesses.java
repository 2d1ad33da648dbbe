package dev.madt.view.locality;

import dev.madt.view.DataObject;
import java.util.Arrays;

/**
 * The last accesses of a thread to members: as many as a window has. Each knows near which other
 * members of its value it is, before or behind it, so that it counts once for each.
 */
final class NearAccesses {
    private final int window;
    private final long[] numbers;
    private final long[] starts;
    private final DataObject[] objects;
    private final int[] members;
    private final long[] known;
    private final TypeUse[] types;
    private int next;
    private long number;

    /** @param window accesses of the thread, with the two that are near each other */
    NearAccesses(int window) {
        this.window = window;
        this.numbers = new long[window];
        this.starts = new long[window];
        this.objects = new DataObject[window];
        this.members = new int[window];
        this.known = new long[window];
        this.types = new TypeUse[window];
        Arrays.fill(numbers, -window);
    }

    /** An access to what is in no member. */
    void other() {
        number++;
    }

    /** An access to a member of a value, which is in an object and begins at an address. */
    void access(TypeUse type, DataObject object, long start, int member) {
        type.access(member);
        long mask = 0;
        for (int i = 1; i < window; i++) {
            int at = next - i < 0 ? next - i + window : next - i;
            if (numbers[at] <= number - window) {
                break;
            }
            int other = members[at];
            if (starts[at] != start
                    || other == member
                    || types[at] != type
                    || !isSame(objects[at], object)) {
                continue;
            }
            if ((known[at] >>> member & 1) == 0) {
                known[at] |= 1L << member;
                type.near(other, member);
            }
            if ((mask >>> other & 1) == 0) {
                mask |= 1L << other;
                type.near(member, other);
            }
        }
        numbers[next] = number++;
        starts[next] = start;
        objects[next] = object;
        members[next] = member;
        known[next] = mask;
        types[next] = type;
        next = next + 1 == window ? 0 : next + 1;
    }

    /** Compares also what has become another object, since something else is known by now. */
    private static boolean isSame(DataObject one, DataObject other) {
        return one == other
                || one.kind() == other.kind()
                        && one.start() == other.start()
                        && (one.block() == null
                                || one.block().number() == other.block().number());
    }
}

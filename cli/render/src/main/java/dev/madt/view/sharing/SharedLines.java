package dev.madt.view.sharing;

import dev.madt.view.DataObject;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Follows lines of 64 bytes by the MESI protocol, as if each thread had a processor with a cache of
 * its own that holds everything. A line <em>moves</em> when a thread stores to it while others have
 * it, or loads it while another one has changed it. A move is <em>false</em> if others have stored
 * only to other bytes of the line since the thread had it last.
 */
final class SharedLines {
    static final List<String> HEADINGS =
            List.of("moves", "false", "up to", "threads", "line", "written", "remedy");

    static final int LINE = 64;

    private static final int SHIFT = 6;
    private static final int NAMES = 4;
    /** Leaves out what happens once, as a variable gets its first value, costs nothing. */
    private static final int OFTEN = 10;

    /** Holds what a thread did with a line. */
    private static final class User {
        private boolean valid;
        private long wrote;
        private long touched;
        /** Bytes that others have stored to since it had the line. */
        private long changed;

        private long accesses;
        private long stores;
        private final Set<String> names = new LinkedHashSet<>();
        private final Set<String> common = new LinkedHashSet<>();

        /** Counts an access that changes nothing, as no other thread has come between. */
        private boolean repeats(Line line, long bytes, boolean store) {
            if (((store ? line.stored : touched) & bytes) != bytes) {
                return false;
            }
            accesses++;
            stores += store ? 1 : 0;
            return true;
        }
    }

    private static final class Line {
        private final Map<Integer, User> users = new LinkedHashMap<>();
        /** The thread that has changed it, while no other one has it. */
        private int owner = -1;

        /** The user that accessed it last, and bytes that it has stored to since it came. */
        private User last;

        private int lastThread;
        private long stored;

        private long moves;
        private long wrong;
        private String name;
    }

    private final ThreadFeed feed;
    private final LongObjectHashMap<Line> lines = new LongObjectHashMap<>();

    SharedLines(ThreadFeed feed) {
        this.feed = feed;
    }

    void access(int thread, long address, int size, boolean store, DataObject object) {
        long end = address + size;
        for (long at = address; Long.compareUnsigned(at, end) < 0; at = (at | LINE - 1) + 1) {
            access(thread, at, Math.min(end, (at | LINE - 1) + 1), store, object);
        }
    }

    private void access(int thread, long from, long to, boolean store, DataObject object) {
        Line line = lines.getIfAbsentPut(from >>> SHIFT, Line::new);
        long bytes = mask((int) (from & LINE - 1), (int) (to - from));
        boolean again = line.last != null && line.lastThread == thread;
        if (again && line.last.repeats(line, bytes, store)) {
            return;
        }
        User user = again ? line.last : line.users.computeIfAbsent(thread, absent -> new User());
        if (!again) {
            line.last = user;
            line.lastThread = thread;
            line.stored = 0;
        }
        line.stored |= store ? bytes : 0;
        user.accesses++;
        if ((user.touched | bytes) != user.touched) {
            name(line, user, from, object);
        }
        boolean moves = store ? moves(line, user) : !user.valid && line.owner >= 0;
        if (moves) {
            line.moves++;
            line.wrong += (user.changed & bytes) == 0 ? 1 : 0;
        }
        user.valid = true;
        user.changed = 0;
        user.touched |= bytes;
        if (store) {
            user.wrote |= bytes;
            user.stores++;
            line.owner = thread;
            for (User other : line.users.values()) {
                if (other != user) {
                    other.valid = false;
                    other.changed |= bytes;
                }
            }
        } else if (moves) {
            line.owner = -1;
        }
    }

    private static boolean moves(Line line, User user) {
        for (User other : line.users.values()) {
            if (other != user && other.valid) {
                return true;
            }
        }
        return false;
    }

    private static long mask(int from, int count) {
        return count >= LINE ? -1 : (1L << count) - 1 << from;
    }

    private void name(Line line, User user, long at, DataObject object) {
        String name = feed.single(object, at);
        line.name = line.name == null ? name : line.name;
        if (user.names.size() < NAMES) {
            user.names.add(name);
            user.common.add(feed.name(object, at));
        }
    }

    /** Returns how often lines moved. */
    long moves() {
        return lines.stream().mapToLong(line -> line.moves).sum();
    }

    /** Returns how often each line moved that did, by its first address. */
    Map<Long, Long> movesByLine() {
        Map<Long, Long> moves = new HashMap<>();
        lines.forEachKeyValue((number, line) -> {
            if (line.moves > 0) {
                moves.put(number << SHIFT, line.moves);
            }
        });
        return moves;
    }

    /** Returns how many lines are shared for nothing. */
    long wronglyShared() {
        return lines.stream().filter(SharedLines::isFalse).count();
    }

    /** Returns whether a thread often stores to bytes that another one uses the line without. */
    private static boolean isFalse(Line line) {
        if (line.wrong == 0) {
            return false;
        }
        for (User one : line.users.values()) {
            for (User other : line.users.values()) {
                if (one != other
                        && one.stores >= OFTEN
                        && other.accesses >= OFTEN
                        && (one.wrote & other.touched) == 0
                        && (other.wrote & one.touched) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns how often a line would move if its threads took turns as often as they can. */
    private static long most(Line line) {
        long all = line.users.values().stream().mapToLong(user -> user.accesses).sum();
        long busiest = line.users.values().stream()
                .mapToLong(user -> user.accesses)
                .max()
                .orElse(0);
        return Math.max(line.moves, Math.min(all, 2 * (all - busiest)));
    }

    /**
     * The rows, those first that are shared for nothing and may move most.
     *
     * @param top rows at most; 0: all
     */
    Table table(int top) {
        List<Map.Entry<Long, Line>> all = new ArrayList<>();
        lines.forEachKeyValue((number, line) -> {
            if (line.moves > 0) {
                all.add(Map.entry(number << SHIFT, line));
            }
        });
        all.sort(Comparator.comparing((Map.Entry<Long, Line> one) -> !isFalse(one.getValue()))
                .thenComparing(one -> -most(one.getValue()))
                .thenComparing(Map.Entry::getKey));
        return new Table("lines", HEADINGS)
                .spare(List.of("line"))
                .first(all, top, one -> cells(one.getKey(), one.getValue()))
                .total(
                        moves(),
                        lines.stream().mapToLong(line -> line.wrong).sum(),
                        null,
                        null,
                        "total",
                        null,
                        null);
    }

    private static Object[] cells(long address, Line line) {
        return new Object[] {
            line.moves,
            line.wrong,
            most(line),
            (long) line.users.size(),
            "0x" + Long.toHexString(address),
            written(line),
            isFalse(line) ? remedy(line) : null
        };
    }

    private static String written(Line line) {
        return line.users.entrySet().stream()
                .filter(user -> user.getValue().wrote != 0)
                .map(user -> user.getKey() + ": " + String.join(", ", user.getValue().names))
                .collect(Collectors.joining("; "));
    }

    /** Says what to keep apart. */
    private static String remedy(Line line) {
        List<User> writers =
                line.users.values().stream().filter(user -> user.wrote != 0).toList();
        Set<String> common = new LinkedHashSet<>();
        writers.forEach(user -> common.addAll(user.common));
        boolean elements = common.size() < writers.size()
                || common.stream().anyMatch(name -> name.contains("[]"));
        String names = common.stream().limit(NAMES).collect(Collectors.joining(", "));
        return elements
                ? "a line for each element of " + names + ": alignas(64)"
                : "a line for each of " + names + ": alignas(64)";
    }
}

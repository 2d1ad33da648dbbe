package dev.madt.view.sharing;

import dev.madt.console.Numbers;
import dev.madt.tracker.PagedCells;
import dev.madt.view.DataObject;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Follows lines of 64 bytes by the MESI protocol, as if each thread had a processor with a cache of
 * its own that holds everything. A line <em>moves</em> when a thread stores to it while others have
 * it, or loads it while another one has changed it. A move is <em>false</em> if there would be none
 * with a line for each byte: until the thread loses the line, it meets no byte that another one has
 * stored to since it met it last, and stores to none that another one has met since. So the first
 * load of what another one has stored is no false move, nor is taking a line over from those that
 * load the same. These are the useless misses of Dubois and others (1993), and the like for a store
 * to a line that the thread has.
 */
final class SharedLines {
    static final String WHY = "why";
    static final List<String> HEADINGS = List.of(
            "moves", "false", "up to", "threads", "line", "written", WHY, "remedy", "picture");

    static final int LINE = 64;

    private static final int SHIFT = 6;
    private static final int NAMES = 4;
    /** Pieces of what has names: a line of integers has so many. */
    private static final int KEPT = 16;

    /** Writers that have a letter of their own, from A on. */
    private static final int LETTERS = 26;
    /** Stands for a writer without a letter, and for several of one byte. */
    private static final char MANY = '#';

    private static final char SEVERAL = '*';
    private static final char LOADED = ':';

    /** Leaves out what happens once, as a variable gets its first value, costs nothing. */
    private static final int OFTEN = 10;

    /** Says that an access gets bytes that another thread has stored to. */
    private static final int GETS = 1;
    /** Says that a store takes bytes away from a thread that has them. */
    private static final int TAKES = 2;

    /** Something that a thread accessed. */
    private record Named(DataObject object, long address) {}

    /** Holds what a thread did with a line. */
    private static final class User {
        private final int thread;
        private boolean valid;
        private long wrote;
        private long touched;
        /** Bytes that it has touched since another thread stored to them. */
        private long has;

        /** Says what would make the latest move that brought it the line a true one; 0: nothing. */
        private int fetched;
        /** Says the same of the latest one by which it took a line that it had from others. */
        private int claimed;

        private long accesses;
        private long stores;
        /** Holds what it touched first in the line. */
        private final List<Named> named = new ArrayList<>(1);

        private User(int thread) {
            this.thread = thread;
        }

        private void name(DataObject object, long address) {
            if (named.size() < KEPT) {
                named.add(new Named(object, address));
            }
        }

        private boolean hasStored(long address) {
            return (wrote >>> (address & LINE - 1) & 1) != 0;
        }

        private boolean isSystems() {
            return named.stream().allMatch(each -> LockObjects.isSystems(each.object()));
        }

        /** Counts an access that changes nothing, as no other thread has come between. */
        private boolean repeats(Line line, long bytes, boolean store) {
            if (((store ? line.stored : has) & bytes) != bytes) {
                return false;
            }
            accesses++;
            stores += store ? 1 : 0;
            return true;
        }

        private boolean isInDoubt() {
            return (fetched | claimed) != 0;
        }

        /** Returns whether this is the first use of a move that passed for a false one. */
        private boolean redeems(int use) {
            if ((claimed & use) != 0) {
                claimed = 0;
                return true;
            }
            boolean redeemed = (fetched & use) != 0;
            fetched = redeemed ? 0 : fetched;
            return redeemed;
        }

        /** Remembers a move that is false unless it turns out to be of use. */
        private void doubt(boolean store) {
            if (valid) {
                claimed = TAKES;
            } else {
                fetched = store ? GETS | TAKES : GETS;
            }
        }

        /** Loses the line, as another thread stores to it. */
        private void lose(long bytes) {
            valid = false;
            has &= ~bytes;
            fetched = 0;
            claimed = 0;
        }
    }

    private static final class Line {
        /** Threads in the order in which they came; few. */
        private User[] users = new User[1];

        private int count;
        /** The thread that has changed it, while no other one has it. */
        private int owner = -1;

        /** The user that accessed it last, and bytes that it has stored to since it came. */
        private User last;

        private long stored;

        /** Bytes that any thread has stored to. */
        private long written;

        private long moves;
        private long wrong;

        private User user(int thread) {
            for (int i = 0; i < count; i++) {
                if (users[i].thread == thread) {
                    return users[i];
                }
            }
            if (count == users.length) {
                users = Arrays.copyOf(users, 2 * count);
            }
            User made = new User(thread);
            users[count++] = made;
            return made;
        }

        private Stream<User> users() {
            return Arrays.stream(users, 0, count);
        }

        /** Returns whether another thread has it. */
        private boolean isWithOthers(User user) {
            for (int i = 0; i < count; i++) {
                if (users[i] != user && users[i].valid) {
                    return true;
                }
            }
            return false;
        }

        /** Takes it away from all other threads. */
        private void change(User by, long bytes) {
            for (int i = 0; i < count; i++) {
                if (users[i] != by) {
                    users[i].lose(bytes);
                }
            }
        }

        /** Returns which of {@link #GETS} and {@link #TAKES} moves bytes with a line for each. */
        private int use(User user, long bytes, boolean store) {
            int use = (bytes & ~user.has & written) == 0 ? 0 : GETS;
            for (int i = 0; store && i < count; i++) {
                if (users[i] != user && (users[i].has & bytes) != 0) {
                    return use | TAKES;
                }
            }
            return use;
        }

        private void move(User user, boolean store, int use) {
            moves++;
            user.claimed = store ? 0 : user.claimed; // that one was for nothing
            if (use == 0) {
                wrong++;
                user.doubt(store);
            }
        }
    }

    private final ThreadFeed feed;
    private final PagedCells<Line> lines = new PagedCells<>(SHIFT);

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
        Line line = lines.get(from);
        if (line == null) {
            line = new Line();
            lines.put(from, line);
        }
        long bytes = mask((int) (from & LINE - 1), (int) (to - from));
        boolean again = line.last != null && line.last.thread == thread;
        if (again && line.last.repeats(line, bytes, store)) {
            return;
        }
        User user = again ? line.last : line.user(thread);
        if (!again) {
            line.last = user;
            line.stored = 0;
        }
        line.stored |= store ? bytes : 0;
        user.accesses++;
        if ((user.touched | bytes) != user.touched) {
            user.name(object, from);
        }
        boolean moves = store ? line.isWithOthers(user) : !user.valid && line.owner >= 0;
        if (moves) {
            line.move(user, store, line.use(user, bytes, store));
        } else if (user.isInDoubt() && user.redeems(line.use(user, bytes, store))) {
            line.wrong--;
        }
        user.valid = true;
        user.has |= bytes;
        user.touched |= bytes;
        if (store) {
            user.wrote |= bytes;
            user.stores++;
            line.written |= bytes;
            line.owner = thread;
            line.change(user, bytes);
        } else if (moves) {
            line.owner = -1;
        }
    }

    private static long mask(int from, int count) {
        return count >= LINE ? -1 : (1L << count) - 1 << from;
    }

    /** Returns how often lines moved. */
    long moves() {
        return sum(line -> line.moves);
    }

    /** Returns how often they did that would not with a line for each byte. */
    long falseMoves() {
        return sum(line -> line.wrong);
    }

    private long sum(ToLongFunction<Line> of) {
        long[] sum = {0};
        lines.forEach((address, line) -> sum[0] += of.applyAsLong(line));
        return sum[0];
    }

    /** Returns how often each line moved that did, by its first address. */
    Map<Long, Long> movesByLine() {
        Map<Long, Long> moves = new HashMap<>();
        lines.forEach((address, line) -> {
            if (line.moves > 0) {
                moves.put(address, line.moves);
            }
        });
        return moves;
    }

    /** Returns how many lines are shared for nothing. */
    long wronglyShared() {
        return sum(line -> isFalse(line) ? 1 : 0);
    }

    /**
     * Returns whether a thread often stores to bytes that another one uses the line without. What
     * the C library keeps side by side nobody can put apart.
     */
    private static boolean isFalse(Line line) {
        if (line.wrong == 0) {
            return false;
        }
        for (User one : line.users().toList()) {
            for (User other : line.users().toList()) {
                if (one != other
                        && one.stores >= OFTEN
                        && other.accesses >= OFTEN
                        && !(one.isSystems() && other.isSystems())
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
        long all = line.users().mapToLong(user -> user.accesses).sum();
        long busiest = line.users().mapToLong(user -> user.accesses).max().orElse(0);
        return Math.max(line.moves, Math.min(all, 2 * (all - busiest)));
    }

    /**
     * The rows, those first that are shared for nothing and may move most.
     *
     * @param top rows at most; 0: all
     */
    Table table(int top) {
        List<Map.Entry<Long, Line>> all = new ArrayList<>();
        lines.forEach((address, line) -> {
            if (line.moves > 0) {
                all.add(Map.entry(address, line));
            }
        });
        all.sort(Comparator.comparing((Map.Entry<Long, Line> one) -> !isFalse(one.getValue()))
                .thenComparing(one -> -most(one.getValue()))
                .thenComparing(Map.Entry::getKey));
        return new Table("lines", HEADINGS)
                .spare(List.of("line"))
                .first(all, top, one -> cells(one.getKey(), one.getValue()))
                .total(moves(), falseMoves(), null, null, "total", null, null, null, null);
    }

    private Object[] cells(long address, Line line) {
        return new Object[] {
            line.moves,
            line.wrong,
            most(line),
            (long) line.count,
            "0x" + Long.toHexString(address),
            written(line),
            new Table.Below(why(line)),
            isFalse(line) ? new Table.Below(remedy(line)) : null,
            new Table.Below(drawn(line))
        };
    }

    private static List<User> writers(Line line) {
        return line.users().filter(user -> user.wrote != 0).toList();
    }

    /** Returns the letter of a writer; those behind the 26th share one. */
    private static char letter(int writer) {
        return writer < LETTERS ? (char) ('A' + writer) : MANY;
    }

    private String written(Line line) {
        List<User> writers = writers(line);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < writers.size(); i++) {
            User user = writers.get(i);
            text.append(i == 0 ? "" : "; ").append(letter(i)).append(' ').append(user.thread);
            text.append(": ").append(String.join(", ", names(user, feed::single)));
        }
        return text.toString();
    }

    /** Draws a line, a letter for each byte. */
    private static String drawn(Line line) {
        List<User> writers = writers(line);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINE; i++) {
            long bit = 1L << i;
            long users = line.users().filter(user -> (user.touched & bit) != 0).count();
            char letter = users == 0 ? '.' : LOADED;
            for (int k = 0; k < writers.size(); k++) {
                if ((writers.get(k).wrote & bit) != 0) {
                    char own = users == 1 ? letter(k) : Character.toLowerCase(letter(k));
                    letter = letter == LOADED ? own : SEVERAL;
                }
            }
            text.append(letter);
        }
        return text.toString();
    }

    private static Set<String> names(User user, BiFunction<DataObject, Long, String> name) {
        return names(user, name, one -> true);
    }

    private static Set<String> names(
            User user, BiFunction<DataObject, Long, String> name, Predicate<Named> isOne) {
        return user.named.stream()
                .filter(isOne)
                .map(one -> name.apply(one.object(), one.address()))
                .distinct()
                .limit(NAMES)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Says which data of which threads lie in the line. */
    private String why(Line line) {
        String users = line.users()
                .limit(NAMES)
                .map(user -> "thread " + feed.label(user.thread) + ' ' + does(user))
                .collect(Collectors.joining("; "));
        String more = line.count > NAMES
                ? "; and " + Numbers.counted(line.count - NAMES, "more thread", "more threads")
                : "";
        return users + more + (isFalse(line) ? ": not the same data, but the same line" : "");
    }

    private String does(User user) {
        Set<String> stored = names(user, feed::single, one -> user.hasStored(one.address()));
        Set<String> loaded = names(user, feed::single, one -> !user.hasStored(one.address()));
        loaded.removeAll(stored);
        return Stream.of(
                        stored.isEmpty() ? "" : "stores to " + String.join(", ", stored),
                        loaded.isEmpty() ? "" : "loads " + String.join(", ", loaded))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and "));
    }

    /** Says what to keep apart. */
    private String remedy(Line line) {
        List<User> writers = writers(line);
        Set<String> common = new LinkedHashSet<>();
        writers.forEach(user -> common.addAll(names(user, feed::name)));
        boolean elements = common.size() < writers.size()
                || common.stream().anyMatch(name -> name.contains("[]"));
        String names = common.stream().limit(NAMES).collect(Collectors.joining(", "));
        return elements
                ? "a line for each element of " + names + ": alignas(64), padding up to 64 bytes,"
                        + " or one struct for each thread"
                : "a line for each of " + names + ": alignas(64), padding between them, or one"
                        + " struct for each thread";
    }
}

package dev.madt.view.sharing;

import dev.madt.tracker.PagedCells;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Knows which bytes belong to locks and other objects by which threads wait for each other. */
final class LockObjects {
    /** Bytes of the largest lock of the C library. */
    private static final long LOCK_BYTES = 56;

    private static final int SHIFT = 3;

    private static final Pattern SYSTEM =
            Pattern.compile("\\[(libc|libpthread|ld-linux[^]]*|libtsan)[.\\-\\]].*");
    /**
     * Of Rust's library and of two of C++, by the linker: what loads and stores atomic variables by
     * plain moves, of whichever type they are ({@code std::atomic_ref}, {@code std::once_flag}, the
     * guard of a variable that is made once).
     */
    private static final Pattern MOVES = Pattern.compile(
            "4core4sync6atomic(11atomic_load|12atomic_store)|^_ZNSt13__atomic_impl(4load|5store)I"
                    + "|^_ZNSt3__1(17__cxx_atomic_load|18__cxx_atomic_store|11__call_onceE"
                    + "|2[12]__libcpp_(acquire|relaxed)_(load|store)I)"
                    + "|^__cxa_guard_(acquire|release|abort)$");

    /** Says whether a process has had one thread alone: each thread that is made stores there. */
    private static final String ONE_THREAD = "__libc_single_threaded";

    private static final Pattern TEAMS = Pattern.compile("\\[lib(g|i)?omp5?[.\\-\\]].*");

    /** Of Go's runtime, without what it does to data of others, and parts of functions of C. */
    private static final Pattern GO = Pattern.compile(
            "(?:runtime|internal/runtime/(?!maps)\\w+|runtime/internal/\\w+|sync/atomic)\\."
                    + "(?!mem|typed|map|slice|grow|concat|str|raw|bulk|\\w*hash"
                    + "|part\\.|isra\\.|constprop\\.|cold|lto_priv|llvm).*");

    /** Says whose code it is. */
    private enum Owner {
        SYSTEM,
        TEAMS,
        ATOMIC,
        GO,
        OTHER
    }

    private final TreeSet<Long> starts = new TreeSet<>();
    /** The last lock that may reach into each eight bytes. */
    private final PagedCells<Long> locks = new PagedCells<>(SHIFT);

    private final Set<String> names = new HashSet<>();
    private final Notes<Owner> owners = new Notes<>();

    /** Returns what this keeps on places. */
    Notes<?> notes() {
        return owners;
    }

    void add(long address) {
        if (starts.add(address)) {
            long end = address + LOCK_BYTES;
            for (long at = address & -(1 << SHIFT); at < end; at += 1 << SHIFT) {
                Long other = locks.get(at);
                locks.put(at, other == null ? address : Long.valueOf(Math.max(other, address)));
            }
        }
    }

    /** @param name that a lock shares with others of its kind */
    void add(long address, String name) {
        add(address);
        names.add(name);
    }

    /** Returns whether it is the first word of a lock, which any of them has. */
    boolean isFirstWord(long address) {
        return starts.contains(address & -Integer.BYTES);
    }

    /** Returns whether it may belong to a lock of the C library, if that accesses it. */
    boolean isWithin(long address) {
        Long lock = locks.get(address);
        if (lock != null && lock > address) {
            lock = starts.floor(address);
        }
        return lock != null && address - lock < LOCK_BYTES;
    }

    /** Returns whether a lock is called so. */
    boolean isNamed(String name) {
        return names.contains(name);
    }

    /** Returns whether code is that of the C library, or of one that makes threads. */
    boolean isOfSystem(Place place) {
        return isOfC(place) || isOfTeams(place);
    }

    /** Returns whether code is that of the C library, whose functions tell what orders threads. */
    boolean isOfC(Place place) {
        return owner(place) == Owner.SYSTEM;
    }

    /** Returns whether code is that of a library that makes teams of threads. */
    boolean isOfTeams(Place place) {
        return owner(place) == Owner.TEAMS;
    }

    /** Returns whether code is Go's runtime, which orders its threads by means of its own. */
    boolean isOfGo(Place place) {
        return owner(place) == Owner.GO;
    }

    /**
     * Returns whether an access is atomic: by its instruction, or since it is what a library for
     * that does to a variable that it is given.
     */
    boolean isAtomic(Place place) {
        return place.site() != null && place.site().atomic() || owner(place) == Owner.ATOMIC;
    }

    private Owner owner(Place place) {
        Owner known = owners.of(place);
        if (known == null) {
            known = owner(place.module());
            if (known == Owner.OTHER) {
                known = within(place);
            }
            owners.keep(place, known);
        }
        return known;
    }

    private static Owner within(Place place) {
        if (place.frame() == Place.NO_FRAME
                && MOVES.matcher(place.innermostSymbol()).find()) {
            return Owner.ATOMIC;
        }
        return isOfGo(place.symbol()) ? Owner.GO : Owner.OTHER;
    }

    /** Returns whether a function is one of Go's runtime that works for itself. */
    static boolean isOfGo(String symbol) {
        return GO.matcher(symbol).matches();
    }

    private static Owner owner(String module) {
        if (TEAMS.matcher(module).matches()) {
            return Owner.TEAMS;
        }
        return SYSTEM.matcher(module).matches() ? Owner.SYSTEM : Owner.OTHER;
    }

    /**
     * Returns whether it says of a variable of C++ that it is made once (C++ ABI, 3.3.3 and
     * 5.1.5.2): it is atomic.
     */
    static boolean isGuard(DataObject object) {
        return object.name().startsWith("_ZGV") || object.name().startsWith("guard variable for ");
    }

    /** Returns whether a variable says how many threads there are, which no thread waits for. */
    static boolean isOfThreads(DataObject object) {
        return object.name().equals(ONE_THREAD);
    }

    /** Returns whether a variable is the C library's, which may lie in a program, too. */
    static boolean isSystems(DataObject object) {
        return object.kind() == DataObject.Kind.VARIABLE
                && (object.name().startsWith("__") || owner(object.region()) != Owner.OTHER);
    }
}

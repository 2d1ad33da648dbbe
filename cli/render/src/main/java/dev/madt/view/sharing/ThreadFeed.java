package dev.madt.view.sharing;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.tracker.ThreadNames;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import dev.madt.view.locks.LockFollower;
import dev.madt.view.locks.LockName;
import dev.madt.view.locks.LockNames;
import dev.madt.view.locks.UnseenLocks;
import dev.madt.view.report.DataMembers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Takes what threads do in one order: their accesses, bulk transfers among them in pieces of eight
 * bytes, with the locks that they hold.
 */
abstract class ThreadFeed implements Analysis {
    private static final int PIECE = 8;
    /** Bytes of a bulk transfer that are looked at. */
    private static final long MOST_BYTES = 1 << 20;

    /** A lock that a thread holds. */
    record Held(long lock, LockName name, boolean shared) {
        private LockSet.Lock inSet() {
            return new LockSet.Lock(lock, name, shared);
        }
    }

    private final MemberTypes types;
    private final LockNames names;
    private final IntObjectHashMap<List<Held>> held = new IntObjectHashMap<>();
    private final IntObjectHashMap<LockSet> sets = new IntObjectHashMap<>();
    /** Holds the same as guards of loads. */
    private final IntObjectHashMap<LockSet> loads = new IntObjectHashMap<>();
    /** Sets of one lock, by its address. */
    private final LongObjectHashMap<LockSet> alone = new LongObjectHashMap<>();

    private final LongObjectHashMap<LockSet> aloneShared = new LongObjectHashMap<>();

    private final Set<Integer> threads = new HashSet<>();
    private final ThreadNames threadNames = new ThreadNames();
    private Neighbours space;
    private boolean locks;
    private boolean stacks;
    private String completeness;
    private String only;
    private String unseen;
    private long accesses;
    private long windows;

    /** @param types what is known of them; may become more while the trace is read */
    ThreadFeed(MemberTypes types) {
        this.types = types;
        this.names = new LockNames(types);
    }

    /** A load or a store of a thread. */
    abstract void access(
            int thread, long address, int size, boolean store, DataObject object, Place place);

    /** A thread has got a lock, or a unit of a semaphore. */
    void got(TraceEvent.LockGot got, LockName name) {}

    /** A thread is about to release a lock; {@code known} is null if it is not known to have it. */
    void released(int thread, long lock, Held known) {}

    /** A thread is called so by those that wait for its end. */
    void handle(int thread, long handle) {}

    /** A thread does something else than fetching what the kernel sends for it. */
    void goesOn(int thread) {}

    /** A window of the recording closes: nobody sees what orders threads from there on. */
    void gap() {}

    /** Threads meet at something. */
    void sync(int thread, long object, String role) {}

    @Override
    public Needs needs() {
        return Needs.BATCHES.listing().inTime();
    }

    @Override
    public void neighbours(Neighbours there) {
        space = there;
    }

    @Override
    public void meta(Map<String, String> values) {
        locks |= values.containsKey(LockFollower.KEY);
        completeness = values.getOrDefault("completeness", completeness);
        only = values.getOrDefault("only", only);
        String others = UnseenLocks.sentence(values);
        unseen = others == null ? unseen : others;
        threadNames.take(values.getOrDefault(ThreadNames.KEY, ""));
        stacks |= values.containsKey("stack");
    }

    /** Returns whether the trace was to hold locks. */
    boolean hasLocks() {
        return locks;
    }

    /** Returns whether stacks were to be recorded, not only atomic instructions there. */
    boolean hasStacks() {
        return stacks;
    }

    /** Returns how many accesses there were. */
    long accesses() {
        return accesses;
    }

    /** Returns how many threads accessed something. */
    int threads() {
        return threads.size();
    }

    /** Returns why the answer may not be whole, a sentence each. */
    List<String> doubts() {
        List<String> all = new ArrayList<>();
        if (completeness != null && !completeness.equals("complete")) {
            all.add("the trace is " + completeness + ": accesses may be missing.");
        }
        if (unseen != null) {
            all.add(unseen + ": what they guard looks as if nothing guarded it, and races may be"
                    + " missed or made up.");
        }
        if (only != null) {
            all.add("only a part of the data was recorded (" + only + "): nothing is said of the"
                    + " others.");
        }
        if (windows > 1) {
            all.add("what was done in different windows of the recording is taken to be in order:"
                    + " what ordered threads between them is not known.");
        }
        if (!stacks) {
            all.add("variables on stacks were not recorded, such as those that a lambda captures by"
                    + " reference: madt run --stack");
        }
        return all;
    }

    /** Returns how a thread is shown: by its name and its number. */
    String label(int thread) {
        return threadNames.label(thread);
    }

    /** Returns the locks that a thread holds. */
    LockSet locksOf(int thread) {
        return sets.getIfAbsent(thread, () -> LockSet.NONE);
    }

    /** Returns the same as guards of an access: one that others may have, too, guards loads. */
    LockSet guards(int thread, boolean store) {
        return store ? locksOf(thread) : loads.getIfAbsent(thread, () -> LockSet.NONE);
    }

    /** Returns what a lock is called that a call of a thread is given, by its code word. */
    LockName nameOf(int thread, long word, long lock) {
        return names.of(space, thread, word, lock);
    }

    /** Returns what lies at an address, with its member. */
    String name(DataObject object, long address) {
        return LockNames.plain(
                DataMembers.name(object, object.commonName(), address - object.start(), types, 0));
    }

    /** Returns whether an address belongs to an atomic variable, by its type, or to a guard. */
    boolean isAtomic(DataObject object, long address) {
        if (LockObjects.isGuard(object)) {
            return true;
        }
        Members members = DataMembers.of(object, types);
        return members != null && members.isAtomic(address - object.start());
    }

    /** Returns the same with the number of the element, and of the block. */
    String single(DataObject object, long address) {
        return LockNames.plain(DataMembers.name(
                object, object.shownName(), address - object.start(), types, Long.MAX_VALUE));
    }

    @Override
    public void accesses(Accesses batch) {
        int thread = batch.thread();
        threads.add(thread);
        goesOn(thread);
        accesses += batch.count();
        for (int i = 0; i < batch.count(); i++) {
            access(
                    thread,
                    batch.address(i),
                    Math.max(1, batch.size(i)),
                    batch.store(i),
                    batch.object(i),
                    batch.place(i));
        }
    }

    @Override
    public void block(BlockAccess event) {
        threads.add(event.thread());
        if (event.kind() != BlockKind.FETCH) {
            goesOn(event.thread());
        }
        pieces(event, event.to(), event.kind() != BlockKind.FETCH, event.target());
        if (event.kind() == BlockKind.COPY) {
            pieces(event, event.from(), false, event.source());
        }
    }

    private void pieces(BlockAccess event, long from, boolean store, DataObject object) {
        long end = from + Math.min(event.reach(), MOST_BYTES);
        for (long at = from; Long.compareUnsigned(at, end) < 0; ) {
            long next = Math.min((at | PIECE - 1) + 1, end);
            access(event.thread(), at, (int) (next - at), store, object, event.place());
            at = next;
        }
    }

    @Override
    public void ring(TraceEvent event) {
        threadNames.take(event);
        if (event instanceof TraceEvent.LockGot got) {
            goesOn(got.thread());
            LockName name = nameOf(got.thread(), got.code(), got.lock());
            if (!LockWords.isSemaphore(got)) {
                hold(got, name);
            }
            got(got, name);
        } else if (event instanceof TraceEvent.LockReleased gone) {
            goesOn(gone.thread());
            released(gone.thread(), gone.lock(), release(gone));
        } else if (event instanceof TraceEvent.ThreadSync sync) {
            goesOn(sync.thread());
            sync(sync.thread(), sync.object(), EventWord.text(sync.role()));
        } else if (event instanceof TraceEvent.ThreadName name && name.handle() != 0) {
            handle(name.thread(), name.handle());
        } else if (event instanceof TraceEvent.LockUndone not && !LockWords.isVain(not)) {
            goesOn(not.thread());
            released(not.thread(), not.lock(), null); // it was got where nobody saw it
        } else if (event.type() == RingEventType.THREAD_END) {
            held.remove(event.thread());
            sets.remove(event.thread());
            loads.remove(event.thread());
        } else if (event.type() == RingEventType.RECORD_STOP) {
            held.clear();
            sets.clear();
            loads.clear();
            gap();
        } else if (event.type() == RingEventType.RECORD_START) {
            windows++;
        }
    }

    private void hold(TraceEvent.LockGot got, LockName name) {
        List<Held> all = held.getIfAbsentPut(got.thread(), ArrayList::new);
        all.add(new Held(got.lock(), name, LockWords.isShared(got)));
        put(got.thread(), set(all));
    }

    private void put(int thread, LockSet set) {
        sets.put(thread, set);
        LockSet safe = set.forLoads();
        loads.put(thread, safe.locks().size() == 1 ? single(safe.locks().get(0)) : safe);
    }

    /** Returns the locks as a set; the same one for the same lock alone, where that can be. */
    private LockSet set(List<Held> all) {
        if (all.isEmpty()) {
            return LockSet.NONE;
        }
        Held last = all.get(all.size() - 1);
        if (all.size() > 1) {
            return LockSet.of(all.stream().map(Held::inSet).toList());
        }
        return single(last.inSet());
    }

    private LockSet single(LockSet.Lock lock) {
        LongObjectHashMap<LockSet> singles = lock.shared() ? aloneShared : alone;
        LockSet known = singles.get(lock.address());
        if (known == null || known.locks().get(0).name() != lock.name()) {
            known = LockSet.of(List.of(lock));
            singles.put(lock.address(), known);
        }
        return known;
    }

    private Held release(TraceEvent.LockReleased gone) {
        List<Held> all = held.get(gone.thread());
        for (int i = all == null ? -1 : all.size() - 1; i >= 0; i--) {
            if (all.get(i).lock() == gone.lock()) {
                Held ended = all.remove(i);
                put(gone.thread(), set(all));
                return ended;
            }
        }
        return null;
    }
}

package dev.madt.view.sharing;

import dev.madt.view.DataObject;
import dev.madt.view.Place;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Holds what is known of bytes that are accessed together, for as long as the same thing lies
 * there. Threads take turns by what orders them without a lock: then the bytes are one thread's at
 * a time. Between such turns the locks count that all accesses have in common, but for those of the
 * first thread if it is known to have handed the bytes over (Eraser; Savage and others, 1997).
 */
final class SharedCell {
    private static final int[] NONE = {};

    /**
     * A thread, with what has happened before it: without locks, and with them. Its index among the
     * threads is that of {@code order}.
     */
    record User(HappensBefore.Thread order, HappensBefore.Thread full) {
        int index() {
            return order.index;
        }
    }

    DataObject object;
    /** Of the eight bytes, a bit each. */
    final int bytes;
    /** Holds what follows in these eight bytes, or null. */
    SharedCell next;

    long accesses;
    long stores;
    /** Says whether an instruction accesses it that no other one comes between. */
    boolean atomic;
    /** Says whether others than the C library access it. */
    boolean plain;
    /** Says whether others than the C library store to it. */
    boolean stored;
    /** Says whether a library that makes teams of threads accesses it. */
    boolean teams;
    /** Says whether several threads accessed it in no order, and had no lock in common. */
    boolean unguarded;
    /** Says whether several threads had it in no order, and only read it meanwhile. */
    boolean read;
    /** Null: one thread alone had it at a time, or several read it. */
    LockSet guards;
    /** Holds what its threads had in common where it is unguarded, as readers; or null. */
    LockSet readers;

    private Place place;
    private boolean placeStores;
    private User last;
    private int lastOrder;
    private int lastFull;
    private LockSet lastLocks;
    private User writer;
    private int writerOrder;
    /** The indexes of threads; null: one alone. */
    private BitSet threads;
    /** The same of those that store; null: none does. */
    private BitSet writers;
    /**
     * Holds when each thread that has it at present accessed it last, by its index; 0: it has it
     * not. Null: one alone.
     */
    private int[] users;

    /** The locks of all accesses since several threads have it. */
    private LockSet locks;
    /** Says whether one of these stores, or reads what was stored in no order with that. */
    private boolean conflict;
    /** Says whether not even locks ordered them, so that none handed it over. */
    private boolean disordered;

    SharedCell(DataObject object, int bytes) {
        this.object = object;
        this.bytes = bytes;
    }

    /** Returns the same of some of its bytes. */
    SharedCell part(int some) {
        SharedCell part = new SharedCell(object, some);
        part.accesses = accesses;
        part.stores = stores;
        part.atomic = atomic;
        part.plain = plain;
        part.stored = stored;
        part.teams = teams;
        part.unguarded = unguarded;
        part.read = read;
        part.guards = guards;
        part.place = place;
        part.placeStores = placeStores;
        part.last = last;
        part.lastOrder = lastOrder;
        part.lastFull = lastFull;
        part.lastLocks = lastLocks;
        part.writer = writer;
        part.writerOrder = writerOrder;
        part.threads = threads == null ? null : (BitSet) threads.clone();
        part.writers = writers == null ? null : (BitSet) writers.clone();
        part.users = users == null ? null : users.clone();
        part.locks = locks;
        part.readers = readers;
        part.conflict = conflict;
        part.disordered = disordered;
        return part;
    }

    /** Returns whether an access is not by the same place as the one before. */
    boolean comes(Place from, boolean store) {
        if (place == from && store == placeStores) {
            return false;
        }
        place = from;
        placeStores = store;
        return true;
    }

    void access(User user, boolean store, LockSet held) {
        accesses++;
        if (last != user || lastFull != user.full().now() || lastLocks != held) {
            if (last != null && (users != null || last != user)) {
                turn(user, held);
            }
            last = user;
            lastOrder = user.order().now();
            lastFull = user.full().now();
            lastLocks = held;
        }
        if (store) {
            stores++;
            conflict |= users != null;
            if (writer != user) {
                writer = user;
                writers = writers == null ? new BitSet() : writers;
                writers.set(user.index());
            }
            writerOrder = lastOrder;
        }
    }

    private void turn(User user, LockSet held) {
        if (threads == null) {
            threads = new BitSet();
            threads.set(last.index());
        }
        if (last != user) {
            threads.set(user.index());
        }
        boolean behind = last == user || lastOrder <= user.order().clock.get(last.order().index);
        boolean handed = last == user || lastFull <= user.full().clock.get(last.full().index);
        if (users == null && !behind) {
            users = NONE;
            conflict = false;
            uses(last.index(), lastOrder);
            disordered = false;
            locks = handed ? held : held.common(lastLocks);
        } else if (users != null && behind && isBehindAll(user)) {
            judge();
        }
        if (users != null) {
            disordered |= !handed;
            locks = locks.common(held);
            conflict |= writer != null
                    && writer != user
                    && writerOrder > user.order().clock.get(writer.order().index);
            uses(user.index(), user.order().now());
        }
    }

    private void uses(int index, int now) {
        if (index >= users.length) {
            users = Arrays.copyOf(users, index + 4);
        }
        users[index] = now;
    }

    private boolean isBehindAll(User user) {
        Clock clock = user.order().clock;
        for (int i = 0; i < users.length; i++) {
            if (i != user.index() && users[i] > clock.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Says what kept threads apart that had it. */
    void judge() {
        if (users != null && !conflict) {
            read = true;
            users = null;
        } else if (users != null && locks.guards().isEmpty()) {
            // what has a name is not handed over, but was had in turns by chance
            if (disordered || object.kind() == DataObject.Kind.VARIABLE) {
                readers = unguarded ? readers.common(locks) : locks;
                unguarded = true;
            }
            users = null;
        } else if (users != null) {
            LockSet safe = locks.guards();
            LockSet both = guards == null ? safe : guards.common(safe);
            guards = both.isEmpty() ? guards : both;
            users = null;
        }
    }

    /** Returns whether several threads accessed it, one of them storing. */
    boolean isShared() {
        return threads != null && stores > 0;
    }

    BitSet threads() {
        return threads;
    }

    BitSet writers() {
        return writers;
    }
}

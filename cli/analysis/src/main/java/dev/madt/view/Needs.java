package dev.madt.view;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Says what an {@link Analysis} needs beyond the calls of its interface. It begins with
 * {@link #BATCHES}, to which everything else is added.
 *
 * @param counter who is given most accesses in the place of {@link Analysis#accesses}, the order of
 *     the calls being kept; null: all come in batches
 * @param blocksBySite heap blocks of one call are not told from each other: all such blocks that
 *     live are one {@link DataObject}, which begins where the block at hand does
 *     ({@link Accesses#start}). So memory and time do not grow with the blocks.
 * @param touches who is told which bytes of blocks are accessed, of blocks by site; or null
 * @param lives who is told of heap blocks in the place of {@link Analysis#allocation}, which is
 *     told of all other allocations, of blocks by site; null: nobody
 * @param listsEvents events are told one by one: then a selection selects allocations as it does
 *     accesses
 * @param byTime what threads do between two ring events comes in the order of time, as far as the
 *     times of calls tell it ({@link TimeMerge}), and not chunk by chunk
 * @param chains blocks are told apart by the calls that led to their allocation, and allocations
 *     tell them ({@link Allocation#chain}); else chains are at hand where they give blocks their
 *     names
 * @param code whose accesses matter: those of other places need not be given; null: all
 * @param memory which accesses matter by where they are, as {@code code} does by who makes them;
 *     null: all. A selection is told all the same, since it counts what it selects
 * @param notes what is kept on places and data
 */
public record Needs(
        AccessCounter counter,
        boolean blocksBySite,
        BlockTouch touches,
        BlockLives lives,
        boolean listsEvents,
        boolean byTime,
        boolean chains,
        Predicate<Place> code,
        Memory memory,
        List<Notes<?>> notes) {
    /** Says whether an access to so many bytes from an address on matters. */
    public interface Memory {
        boolean concerns(long address, int size);
    }

    /** Accesses in batches, and each heap block by itself. */
    public static final Needs BATCHES =
            new Needs(null, false, null, null, false, false, false, null, null, List.of());

    public Needs counting(AccessCounter by) {
        return new Needs(
                by, blocksBySite, touches, lives, listsEvents, byTime, chains, code, memory, notes);
    }

    public Needs bySite() {
        return new Needs(
                counter, true, touches, lives, listsEvents, byTime, chains, code, memory, notes);
    }

    public Needs touching(BlockTouch by) {
        return new Needs(
                counter, blocksBySite, by, lives, listsEvents, byTime, chains, code, memory, notes);
    }

    public Needs living(BlockLives by) {
        return new Needs(
                counter,
                blocksBySite,
                touches,
                by,
                listsEvents,
                byTime,
                chains,
                code,
                memory,
                notes);
    }

    public Needs listing() {
        return new Needs(
                counter, blocksBySite, touches, lives, true, byTime, chains, code, memory, notes);
    }

    /** In the order of time. */
    public Needs inTime() {
        return new Needs(
                counter,
                blocksBySite,
                touches,
                lives,
                listsEvents,
                true,
                chains,
                code,
                memory,
                notes);
    }

    /** With the calls that led to each allocation. */
    public Needs withChains() {
        return new Needs(
                counter,
                blocksBySite,
                touches,
                lives,
                listsEvents,
                byTime,
                true,
                code,
                memory,
                notes);
    }

    public Needs keeping(Notes<?>... more) {
        return keeping(List.of(more));
    }

    public Needs keeping(List<Notes<?>> more) {
        List<Notes<?>> all = new ArrayList<>(notes);
        all.addAll(more);
        return new Needs(
                counter,
                blocksBySite,
                touches,
                lives,
                listsEvents,
                byTime,
                chains,
                code,
                memory,
                List.copyOf(all));
    }

    /** Of accesses, only those that places make which somebody wants. */
    Needs of(Predicate<Place> wanted) {
        return new Needs(
                counter,
                blocksBySite,
                touches,
                lives,
                listsEvents,
                byTime,
                chains,
                wanted,
                memory,
                notes);
    }

    /** Of accesses, only those to memory that matters; null: to any. */
    public Needs in(Memory wanted) {
        return new Needs(
                counter,
                blocksBySite,
                touches,
                lives,
                listsEvents,
                byTime,
                chains,
                code,
                wanted,
                notes);
    }

    /**
     * Returns whether one feed can serve both: all of its analyses see the same places and data.
     */
    boolean goesWith(Needs other) {
        return (counter == null) == (other.counter == null)
                && blocksBySite == other.blocksBySite
                && (touches == null || other.touches == null)
                && (lives == null) == (other.lives == null)
                && listsEvents == other.listsEvents
                && byTime == other.byTime
                && chains == other.chains
                && memory == null
                && other.memory == null;
    }

    /** Gives the notes their indexes, from which on they are of the feed at hand. */
    void begin() {
        for (int i = 0; i < notes.size(); i++) {
            notes.get(i).take(i, notes.size());
        }
    }
}

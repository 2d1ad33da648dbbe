package dev.madt.modules;

import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.event.RegionKind;
import dev.madt.tracker.IntervalTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The regions of one process as the trace tells them: every change goes into a MAPS frame as well,
 * but that of memory that goes, and may come again as it was, can wait. Regions never overlap.
 * {@link #kindAt} is for the hot path: logarithmic, constant for neighbours of the last address.
 */
public final class RegionMap {
    /** Addresses that a program has, unless it asks for others. */
    private static final long ADDRESSES = 1L << 47;
    /** Bytes of blocks that nobody asks about. */
    private static final long SMALL = 1 << 12;
    /** Regions that have gone untold, at most. */
    private static final int MOST_GONE = 1 << 10;

    /**
     * {@code end} is one past the last address; addresses of user space are positive.
     *
     * @param inScope false if the user does not want it traced
     * @param own made by MadT in the target; as if it were not there for whoever reads the trace
     */
    public record Region(
            RegionKind kind,
            int protection,
            long start,
            long end,
            long origin,
            String label,
            boolean inScope,
            boolean own) {
        Region(RegionKind kind, int protection, long start, long end, long origin, String label) {
            this(kind, protection, start, end, origin, label, true, false);
        }

        /** A stack of a thread. */
        static Region stack(int protection, long start, long end, long origin) {
            return new Region(RegionKind.STACK, protection, start, end, origin, "[stack]");
        }

        Region cut(long from, long to) {
            return between(Math.max(start, from), Math.min(end, to), origin);
        }

        /** A part that is a mapping of its own. */
        Region piece(long from, long to) {
            long first = Math.max(start, from);
            return between(first, Math.min(end, to), kind == RegionKind.ANONYMOUS ? first : origin);
        }

        private Region between(long first, long last, long from) {
            return new Region(kind, protection, first, last, from, label, inScope, own);
        }

        /** Returns what comes behind it in the same file, between two addresses. */
        Region followedBy(int rights, long from, long to) {
            return new Region(kind, rights, from, to, origin, label, inScope, own);
        }

        /** The same range, as MadT's. */
        Region madeOwn() {
            return new Region(
                    RegionKind.UNTRACED, protection, start, end, origin, label, inScope, true);
        }

        /** With other rights: 1 read, 2 write, 4 execute. */
        private Region protect(int rights) {
            return new Region(kind, rights, start, end, origin, label, inScope, own);
        }

        /** The kind that counts and is told. */
        RegionKind seenKind() {
            return inScope ? kind : RegionKind.UNTRACED;
        }

        /** Returns whether it is for the user to say that it is traced. */
        private boolean selectable() {
            return switch (kind) {
                case DATA, HEAP, ANONYMOUS, FILE, STACK -> true;
                default -> false;
            };
        }

        /** Returns whether a trace may have it for longer than it is there. */
        private boolean mayWait() {
            return !own
                    && (kind == RegionKind.ANONYMOUS
                            || kind == RegionKind.FILE
                            || kind == RegionKind.STACK);
        }

        private Region scoped(Scope scope, String program) {
            boolean covered = !selectable() || scope.isEverything() || scope.covers(label, program);
            return covered == inScope
                    ? this
                    : new Region(kind, protection, start, end, origin, label, covered, own);
        }
    }

    private final Scope scope;
    private final String program;
    private final Set<String> names;
    private final boolean waits;
    private final IntervalTree<Region> regions = new IntervalTree<>();
    /** Holds regions that are not there any more, which the trace has not been told. */
    private final IntervalTree<Region> gone = new IntervalTree<>();

    private Region last;

    public RegionMap() {
        this(Scope.EVERYTHING, "", new HashSet<>(), false);
    }

    /**
     * @param program name of the program, by which patterns of the scope may call its sections
     * @param names gets all names that patterns may call its regions
     * @param waits whether it can wait to tell that memory has gone: until something is recorded
     *     for which that matters
     */
    public RegionMap(Scope scope, String program, Set<String> names, boolean waits) {
        this.scope = scope;
        this.program = program;
        this.names = names;
        this.waits = waits;
    }

    /** Returns whether {@link #unmap} of this range tells nothing. */
    boolean goesUntold(long start, long end) {
        return waits
                && gone.size() < MOST_GONE
                && overlapping(start, end).stream()
                        .allMatch(region ->
                                region.mayWait() && start <= region.start() && region.end() <= end);
    }

    /** Returns whether {@link #add} of a region tells nothing, since the trace has it there. */
    boolean comesUntold(Region region) {
        return gone.size() > 0
                && region.scoped(scope, program).equals(gone.find(region.start()))
                && overlapping(region.start(), region.end()).isEmpty();
    }

    /** Returns whether the trace has memory that has gone. */
    public boolean isBehind() {
        return gone.size() > 0;
    }

    /** Tells what has gone. */
    public void catchUp(MapsFrame frame) {
        forgetGone(0, Long.MAX_VALUE, frame);
    }

    private void forgetGone(long start, long end, MapsFrame frame) {
        if (gone.size() > 0) {
            List<Region> hit = new ArrayList<>();
            gone.overlapping(start, end, (from, to, region) -> hit.add(region));
            for (Region region : hit) {
                gone.remove(region.start());
                frame.forget(region.start(), region.end());
            }
        }
    }

    /** Empties a range of which the program has no more use, as {@link #forget} does. */
    void unmap(long start, long end, MapsFrame frame) {
        if (!goesUntold(start, end)) {
            forget(start, end, frame);
            return;
        }
        last = null;
        for (Region region : overlapping(start, end)) {
            regions.remove(region.start());
            gone.insert(region.start(), region.end(), region);
        }
    }

    /** Puts a region in the place of whatever was there. */
    public void add(Region region, MapsFrame frame) {
        if (comesUntold(region)) {
            Region again = gone.remove(region.start());
            regions.insert(again.start(), again.end(), again);
            last = null;
        } else if (region.start() < region.end()) {
            forgetGone(region.start(), region.end(), frame);
            forget(region.start(), region.end(), frame);
            Region scoped = region.scoped(scope, program);
            if (scoped.selectable() && !scope.isEverything()) {
                names.addAll(Scope.names(region.label(), program));
            }
            regions.insert(scoped.start(), scoped.end(), scoped);
            tell(scoped, frame);
        }
    }

    /** Empties a range; regions that reach over its ends keep what lies outside. */
    void forget(long start, long end, MapsFrame frame) {
        last = null;
        List<Region> hit = overlapping(start, end);
        if (hit.isEmpty()) {
            return;
        }
        Region head = hit.get(0);
        Region tail = hit.get(hit.size() - 1);
        if (hit.stream().anyMatch(region -> !region.own())) {
            frame.forget(head.start(), tail.end());
        }
        hit.forEach(region -> regions.remove(region.start()));
        keep(head.cut(head.start(), start), frame);
        keep(tail.cut(end, tail.end()), frame);
    }

    /** Changes the protection of a range. */
    void protect(long start, long end, int protection, MapsFrame frame) {
        for (Region region : overlapping(start, end)) {
            Region part = region.cut(start, end);
            if (part.protection() != protection) {
                add(part.protect(protection), frame);
            }
        }
    }

    /** Kind of the region with this address, {@link RegionKind#OTHER} if there is none. */
    public RegionKind kindAt(long address) {
        Region region = at(address);
        return region == null ? RegionKind.OTHER : region.seenKind();
    }

    /** The region with this address, or null. */
    private Region at(long address) {
        Region region = last;
        if (region == null || address < region.start() || address >= region.end()) {
            region = regions.find(address);
            last = region == null ? last : region;
        }
        return region;
    }

    /**
     * Kind of the region with this address, with the addresses around it that have the same kind.
     *
     * @param bounds takes start and end, in the order of signed numbers
     */
    public RegionKind kindAround(long address, long[] bounds) {
        Region region = at(address);
        if (region != null) {
            bounds[0] = region.start();
            bounds[1] = region.end();
            return region.seenKind();
        }
        Region below = address < 0 ? null : regions.floor(address);
        bounds[0] = below == null ? Math.min(address, 0) : below.end();
        bounds[1] = address < 0 ? address + 1 : regions.nextStart(address) & Long.MAX_VALUE;
        return RegionKind.OTHER;
    }

    /**
     * Returns whether a block of so many bytes may lie at an address: if none is larger than what
     * programs can address, nor, in a module's data, than the rest of that. Elsewhere memory grows.
     */
    public boolean mayHold(long start, long size) {
        long most = start < ADDRESSES ? ADDRESSES : Long.MAX_VALUE;
        if (size < 0 || size > most - start) {
            return false;
        }
        if (size <= SMALL || kindAt(start) != RegionKind.DATA) {
            return true;
        }
        long end = start;
        while (end < start + size && kindAt(end) == RegionKind.DATA) {
            end = at(end).end();
        }
        return end >= start + size;
    }

    /** Returns whether transfers to and from stacks count. */
    public boolean coversStacks() {
        return scope.coversStacks();
    }

    /** The stacks of all threads. */
    public List<Region> stacks() {
        return overlapping(0, Long.MAX_VALUE).stream()
                .filter(region -> region.kind() == RegionKind.STACK)
                .toList();
    }

    /** Names stacks of the parent's that the child of a fork has in anonymous memory. */
    public void inherit(List<Region> stacks, MapsFrame frame) {
        for (Region stack : stacks) {
            for (Region region : overlapping(stack.start(), stack.end())) {
                if (region.kind() == RegionKind.ANONYMOUS) {
                    Region part = region.cut(stack.start(), stack.end());
                    add(
                            Region.stack(
                                    part.protection(), part.start(), part.end(), stack.origin()),
                            frame);
                }
            }
        }
    }

    List<Region> overlapping(long start, long end) {
        List<Region> hit = new ArrayList<>();
        regions.overlapping(start, end, (from, to, region) -> hit.add(region));
        return hit;
    }

    private void keep(Region rest, MapsFrame frame) {
        if (rest.start() < rest.end()) {
            regions.insert(rest.start(), rest.end(), rest);
            tell(rest, frame);
        }
    }

    private static void tell(Region region, MapsFrame frame) {
        if (!region.own()) {
            frame.add(
                    region.seenKind(),
                    region.protection(),
                    region.start(),
                    region.end(),
                    region.origin(),
                    region.label());
        }
    }
}

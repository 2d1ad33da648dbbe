package dev.madt.modules;

import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.event.RegionKind;
import dev.madt.tracker.IntervalTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The regions of one process as the trace tells them: every change goes into a MAPS frame as well.
 * Regions never overlap. {@link #kindAt} is for the hot path: logarithmic, constant for neighbours
 * of the last address.
 */
public final class RegionMap {
    /** Addresses that a program has, unless it asks for others. */
    private static final long ADDRESSES = 1L << 47;
    /** Bytes of blocks that nobody asks about. */
    private static final long SMALL = 1 << 12;

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

        /** Returns what comes behind it in the same file, up to an address. */
        Region followedBy(int rights, long to) {
            return new Region(kind, rights, end, to, origin, label, inScope, own);
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
    private final IntervalTree<Region> regions = new IntervalTree<>();
    private Region last;

    public RegionMap() {
        this(Scope.EVERYTHING, "", new HashSet<>());
    }

    /**
     * @param program name of the program, by which patterns of the scope may call its sections
     * @param names gets all names that patterns may call its regions
     */
    public RegionMap(Scope scope, String program, Set<String> names) {
        this.scope = scope;
        this.program = program;
        this.names = names;
    }

    /** Puts a region in the place of whatever was there. */
    public void add(Region region, MapsFrame frame) {
        if (region.start() < region.end()) {
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

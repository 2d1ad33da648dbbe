package dev.madt.resolver.line;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.tracker.RangeListener;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which variable lies where on the stacks, as far as a trace tells what frames hold.
 *
 * <p>What an instruction addresses from the frame of its function has the same name each time. For
 * an access through a pointer, it must be known whose frame the address is in. Each access that
 * says where its function's frame begins tells which frames are open: those that begin below it
 * have been left. In the frame of the function at work, the variables of the instruction itself
 * count; in one further out, those of the call that led on from it. What is not certain has no
 * name. Frames of a thread are followed for each region that its stacks lie in. Other threads'
 * stacks are looked at only for those who take what is likely, since the order of threads is not
 * known: the frames count that the other thread had open when it was seen last.
 */
public final class OpenFrames {
    private static final int WORD = 8;

    /** Says how an access to a stack is named, or why it is not. */
    public enum Outcome {
        VARIABLE,
        /** A return address or a saved register. */
        CALL,
        /** The function has no debug information. */
        NO_DEBUG,
        /** No variable lies there: what compilers keep there has no name. */
        NOTHING,
        /** It is not certain whose frame holds the address. */
        UNCERTAIN
    }

    /** Says what matters of a record's sites. */
    private static final class Shape {
        private final RecordTemplate template;
        private final FrameScopes.Site[] sites;
        private final int call;
        private final boolean returns;

        private Shape(RecordTemplate template, FrameScopes.Site[] sites) {
            this.template = template;
            this.sites = sites;
            FrameScopes.Site last = sites.length == 0 ? null : sites[sites.length - 1];
            this.call = last != null && last.calls ? sites.length - 1 : -1;
            this.returns = last != null && last.returns;
        }
    }

    /** The frames of a thread in one region, the innermost last. */
    private final class Stack {
        private long[] starts = new long[16];
        private FrameScopes.Function[] functions = new FrameScopes.Function[16];
        /** Holds where each function is, or has called on from. */
        private FrameScopes.Site[] at = new FrameScopes.Site[16];

        private int open;
        /** The innermost function has returned. */
        private boolean returned;
        /** Holds where the frame of a function begins that has been called; 0: none has. */
        private long called;

        private long target;

        private void enter(long start, FrameScopes.Function function) {
            version++;
            while (open > 0 && starts[open - 1] < start) {
                open--;
            }
            called = 0;
            if (open == 0 || starts[open - 1] != start) {
                if (open == starts.length) {
                    starts = Arrays.copyOf(starts, 2 * open);
                    functions = Arrays.copyOf(functions, 2 * open);
                    at = Arrays.copyOf(at, 2 * open);
                }
                starts[open++] = start;
            }
            functions[open - 1] = function;
        }

        private void settle() {
            if (returned) {
                returned = false;
                open--;
                version++;
            }
        }
    }

    /** A stack grows at its lower end. */
    private record Key(int thread, long regionEnd) {}

    private final AddressSpace space;
    private final FrameScopes scopes;
    private final boolean ofOthers;
    private final Map<Key, Stack> stacks = new HashMap<>();
    /** Holds the stack that was begun last in each region, by where that ends. */
    private final LongObjectHashMap<Stack> owned = new LongObjectHashMap<>();

    private final IntObjectHashMap<Stack> latest = new IntObjectHashMap<>();
    private final IntObjectHashMap<Shape> shapes = new IntObjectHashMap<>();
    private final RangeListener changes;
    private Stack last;
    private int lastThread;
    private long version;
    private long regionStart;
    private long regionEnd;
    private int regionThread;
    private Stack regionStack;
    /** Holds the region of a stack that was asked for last; or null. */
    private AddressSpace.Region plain;

    /** Makes one that is certain. */
    public OpenFrames(AddressSpace space) {
        this(space, false, (start, end) -> {});
    }

    /**
     * Makes one.
     *
     * @param ofOthers whether what is likely is taken of other threads' stacks
     * @param changes is told of ranges that turn out to be stacks
     */
    public OpenFrames(AddressSpace space, boolean ofOthers, RangeListener changes) {
        this.space = space;
        this.ofOthers = ofOthers;
        this.changes = changes;
        this.scopes = new FrameScopes(space);
    }

    /** Returns whether the trace has not said yet what frames hold: nothing has a name. */
    public boolean isEmpty() {
        return scopes.isEmpty();
    }

    /** Grows whenever what lies at an address of a stack may have another name than before. */
    public long version() {
        return version;
    }

    /** Takes a definition, which the address space has taken. */
    public void define(Definition definition) {
        if (scopes.define(definition)) {
            shapes.clear();
            regionEnd = regionStart;
            plain = null;
            forget();
        } else if (definition instanceof Definition.Region
                || definition instanceof Definition.RegionsForgotten) {
            regionEnd = regionStart;
            plain = null;
        }
    }

    private void forget() {
        stacks.clear();
        owned.clear();
        regionStack = null;
        latest.clear();
        last = null;
    }

    private Shape shape(RecordTemplate template) {
        Shape shape = shapes.get(template.number());
        if (shape == null || shape.template != template) {
            FrameScopes.Site[] sites = new FrameScopes.Site[template.length()];
            for (int i = 0; i < sites.length; i++) {
                sites[i] = scopes.of(template.site(i));
            }
            shape = new Shape(template, sites);
            shapes.put(template.number(), shape);
        }
        return shape;
    }

    /** Follows a record, in front of questions about its accesses. */
    public void record(int thread, RecordTemplate template, long[] words, int from) {
        if (!isEmpty() && !template.isProbe()) {
            record(thread, shape(template), words, from);
        }
    }

    private void record(int thread, Shape shape, long[] words, int from) {
        FrameScopes.Site[] sites = shape.sites;
        if (sites.length == 0) {
            return;
        }
        boolean known = false;
        for (int i = 0; i < sites.length; i++) {
            long word = words[from + i];
            if (sites[i].hasFrame() && word != SharedLayout.WORD_NONE) {
                enter(thread, sites[i], word);
                known = true;
                break;
            }
        }
        Stack stack = stack(thread);
        FrameScopes.Site end = sites[sites.length - 1];
        if (!known) {
            between(stack, end);
        } else {
            stack.at[stack.open - 1] = end;
        }
        long word = words[from + sites.length - 1];
        if (word != SharedLayout.WORD_NONE) {
            if (shape.call >= 0) {
                call(stack, end, word);
            }
            stack.returned = shape.returns;
        }
    }

    /** Follows a single access, in front of a question about it. */
    public void access(int thread, AccessSite site, long address) {
        if (isEmpty()) {
            return;
        }
        FrameScopes.Site known = scopes.of(site);
        if (known.hasFrame()) {
            enter(thread, known, address);
            Stack stack = stack(thread);
            stack.at[stack.open - 1] = known;
        } else {
            between(stack(thread), known);
        }
        Stack stack = stack(thread);
        if (known.calls) {
            call(stack, known, address);
        }
        stack.returned = known.returns;
    }

    /** Follows a bulk transfer, in front of questions about it. */
    public void transfer(int thread) {
        if (!isEmpty()) {
            stack(thread).settle();
        }
    }

    private void enter(int thread, FrameScopes.Site site, long address) {
        Stack stack = stackAround(thread, address);
        if (last != stack || lastThread != thread) {
            turnTo(stack, thread);
            latest.put(thread, stack);
        }
        stack.settle();
        long start = address - site.site.frame();
        if (stack.open == 0
                || stack.starts[stack.open - 1] != start
                || stack.functions[stack.open - 1] != site.function
                || stack.called != 0) {
            stack.enter(start, site.function);
        }
    }

    /** Follows code that does not say where its frame begins. */
    private void between(Stack stack, FrameScopes.Site site) {
        stack.settle();
        FrameScopes.Function function = site.function;
        if (function == null) {
            return;
        }
        if (stack.called != 0 && function.symbol.address() == stack.target) {
            stack.enter(stack.called, function);
        }
        if (stack.called == 0 && stack.open > 0 && stack.functions[stack.open - 1] == function) {
            stack.at[stack.open - 1] = site;
        }
    }

    private void call(Stack stack, FrameScopes.Site site, long address) {
        long start = address + WORD;
        boolean own = stack.open > 0 && stack.functions[stack.open - 1] == site.function;
        if (own && (stack.called == 0 || Long.compareUnsigned(start, stack.called) >= 0)) {
            stack.at[stack.open - 1] = site;
        }
        stack.called = start;
        stack.target = site.target;
        version++;
    }

    /** The stack that a thread was seen on last. */
    private Stack stack(int thread) {
        if (last == null || lastThread != thread) {
            turnTo(latest.getIfAbsentPut(thread, Stack::new), thread);
        }
        return last;
    }

    private void turnTo(Stack stack, int thread) {
        version++;
        last = stack;
        lastThread = thread;
    }

    /** The label of the region of an address if it is of the kind of stacks, without blocks. */
    public String stackLabel(long address) {
        if (plain == null || !plain.contains(address)) {
            AddressSpace.Region region = space.region(address);
            plain = region != null && region.kind() == RegionKind.STACK ? region : plain;
            return plain == region && region != null ? region.label() : null;
        }
        return plain.label();
    }

    /** Returns whether frames have been seen in the region of an address that are looked at. */
    public boolean isStack(int thread, long address) {
        return !isEmpty() && (known(thread, address) != null || others(address) != null);
    }

    /** The stack of another thread in the region that was looked at last; null: none counts. */
    private Stack others(long address) {
        return ofOthers && Long.compareUnsigned(address - regionStart, regionEnd - regionStart) < 0
                ? owned.get(regionEnd)
                : null;
    }

    private Stack stackAround(int thread, long address) {
        Stack known = known(thread, address);
        if (known == null) {
            known = new Stack();
            regionStack = known;
            stacks.put(new Key(thread, regionEnd), known);
            owned.put(regionEnd, known);
            changes.changed(regionStart, regionEnd);
        }
        return known;
    }

    /** The stack in the region of an address, or null. */
    private Stack known(int thread, long address) {
        if (regionThread != thread
                || Long.compareUnsigned(address - regionStart, regionEnd - regionStart) >= 0) {
            AddressSpace.Region region = space.region(address);
            regionStart = region == null ? 0 : region.start();
            regionEnd = region == null ? 0 : region.end();
            regionThread = thread;
            regionStack = stacks.get(new Key(thread, regionEnd));
        }
        return regionStack;
    }

    /**
     * Returns what a site accesses each time; null if it does not address its function's frame, and
     * is no call, or nothing is known there.
     */
    public FramePlace place(AccessSite site) {
        return isEmpty() ? null : scopes.place(scopes.of(site));
    }

    /**
     * Returns the name of what lies at an address of a thread's stacks that it accesses through a
     * pointer; null if that is not certain. What is in front of it tells where it begins.
     *
     * @param begin takes where the frame begins
     */
    public FrameName name(int thread, AccessSite site, long address, long[] begin) {
        return isEmpty() ? null : name(thread, scopes.of(site), address, begin);
    }

    /** As above, for code that is no site. */
    public FrameName name(int thread, long code, long address, long[] begin) {
        return isEmpty() ? null : name(thread, scopes.ofCode(code), address, begin);
    }

    /** Returns how an access to a stack, which is followed, is named. */
    public Outcome outcome(int thread, AccessSite site, long address) {
        FrameScopes.Site known = scopes.of(site);
        boolean own = known.hasFrame();
        FramePlace place = scopes.place(known);
        FrameName name = place != null
                ? place.name()
                : own ? null : name(thread, known, address, new long[1]);
        if (name != null) {
            return name.isVariable() ? Outcome.VARIABLE : Outcome.CALL;
        }
        if (own) {
            return known.isDescribed() ? Outcome.NOTHING : Outcome.NO_DEBUG;
        }
        Stack stack = known(thread, address);
        int owner = stack == null ? -1 : owner(stack, address);
        FrameScopes.Site at = owner < 0 ? null : at(stack, owner, known);
        return at == null
                ? Outcome.UNCERTAIN
                : at.isDescribed() ? Outcome.NOTHING : Outcome.NO_DEBUG;
    }

    private FrameName name(int thread, FrameScopes.Site site, long address, long[] begin) {
        Stack own = known(thread, address);
        Stack stack = own == null ? others(address) : own;
        if (stack == null) {
            return null;
        }
        FrameScopes.Site by = own == null ? null : site;
        int owner = owner(stack, address);
        FrameName name = name(stack, owner, by, address, begin);
        // Parameters lie in front of a frame: in the memory of the caller's.
        return name == null ? name(stack, owner + 1, by, address, begin) : name;
    }

    private FrameName name(
            Stack stack, int owner, FrameScopes.Site site, long address, long[] begin) {
        if (owner < 0 || owner >= stack.open) {
            return null;
        }
        begin[0] = stack.starts[owner];
        return scopes.name(at(stack, owner, site), address - begin[0]);
    }

    /** The innermost frame that begins behind an address; -1 if none does. */
    private static int owner(Stack stack, long address) {
        int owner = stack.open - 1;
        while (owner >= 0 && Long.compareUnsigned(stack.starts[owner], address) <= 0) {
            owner--;
        }
        return owner;
    }

    /**
     * Returns where the function of a frame is; null if uncertain.
     *
     * @param site is at work meanwhile; null: that is one of another thread
     */
    private static FrameScopes.Site at(Stack stack, int owner, FrameScopes.Site site) {
        if (site == null) {
            return stack.at[owner];
        }
        boolean innermost = owner == stack.open - 1;
        if (innermost && stack.functions[owner] == site.function) {
            return site;
        }
        return innermost && stack.called == 0 ? null : stack.at[owner];
    }
}

package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.Computed;
import dev.madt.resolver.local.Given;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Says what the callers of a function give it, as the debug information of optimised code tells
 * (DWARF 5, section 3.4): by the address that the function returns to, in terms of the caller.
 */
public final class CallSites {
    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_SITES = 64;
    private static final int MOST_FUNCTIONS = 256;
    private static final int MOST_HOPS = 16;
    private static final int REGISTERS = 32;

    /** Calls that a function makes last, so that its own frame is gone by then. */
    private static final class TailCalls {
        /** Says that all of them are listed. */
        private boolean whole = true;
        /** Null: one is not known. */
        private final List<String> called = new ArrayList<>();
    }

    private final DwarfFile file;
    private final LongFunction<Die> functions;
    private final Function<Die, Locals> locals;
    private final Map<String, List<Die>> sites = new HashMap<>();
    private final Map<String, TailCalls> tails = new HashMap<>();
    private boolean read;

    /**
     * @param functions finds the function whose code is at an address, or null
     * @param locals the variables of one
     */
    CallSites(DwarfFile file, LongFunction<Die> functions, Function<Die, Locals> locals) {
        this.file = file;
        this.functions = functions;
        this.locals = locals;
    }

    /**
     * Returns what callers give to the function around an address in a register; none if the
     * function may have called itself last, so that what it was given first is not what it has now.
     * The first call reads all units, if that are not many bytes.
     *
     * @param register its DWARF number
     */
    public List<Given> given(long address, int register) {
        try {
            readAll();
            Die function = functions.apply(address);
            List<Given> all = new ArrayList<>();
            for (Die site : function == null ? List.<Die>of() : of(function)) {
                long after = after(site);
                Computed value = after == 0 ? null : value(site, register);
                Die caller = value == null ? null : functions.apply(after - 1);
                Computed whole =
                        caller == null ? null : value.in(locals.apply(caller).base(after - 1));
                if (whole != null) {
                    all.add(new Given(after, whole));
                }
            }
            return all;
        } catch (RuntimeException e) {
            file.warn("no calls of the function at 0x" + Long.toHexString(address), e);
            return List.of();
        }
    }

    private void readAll() {
        boolean few = !read && file.hasAtMost(MOST_BYTES);
        read = true;
        for (Unit unit : few ? file.wholeUnits() : List.<Unit>of()) {
            try {
                read(unit);
            } catch (RuntimeException e) {
                file.warn("calls of the unit at byte 0x" + Integer.toHexString(unit.offset()), e);
            }
        }
    }

    private void read(Unit unit) {
        if (!unit.usesTag(Tag.SUBPROGRAM)) {
            return;
        }
        DieWalk walk = DieWalk.of(unit);
        Deque<TailCalls> open = new ArrayDeque<>();
        Deque<Integer> depths = new ArrayDeque<>();
        while (walk.next()) {
            while (!depths.isEmpty() && walk.depth() <= depths.element()) {
                depths.pop();
                open.pop();
            }
            if (walk.tag() == Tag.SUBPROGRAM && AddressRanges.possible(walk.abbreviation())) {
                // clones of a function have its name, too
                TailCalls own = tails.computeIfAbsent(key(walk.die()), key -> new TailCalls());
                own.whole &= walk.die().flag(Attribute.CALL_ALL_CALLS)
                        || walk.die().flag(Attribute.CALL_ALL_TAIL_CALLS)
                        || walk.die().flag(Attribute.GNU_ALL_CALL_SITES)
                        || walk.die().flag(Attribute.GNU_ALL_TAIL_CALL_SITES);
                open.push(own);
                depths.push(walk.depth());
            } else if (walk.tag() == Tag.CALL_SITE || walk.tag() == Tag.GNU_CALL_SITE) {
                add(walk.die(), open.peek());
            }
        }
    }

    private void add(Die site, TailCalls caller) {
        boolean old = site.tag() == Tag.GNU_CALL_SITE;
        Die called = site.reference(old ? Attribute.ABSTRACT_ORIGIN : Attribute.CALL_ORIGIN);
        String key = called == null ? null : key(called);
        if (site.flag(old ? Attribute.GNU_TAIL_CALL : Attribute.CALL_TAIL_CALL)) {
            if (caller != null) {
                caller.called.add(key);
            }
        } else if (key != null) {
            sites.computeIfAbsent(key, absent -> new ArrayList<>()).add(site);
        }
    }

    /** Returns what is the same of a function's declarations and its code. */
    private static String key(Die function) {
        String linked = function.linkageName();
        if (linked != null) {
            return linked;
        }
        if (function.holder(Attribute.EXTERNAL) != null && function.name() != null) {
            return "=" + function.name();
        }
        Die first = function;
        for (int hop = 0; hop < MOST_HOPS && first.completed() != null; hop++) {
            first = first.completed();
        }
        return first.unit().offset() + ":" + first.offset();
    }

    private List<Die> of(Die function) {
        String key = key(function);
        List<Die> found = sites.getOrDefault(key, List.of());
        return found.size() > MOST_SITES || mayCallItself(key) ? List.of() : found;
    }

    private boolean mayCallItself(String function) {
        Set<String> seen = new HashSet<>(Set.of(function));
        Deque<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            TailCalls calls = tails.get(open.pop());
            if (calls == null || !calls.whole || seen.size() > MOST_FUNCTIONS) {
                return true;
            }
            for (String called : calls.called) {
                if (called == null || called.equals(function)) {
                    return true;
                }
                if (seen.add(called)) {
                    open.push(called);
                }
            }
        }
        return false;
    }

    /** Returns the address behind the call; 0: it is not known. */
    private static long after(Die site) {
        return site.address(
                site.tag() == Tag.GNU_CALL_SITE ? Attribute.LOW_PC : Attribute.CALL_RETURN_PC);
    }

    /** Returns what a register is given there, in terms of the caller; null: that is not known. */
    private static Computed value(Die site, int register) {
        DieWalk walk = DieWalk.below(site);
        while (walk.next()) {
            boolean old = walk.tag() == Tag.GNU_CALL_SITE_PARAMETER;
            if (old || walk.tag() == Tag.CALL_SITE_PARAMETER) {
                ByteBuffer value = walk.die()
                        .block(old ? Attribute.GNU_CALL_SITE_VALUE : Attribute.CALL_VALUE);
                if (value != null && register == register(walk.die().block(Attribute.LOCATION))) {
                    return LocationExpression.value(site.unit(), value);
                }
            }
            walk.skipChildren();
        }
        return null;
    }

    private static int register(ByteBuffer place) {
        int operation = place == null || place.limit() != 1 ? 0 : place.get(0) & 0xff;
        return operation >= Operations.REG0 && operation < Operations.REG0 + REGISTERS
                ? operation - Operations.REG0
                : -1;
    }
}

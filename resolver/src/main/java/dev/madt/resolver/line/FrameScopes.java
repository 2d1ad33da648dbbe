package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.FrameVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Holds what a trace says of the frames of functions: what lies in them at which instructions. */
final class FrameScopes {
    private static final int ADDRESS = 8;
    /** {@code ret}, with a prefix or with a count of bytes. */
    private static final int LONGEST_RETURN = 3;

    private static final int[] NOTHING = {};
    private static final FrameVariable RETURN = new FrameVariable(
            FrameVariable.Kind.RETURN, "return", "", -ADDRESS, ADDRESS, FrameVariable.NO_TYPE);
    private static final int MOST = 1 << 17;
    private static final int PAGE_BITS = 12;

    /** A function, and the names of what lies in its frames. */
    static final class Function {
        final AddressSpace.Symbol symbol;
        private final IntObjectHashMap<FrameName> names = new IntObjectHashMap<>();
        /** Null until it is asked for. */
        private FrameName back;

        private Function(AddressSpace.Symbol symbol) {
            this.symbol = symbol;
        }
    }

    /** Says what is known of a site. */
    static final class Site {
        final AccessSite site;
        /** Null if no symbol is known. */
        final Function function;

        private final int[] scope;
        final boolean returns;
        final boolean calls;
        /** Holds the address of the function that it calls; 0 if it does not, or by a pointer. */
        final long target;
        /** Holds what it accesses each time, if {@link #asked}; or null. */
        private FramePlace place;

        private boolean asked;

        private Site(AccessSite site, Function function, int[] scope, boolean calls, long target) {
            this.site = site;
            this.function = function;
            this.scope = scope;
            this.calls = calls && site.kind() == AccessKind.STORE;
            this.target = target;
            this.returns = site.kind() == AccessKind.LOAD
                    && site.frame() == -ADDRESS
                    && site.length() <= LONGEST_RETURN;
        }

        /** Returns whether the trace says what lies in the frame at this instruction. */
        boolean isDescribed() {
            return function != null && scope != NOTHING;
        }

        boolean hasFrame() {
            return site.frame() != AccessSite.NO_FRAME;
        }
    }

    private final AddressSpace space;
    private final List<FrameVariable> variables = new ArrayList<>();
    private final List<int[]> scopes = new ArrayList<>();
    private final LongIntHashMap codes = new LongIntHashMap();
    /** Says whether there are no codes: asked for each record. */
    private boolean empty = true;

    private final TreeSet<Long> pages = new TreeSet<>(Long::compareUnsigned);
    private final LongLongHashMap calls = new LongLongHashMap();
    private final SiteTable<Site> sites = new SiteTable<>();
    private final LongObjectHashMap<Function> functions = new LongObjectHashMap<>();

    FrameScopes(AddressSpace space) {
        this.space = space;
    }

    boolean isEmpty() {
        return empty;
    }

    /** Takes what a trace says; returns whether sites may be known otherwise. */
    boolean define(Definition definition) {
        if (definition instanceof Definition.InFrame it) {
            variables.add(it.variable());
        } else if (definition instanceof Definition.FrameScope it) {
            scopes.add(it.variables().stream()
                    .mapToInt(Integer::intValue)
                    .filter(number -> number >= 0 && number < variables.size())
                    .toArray());
        } else if (definition instanceof Definition.CodeScope it) {
            codes.put(it.code(), it.scope());
            empty = false;
            pages.add(it.code() >>> PAGE_BITS);
        } else if (definition instanceof Definition.CallSite it) {
            calls.put(it.code(), it.target());
        } else if (definition instanceof Definition.RegionsForgotten it) {
            return forget(it.start(), it.end());
        } else if (definition instanceof Definition.SymbolsForgotten it) {
            return forget(it.start(), it.end());
        }
        return false;
    }

    private boolean forget(long start, long end) {
        Long page = pages.ceiling(start >>> PAGE_BITS);
        if (page == null || Long.compareUnsigned(page, end - 1 >>> PAGE_BITS) > 0) {
            return false;
        }
        pages.subSet(start >>> PAGE_BITS, true, end - 1 >>> PAGE_BITS, true).clear();
        for (long code : codes.keySet().toArray()) {
            if (Long.compareUnsigned(code - start, end - start) < 0) {
                codes.remove(code);
                calls.remove(code);
            }
        }
        empty = codes.isEmpty();
        clear();
        return true;
    }

    private void clear() {
        sites.clear();
        functions.clear();
    }

    /** Returns what is known of a site. */
    Site of(AccessSite site) {
        Site known = sites.get(site);
        if (known == null) {
            if (sites.size() >= MOST) {
                clear();
            }
            known = make(site);
            sites.put(site, known);
        }
        return known;
    }

    /** Returns what is known of code that is no site, such as the call of a bulk transfer. */
    Site ofCode(long code) {
        return make(new AccessSite(code, 0, AccessKind.LOAD, 0, 0, false));
    }

    private Site make(AccessSite site) {
        AddressSpace.Symbol symbol = space.function(site.address());
        Function function = symbol == null
                ? null
                : functions.getIfAbsentPut(symbol.address(), () -> new Function(symbol));
        int scope = codes.getIfAbsent(site.address(), -1);
        return new Site(
                site,
                function,
                scope < 0 || scope >= scopes.size() ? NOTHING : scopes.get(scope),
                calls.containsKey(site.address()),
                calls.get(site.address()));
    }

    /** Returns what a site accesses each time; null if that is not known. */
    FramePlace place(Site at) {
        if (!at.asked) {
            at.asked = true;
            FrameName name = at.calls ? stored(at) : null;
            if (name != null) {
                at.place = new FramePlace(name, 0);
            } else if (at.hasFrame()) {
                name = name(at, at.site.frame());
                at.place =
                        name == null ? null : new FramePlace(name, at.site.frame() - name.offset());
            }
        }
        return at.place;
    }

    /**
     * Returns the name of what a call stores: the return address of the function that it calls;
     * null if it calls through a pointer.
     */
    private FrameName stored(Site call) {
        AddressSpace.Symbol symbol = call.target == 0 ? null : space.function(call.target);
        if (symbol == null) {
            return null;
        }
        Function function = functions.getIfAbsentPut(symbol.address(), () -> new Function(symbol));
        if (function.back == null) {
            function.back = new FrameName(RETURN, symbol, space);
        }
        return function.back;
    }

    /**
     * Returns the name of what lies in a function's frame, at an offset from its canonical frame
     * address, at the instruction of a site; null if nothing known does.
     */
    FrameName name(Site at, long offset) {
        if (at == null || at.function == null) {
            return null;
        }
        for (int number : at.scope) {
            FrameVariable variable = variables.get(number);
            if (variable.holds(offset)) {
                return at.function.names.getIfAbsentPut(
                        number, () -> new FrameName(variable, at.function.symbol, space));
            }
        }
        return null;
    }
}

package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.SourceFrame;
import dev.madt.trace.event.OwnSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * Says where the author's code calls functions of libraries that are compiled into a module, such
 * as those of templates: by the calls that the debug information of optimised code lists (DWARF 5,
 * section 3.4). A caller is known where all ways lead to one line. Calls through pointers are not
 * listed.
 */
final class KnownCallers {
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_FUNCTIONS = 64;
    private static final int MOST_CALLS = 256;
    private static final int MOST_HOPS = 16;

    private final LongFunction<List<SourceFrame>> frames;
    private final LongFunction<Die> functions;
    /** Return addresses of the calls of each function. */
    private final Map<String, LongArrayList> calls = new HashMap<>();

    private final Map<String, List<SourceFrame>> known = new HashMap<>();

    /**
     * @param frames the functions that an instruction belongs to
     * @param functions finds the function whose code is at an address, or null
     */
    KnownCallers(
            DwarfFile file, LongFunction<List<SourceFrame>> frames, LongFunction<Die> functions) {
        this.frames = frames;
        this.functions = functions;
        if (!file.hasAtMost(MOST_BYTES)) {
            return; // to read it all takes longer than the lines are worth
        }
        for (Unit unit : file.wholeUnits()) {
            try {
                read(unit);
            } catch (RuntimeException e) {
                file.warn("calls of the unit at byte 0x" + Integer.toHexString(unit.offset()), e);
            }
        }
    }

    private void read(Unit unit) {
        if (!unit.usesTag(Tag.CALL_SITE) && !unit.usesTag(Tag.GNU_CALL_SITE)) {
            return;
        }
        DieWalk walk = DieWalk.of(unit);
        while (walk.next()) {
            boolean old = walk.tag() == Tag.GNU_CALL_SITE;
            if (old || walk.tag() == Tag.CALL_SITE) {
                Die site = walk.die();
                Die called =
                        site.reference(old ? Attribute.ABSTRACT_ORIGIN : Attribute.CALL_ORIGIN);
                long after = site.address(old ? Attribute.LOW_PC : Attribute.CALL_RETURN_PC);
                if (called != null && after != 0) {
                    calls.computeIfAbsent(key(called), absent -> new LongArrayList())
                            .add(after);
                }
            }
        }
    }

    /** Returns what is the same of a function's declaration, its code and what is inlined. */
    private static String key(Die function) {
        String linked = function.linkageName();
        if (linked != null) {
            return linked;
        }
        Die first = function;
        for (int hop = 0; hop < MOST_HOPS && first.completed() != null; hop++) {
            first = first.completed();
        }
        return first.unit().offset() + ":" + first.offset();
    }

    /**
     * The author's line from which the function around an address is called, one level or none.
     */
    List<SourceFrame> of(long address) {
        Die function = functions.apply(address);
        return function == null ? List.of() : known.computeIfAbsent(key(function), this::find);
    }

    private List<SourceFrame> find(String function) {
        Set<String> seen = new HashSet<>(Set.of(function));
        List<String> open = new ArrayList<>(seen);
        SourceFrame found = null;
        int looked = 0;
        while (!open.isEmpty()) {
            LongArrayList after = calls.get(open.remove(open.size() - 1));
            if (after == null || seen.size() > MOST_FUNCTIONS) {
                return List.of();
            }
            for (int i = 0; i < after.size(); i++) {
                long call = after.get(i) - 1;
                SourceFrame own = own(frames.apply(call));
                Die caller = own == null ? functions.apply(call) : null;
                if (own == null && caller == null || looked++ > MOST_CALLS) {
                    return List.of();
                }
                if (own != null && found != null && !isSame(own, found)) {
                    return List.of();
                }
                found = own == null ? found : own;
                if (own == null && seen.add(key(caller))) {
                    open.add(key(caller));
                }
            }
        }
        return found == null ? List.of() : List.of(found);
    }

    private static SourceFrame own(List<SourceFrame> chain) {
        for (SourceFrame frame : chain) {
            if (frame.line() > 0 && frame.file() != null && OwnSource.USUAL.isOwn(frame.file())) {
                return frame;
            }
        }
        return null;
    }

    private static boolean isSame(SourceFrame one, SourceFrame other) {
        return one.line() == other.line() && one.file().equals(other.file());
    }
}

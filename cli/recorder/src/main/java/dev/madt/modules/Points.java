package dev.madt.modules;

import dev.madt.console.Suggestion;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.session.Trigger;
import dev.madt.session.Windows;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The functions that open or close windows: for each module, the {@code struct madt_point} that the
 * target arms.
 */
public final class Points {
    /** The points of a module, as the target has them. */
    public record OfModule(ByteBuffer bytes) {
        static final OfModule NONE = new OfModule(ByteBuffer.allocate(0));

        /** Returns how many there are. */
        public int count() {
            return bytes.capacity() / SharedLayout.Point.BYTES;
        }
    }

    /** A glob and what it is for. */
    private static final class Wanted {
        final FunctionGlob glob;
        final int role;
        boolean matched;

        Wanted(String option, Trigger trigger, int role) {
            this.glob = FunctionGlob.of(option + " " + trigger.text(), trigger.glob());
            this.role = role;
        }
    }

    /** Its name is looked for, and nothing else. */
    private static final int NO_ROLE = 0;

    private final List<Wanted> wanted = new ArrayList<>();
    private final Map<ElfModule, OfModule> known = new HashMap<>();
    private final Set<String> seen = new TreeSet<>();
    private final FunctionNames names = new FunctionNames();

    public Points(Windows windows) {
        add("--start", windows.start(), SharedLayout.POINT_OPENS);
        Trigger stop = windows.stop();
        boolean armed = stop == null || !stop.isSlowCall();
        add("--stop", stop, armed ? SharedLayout.POINT_CLOSES : NO_ROLE);
    }

    private void add(String option, Trigger trigger, int role) {
        if (trigger != null && trigger.glob() != null) {
            wanted.add(new Wanted(option, trigger, role));
        }
    }

    /** The points of a module, made when they are first asked for. */
    public synchronized OfModule of(String name, ElfModule elf) {
        if (wanted.isEmpty()) {
            return OfModule.NONE;
        }
        OfModule points = known.get(elf);
        if (points == null) {
            points = points(roles(name, elf));
            known.put(elf, points);
        }
        return points;
    }

    private TreeMap<Long, Integer> roles(String name, ElfModule elf) {
        TreeMap<Long, Integer> roles = new TreeMap<>();
        for (ElfSymbol function : elf.functions()) {
            for (String symbol : elf.functionNames(function.address())) {
                if (ElfSymbol.isStub(symbol) || symbol.contains(".cold")) {
                    continue;
                }
                List<String> spellings = names.of(symbol);
                seen.add(spellings.get(spellings.size() - 1));
                for (Wanted each : wanted) {
                    if (each.glob.matches(name, spellings)) {
                        each.matched = true;
                        if (each.role != NO_ROLE) {
                            roles.merge(function.address(), each.role, (a, b) -> a | b);
                        }
                    }
                }
            }
        }
        return roles;
    }

    private static OfModule points(TreeMap<Long, Integer> roles) {
        if (roles.isEmpty()) {
            return OfModule.NONE;
        }
        ByteBuffer bytes = ByteBuffer.allocate(roles.size() * SharedLayout.Point.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        roles.forEach((address, role) -> bytes.putInt(address.intValue()).putInt(role));
        return new OfModule(bytes.flip());
    }

    /** Returns what to say about globs that no function of any module had, a sentence each. */
    public synchronized List<String> unmatched() {
        return wanted.stream()
                .filter(each -> !each.matched)
                .map(each -> each.glob.option() + " names no function of the program or its"
                        + " libraries." + Suggestion.sentence(each.glob.text(), seen))
                .toList();
    }
}

package dev.madt.modules;

import dev.madt.console.Suggestion;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.session.Trigger;
import dev.madt.session.Windows;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The functions that open or close windows: for each module, the file of {@code struct madt_point}
 * that the target arms.
 */
public final class Points {
    /** The points of a module; {@code number} names their file. */
    public record OfModule(int number, int count) {
        static final OfModule NONE = new OfModule(0, 0);
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
    private final Path session;
    private final Map<ElfModule, OfModule> known = new HashMap<>();
    private final Set<String> seen = new TreeSet<>();
    private final FunctionNames names = new FunctionNames();

    /** @param session the folder that the target sees */
    public Points(Windows windows, Path session) {
        this.session = session;
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

    /** The points of a module, in a file that is made when they are first asked for. */
    public synchronized OfModule of(String name, ElfModule elf) throws IOException {
        if (wanted.isEmpty()) {
            return OfModule.NONE;
        }
        OfModule points = known.get(elf);
        if (points == null) {
            points = write(roles(name, elf));
            known.put(elf, points);
        }
        return points;
    }

    private TreeMap<Long, Integer> roles(String name, ElfModule elf) {
        TreeMap<Long, Integer> roles = new TreeMap<>();
        for (ElfSymbol function : elf.functions()) {
            for (String symbol : elf.functionNames(function.address())) {
                if (symbol.endsWith("@plt") || symbol.contains(".cold")) {
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

    private OfModule write(TreeMap<Long, Integer> roles) throws IOException {
        if (roles.isEmpty()) {
            return OfModule.NONE;
        }
        ByteBuffer bytes = ByteBuffer.allocate(roles.size() * SharedLayout.Point.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        roles.forEach((address, role) -> bytes.putInt(address.intValue()).putInt(role));
        int number = known.size() + 1;
        Files.write(session.resolve("points." + number), bytes.array());
        return new OfModule(number, roles.size());
    }

    /** What to say about globs that no function of any module had, a sentence each. */
    public synchronized List<String> unmatched() {
        return wanted.stream()
                .filter(each -> !each.matched)
                .map(each -> each.glob.option() + " names no function of the program or its"
                        + " libraries." + Suggestion.sentence(each.glob.text(), seen))
                .toList();
    }
}

package dev.madt.locks;

import dev.madt.resolver.ElfModule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds locks in modules that call no function where no thread has to wait, by their symbols. */
public final class UnseenLocks {
    /** Finds what a thread calls that has to wait: by the linker, in both manners of its names. */
    private static final Pattern RUST = Pattern.compile(
            ".*3std3sys.*futex.*(Mutex14lock|RwLock14read|RwLock15write)_contended.*");

    private static final Pattern PARKING_LOT =
            Pattern.compile(".*(RawMutex|RawRwLock)\\d+lock_(slow|shared_slow|exclusive_slow).*");
    private static final Set<String> GO = Set.of("runtime.main", "runtime.lock2");

    private UnseenLocks() {}

    /** Returns whose locks are in some modules, with commas between them; empty if none. */
    public static String text(List<ElfModule> modules) {
        Set<String> all = new TreeSet<>();
        for (ElfModule module : modules) {
            module.functions().stream()
                    .map(function -> of(function.name()))
                    .filter(word -> !word.isEmpty())
                    .forEach(all::add);
        }
        return String.join(",", all);
    }

    /** Returns whose locks a function belongs to, by its symbol; empty: it is another one. */
    static String of(String symbol) {
        if (GO.contains(symbol)) {
            return "go";
        }
        if (symbol.contains("_contended") && RUST.matcher(symbol).matches()) {
            return "rust";
        }
        return symbol.contains("_slow") && PARKING_LOT.matcher(symbol).matches()
                ? "parking_lot"
                : "";
    }
}

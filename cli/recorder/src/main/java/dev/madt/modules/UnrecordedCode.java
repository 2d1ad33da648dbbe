package dev.madt.modules;

import dev.madt.console.Numbers;
import dev.madt.generated.GeneratedTime;
import dev.madt.resolver.elf.CodeRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The executable bytes of one process that engine splice leaves as they are, so that they record
 * nothing: of modules without a plan, outside proven code, and memory that the program made
 * executable itself. What was executable once counts, also when it is gone.
 */
public final class UnrecordedCode {
    private static final int EXECUTE = 4;
    private static final String GENERATED = "[anon]";

    /**
     * Some of them.
     *
     * @param whole whether it is all code of its module: there is no plan
     * @param time how much of the process's time it took; empty if that is not known
     */
    public record Part(String name, long bytes, boolean whole, String time) {
        private Part(String name, long bytes, boolean whole) {
            this(name, bytes, whole, "");
        }

        /** Returns whose code it is, in a sentence. */
        public String label() {
            return generated() ? "code made at run time" : name;
        }

        private boolean generated() {
            return name.equals(GENERATED);
        }

        /** Says how much it is, for people. */
        public String extent() {
            return Numbers.grouped(bytes) + (time.isEmpty() ? "" : ", " + time);
        }

        /** For people. */
        public String text() {
            return Numbers.grouped(bytes) + "  " + name + ": "
                    + (!whole
                            ? "in no known function"
                            : generated()
                                    ? "made by the program as it ran"
                                            + (time.isEmpty() ? "" : ", " + time)
                                    : "could not be patched");
        }
    }

    /** Instructions of a module's known functions that nothing may be written over. */
    public record Fixed(String name, long instructions) {
        /** For people. */
        public String text() {
            return Numbers.counted(instructions, "instruction", "instructions") + "  " + name
                    + ": may not be patched";
        }
    }

    /** Code of a module: all of it, and what records nothing. */
    private record Module(long bytes, long unrecorded) {}

    private final Map<String, Module> modules = new LinkedHashMap<>();
    private final Map<String, Fixed> fixed = new LinkedHashMap<>();
    /** Start to end of what was executable outside modules; they do not overlap. */
    private final TreeMap<Long, Long> generated = new TreeMap<>();

    private final GeneratedTime time = new GeneratedTime();

    /**
     * A module has been loaded, with its plan or without.
     *
     * @param executable bytes of its memory, for one whose file cannot be read
     */
    void load(LoadedModule module, long start, long end, long executable) {
        cut(start, end);
        if (module.plan() != null) {
            long bytes = module.plan().textBytes();
            modules.put(module.name(), new Module(bytes, bytes - module.plan().provenBytes()));
            if (module.plan().sitesLeft() > 0) {
                fixed.put(module.name(), new Fixed(module.name(), module.plan().sitesLeft()));
            }
        } else if (!module.untraced()) {
            long bytes = module.elf() == null
                    ? executable
                    : module.elf().codeRanges().stream()
                            .mapToLong(UnrecordedCode::length)
                            .sum();
            modules.put(module.name(), new Module(bytes, bytes));
        }
    }

    private static long length(CodeRange range) {
        return range.end() - range.start();
    }

    /** Memory was mapped or protected. */
    void change(long start, long end, long protection, boolean inModule) {
        if ((protection & EXECUTE) != 0 && !inModule && end > start) {
            cut(start, end);
            generated.put(start, end);
        }
    }

    /** Looks where the process is, if it has made code; is to be called again and again. */
    public void followTime(int pid) {
        if (!generated.isEmpty()) {
            time.follow(pid, this::isGenerated);
        }
    }

    /** The process has ended. */
    public void endTime(int pid) {
        time.end(pid, this::isGenerated);
    }

    private boolean isGenerated(long address) {
        Map.Entry<Long, Long> range = generated.floorEntry(address);
        return range != null && address < range.getValue();
    }

    private void cut(long start, long end) {
        Map.Entry<Long, Long> entry = generated.lowerEntry(end);
        while (entry != null && entry.getValue() > start) {
            generated.remove(entry.getKey());
            if (entry.getKey() < start) {
                generated.put(entry.getKey(), start);
            }
            if (entry.getValue() > end) {
                generated.put(end, entry.getValue());
            }
            entry = generated.lowerEntry(start);
        }
    }

    /** All executable bytes. */
    public long executable() {
        return modules.values().stream().mapToLong(Module::bytes).sum() + made();
    }

    private long made() {
        long bytes = 0;
        for (Map.Entry<Long, Long> range : generated.entrySet()) {
            bytes += range.getValue() - range.getKey();
        }
        return bytes;
    }

    /** Returns what records nothing, the most first. */
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        modules.forEach((name, module) -> {
            if (module.unrecorded() > 0) {
                parts.add(
                        new Part(name, module.unrecorded(), module.unrecorded() == module.bytes()));
            }
        });
        if (made() > 0) {
            parts.add(new Part(GENERATED, made(), true, time.text()));
        }
        parts.sort((one, other) -> Long.compare(other.bytes(), one.bytes()));
        return parts;
    }

    /** Returns what records nothing in functions that are recorded but for that. */
    public List<Fixed> fixed() {
        return List.copyOf(fixed.values());
    }

    /** {@code 1.2 %} of all executable bytes. */
    public String share(long bytes) {
        long tenths = Math.round(1000.0 * bytes / Math.max(1, executable()));
        return tenths / 10 + "." + tenths % 10 + " %";
    }
}

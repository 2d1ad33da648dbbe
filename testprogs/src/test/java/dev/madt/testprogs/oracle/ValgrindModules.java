package dev.madt.testprogs.oracle;

import dev.madt.testprogs.ProgramFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says where modules lie under Valgrind, and functions of theirs, from the lines of
 * {@code --trace-symtab=yes}. Valgrind's own objects are among the modules.
 */
final class ValgrindModules {
    private static final Pattern BIAS =
            Pattern.compile("PT_LOAD\\[\\d+]:\\s+acquired as .*, bias 0x([0-9a-f]+)");
    private static final Pattern FUNCTION = Pattern.compile(
            "\\s+rec\\(t\\) \\[\\s*\\d+]:\\s+val 0x([0-9a-f]+), sz\\s+(\\d+)\\s+(\\S+)");

    /**
     * A module in memory.
     *
     * @param bias run-time address less address in the file
     */
    record Image(String name, ProgramFile file, long bias) {
        boolean contains(long address) {
            return address - bias >= file.first() && address - bias < pageUp(file.last());
        }

        ModulePlace place(long address) {
            return new ModulePlace(name, address - bias);
        }

        private static long pageUp(long address) {
            return address + 4095 & -4096;
        }
    }

    private record Function(String module, String name, long end) {}

    private final NavigableMap<Long, Image> images = new TreeMap<>();
    private final Map<String, Image> byName = new HashMap<>();
    private final NavigableMap<Long, Function> functions = new TreeMap<>();
    private final Map<String, Long> starts = new HashMap<>();
    private String path = "";

    /** Takes one line of the log; one that says nothing of modules is passed over. */
    void line(String line) throws IOException {
        if (line.startsWith("------ name = ")) {
            path = line.substring(14).strip();
        } else if (line.startsWith("PT_LOAD")) {
            Matcher loaded = BIAS.matcher(line);
            if (loaded.matches() && named(path) == null) {
                add(new Image(
                        ModulePlace.moduleName(path),
                        new ProgramFile(Path.of(path)),
                        Long.parseLong(loaded.group(1), 16)));
            }
        } else if (line.startsWith("    rec(t) [")) {
            Matcher function = FUNCTION.matcher(line);
            if (function.matches()) {
                long start = Long.parseLong(function.group(1), 16);
                Function found = new Function(
                        ModulePlace.moduleName(path),
                        function.group(3),
                        start + Long.parseLong(function.group(2)));
                functions.putIfAbsent(start, found);
                starts.putIfAbsent(found.module() + " " + found.name(), start);
            }
        }
    }

    private void add(Image image) {
        images.put(image.bias() + image.file().first(), image);
        byName.put(image.name(), image);
    }

    /** The module at an address, or null. */
    Image at(long address) {
        Map.Entry<Long, Image> entry = images.floorEntry(address);
        return entry == null || !entry.getValue().contains(address) ? null : entry.getValue();
    }

    /** The module of this path or name, or null. */
    Image named(String module) {
        return byName.get(ModulePlace.moduleName(module));
    }

    /** Run-time address of a module's function; -1 if it is not known (yet). */
    long function(String module, String function) {
        return starts.getOrDefault(ModulePlace.moduleName(module) + " " + function, -1L);
    }

    /**
     * The function at a place, with its module; the place where none is known: a PLT, code without
     * symbols.
     */
    String functionAt(ModulePlace place) {
        Image image = byName.get(place.module());
        long address = image == null ? -1 : image.bias() + place.offset();
        Map.Entry<Long, Function> entry = functions.floorEntry(address);
        return entry == null || address >= entry.getValue().end()
                ? place.toString()
                : place.module() + " " + entry.getValue().name();
    }
}

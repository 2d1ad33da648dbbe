package dev.madt.testprogs.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds what callgrind counted: reads and writes of data of each instruction (Dr, Dw), of all
 * threads. It counts a modification as one write. Read from a file of
 * {@code --dump-instr=yes --cache-sim=yes --compress-strings=no --compress-pos=no}; addresses are
 * those in the module's file, but absolute in the sections of which callgrind has no debug
 * information (.plt, .init, .fini).
 */
final class CallgrindCounts {
    private final ValgrindModules modules;
    private final Map<ModulePlace, ThreadAccesses.Count> counts = new TreeMap<>();
    private String module = "";
    private boolean call;

    private CallgrindCounts(ValgrindModules modules) {
        this.modules = modules;
    }

    /** @param modules where they lay in callgrind's run */
    static CallgrindCounts read(Path file, ValgrindModules modules) throws IOException {
        CallgrindCounts reader = new CallgrindCounts(modules);
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.line(line);
            }
        }
        return reader;
    }

    /** Instructions that access data. */
    Map<ModulePlace, ThreadAccesses.Count> counts() {
        return counts;
    }

    private void line(String line) throws IOException {
        if (line.startsWith("ob=")) {
            module = line.substring(3);
        } else if (line.startsWith("calls=")) {
            call = true;
        } else if (line.startsWith("0x")) {
            if (!call) { // the line behind calls= is what the callee took
                cost(line.split(" "));
            }
            call = false;
        }
    }

    /** Address, line, Ir, Dr, Dw and so on; zeros at the end are left out. */
    private void cost(String[] columns) {
        long loads = columns.length > 3 ? Long.parseLong(columns[3]) : 0;
        long stores = columns.length > 4 ? Long.parseLong(columns[4]) : 0;
        if (loads == 0 && stores == 0) {
            return;
        }
        ModulePlace place = place(Long.parseLong(columns[0], 2, columns[0].length(), 16));
        counts.merge(place, new ThreadAccesses.Count(loads, stores), ThreadAccesses.Count::plus);
    }

    private ModulePlace place(long address) {
        ValgrindModules.Image image = module.equals("???") ? modules.at(address) : null;
        return image == null
                ? new ModulePlace(ModulePlace.moduleName(module), address)
                : image.place(address);
    }
}

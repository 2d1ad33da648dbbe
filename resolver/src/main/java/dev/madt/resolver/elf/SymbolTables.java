package dev.madt.resolver.elf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The symbols of a module and, if it is stripped, of its separate debug file, sorted into functions
 * and data (System V ABI, chapter 4, symbol table; STT_GNU_IFUNC from the GNU extensions).
 * Thread-local, absolute and undefined symbols are left out.
 */
public final class SymbolTables {
    private static final int NO_TYPE = 0;
    private static final int OBJECT = 1;
    private static final int FUNCTION = 2;
    static final int FILE = 4;
    private static final int COMMON = 5;
    private static final int INDIRECT_FUNCTION = 10;
    private static final int FIRST_RESERVED_SECTION = 0xff00;
    private static final int EXTENDED_SECTION = 0xffff;
    static final int LOCAL = 2;
    private static final Set<String> BOUNDARIES = Set.of(
            "__data_start",
            "data_start",
            "__bss_start",
            "_edata",
            "edata",
            "_end",
            "end",
            "_etext",
            "etext",
            "__etext",
            "__GNU_EH_FRAME_HDR");

    private final ElfImage module;
    private final List<SymbolCandidate> functions = new ArrayList<>();
    private final List<SymbolCandidate> data = new ArrayList<>();
    /** Names of data that have no type, as assembler programs have them. */
    private final List<SymbolCandidate> labels = new ArrayList<>();

    /**
     * Reads the tables.
     *
     * @param debug the module's debug file, whose symbols have the same addresses, or null
     */
    public SymbolTables(ElfImage module, ElfImage debug) throws IOException {
        this.module = module;
        addTables(module);
        if (debug != null) {
            addTables(debug);
        }
        addLabels();
        distinguish(functions);
        distinguish(data);
    }

    /** Labels are the names of what no variable names. */
    private void addLabels() {
        SymbolIndex variables = new SymbolIndex(data(), SymbolIndex.AS_LISTED);
        labels.removeIf(label -> variables.isSizedAt(label.address())
                || variables.startAround(label.address()) == label.address());
        data.addAll(labels);
    }

    private void addTables(ElfImage image) throws IOException {
        for (ElfSection section : image.sections()) {
            if (section.type() == ElfSection.SYMBOLS
                    || section.type() == ElfSection.DYNAMIC_SYMBOLS) {
                addTable(image, section);
            }
        }
    }

    /** Adds a function that no table lists, by a name that no table has. */
    public void addFunction(long address, long size, String name) {
        functions.add(new SymbolCandidate(address, size, address + size, LOCAL, name, null));
    }

    /** Adds data that no table lists, by a name that no table has. */
    void addData(long address, long size, String name) {
        data.add(new SymbolCandidate(address, size, address + size, LOCAL, name, null));
    }

    /**
     * The functions so far, sorted; local ones that share their name with another are
     * {@code file::name}.
     */
    public List<SymbolCandidate> functions() {
        functions.sort(SymbolCandidate.ORDER);
        return functions;
    }

    /** The variables so far, with the same order and distinction. */
    public List<SymbolCandidate> data() {
        data.sort(SymbolCandidate.ORDER);
        return data;
    }

    static void distinguish(List<SymbolCandidate> all) {
        Map<String, SymbolCandidate> first = new HashMap<>(2 * all.size());
        Set<String> shared = new HashSet<>();
        for (SymbolCandidate one : all) {
            SymbolCandidate other = first.putIfAbsent(one.name(), one);
            if (other != null && other.address() != one.address()) {
                shared.add(one.name());
            }
        }
        if (!shared.isEmpty()) {
            all.replaceAll(one ->
                    one.file() != null && shared.contains(one.name()) ? one.qualified() : one);
            distinguishByAddress(all);
        }
    }

    /** Files of one name may have functions of one name. */
    private static void distinguishByAddress(List<SymbolCandidate> all) {
        Map<String, Set<Long>> addresses = new HashMap<>(2 * all.size());
        for (SymbolCandidate one : all) {
            if (one.binding() == LOCAL) {
                addresses.computeIfAbsent(one.name(), name -> new HashSet<>()).add(one.address());
            }
        }
        all.replaceAll(
                one -> one.binding() == LOCAL && addresses.get(one.name()).size() > 1
                        ? one.placed()
                        : one);
    }

    private void addTable(ElfImage image, ElfSection section) throws IOException {
        SymbolTable table = new SymbolTable(image, section);
        String file = null;
        for (int symbol = 0; symbol < table.count(); symbol++) {
            if (table.type(symbol) == FILE) {
                file = table.string(symbol);
            } else if (table.isNamed(symbol) && isDefined(table.section(symbol))) {
                add(table, symbol, file);
            }
        }
    }

    private static boolean isDefined(int section) {
        return section != 0 && (section < FIRST_RESERVED_SECTION || section == EXTENDED_SECTION);
    }

    private void add(SymbolTable table, int symbol, String file) {
        int type = table.type(symbol);
        int binding = bindingOf(table.binding(symbol));
        boolean function = type == FUNCTION || type == INDIRECT_FUNCTION;
        boolean object = type == OBJECT || type == COMMON;
        if (!function && !object && type != NO_TYPE) {
            return;
        }
        long address = table.value(symbol);
        long limit = limitOf(table.section(symbol), address);
        long size = table.size(symbol);
        boolean label = !object && !function && !isExecutable(address);
        boolean local = !object && !function && !label && binding == LOCAL;
        if (limit <= address || size < 0 || local || label && isBoundary(table.name(symbol))) {
            return;
        }
        SymbolCandidate candidate = new SymbolCandidate(
                address,
                Math.min(size, limit - address),
                limit,
                binding,
                table.name(symbol),
                binding == LOCAL && file != null && !file.isEmpty() ? file : null);
        (object ? data : label ? labels : functions).add(candidate);
    }

    /** Returns whether it is a name by which the linker says where something begins or ends. */
    private static boolean isBoundary(String name) {
        return BOUNDARIES.contains(name);
    }

    static int bindingOf(int code) {
        return switch (code) {
            case 0 -> LOCAL;
            case 2 -> 1;
            default -> 0;
        };
    }

    /**
     * End of the symbol's section, or of its segment if the sections are gone; 0 if the symbol lies
     * in neither.
     */
    private long limitOf(int number, long address) {
        if (number <= module.sections().size()) {
            ElfSection section = module.sections().get(number - 1);
            return section.contains(address) ? section.end() : 0;
        }
        for (ElfSegment segment : module.segments()) {
            if (segment.loaded() && segment.contains(address)) {
                return segment.end();
            }
        }
        return 0;
    }

    private boolean isExecutable(long address) {
        for (ElfSection section : module.sections()) {
            if (section.contains(address)) {
                return section.executable();
            }
        }
        for (ElfSegment segment : module.segments()) {
            if (segment.loaded() && segment.contains(address)) {
                return segment.executable();
            }
        }
        return false;
    }
}

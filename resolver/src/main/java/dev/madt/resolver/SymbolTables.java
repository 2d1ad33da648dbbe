package dev.madt.resolver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The symbols of a module and, if it is stripped, of its separate debug file, sorted into functions and data (System V
 * ABI, chapter 4, symbol table; STT_GNU_IFUNC from the GNU extensions). Thread-local, absolute and undefined symbols
 * are left out.
 */
final class SymbolTables {
    private static final int NO_TYPE = 0;
    private static final int OBJECT = 1;
    private static final int FUNCTION = 2;
    private static final int FILE = 4;
    private static final int COMMON = 5;
    private static final int INDIRECT_FUNCTION = 10;
    private static final int FIRST_RESERVED_SECTION = 0xff00;
    private static final int EXTENDED_SECTION = 0xffff;
    private static final int LOCAL = 2;

    private final ElfImage module;
    private final List<SymbolCandidate> functions = new ArrayList<>();
    private final List<SymbolCandidate> data = new ArrayList<>();

    /** Starts with the tables of the module itself. */
    SymbolTables(ElfImage module) throws IOException {
        this.module = module;
        addTables(module);
    }

    /** Adds the tables of another file with the same addresses. */
    void addTables(ElfImage image) throws IOException {
        for (ElfSection section : image.sections()) {
            if (section.type() == ElfSection.SYMBOLS || section.type() == ElfSection.DYNAMIC_SYMBOLS) {
                addTable(image, section);
            }
        }
    }

    /** Adds a function that no table lists. */
    void addFunction(long address, long size, String name) {
        functions.add(new SymbolCandidate(address, size, address + size, LOCAL, name, null));
    }

    /** Adds data that no table lists. */
    void addData(long address, long size, String name) {
        data.add(new SymbolCandidate(address, size, address + size, LOCAL, name, null));
    }

    /** The functions; local ones that share their name with another are {@code file::name}. */
    List<SymbolCandidate> functions() {
        return distinct(functions);
    }

    /** The variables, with the same distinction. */
    List<SymbolCandidate> data() {
        return distinct(data);
    }

    private static List<SymbolCandidate> distinct(List<SymbolCandidate> all) {
        Map<String, Long> first = new HashMap<>();
        Set<String> shared = new HashSet<>();
        for (SymbolCandidate one : all) {
            Long other = first.putIfAbsent(one.name(), one.address());
            if (other != null && other != one.address()) {
                shared.add(one.name());
            }
        }
        return all.stream()
                .map(one -> one.file() != null && shared.contains(one.name()) ? one.qualified() : one)
                .toList();
    }

    /** The name without {@code @VERSION} or {@code @@VERSION}. */
    static String withoutVersion(String name) {
        int at = name.indexOf('@');
        return at > 0 ? name.substring(0, at) : name;
    }

    private void addTable(ElfImage image, ElfSection table) throws IOException {
        ByteBuffer strings = image.strings(table);
        String file = null;
        for (net.fornwall.jelf.ElfSymbol symbol : image.symbols(table)) {
            if ((symbol.st_info & 0xf) == FILE) {
                file = ElfImage.string(strings, symbol.st_name);
            } else if (symbol.st_name != 0 && isDefined(symbol)) {
                add(symbol, strings, file);
            }
        }
    }

    private static boolean isDefined(net.fornwall.jelf.ElfSymbol symbol) {
        int section = symbol.st_shndx & 0xffff;
        return section != 0 && (section < FIRST_RESERVED_SECTION || section == EXTENDED_SECTION);
    }

    private void add(net.fornwall.jelf.ElfSymbol symbol, ByteBuffer strings, String file) {
        int type = symbol.st_info & 0xf;
        int binding = bindingOf(symbol.st_info >> 4 & 0xf);
        boolean function = type == FUNCTION || type == INDIRECT_FUNCTION;
        boolean object = type == OBJECT || type == COMMON;
        if (!function && !object && !(type == NO_TYPE && binding != LOCAL)) {
            return;
        }
        long limit = limitOf(symbol);
        if (limit <= symbol.st_value || symbol.st_size < 0 || !object && !function && !isExecutable(symbol.st_value)) {
            return;
        }
        long size = Math.min(symbol.st_size, limit - symbol.st_value);
        SymbolCandidate candidate = new SymbolCandidate(
                symbol.st_value, size, limit, binding, withoutVersion(ElfImage.string(strings, symbol.st_name)),
                binding == LOCAL && file != null && !file.isEmpty() ? file : null);
        (object ? data : functions).add(candidate);
    }

    private static int bindingOf(int code) {
        return switch (code) {
            case 0 -> LOCAL;
            case 2 -> 1;
            default -> 0;
        };
    }

    /** End of the symbol's section, or of its segment if the sections are gone; 0 if the symbol lies in neither. */
    private long limitOf(net.fornwall.jelf.ElfSymbol symbol) {
        int index = (symbol.st_shndx & 0xffff) - 1;
        if (index < module.sections().size()) {
            ElfSection section = module.sections().get(index);
            return section.contains(symbol.st_value) ? section.end() : 0;
        }
        for (ElfSegment segment : module.segments()) {
            if (segment.loaded() && segment.contains(symbol.st_value)) {
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

package dev.madt.graph;

import dev.madt.modules.FunctionNames;
import dev.madt.modules.Scope;
import dev.madt.natives.CodeAnalyser;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.SymbolStore;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.trace.code.CodeGraph;
import dev.madt.trace.code.CodeGraph.Function;
import dev.madt.trace.code.CodeMap;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A module that is looked at by itself: its functions by their names, and their graphs. */
public final class ModuleGraph {
    private static final long ALL = 0xffffffffL;

    private final CodeAnalyser analyser;
    private final Path folder;
    private final Path file;
    private final ElfModule elf;
    private final FunctionNames spellings;

    /**
     * Opens a module.
     *
     * @param folder where files may be written meanwhile
     * @throws IOException with the reason if it cannot be read, or is no module
     */
    public ModuleGraph(Path file, CodeAnalyser analyser, FunctionNames spellings, Path folder)
            throws IOException {
        this.file = file;
        this.analyser = analyser;
        this.folder = folder;
        this.spellings = spellings;
        elf = ElfModule.open(file, SymbolStore.NONE, (module, buildId) -> {
            Path map = folder.resolve("codemap");
            analyser.build(module, map);
            CodeMap made = CodeMap.open(map);
            Files.delete(map);
            return made.functions();
        });
    }

    /** Returns whether it may be a program, whose places in traces name no module. */
    public boolean isProgram() {
        return elf.hasInterpreter() || elf.fixedAddress();
    }

    /** Returns what the module is called: its file without folders. */
    public String name() {
        return file.getFileName().toString();
    }

    /** Returns which build it is, as traces say. */
    public String build() throws IOException {
        return elf.build();
    }

    /** Returns the places that its source names for tools. */
    public List<StaticProbe> staticProbes() {
        return elf.staticProbes();
    }

    /** Returns the graphs of all functions, without their instructions. */
    public CodeGraph all() throws IOException {
        return graph(0, ALL, false);
    }

    /** Returns the graph of the functions that begin at an address, with instructions. */
    public CodeGraph at(long address) throws IOException {
        return graph(address, address + 1, true);
    }

    private CodeGraph graph(long start, long end, boolean text) throws IOException {
        Path out = folder.resolve("graph");
        analyser.graph(file, out, start, end, text);
        CodeGraph graph = CodeGraph.open(out);
        Files.delete(out);
        return graph;
    }

    /** Returns the linker's names of a function, the first of which goes before the others. */
    public List<String> symbols(Function function) {
        List<String> names = elf.functionNames(function.start());
        ElfSymbol symbol = elf.function(function.start());
        if (!names.isEmpty()) {
            return preferred(names, symbol);
        }
        if (symbol != null) {
            return List.of(withOffset(symbol.name(), function.start() - symbol.address()));
        }
        String kind = (function.kinds() & SharedLayout.FUNCTION_STUB) != 0 ? "plt" : "func";
        return List.of(kind + "@0x" + Long.toHexString(function.start()));
    }

    /** Returns the names with that first by which views call it. */
    private static List<String> preferred(List<String> names, ElfSymbol symbol) {
        if (symbol == null || !names.contains(symbol.name())) {
            return names;
        }
        List<String> others = new ArrayList<>(names);
        others.remove(symbol.name());
        others.add(0, symbol.name());
        return others;
    }

    /** Returns all names by which a user may call a function, for all of its symbols. */
    public List<String> spellings(Function function) {
        return symbols(function).stream()
                .flatMap(symbol -> spellings.ofCode(symbol).stream())
                .distinct()
                .toList();
    }

    /** Returns a function's name as views print it. */
    public String shown(Function function) {
        return last(spellings.ofCode(symbols(function).get(0)));
    }

    /** Returns what stands at an address as views print it, {@code f+0x12}; "" if nobody knows. */
    public String nameAt(long address) {
        ElfSymbol symbol = elf.function(address);
        if (symbol == null) {
            return "";
        }
        return withOffset(last(spellings.ofCode(symbol.name())), address - symbol.address());
    }

    private static String last(List<String> names) {
        return names.get(names.size() - 1);
    }

    private static String withOffset(String name, long offset) {
        return offset == 0 ? name : name + "+0x" + Long.toHexString(offset);
    }

    /** Returns the variable at an address, {@code table+0x10}; "" if nobody knows one. */
    public String dataAt(long address) {
        for (ElfSymbol symbol : elf.dataSymbols()) {
            if (address >= symbol.address()
                    && address < Math.max(symbol.end(), symbol.address() + 1)) {
                String name = last(spellings.of(symbol.name()));
                return withOffset(name, address - symbol.address());
            }
        }
        return "";
    }

    /**
     * Returns the functions that a user means: by a name, a pattern, or an address, {@code
     * 0x1139}, around which they are. The linker's own name goes before what it is called in short.
     */
    public List<Function> find(String wanted) throws IOException {
        List<Function> all = all().functions();
        if (wanted.matches("0x0*[0-9a-fA-F]{1,8}")) {
            long address = Long.parseLong(wanted.substring(2), 16);
            return all.stream()
                    .filter(function -> address >= function.start() && address < function.end())
                    .limit(1)
                    .toList();
        }
        List<Function> exact = all.stream()
                .filter(function -> symbols(function).contains(wanted))
                .toList();
        if (exact.size() == 1) {
            return exact;
        }
        Pattern pattern = Scope.pattern(wanted);
        return all.stream()
                .filter(function -> spellings(function).stream()
                        .anyMatch(name -> pattern.matcher(name).matches()))
                .toList();
    }
}

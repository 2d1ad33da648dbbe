package dev.madt.modules;

import dev.madt.resolver.elf.ElfSymbol;

/** The functions that have a name which matches a pattern. */
public final class NamedFunctions {
    private final FunctionGlob glob;
    private final FunctionNames names = new FunctionNames();

    /** @param option as the user typed it */
    public NamedFunctions(String option, String glob) {
        this.glob = FunctionGlob.of(option, glob);
    }

    /** As the user typed it. */
    String option() {
        return glob.option();
    }

    /** Returns whether it is one of them that begins at this address. */
    public boolean has(LoadedModule module, long address) {
        ElfSymbol function = module == null ? null : module.function(address);
        return function != null
                && module.elf() != null
                && module.elf().functionNames(function.address()).stream()
                        .anyMatch(symbol -> glob.matches(module.name(), names.of(symbol)));
    }
}

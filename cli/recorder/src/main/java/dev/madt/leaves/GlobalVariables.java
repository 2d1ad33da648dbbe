package dev.madt.leaves;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Variable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The variables of a module with fixed addresses, by the names that a user may give them. */
record GlobalVariables(ElfModule elf, DebugInfo debug) {
    /**
     * Returns the variables that a name means, by their addresses: the one whose symbol or whole
     * name it is, else those whose name ends with it, in whatever namespace or class.
     */
    Map<Long, Variable> named(String name) {
        String last = name.substring(name.lastIndexOf(':') + 1);
        Map<Long, Variable> inScopes = new TreeMap<>();
        for (ElfSymbol symbol : elf.dataSymbols()) {
            Variable variable = symbol.name().contains(last)
                    ? debug.symbol(symbol.address(), symbol.size())
                    : null;
            if (variable == null) {
                continue;
            }
            if (symbol.name().equals(name) || variable.name().equals(name)) {
                return Map.of(symbol.address(), variable);
            }
            if (variable.name().endsWith("::" + name)) {
                inScopes.put(symbol.address(), variable);
            }
        }
        return inScopes;
    }

    /** Returns the names that symbols give them. */
    List<String> names() {
        return elf.dataSymbols().stream().map(ElfSymbol::name).toList();
    }
}

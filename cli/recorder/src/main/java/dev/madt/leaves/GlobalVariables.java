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
     * Returns the variables whose symbol or whole name a name is, and those whose name ends with
     * it, in whatever namespace or class, by their addresses.
     */
    Map<Long, Variable> endingIn(String name) {
        String last = name.substring(name.lastIndexOf(':') + 1);
        Map<Long, Variable> all = new TreeMap<>();
        for (ElfSymbol symbol : elf.dataSymbols()) {
            Variable variable = symbol.name().contains(last)
                    ? debug.symbol(symbol.address(), symbol.size())
                    : null;
            if (variable != null
                    && (symbol.name().equals(name)
                            || variable.name().equals(name)
                            || variable.name().endsWith("::" + name))) {
                all.put(symbol.address(), variable);
            }
        }
        return all;
    }

    /** Returns those of some that a name means: the one whose whole name it is, else all. */
    Map<Long, Variable> named(String name, Map<Long, Variable> some) {
        for (Map.Entry<Long, Variable> one : some.entrySet()) {
            if (!one.getValue().name().endsWith("::" + name)) {
                return Map.of(one.getKey(), one.getValue());
            }
        }
        return some;
    }

    /** Returns a name without what need not be said to tell it. */
    static String visible(String name) {
        return name.replace("(anonymous namespace)::", "");
    }

    /** Returns the names that symbols give them. */
    List<String> names() {
        return elf.dataSymbols().stream().map(ElfSymbol::name).toList();
    }
}

package dev.madt.leaves;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Variable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The variables of a module with fixed addresses, or with one in each thread, by the names that a
 * user may give them.
 */
record GlobalVariables(ElfModule elf, DebugInfo debug) {
    /**
     * A variable.
     *
     * @param threadLocal whether its address is an offset in each thread's storage
     */
    record Global(Variable variable, boolean threadLocal) {}

    /**
     * Returns the variables whose symbol or whole name a name is, and those whose name ends with
     * it, in whatever namespace or class.
     */
    List<Global> endingIn(String name) {
        List<Global> all = new ArrayList<>();
        add(
                elf.dataSymbols(),
                name,
                symbol -> debug.symbol(symbol.address(), symbol.size()),
                false,
                all);
        add(threadSymbols(), name, symbol -> debug.threadVariable(symbol.address()), true, all);
        return all;
    }

    private static void add(
            List<ElfSymbol> symbols,
            String name,
            Function<ElfSymbol, Variable> variables,
            boolean threadLocal,
            List<Global> all) {
        String last = name.substring(name.lastIndexOf(':') + 1);
        for (ElfSymbol symbol : symbols) {
            Variable variable = symbol.name().contains(last) ? variables.apply(symbol) : null;
            if (variable != null
                    && (symbol.name().equals(name)
                            || variable.name().equals(name)
                            || variable.name().endsWith("::" + name))) {
                all.add(new Global(variable, threadLocal));
            }
        }
    }

    private List<ElfSymbol> threadSymbols() {
        try {
            return elf.threadStorage() > 0 ? elf.threadVariables() : List.of();
        } catch (IOException e) {
            return List.of(); // the file is no longer there
        }
    }

    /** Returns those of some that a name means: the one whose whole name it is, else all. */
    static List<Global> named(String name, List<Global> some) {
        for (Global one : some) {
            if (!one.variable().name().endsWith("::" + name)) {
                return List.of(one);
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
        return Stream.concat(elf.dataSymbols().stream(), threadSymbols().stream())
                .map(ElfSymbol::name)
                .toList();
    }
}

package dev.madt.modules;

import java.util.List;

/** The names by which users may call functions, and patterns of these, for whole modules. */
public final class FunctionSpellings {
    private final FunctionNames names = new FunctionNames();

    /** Returns the names of a symbol; the last one is what views print. */
    public List<String> of(String symbol) {
        return names.of(symbol);
    }

    /** A pattern: {@code GLOB}, or {@code lib.so:GLOB} for functions of one module. */
    public static final class Filter {
        private final FunctionGlob glob;

        /** @param option as the user typed it */
        public Filter(String option, String text) {
            glob = FunctionGlob.of(option, text);
        }

        /** @param spellings as {@link FunctionSpellings#of} has them */
        public boolean matches(String module, List<String> spellings) {
            return glob.matches(module, spellings);
        }
    }
}

package dev.madt.resolver;

import java.io.IOException;
import java.nio.file.Path;

/** Keeps what symbol tables say in files. */
@FunctionalInterface
public interface SymbolStore {
    /** Keeps nothing. */
    SymbolStore NONE = (module, tables, maker) -> null;

    /** Writes what is to be kept into a new file. */
    interface Maker {
        void make(Path out) throws IOException;
    }

    /**
     * The file with the symbols of a module, kept or made now; null where nothing is to be kept.
     *
     * @param tables a word that differs where a module has other tables: stripped or not, with its
     *     debug file or without
     * @throws IOException with the reason if it cannot be made
     */
    Path symbols(Path module, String tables, Maker maker) throws IOException;
}

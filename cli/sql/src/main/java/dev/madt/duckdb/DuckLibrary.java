package dev.madt.duckdb;

import dev.madt.natives.NativeFiles;
import dev.madt.natives.NativeFunction;
import dev.madt.natives.NativeLibrary;
import dev.madt.natives.NativeMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * DuckDB's library, called by its C interface (duckdb.h, the part that is stable since 1.2). It is
 * loaded when its first function is asked for, and comes from the folder of MadT alone: nothing is
 * fetched.
 */
public final class DuckLibrary {
    private static final Map<String, NativeFunction> FUNCTIONS = new ConcurrentHashMap<>();

    /** Loads the library once. */
    private static final class Loaded {
        private static final NativeLibrary LIBRARY = new NativeLibrary(file().toString());
    }

    private DuckLibrary() {}

    /** The library's file. */
    public static Path file() {
        return NativeFiles.duckdb();
    }

    /** Returns whether the library is there, which packages may leave out. */
    public static boolean isThere() {
        return Files.isRegularFile(file());
    }

    /** The library's version, {@code v1.5.6}. */
    public static String version() {
        return NativeMemory.text(function("duckdb_library_version").call());
    }

    /**
     * One of its functions.
     *
     * @throws UnsatisfiedLinkError if the library cannot be loaded, with the loader's reason
     */
    static NativeFunction function(String name) {
        return FUNCTIONS.computeIfAbsent(name, Loaded.LIBRARY::function);
    }
}

package dev.madt.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/** libmadtcode.so: decodes a module and writes its code map. */
final class CodeAnalyser {
    private static final int ERROR_BYTES = 512;

    /** The functions of the library; those that return an int return 0 on success. */
    public interface Library {
        int madtcode_build(String elf, String out, Pointer error, long size);

        int madtcode_check(String map, byte[] id, int length, Pointer error, long size);

        int madtcode_plan(String elf, String out, int variant, int flags, Pointer error, long size);

        int madtcode_plan_check(String plan, byte[] id, int length, Pointer error, long size);
    }

    private final Library library;
    private final Path file;

    CodeAnalyser(Path file) {
        this.file = file;
        library = LibraryLoader.create(Library.class).load(file.toString());
    }

    /** When the analyser was built: what is older may be another one's work. */
    FileTime built() throws IOException {
        return Files.getLastModifiedTime(file);
    }

    /**
     * Writes the code map of {@code elf} to {@code out}.
     *
     * @throws IOException with the library's reason
     */
    void build(Path elf, Path out) throws IOException {
        Pointer error = Memory.allocateDirect(Libc.RUNTIME, ERROR_BYTES, true);
        if (library.madtcode_build(elf.toString(), out.toString(), error, ERROR_BYTES) != 0) {
            throw new IOException(error.getString(0, ERROR_BYTES, StandardCharsets.UTF_8));
        }
    }

    /**
     * Writes the splice plan of {@code elf} to {@code out}.
     *
     * @param variant of {@code enum madt_plan_variant}: where its areas lie
     * @param flags of {@code enum madt_plan_flag}
     * @throws IOException with the library's reason
     */
    void plan(Path elf, Path out, int variant, int flags) throws IOException {
        Pointer error = Memory.allocateDirect(Libc.RUNTIME, ERROR_BYTES, true);
        if (library.madtcode_plan(elf.toString(), out.toString(), variant, flags, error, ERROR_BYTES) != 0) {
            throw new IOException(error.getString(0, ERROR_BYTES, StandardCharsets.UTF_8));
        }
    }

    /** Whether a file is an undamaged splice plan of this version, for this build-id (which may be empty: any). */
    boolean checkPlan(Path plan, byte[] buildId) {
        Pointer error = Memory.allocateDirect(Libc.RUNTIME, ERROR_BYTES, true);
        return library.madtcode_plan_check(plan.toString(), buildId, buildId.length, error, ERROR_BYTES) == 0;
    }

    /** Whether a file is an undamaged code map of this version, for this build-id (which may be empty: any). */
    boolean check(Path map, byte[] buildId) {
        Pointer error = Memory.allocateDirect(Libc.RUNTIME, ERROR_BYTES, true);
        return library.madtcode_check(map.toString(), buildId, buildId.length, error, ERROR_BYTES) == 0;
    }
}

package dev.madt.called;

import dev.madt.console.Failure;
import dev.madt.console.Reason;
import dev.madt.console.Suggestion;
import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.NativeFiles;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.LibraryImage;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;

/**
 * A library of the user's with functions that instruments call, as far as it can be put into a
 * program without a loader.
 *
 * @param start where it begins in the memory of all of them
 * @param way in which it is called, by what it changes: {@code enum madt_call}
 */
record CalledLibrary(LibraryImage image, long start, int way) {
    private static final int SAVES_ALL = 2;
    private static final int SAVES_GENERAL = 3;
    private static final int SAVES_LOW = 4;
    /** Names that libmadt.so has for it, {@code enum madt_import}. */
    private static final Map<String, Integer> IMPORTS = Map.of(
            "madt_probe_read",
            SharedLayout.IMPORT_READ,
            "madt_probe_text",
            SharedLayout.IMPORT_TEXT,
            "memcpy",
            SharedLayout.IMPORT_COPY,
            "memmove",
            SharedLayout.IMPORT_COPY,
            "memset",
            SharedLayout.IMPORT_FILL,
            "memcmp",
            SharedLayout.IMPORT_COMPARE,
            "strlen",
            SharedLayout.IMPORT_LENGTH,
            "__stack_chk_fail",
            SharedLayout.IMPORT_SMASHED);

    /** Reads a library, and refuses one that cannot be called. */
    static CalledLibrary of(String file, long start, String option, int status) throws Failure {
        Path path = Path.of(file);
        try {
            LibraryImage image = LibraryImage.of(ElfImage.open(path));
            int uses = new CodeAnalyser(NativeFiles.find("libmadtcode.so")).uses(path);
            String wrong = wrong(image, uses);
            if (wrong != null) {
                throw new Failure(status, option + ": " + file + " " + wrong);
            }
            int way = (uses & CodeAnalyser.USES_OTHERS) != 0
                    ? SAVES_ALL
                    : (uses & CodeAnalyser.USES_LOW) != 0 ? SAVES_LOW : SAVES_GENERAL;
            return new CalledLibrary(image, start, way);
        } catch (IOException | IndexOutOfBoundsException | LinkageError e) {
            throw new Failure(
                    status,
                    option + ": no functions of " + file + " can be called: "
                            + (e instanceof IOException io
                                    ? Reason.of(io)
                                    : "it cannot be read: " + e.getMessage())
                            + ".",
                    e);
        }
    }

    /** Returns what a library is refused for, or null. */
    private static String wrong(LibraryImage image, int uses) {
        for (LibraryImage.Move move : image.moves()) {
            if (move.symbol() != null && !move.weak() && !IMPORTS.containsKey(move.symbol())) {
                return "needs " + move.symbol() + ", which is not there: what it calls may be in it"
                        + " itself, or one of " + String.join(", ", new TreeSet<>(IMPORTS.keySet()))
                        + ".";
            }
        }
        if (image.constructors() > 1) {
            return "has constructors: nobody calls them.";
        }
        return (uses & CodeAnalyser.USES_KERNEL) != 0
                ? "makes system calls: the program's thread is not where it may."
                : null;
    }

    /** Returns where a function begins in the memory of all libraries. */
    long function(String name, String file, String option, int status) throws Failure {
        Long at = image.functions().get(name);
        if (at == null) {
            throw new Failure(
                    status,
                    option + ": " + file + " has no function '" + name + "'."
                            + Suggestion.sentence(name, image.functions().keySet()));
        }
        return start + at;
    }

    /** Returns what a word is behind: {@code enum madt_import}. */
    static int imported(LibraryImage.Move move) {
        return move.symbol() == null
                ? SharedLayout.IMPORT_NONE
                : IMPORTS.getOrDefault(move.symbol(), SharedLayout.IMPORT_NOWHERE);
    }
}

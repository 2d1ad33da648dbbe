package dev.madt.doctor;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.ZstdVersion;
import dev.madt.console.Reason;
import dev.madt.natives.CxxDemangler;
import dev.madt.natives.NativeFiles;
import dev.madt.natives.NativeLibrary;
import dev.madt.natives.NativeMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The libraries that MadT uses, each loaded to see whether that works. */
public final class LoadedLibraries {
    private static final String MOVE =
            "If a segment cannot be mapped, its file system forbids programs (mount option noexec):"
                    + " put MadT elsewhere.";

    /** Loads a library. */
    @FunctionalInterface
    private interface Use {
        /** Its version, and where it lies. */
        String version() throws IOException;
    }

    private LoadedLibraries() {}

    /** @param packaged MadT was not built here */
    public static List<MachineFacts.Library> of(boolean packaged) {
        String again = packaged ? "Install MadT again." : "Build it again: mvn package.";
        List<MachineFacts.Library> libraries = new ArrayList<>();
        libraries.add(library("jffi", MOVE, LoadedLibraries::jffi));
        libraries.add(library(
                "libc",
                "MadT needs the GNU C library.",
                () -> "glibc "
                        + NativeMemory.text(new NativeLibrary("libc.so.6")
                                .function("gnu_get_libc_version")
                                .call())));
        libraries.add(library(
                "zstd",
                MOVE,
                () -> ZstdVersion.VERSION + ", level " + Zstd.defaultCompressionLevel()));
        libraries.add(library("libmadt.so", again, () -> readable("libmadt.so")));
        libraries.add(library("libmadtencode.so", again, () -> loaded("libmadtencode.so")));
        libraries.add(library("libmadtcode.so", again, () -> loaded("libmadtcode.so")));
        libraries.add(library(
                "libZydis",
                packaged ? again : "Install it: sudo apt-get install -y libzydis-dev",
                LoadedLibraries::zydis));
        libraries.add(optional(
                "C++ names",
                "Names of C++ stay as the linker has them. Install libstdc++.so.6: sudo apt-get"
                        + " install -y libstdc++6",
                LoadedLibraries::demangler));
        libraries.add(optional(
                "DuckDB",
                "madt sql needs it, and nothing else. "
                        + (packaged ? "Install the package madt-sql." : again),
                () -> readable(NativeFiles.duckdb())));
        return libraries;
    }

    private static String jffi() {
        new NativeMemory(1).close();
        return "can call native functions";
    }

    private static MachineFacts.Library library(String name, String remedy, Use use) {
        return library(name, remedy, true, use);
    }

    /** One without which less is known. */
    private static MachineFacts.Library optional(String name, String remedy, Use use) {
        return library(name, remedy, false, use);
    }

    private static MachineFacts.Library library(
            String name, String remedy, boolean needed, Use use) {
        try {
            return new MachineFacts.Library(name, use.version(), null, null, needed);
        } catch (LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return new MachineFacts.Library(
                    name, null, "cannot be loaded: " + cause.getMessage(), remedy, needed);
        } catch (IOException e) {
            return new MachineFacts.Library(name, null, Reason.of(e), remedy, needed);
        }
    }

    /** It is for programs only: in this process it would do harm. */
    private static String readable(String name) throws IOException {
        return readable(NativeFiles.find(name));
    }

    /** Returns where a file is, which is not loaded. */
    private static String readable(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(file + " is not there");
        }
        return file.toString();
    }

    private static String loaded(String name) throws IOException {
        String file = readable(name);
        new NativeLibrary(file);
        return file;
    }

    private static String demangler() throws IOException {
        if (!CxxDemangler.works()) {
            throw new IOException("libstdc++.so.6 cannot be loaded");
        }
        return "read by libstdc++.so.6";
    }

    /** The file that libmadtcode.so has brought. */
    private static String zydis() throws IOException {
        String file = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/libZydis.so"))
                .map(line -> line.substring(line.indexOf('/')))
                .findFirst()
                .orElseThrow(() -> new IOException("not loaded, since libmadtcode.so was not"));
        long packed = new NativeLibrary(file).function("ZydisGetVersion").call();
        return (packed >>> 48) + "." + (packed >>> 32 & 0xffff) + "." + (packed >>> 16 & 0xffff)
                + ", " + file;
    }
}

package dev.madt.natives;

import java.nio.file.Files;
import java.nio.file.Path;

/** Says where the parts of MadT lie that are not Java. */
public final class NativeFiles {
    /** The name in the archive for JDBC, which the build takes the library out of. */
    private static final String DUCKDB = "cli/sql/target/duckdb/libduckdb_java.so_linux_amd64";

    private NativeFiles() {}

    /** Returns whether MadT was installed as a package, beside which there are no sources. */
    public static boolean packaged() {
        return System.getProperty("madt.natives") != null;
    }

    /**
     * The folder of {@code madt.h}: that of the sources, or of a package; a package of the system
     * has the header where compilers look by themselves.
     */
    public static Path include() {
        Path home =
                Path.of(System.getProperty("madt.home", ".")).toAbsolutePath().normalize();
        for (Path folder :
                new Path[] {home.resolve("madt-native/include"), home.resolve("include")}) {
            if (Files.isRegularFile(folder.resolve("madt.h"))) {
                return folder;
            }
        }
        return Path.of("/usr/include");
    }

    /**
     * The library of DuckDB, which packages may leave out: where a package has it, else where the
     * build has unpacked it.
     */
    public static Path duckdb() {
        return packaged()
                ? find("libduckdb.so")
                : Path.of(System.getProperty("madt.home", "."), DUCKDB)
                        .toAbsolutePath()
                        .normalize();
    }

    /**
     * A library of madt-native: where the property {@code madt.NAME} says, else in the folder
     * {@code madt.natives} of a package, else where it was built.
     */
    public static Path find(String name) {
        String set = System.getProperty("madt." + name);
        if (set != null) {
            return Path.of(set);
        }
        Path built = Path.of(System.getProperty("madt.home", "."), "madt-native", "target");
        Path folder = packaged() ? Path.of(System.getProperty("madt.natives")) : built;
        return folder.resolve(name).toAbsolutePath().normalize();
    }
}

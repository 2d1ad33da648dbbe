package dev.madt.natives;

import java.nio.file.Path;

/** Where the parts of MadT lie that are not Java. */
public final class NativeFiles {
    private NativeFiles() {}

    /** Whether MadT was installed as a package, beside which there are no sources. */
    public static boolean packaged() {
        return Boolean.getBoolean("madt.packaged");
    }

    /** A library of madt-native: where the property {@code madt.NAME} says, else where it was built. */
    public static Path find(String name) {
        String set = System.getProperty("madt." + name);
        Path built = Path.of(System.getProperty("madt.home", "."), "madt-native", "target", name);
        return set == null ? built.toAbsolutePath().normalize() : Path.of(set);
    }
}

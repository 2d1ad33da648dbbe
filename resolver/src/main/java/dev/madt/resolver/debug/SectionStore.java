package dev.madt.resolver.debug;

import java.io.IOException;
import java.nio.file.Path;

/** Keeps sections of debug information that are compressed in their file. */
@FunctionalInterface
public interface SectionStore {
    /** Keeps nothing. */
    SectionStore NONE = (file, section, maker) -> null;

    /** Unpacks the section into a new file, as {@link KeptSection} has it. */
    interface Maker {
        void make(Path out) throws IOException;
    }

    /**
     * The file with an unpacked section, kept or made now; null where nothing can be kept.
     *
     * @throws IOException with the reason if the section cannot be unpacked
     */
    Path section(Path file, String section, Maker maker) throws IOException;
}

package dev.madt.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A text that lies beside the classes, with places to fill in such as {@code @VERSION@}. */
public final class TextResource {
    private TextResource() {}

    /** @param beside the class that it lies beside */
    public static String read(Class<?> beside, String name) throws IOException {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing in this build of madt. Build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

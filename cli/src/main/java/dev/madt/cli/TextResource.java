package dev.madt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A text that lies beside the classes, with places to fill in such as {@code @VERSION@}. */
final class TextResource {
    private TextResource() {}

    static String read(String name) throws IOException {
        try (InputStream in = TextResource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing in this build of madt. Build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

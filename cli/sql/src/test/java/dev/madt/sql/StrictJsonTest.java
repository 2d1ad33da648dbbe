package dev.madt.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StrictJsonTest {
    /** In pieces of each length, so that words are cut wherever they can be. */
    @Test
    void shouldReplaceWhatNoNumberOfJsonIs() throws IOException {
        String texts = "{\"NaN\":\"-Infinity\",\"a\\\\\":\"\\\"NaN\",\"b\":null,\"c\":\"é-I\"}\n";
        String given = "{\"NaN\":NaN,\"a\":-Infinity,\"b\":[Infinity,NaN,-1,1e-5],"
                + "\"c\":{\"d\":NaN}}\n"
                + texts;
        String expected = "{\"NaN\":null,\"a\":null,\"b\":[null,null,-1,1e-5],"
                + "\"c\":{\"d\":null}}\n"
                + texts;
        byte[] bytes = given.getBytes(StandardCharsets.UTF_8);
        for (int length = 1; length <= bytes.length; length++) {
            ByteArrayOutputStream to = new ByteArrayOutputStream();
            try (OutputStream strict = new StrictJson(to)) {
                for (int from = 0; from < bytes.length; from += length) {
                    strict.write(bytes, from, Math.min(length, bytes.length - from));
                }
            }
            assertEquals(expected, to.toString(StandardCharsets.UTF_8), "in pieces of " + length);
        }
    }
}

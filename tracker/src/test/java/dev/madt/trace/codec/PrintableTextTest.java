package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrintableTextTest {
    private static final String ESCAPE = "\\x";

    private static String of(String text) {
        return PrintableText.of(text);
    }

    @Test
    void shouldLeaveWhatCanBePrinted() {
        String text = "name@plt <größe> 漢字 😀 \"quoted\", 'twice'";
        assertEquals(text, of(text));
        assertEquals(text, harmless(text));
    }

    @Test
    void shouldEscapeWhatDisturbs() {
        assertEquals(
                ESCAPE + "1b[31m" + ESCAPE + "0a" + ESCAPE + "09" + ESCAPE + "7f",
                of("\033[31m\n\t\177"));
        assertEquals("a" + ESCAPE + "c2" + ESCAPE + "9bm", of("a\u009bm"));
        assertEquals(
                ESCAPE + "e2" + ESCAPE + "80" + ESCAPE + "ae" + "x" + ESCAPE + "e2" + ESCAPE + "80"
                        + ESCAPE + "a8",
                of("\u202ex\u2028"));
        assertEquals("a" + ESCAPE + "2cb", PrintableText.field("a,b"));
        assertEquals(ESCAPE + "1b" + ESCAPE + "0ax", harmless("\033\nx"));
        assertEquals(ESCAPE + "1b\nx", PrintableText.harmlessLines("\033\nx"));
    }

    /** The bytes can be told from the text, whatever they are. */
    @Test
    void shouldLoseNothing() {
        Random random = new Random(7);
        String odd = "\\x1b\033,\nab";
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = new byte[random.nextInt(9)];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextBoolean()
                        ? (byte) odd.charAt(random.nextInt(odd.length()))
                        : bytes[i];
            }
            String text = round % 2 == 0
                    ? PrintableText.of(bytes, 0, bytes.length)
                    : PrintableText.field(bytes, 0, bytes.length);
            assertTrue(text.codePoints().noneMatch(Character::isISOControl), text);
            assertTrue(round % 2 == 0 || !text.contains(","), text);
            assertEquals(text, harmless(text));
            assertArrayEquals(bytes, read(text));
        }
    }

    private static byte[] read(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\\') {
                read.write(bytes[i]);
            } else if (bytes[++i] == 'x') {
                read.write(Integer.parseInt(
                        new String(bytes, i + 1, 2, StandardCharsets.US_ASCII), 16));
                i += 2;
            } else {
                assertEquals('\\', bytes[i]);
                read.write('\\');
            }
        }
        return read.toByteArray();
    }

    private static String harmless(String text) {
        return PrintableText.harmless(text.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EntropyTest {
    @Test
    void shouldGiveOtherBytesEachTime() {
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < 1009; i++) {
            byte[] bytes = Entropy.bytes(17);
            assertEquals(17, bytes.length);
            seen.add(HexFormat.of().formatHex(bytes));
        }

        assertEquals(1009, seen.size());
    }
}

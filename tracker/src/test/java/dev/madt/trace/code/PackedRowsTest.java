package dev.madt.trace.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedRowsTest {
    private static final int BLOCK = 64;

    private record Numbers(int value, int extra) {}

    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    /** LEB128. */
    private void put(long number) {
        long rest = number;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes.put((byte) (rest | 0x80));
        }
        bytes.put((byte) rest);
    }

    /** As madt_rows.h has it. */
    private PackedRows packed(TreeMap<Long, Numbers> rows) {
        long[] index = new long[2 * (rows.size() / BLOCK + 2)];
        int blocks = 0;
        int number = 0;
        Map.Entry<Long, Numbers> before = null;
        bytes.position(5);
        for (Map.Entry<Long, Numbers> row : rows.entrySet()) {
            boolean first = number++ % BLOCK == 0;
            if (first) {
                index[blocks++] = row.getKey();
                index[blocks++] = bytes.position();
            }
            int difference =
                    row.getValue().value() - (first ? 0 : before.getValue().value());
            int zigzag = difference << 1 ^ difference >> 31;
            int extra = row.getValue().extra();
            put(row.getKey() - (first ? row.getKey() : before.getKey()));
            put((zigzag & 0xffffffffL) << 1 | (extra == 0 ? 0 : 1));
            if (extra != 0) {
                put(extra & 0xffffffffL);
            }
            before = row;
        }
        index[blocks + 1] = bytes.position();
        bytes.position(bytes.position() + 7 & -8);
        int at = bytes.position();
        for (int i = 0; i <= blocks; i += 2) {
            bytes.putInt((int) index[i]).putInt(at - (int) index[i + 1]);
        }
        bytes.limit(bytes.position());
        assertTrue(PackedRows.fits(bytes, at, rows.size()));
        assertFalse(PackedRows.fits(bytes.slice(0, bytes.limit() - 1), at, rows.size()));
        return new PackedRows(bytes, at, rows.size());
    }

    private static void assertRow(Map.Entry<Long, Numbers> wanted, PackedRows.Row row) {
        assertEquals(
                wanted == null ? null : wanted.toString(),
                row == null ? null : row.key() + "=" + new Numbers(row.value(), row.extra()));
    }

    private static TreeMap<Long, Numbers> rows(int count) {
        Random random = new Random(count);
        TreeMap<Long, Numbers> rows = new TreeMap<>();
        while (rows.size() < count) {
            int value = random.nextBoolean() ? random.nextInt() : random.nextInt(99);
            int extra = random.nextInt(3) == 0 ? random.nextInt() : 0;
            rows.put(random.nextLong(1L << 32), new Numbers(value, extra));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 128, 1_993})
    void shouldGiveTheRowsThatWerePacked(int count) {
        TreeMap<Long, Numbers> wanted = rows(count);
        PackedRows rows = packed(wanted);
        PackedRows.Row row = rows.first();
        for (Map.Entry<Long, Numbers> entry : wanted.entrySet()) {
            assertRow(entry, row);
            row = row.next();
        }
        assertNull(row);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 1_993})
    void shouldFindTheLastRowUpToAKey(int count) {
        TreeMap<Long, Numbers> wanted = rows(count);
        PackedRows rows = packed(wanted);
        for (long key : wanted.keySet()) {
            for (long asked = key - 1; asked <= key + 1; asked++) {
                assertRow(wanted.floorEntry(asked), rows.lastUpTo(asked));
            }
        }
        assertNull(rows.lastUpTo(-1));
        PackedRows.Row last = rows.lastUpTo(1L << 32);
        assertRow(wanted.lastEntry(), last);
        assertNull(last.next());
    }

    @Test
    void shouldHaveNoRowInAnEmptyTable() {
        PackedRows rows = packed(new TreeMap<>());
        assertNull(rows.first());
        assertNull(rows.lastUpTo(7));
    }
}

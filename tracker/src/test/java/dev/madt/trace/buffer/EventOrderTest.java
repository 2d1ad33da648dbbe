package dev.madt.trace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the order of this class; how the library orders is compared in
 * {@code NativeRecordEncoderTest}.
 */
class EventOrderTest {
    @ParameterizedTest
    @CsvSource({
        "6, 7, true",
        "7, 7, true",
        "8, 7, false",
        "4294967297, 4294967296, false",
        "9223372036854775807, 9223372036854775807, true"
    })
    void shouldPutRecordsInFrontOfTheEventWithTheirEpoch(long epoch, long ticket, boolean record) {
        assertEquals(record, EventOrder.isRecordFirst(epoch, ticket));
        assertEquals(!record, EventOrder.isEventFirst(ticket, epoch));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5, 5",
        "100, 98, 98",
        "4294967290, 3, 4294967299",
        "4294967299, 4294967290, 4294967290",
        "12884901888, 4294967295, 12884901887"
    })
    void shouldTakeTheNearestEpoch(long before, long low, long epoch) {
        long header = 0xabcdef12_00000000L | low;
        assertEquals(epoch, EventOrder.epoch(before, header));
    }
}

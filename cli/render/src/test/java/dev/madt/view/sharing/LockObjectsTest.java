package dev.madt.view.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockObjectsTest {
    @ParameterizedTest
    @CsvSource({
        "runtime.releasep, true",
        "runtime.(*mcache).prepareForSweep, true",
        "runtime.allocmcache.func1, true",
        "runtime.stopm, true",
        "internal/runtime/atomic.Xadd, true",
        "runtime.memmove, false",
        "runtime.mapassign_faststr, false",
        "internal/runtime/maps.(*Map).PutSlot, false",
        "runtime.typedslicecopy, false",
        "main.main.func2, false",
        "sync.(*Mutex).Lock, false",
        "runtime, false",
        "runtime.part.0, false",
        "runtime.isra.0, false"
    })
    void shouldKnowGosRuntimeWhereItWorksForItself(String symbol, boolean own) {
        assertEquals(own, LockObjects.isOfGo(symbol));
    }
}

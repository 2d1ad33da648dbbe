package dev.madt.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnseenLocksTest {
    @ParameterizedTest
    @CsvSource({
        "_RNvMNtNtNtNtCsj_3std3sys4sync5mutex5futexNtB2_5Mutex14lock_contended, rust",
        "_RNvMNtNtNtNtCsj_3std3sys4sync6rwlock5futexNtB2_6RwLock14read_contended, rust",
        "_ZN3std3sys4sync5mutex5futex5Mutex14lock_contended17h0123456789abcdefE, rust",
        "_ZN3std3sys4unix5locks11futex_mutex5Mutex14lock_contended17h0123456789abcdefE, rust",
        "_ZN11parking_lot9raw_mutex8RawMutex9lock_slow17h0123456789abcdefE, parking_lot",
        "runtime.main, go",
        "runtime.lock2, go",
        "pthread_mutex_lock, ''",
        "_ZNSt5mutex4lockEv, ''"
    })
    void shouldKnowWhoseLocksAreInlined(String symbol, String whose) {
        assertEquals(whose, UnseenLocks.of(symbol));
    }
}

package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Failure;
import dev.madt.natives.Libc;
import dev.madt.natives.Signals;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SignalRelayTest {
    private final SignalRelay relay = new SignalRelay();

    /** The program is not begun, and its status is as if the signal had ended it. */
    @Test
    void shouldBeginNothingOnceASignalHasCome() throws Exception {
        relay.install(Signals.bit(Signals.INT) | Signals.bit(Signals.TERM));
        relay.demandNone("program");
        Libc.kill((int) ProcessHandle.current().pid(), Signals.HUP);
        Failure failure = assertThrows(Failure.class, () -> {
            for (int i = 0; i < 10_000; i++) {
                relay.demandNone("program");
                Thread.sleep(1);
            }
        });
        assertEquals(129, failure.status());
        assertTrue(
                failure.getMessage().startsWith("stopped by SIGHUP before program began: "),
                failure.getMessage());

        CountDownLatch told = new CountDownLatch(1);
        relay.handOver(told::countDown); // it came before there was anybody for it
        assertTrue(told.await(0, TimeUnit.SECONDS));
    }
}

package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Failure;
import dev.madt.natives.Libc;
import dev.madt.natives.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SignalRelayTest {
    private final SignalRelay relay = new SignalRelay();

    @AfterEach
    void putBack() {
        relay.close();
    }

    private static void demandOne(SignalRelay relay) {
        assertThrows(Failure.class, () -> {
            for (int i = 0; i < 10_000; i++) {
                relay.demandNone("program");
                Thread.sleep(1);
            }
        });
    }

    private static boolean ignoresQuit() throws Exception {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring(7).trim(), 16) & Signals.bit(Signals.QUIT))
                != 0;
    }

    /** Whoever was handed over to may be gone by then. */
    @Test
    void shouldPassOverSignalsBehindTheEndAndPutHandlersBack() throws Exception {
        int self = (int) ProcessHandle.current().pid();
        long others = Signals.bit(Signals.INT) | Signals.bit(Signals.TERM);
        boolean ignored = ignoresQuit();
        AtomicInteger asked = new AtomicInteger();
        relay.install(others);
        try (SignalRelay inner = new SignalRelay()) {
            inner.install(others);
            inner.handOver(asked::incrementAndGet);
            Libc.kill(self, Signals.HUP);
            for (int i = 0; i < 10_000 && asked.get() == 0; i++) {
                Thread.sleep(1);
            }
            assertEquals(1, asked.get());
            assertTrue(ignoresQuit());
        }
        Libc.kill(self, Signals.HUP);
        demandOne(relay);
        relay.passOver();
        relay.demandNone("program"); // it has been passed over
        relay.handOver(asked::incrementAndGet);
        assertEquals(1, asked.get());
        relay.close();
        assertEquals(ignored, ignoresQuit());
    }

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

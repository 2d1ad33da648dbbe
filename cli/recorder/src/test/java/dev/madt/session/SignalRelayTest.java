package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Failure;
import dev.madt.natives.Libc;
import dev.madt.natives.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SignalRelayTest {
    private static final int[] ENDING = {Signals.HUP, Signals.TERM, Signals.INT};

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

    private static boolean ignores(int signal) throws Exception {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring(7).trim(), 16) & Signals.bit(signal)) != 0;
    }

    /** The JVM handles none that it was begun with as ignored, by nohup or a shell's `&`. */
    private static int handled() throws Exception {
        for (int signal : ENDING) {
            if (!ignores(signal)) {
                return signal;
            }
        }
        throw new AssertionError("whoever began this test ignores all signals that end a program");
    }

    private static long allBut(int signal) {
        return Arrays.stream(ENDING)
                .filter(other -> other != signal)
                .mapToLong(Signals::bit)
                .sum();
    }

    /** Whoever was handed over to may be gone by then. */
    @Test
    void shouldPassOverSignalsBehindTheEndAndPutHandlersBack() throws Exception {
        int self = (int) ProcessHandle.current().pid();
        int signal = handled();
        long others = allBut(signal);
        boolean ignored = ignores(Signals.QUIT);
        AtomicInteger asked = new AtomicInteger();
        relay.install(others);
        try (SignalRelay inner = new SignalRelay()) {
            inner.install(others);
            inner.handOver(asked::incrementAndGet);
            Libc.kill(self, signal);
            for (int i = 0; i < 10_000 && asked.get() == 0; i++) {
                Thread.sleep(1);
            }
            assertEquals(1, asked.get());
            assertTrue(ignores(Signals.QUIT));
        }
        Libc.kill(self, signal);
        demandOne(relay);
        relay.passOver();
        relay.demandNone("program"); // it has been passed over
        relay.handOver(asked::incrementAndGet);
        assertEquals(1, asked.get());
        relay.close();
        assertEquals(ignored, ignores(Signals.QUIT));
    }

    /** The program is not begun, and its status is as if the signal had ended it. */
    @Test
    void shouldBeginNothingOnceASignalHasCome() throws Exception {
        int signal = handled();
        relay.install(allBut(signal));
        relay.demandNone("program");
        Libc.kill((int) ProcessHandle.current().pid(), signal);
        Failure failure = assertThrows(Failure.class, () -> {
            for (int i = 0; i < 10_000; i++) {
                relay.demandNone("program");
                Thread.sleep(1);
            }
        });
        assertEquals(128 + signal, failure.status());
        assertTrue(
                failure.getMessage()
                        .startsWith(
                                "stopped by " + Signals.name(signal) + " before program began: "),
                failure.getMessage());

        CountDownLatch told = new CountDownLatch(1);
        relay.handOver(told::countDown); // it came before there was anybody for it
        assertTrue(told.await(0, TimeUnit.SECONDS));
    }
}

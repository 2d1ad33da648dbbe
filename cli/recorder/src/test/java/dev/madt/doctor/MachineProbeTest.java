package dev.madt.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineProbeTest {
    @TempDir
    Path proc;

    private void write(String file, String text) throws Exception {
        Files.createDirectories(proc.resolve(file).getParent());
        Files.writeString(proc.resolve(file), text);
    }

    @Test
    void shouldReadWhatTheKernelTells() throws Exception {
        write(
                "cpuinfo",
                """
                processor\t: 0
                vendor_id\t: GenuineIntel
                model name\t: Intel(R) Xeon(R): fast
                flags\t\t: fpu avx avx512f avx512dq

                processor\t: 1
                vendor_id\t: other
                """);
        write("sys/kernel/osrelease", "6.1.0-18-amd64\n");
        write("sys/kernel/yama/ptrace_scope", "1\n");
        write("self/status", "Name:\tjava\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n");
        ByteBuffer vector = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
        vector.putLong(6).putLong(4096).putLong(51).putLong(3632).putLong(0).putLong(0);
        Files.write(proc.resolve("self/auxv"), vector.array());
        MachineProbe probe = new MachineProbe(proc);
        assertEquals(
                new MachineFacts.Processor(
                        "x86_64", "GenuineIntel", "Intel(R) Xeon(R): fast", true, 3632),
                probe.processor());
        MachineFacts.Kernel kernel = probe.kernel();
        assertEquals("6.1.0-18-amd64", kernel.release());
        assertEquals(2, kernel.seccomp());
        assertEquals(1, kernel.ptraceScope());
    }

    @Test
    void shouldDoWithoutWhatIsNotThere() {
        MachineProbe probe = new MachineProbe(proc);
        assertEquals(
                new MachineFacts.Processor("x86_64", "unknown vendor", "unknown model", false, 0),
                probe.processor());
        assertEquals(-1, probe.kernel().seccomp());
        assertEquals(-1, probe.kernel().ptraceScope());
    }

    @Test
    void shouldTryWhetherFilesCanBeMadeInSharedMemory() {
        MachineProbe probe = new MachineProbe(proc);
        MachineFacts.SharedMemory there = probe.sharedMemory(proc);
        assertTrue(there.writable());
        assertTrue(there.size() > 0 && there.free() <= there.size(), there.toString());
        assertFalse(probe.sharedMemory(proc.resolve("missing")).writable());
        assertTrue(proc.toFile().list().length == 0, "nothing stays");
    }
}

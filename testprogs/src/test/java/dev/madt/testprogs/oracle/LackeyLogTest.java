package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.ProgramFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LackeyLogTest {
    @TempDir
    Path directory;

    private ProgramFile program;
    private long main;
    private long table;

    @BeforeEach
    void openProgram() throws IOException {
        Path file = MadtRun.program("crash_exit.O0");
        program = new ProgramFile(file);
        main = Disassembly.of(file).function("main");
        table = 0x4060;
        assertTrue(program.isData(table) && program.isCode(main));
    }

    private List<String> log() {
        return new ArrayList<>(List.of(
                "==1== Lackey",
                "------ name = " + program.path(),
                "  [1]    avma 0x109000              size 4096        foff 4096        rx"
                        + " -- --",
                "PT_LOAD[3]:   acquired as rx, bias 0x108000",
                "------ name = /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
                "  [3]    avma 0x4031000             size 16384       foff 200704      --"
                        + " rw --",
                "PT_LOAD[3]:   acquired as rx, bias 0x4000000",
                "I  04001000,3",
                " S 1ffefff8b8,8",
                "SYSCALL[1,1](9) sys_mmap ( 0x0, 12288, 3, 34, 4294967295, 0 ) -->"
                        + " [pre-success] Success(0x4a27000) ",
                "SYSCALL[1,1](158) arch_prctl ( 4098, 4a27740 ) --> [pre-success]"
                        + " Success(0x0) ",
                line("I ", 0x108000 + main - 1, 1),
                line(" L", 0x108000 + table, 8)));
    }

    private static String line(String kind, long address, int size) {
        return String.format("%s %08x,%d", kind, address, size);
    }

    private List<Access> read(List<String> lines) throws IOException {
        Path log = Files.write(directory.resolve("log"), lines);
        return LackeyLog.read(log, program, main, false);
    }

    @Test
    void shouldKeepOwnAccessesFromMainOn() throws IOException {
        List<String> lines = log();
        lines.add(line("I ", 0x108000 + main, 4));
        lines.add(line(" S", 0x108000 + table, 8));
        lines.add(line("I ", 0x108000 + main + 4, 4));
        lines.add(line(" M", 0x4c00040, 4));
        lines.add(line("I ", 0x486b000, 4));
        lines.add(line(" L", 0x108000 + table, 8));
        assertEquals(
                List.of(
                        new Access(main, true, 8, table),
                        new Access(main + 4, false, 4, Access.ELSEWHERE),
                        new Access(main + 4, true, 4, Access.ELSEWHERE)),
                read(lines));
    }

    @Test
    void shouldDropStackStorageLoaderAndCode() throws IOException {
        List<String> lines = log();
        lines.add(line("I ", 0x108000 + main, 4));
        lines.add(line(" S", 0x1ffeffe000L, 8));
        lines.add(line(" L", 0x4a27738, 8));
        lines.add(line(" L", 0x4031040, 8));
        lines.add(line(" L", 0x109020, 8));
        assertEquals(List.of(), read(lines));
    }

    @Test
    void shouldSayWhatTheLogLacks() {
        List<String> lines = log();
        lines.removeIf(line -> line.contains("arch_prctl"));
        lines.add(line("I ", 0x108000 + main, 4));
        IOException missing = assertThrows(IOException.class, () -> read(lines));
        assertTrue(missing.getMessage().contains("thread-local storage"), missing.getMessage());
        IOException noMain = assertThrows(IOException.class, () -> read(log()));
        assertTrue(noMain.getMessage().contains("first instruction of main"), noMain.getMessage());
    }
}

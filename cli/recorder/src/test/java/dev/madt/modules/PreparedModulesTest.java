package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.code.ModuleRuns;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PreparedModulesTest {
    private static final int FIRST = SharedLayout.RUN_FIRST_MODULE;
    private static final int MODULES = 97;

    /** Runs that only count. */
    private record Runs(int firstRun, int entries) implements ModuleRuns {
        @Override
        public int words(int entry) {
            return 1;
        }

        @Override
        public AccessSite[] sites(int entry, long bias) {
            return new AccessSite[1];
        }
    }

    private PreparedModules modules = PreparedModules.NONE;

    private LoadedModule add(int firstRun, int entries) throws IOException {
        Runs runs = new Runs(firstRun, entries);
        LoadedModule module =
                new LoadedModule("m", null, null, runs, 0, modules.place(runs), 16, false, false);
        modules = modules.with(module);
        return module;
    }

    @Test
    void shouldLeaveAPlanItsNumbers() throws IOException {
        assertEquals(5_003, add(5_003, 11).firstRun());
        assertEquals(1_009, add(1_009, 3_994).firstRun());
        assertEquals(5_014, add(5_014, 1).firstRun());
    }

    @Test
    void shouldPutASecondCopyBehindAll() throws IOException {
        add(1_009, 100);
        add(5_003, 11);
        assertEquals(5_014, add(1_009, 100).firstRun());
        assertEquals(5_114, add(1_108, 1).firstRun());
        assertEquals(5_115, add(1_000, 10).firstRun());
        assertEquals(1_000, add(1_000, 9).firstRun());
    }

    @Test
    void shouldNumberWhatHasNone() throws IOException {
        assertEquals(FIRST, add(0, 7).firstRun());
        assertEquals(FIRST + 7, add(0, 0).firstRun());
        assertEquals(FIRST + 7, add(0, 5).firstRun());
    }

    @Test
    void shouldUseTheRoomInBetween() throws IOException {
        int last = SharedLayout.RUN_RESERVED - 10;
        assertEquals(last, add(last, 10).firstRun());
        assertEquals(FIRST, add(last, 10).firstRun());
        assertEquals(FIRST + 10, add(0, 1).firstRun());
        int room = last - FIRST - 11;
        assertEquals(FIRST + 11, modules.place(new Runs(0, room)));
        assertThrows(IOException.class, () -> modules.place(new Runs(0, room + 1)));
    }

    @Test
    void shouldFindTheModuleOfEachNumber() throws IOException {
        Random random = new Random(4_711);
        LoadedModule[] owners = new LoadedModule[1 << 16];
        for (int i = 0; i < MODULES; i++) {
            LoadedModule module = add(FIRST + random.nextInt(10_007), random.nextInt(151));
            for (int run = 0; run < module.entries(); run++) {
                assertNull(owners[module.firstRun() + run]);
                owners[module.firstRun() + run] = module;
            }
        }
        for (int run = 0; run < owners.length; run++) {
            assertSame(owners[run], modules.of(run));
        }
    }
}

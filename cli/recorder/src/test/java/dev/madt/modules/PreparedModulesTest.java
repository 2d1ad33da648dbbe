package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.code.ModuleTemplates;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PreparedModulesTest {
    private static final int FIRST = SharedLayout.TEMPLATE_FIRST_MODULE;
    private static final int MODULES = 97;

    /** Templates that only count. */
    private record Templates(int firstTemplate, int entries) implements ModuleTemplates {
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

    private LoadedModule add(int firstTemplate, int entries) throws IOException {
        Templates templates = new Templates(firstTemplate, entries);
        LoadedModule module = new LoadedModule(
                "m", null, null, templates, 0, modules.place(templates), 16, false, false);
        modules = modules.with(module);
        return module;
    }

    @Test
    void shouldLeaveAPlanItsNumbers() throws IOException {
        assertEquals(5_003, add(5_003, 11).firstTemplate());
        assertEquals(1_009, add(1_009, 3_994).firstTemplate());
        assertEquals(5_014, add(5_014, 1).firstTemplate());
    }

    @Test
    void shouldPutASecondCopyBehindAll() throws IOException {
        add(1_009, 100);
        add(5_003, 11);
        assertEquals(5_014, add(1_009, 100).firstTemplate());
        assertEquals(5_114, add(1_108, 1).firstTemplate());
        assertEquals(5_115, add(1_000, 10).firstTemplate());
        assertEquals(1_000, add(1_000, 9).firstTemplate());
    }

    @Test
    void shouldNumberWhatHasNone() throws IOException {
        assertEquals(FIRST, add(0, 7).firstTemplate());
        assertEquals(FIRST + 7, add(0, 0).firstTemplate());
        assertEquals(FIRST + 7, add(0, 5).firstTemplate());
    }

    @Test
    void shouldUseTheRoomInBetween() throws IOException {
        int last = SharedLayout.TEMPLATE_RESERVED - 10;
        assertEquals(last, add(last, 10).firstTemplate());
        assertEquals(FIRST, add(last, 10).firstTemplate());
        assertEquals(FIRST + 10, add(0, 1).firstTemplate());
        int room = last - FIRST - 11;
        assertEquals(FIRST + 11, modules.place(new Templates(0, room)));
        assertThrows(IOException.class, () -> modules.place(new Templates(0, room + 1)));
    }

    @Test
    void shouldFindTheModuleOfEachNumber() throws IOException {
        Random random = new Random(4_711);
        LoadedModule[] owners = new LoadedModule[1 << 16];
        for (int i = 0; i < MODULES; i++) {
            LoadedModule module = add(FIRST + random.nextInt(10_007), random.nextInt(151));
            for (int template = 0; template < module.entries(); template++) {
                assertNull(owners[module.firstTemplate() + template]);
                owners[module.firstTemplate() + template] = module;
            }
        }
        for (int template = 0; template < owners.length; template++) {
            assertSame(owners[template], modules.of(template));
        }
    }
}

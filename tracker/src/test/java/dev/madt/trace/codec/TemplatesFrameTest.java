package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import org.junit.jupiter.api.Test;

class TemplatesFrameTest {
    private static final AccessSite PLAIN =
            new AccessSite(0x401000, 3, AccessKind.LOAD, 8, 1, false);

    @Test
    void shouldKeepPlacesInFramesAsFarAsTheyFit() throws Exception {
        AccessSite[] sites = {
            PLAIN,
            PLAIN.inFrame(0),
            PLAIN.inFrame(-32768),
            PLAIN.inFrame(32767),
            PLAIN.inFrame(32768),
            PLAIN.inFrame(-40000),
            PLAIN,
            PLAIN.nextElement(),
            PLAIN.nextElement().nextElement()
        };
        TemplatesFrame.decode(new TemplatesFrame().add(77, sites).build(1, 0), (template, read) -> {
            assertEquals(77, template);
            assertArrayEquals(sites, read);
        });
        assertEquals(AccessSite.NO_FRAME, sites[0].frame());
        assertEquals(-32768, sites[2].frame());
        assertEquals(AccessSite.NO_FRAME, sites[4].frame());
        assertEquals(16, sites[8].inFront());
    }
}

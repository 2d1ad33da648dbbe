package dev.madt.view.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.view.toolkit.TextTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Draws the calls of a function that calls itself very often. */
class DeepCallsTest {
    private static final int LEVELS = 100_000;

    private final CallProfile profile = new CallProfile();
    private final CallFunction deep = profile.function("deep", "[prog]");
    private final CallFunction leaf = profile.function("leaf", "[prog]");

    private static void call(CallPath path) {
        path.ended(10);
        path.function().enter(1);
        path.function().leave(1, 10, 10);
    }

    /** Lets a function call itself, and another one on each of its first levels. */
    private void descend(int levels, int leaves) {
        profile.hasCalls();
        CallPath path = profile.start();
        for (int i = 0; i < levels; i++) {
            path = profile.path(path, deep);
            call(path);
            if (i < leaves) {
                call(profile.path(path, leaf));
            }
        }
    }

    private String flame(FlameFormat format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        format.write(profile, CallMeasure.CALLS, "deep", out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldDrawATreeOfAnyDepth() {
        descend(LEVELS, 0);
        CallTree tree = new CallTree(profile);
        CallTreeText whole = new CallTreeText(tree, 0).whole();
        assertEquals(LEVELS + 2, whole.text(false, 80).lines().count());
        assertTrue(whole.csv().contains("\nall," + LEVELS + ","));
        assertFalse(whole.isCut());
        CallTreeText one = new CallTreeText(tree, 0).of(deep);
        assertEquals(LEVELS + 6, one.text(false, 80).lines().count());
    }

    @Test
    void shouldNotIndentWithoutEnd() {
        descend(LEVELS, LEVELS);
        CallTreeText text = new CallTreeText(new CallTree(profile), 0).whole();
        String lines = text.text(false, TextTable.WIDE);
        assertTrue(lines.lines().count() < 3000);
        assertTrue(lines.contains("deep  … 2 more: "));
        assertTrue(text.isCut());
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldListPathsOfAnyDepth() {
        descend(LEVELS, 0);
        List<Object[]> rows =
                new CallTable(profile, true).table(name -> true, 2).rows();
        assertEquals("deep", rows.get(0)[1]);
        assertEquals("deep;deep", rows.get(1)[1]);
        CallPath last = profile.paths().get(LEVELS);
        assertEquals(5 * LEVELS - 1, last.name().length());
    }

    @Test
    void shouldDrawFlamesOfAnyDepth() throws IOException {
        descend(LEVELS, 0);
        assertTrue(flame(FlameFormat.SVG).contains("; without what is more than 500 calls deep<"));
        assertTrue(flame(FlameFormat.HTML).contains("\"cut\":0"));
    }
}

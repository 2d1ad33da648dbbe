package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SiteTableTest {
    private final SiteTable<Integer> table = new SiteTable<>();

    private static AccessSite site() {
        return new AccessSite(0x401000, 4, AccessKind.LOAD, 8, 0, false);
    }

    @Test
    void shouldKnowManyEqualSitesApart() {
        List<AccessSite> sites = new ArrayList<>();
        for (int i = 0; i < 10_007; i++) {
            sites.add(site());
            assertNull(table.get(sites.get(i)));
            table.put(sites.get(i), i);
            assertEquals(i + 1, table.size());
        }
        for (int i = 0; i < sites.size(); i++) {
            assertEquals(i, table.get(sites.get(i)));
        }
        assertNull(table.get(site()));
    }

    @Test
    void shouldForgetEverything() {
        for (int many : new int[] {3, 5_003}) {
            AccessSite first = site();
            table.put(first, 0);
            for (int i = 1; i < many; i++) {
                table.put(site(), i);
            }
            table.clear();
            assertEquals(0, table.size());
            assertNull(table.get(first));
            table.put(first, many);
            assertEquals(many, table.get(first));
            table.clear();
        }
    }
}

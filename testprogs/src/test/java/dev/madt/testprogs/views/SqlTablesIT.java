package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks how {@code madt sql} shows the rows of a query. */
class SqlTablesIT {
    @TempDir
    Path directory;

    private static String trace() throws Exception {
        return Recording.of(MadtRun.program("heap.O0")).toString();
    }

    private MadtRun sql(String query) throws Exception {
        return MadtRun.madt(directory, "sql", trace(), query);
    }

    private List<String> shown(String query) throws Exception {
        return sql(query).expect(0).text().lines().toList();
    }

    @Test
    void shouldHaveAllColumnsThatAreAskedFor() throws Exception {
        assertEquals(
                "a  b  c  d",
                shown("select null::varchar as a, 1 as b, null::int c, '' d").get(0));
        assertTrue(shown("describe accesses").get(0).contains("key"));
    }

    @Test
    void shouldShowEachNullTheSameWay() throws Exception {
        assertEquals(
                List.of("a  b  c", "–  1  –", "x  –  –"),
                shown("select null::varchar as a, 1 as b, null::int c union all"
                        + " select 'x', null, null order by 1 nulls first"));
    }
}

package dev.madt.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTextTest {
    @Test
    void shouldSeparateStatementsByTheirSemicolonsAlone() {
        assertEquals(
                List.of(
                        "select ';', \"a;b\", 'it''s;'",
                        "-- not; here\nselect 1",
                        "/* nor; here */ select $$;$$, $x$ ; $$ ; $x$, $1"),
                SqlText.statements("select ';', \"a;b\", 'it''s;';; -- not; here\nselect 1;"
                        + "/* nor; here */ select $$;$$, $x$ ; $$ ; $x$, $1"));
        assertEquals(List.of(), SqlText.statements(" ;\n-- nothing\n"));
    }

    @Test
    void shouldKnowWhereAStatementIsWhole() {
        assertTrue(SqlText.isComplete("select 1;"));
        assertTrue(SqlText.isComplete("select ';';  -- and so on"));
        assertTrue(SqlText.isComplete(" \n"));
        assertFalse(SqlText.isComplete("select 1"));
        assertFalse(SqlText.isComplete("select 1; select"));
        assertFalse(SqlText.isComplete("select ';"));
        assertFalse(SqlText.isComplete("select $$;"));
    }
}

package dev.madt.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.duckdb.DuckConnection;
import dev.madt.duckdb.DuckFault;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PushdownTest {
    private DuckConnection connection;

    @BeforeEach
    void open() throws DuckFault {
        connection = new DuckConnection(Map.of());
        connection.execute("create macro accesses() as table select 1 number");
        connection.execute("create view accesses as select * from accesses()");
    }

    @AfterEach
    void close() {
        connection.close();
    }

    private void check(String expected, String query) throws DuckFault {
        assertEquals(expected, Pushdown.into(connection, query, hint -> {}));
    }

    private void checkUnchanged(String query) throws DuckFault {
        check(query, query);
    }

    @Test
    void shouldGiveTheTableWhatEachConditionSays() throws DuckFault {
        check(
                "select 1 from accesses(function := 'it''s') where function = 'it''s'",
                "select 1 from accesses where function = 'it''s'");
        check(
                "select 1 from Accesses(kind := 'store', last := '9') a\n"
                        + "where a.number < 9 and kind = 'S' and size > 4 order by all",
                "select 1 from Accesses a\n"
                        + "where a.number < 9 and kind = 'S' and size > 4 order by all");
        check(
                "from accesses(first := '5', last := '7', region := '[heap]')"
                        + " where number between 5 and 8 and \"region\" = '[heap]' and number <= 7",
                "from accesses where number between 5 and 8 and \"region\" = '[heap]'"
                        + " and number <= 7");
    }

    @Test
    void shouldLeaveTheTableThatAUserPutsInItsPlace() throws DuckFault {
        String query = "select 1 from accesses where number = 1";
        connection.execute("create schema mine");
        connection.execute("create table mine.accesses as select 1 number");
        checkUnchanged(query);
        connection.execute("drop table mine.accesses");
        check("select 1 from accesses(first := '1', last := '1') where number = 1", query);
        connection.execute("create or replace view accesses as select 1 number");
        checkUnchanged(query);
    }

    @Test
    void shouldLeaveQueriesOfOtherRows() throws DuckFault {
        checkUnchanged("select 1 from accesses");
        checkUnchanged("select 1 from accesses where function = 'a' or kind = 'L'");
        checkUnchanged("select 1 from accesses where function <> 'a' and 'L' = kind");
        checkUnchanged("select 1 from accesses where number > 7 and number < 5");
        checkUnchanged("select 1 from accesses where number > -7 and function = null");
        checkUnchanged("select 1 from accesses a, blocks where function = 'a'");
        checkUnchanged("select 1 from accesses() where function = 'a'");
        checkUnchanged("select 1 from other.accesses where function = 'a'");
        checkUnchanged("select 1 from \"accesses\" where function = 'a'");
        checkUnchanged("select 1 from accesses a(kind, function) where function = 'a'");
        checkUnchanged("select 1 from accesses tablesample 1% where function = 'a'");
        checkUnchanged("with accesses as (select 1) select 1 from accesses where function = 'a'");
        checkUnchanged("select 1 from accesses where function = 'a' union all select 2");
        checkUnchanged("copy (select 1 from accesses where kind = 'L') to 'x'");
        checkUnchanged("select 1 from blocks where function = 'accesses'");
    }
}

package dev.madt.sql;

import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TableSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Columns of the table of accesses, called as in {@code madt print --format json}. */
enum AccessColumn {
    TRACE(DuckType.TEXT),
    PROCESS(DuckType.INTEGER),
    NUMBER(DuckType.BIGINT),
    THREAD(DuckType.INTEGER),
    KIND(DuckType.TEXT),
    ADDRESS(DuckType.BIGINT),
    SIZE(DuckType.INTEGER),
    DATA(DuckType.TEXT),
    SYMBOL(DuckType.TEXT),
    MEMBER(DuckType.TEXT),
    OFFSET(DuckType.BIGINT),
    REGION(DuckType.TEXT),
    BLOCK(DuckType.BIGINT),
    SITE(DuckType.TEXT),
    ALLOCATED_AT(DuckType.TEXT),
    TYPE(DuckType.TEXT),
    FUNCTION(DuckType.TEXT),
    CODE(DuckType.TEXT),
    MODULE(DuckType.TEXT),
    FILE(DuckType.TEXT),
    LINE(DuckType.INTEGER),
    PATH(DuckType.TEXT),
    TIME(DuckType.BIGINT),
    WINDOW(DuckType.INTEGER);

    /** Columns that may differ from one access of a place to a data object to the next one. */
    private static final Set<AccessColumn> OF_EACH =
            EnumSet.of(NUMBER, ADDRESS, MEMBER, OFFSET, PATH, TIME, WINDOW);

    private static final Set<AccessColumn> OF_DATA =
            EnumSet.of(DATA, SYMBOL, MEMBER, OFFSET, REGION, BLOCK, SITE, ALLOCATED_AT, TYPE);

    /** Columns that tell blocks of one call from each other. */
    private static final Set<AccessColumn> OF_BLOCKS = EnumSet.of(SYMBOL, MEMBER, OFFSET, BLOCK);

    /** Columns that the calls in front of an access tell. */
    private static final Set<AccessColumn> OF_CALLS = EnumSet.of(PATH, TIME);

    private final DuckType type;

    AccessColumn(DuckType type) {
        this.type = type;
    }

    DuckType type() {
        return type;
    }

    /** Returns whether each access has a value of its own. */
    boolean isOfEach() {
        return OF_EACH.contains(this);
    }

    /** Returns whether 0 stands for an unknown value. */
    boolean isUnknownAsZero() {
        return this == SIZE || this == LINE || this == BLOCK;
    }

    /** Returns whether it says something of what is accessed. */
    boolean isOfData() {
        return OF_DATA.contains(this);
    }

    /** Returns whether blocks of one call may differ in it. */
    boolean isOfBlocks() {
        return OF_BLOCKS.contains(this);
    }

    /** Returns whether it says something of the calls that the thread is in. */
    boolean isOfCalls() {
        return OF_CALLS.contains(this);
    }

    TableSource.Column column() {
        return new TableSource.Column(name().toLowerCase(Locale.ROOT), type);
    }

    /** Returns whether a query asks for such a column; null stands for one that has no values. */
    static boolean any(AccessColumn[] asked, Predicate<AccessColumn> is) {
        return Stream.of(asked).anyMatch(one -> one != null && is.test(one));
    }

    static List<TableSource.Column> all() {
        return Stream.of(values()).map(AccessColumn::column).toList();
    }
}

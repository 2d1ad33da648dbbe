package dev.madt.duckdb;

/** Kinds of values, with the numbers that duckdb.h gives them. */
public enum DuckType {
    BOOLEAN(1),
    TINYINT(2),
    SMALLINT(3),
    INTEGER(4),
    BIGINT(5),
    UTINYINT(6),
    USMALLINT(7),
    UINTEGER(8),
    UBIGINT(9),
    FLOAT(10),
    DOUBLE(11),
    HUGEINT(16),
    TEXT(17),
    DECIMAL(19),
    UHUGEINT(32),
    /** Any other one: it is read as text, once DuckDB has made it so. */
    OTHER(0);

    private final int number;

    DuckType(int number) {
        this.number = number;
    }

    static DuckType of(int number) {
        for (DuckType type : values()) {
            if (type.number == number) {
                return type;
            }
        }
        return OTHER;
    }

    int number() {
        return number;
    }

    /** Returns whether {@link DuckResult} reads values of this kind by itself. */
    public boolean isPlain() {
        return this != OTHER && this != DECIMAL && this != UHUGEINT;
    }

    /** Returns whether the values are numbers. */
    public boolean isNumber() {
        return this != BOOLEAN && this != TEXT && this != OTHER;
    }
}

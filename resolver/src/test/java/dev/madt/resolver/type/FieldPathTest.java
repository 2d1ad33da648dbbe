package dev.madt.resolver.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldPathTest {
    private static final Type INT = new ScalarType("int", 4);
    private static final Type LONG = new ScalarType("long", 8);
    private static final Type SHORT = new ScalarType("short", 2);
    private static final Type CHAR = new ScalarType("char", 1);

    private static RecordType record(RecordType.Kind kind, long size, RecordType.Field... fields) {
        return new RecordType(kind, "struct r", size, List.of(fields));
    }

    private static RecordType.Field field(String name, Type type, long offset) {
        return new RecordType.Field(name, type, offset, 0, 0, false);
    }

    private static RecordType.Field bits(String name, long offset, int first, int size) {
        return new RecordType.Field(name, INT, offset, first, size, false);
    }

    @Test
    void shouldIndexEveryDimension() {
        Type table = new ArrayType(new ArrayType(INT, 3, 4), 5, 12);
        assertEquals("[3][1]", FieldPath.of(table, 40, 4));
        assertEquals("[3][1]+2", FieldPath.of(table, 42, 1));
        assertEquals("+60", FieldPath.of(table, 60, 4));
    }

    @Test
    void shouldDescendThroughMembersAndOtherNames() {
        Type limit =
                record(RecordType.Kind.STRUCT, 8, field("hard", INT, 0), field("soft", SHORT, 4));
        Type config = new NamedType(
                "config_t",
                record(
                        RecordType.Kind.STRUCT,
                        40,
                        field("name", new ArrayType(CHAR, 13, 1), 0),
                        field("limits", new ArrayType(limit, 3, 8), 16)));
        assertEquals(".limits[2].soft", FieldPath.of(config, 36, 2));
        assertEquals(".name[12]", FieldPath.of(config, 12, 1));
    }

    @Test
    void shouldCountPaddingFromTheMemberInFront() {
        Type padded =
                record(RecordType.Kind.STRUCT, 16, field("tag", CHAR, 0), field("value", LONG, 8));
        assertEquals(".tag+5", FieldPath.of(padded, 5, 1));
        assertEquals(".value+3", FieldPath.of(padded, 11, 1));
        assertEquals(
                "+4",
                FieldPath.of(record(RecordType.Kind.STRUCT, 16, field("late", LONG, 8)), 4, 1));
    }

    @Test
    void shouldChooseTheUnionMemberThatTheAccessFits() {
        Type halves =
                record(RecordType.Kind.STRUCT, 4, field("low", SHORT, 0), field("high", SHORT, 2));
        Type union = record(
                RecordType.Kind.UNION,
                8,
                field("first", LONG, 0),
                field("whole", INT, 0),
                field("", halves, 0));
        assertEquals(".first", FieldPath.of(union, 0, 8));
        assertEquals(".whole", FieldPath.of(union, 0, 4));
        assertEquals(".low", FieldPath.of(union, 0, 2));
        assertEquals(".high", FieldPath.of(union, 2, 2));
        assertEquals(".first+1", FieldPath.of(union, 1, 1));
        assertEquals(".first", FieldPath.of(union, 0));
    }

    @Test
    void shouldStopAtAnArrayOrRecordThatAnAccessCovers() {
        Type row = new ArrayType(INT, 4, 4);
        Type rows = new ArrayType(row, 3, 16);
        assertEquals("[1]", FieldPath.of(rows, 16, 16));
        assertEquals("[1][2]", FieldPath.of(rows, 24, 4));
        assertEquals("", FieldPath.of(rows, 0, 48));
        assertEquals("", FieldPath.of(rows, 0, 100));
    }

    @Test
    void shouldNameABitFieldWithinAWord() {
        Type flags = record(
                RecordType.Kind.STRUCT,
                4,
                bits("a", 0, 0, 3),
                bits("b", 0, 3, 7),
                bits("c", 2, 1, 11));
        assertEquals(".a", FieldPath.of(flags, 0, 1));
        assertEquals(".b+1", FieldPath.of(flags, 1, 1));
        assertEquals(".c", FieldPath.of(flags, 2, 1));
        Type both =
                record(RecordType.Kind.UNION, 4, field("bits", flags, 0), field("word", INT, 0));
        assertEquals(".bits", FieldPath.of(both, 0, 4));
        assertEquals(".bits.a", FieldPath.of(both, 0, 1));
    }

    @Test
    void shouldGoOnInAFlexibleArray() {
        Type open = record(
                RecordType.Kind.STRUCT,
                8,
                field("count", LONG, 0),
                field("data", new ArrayType(INT, ArrayType.OPEN, 4), 8));
        assertEquals(".data[0]", FieldPath.of(open, 8, 4));
        assertEquals(".data[250]+1", FieldPath.of(open, 1009, 1));
    }

    @Test
    void shouldEndOnTypesThatBranchWithoutEnd() {
        Type type = INT;
        for (int level = 0; level < 90; level++) {
            List<RecordType.Field> members = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                members.add(field("m" + i, type, 0));
            }
            type = new RecordType(RecordType.Kind.UNION, "union u", 4, members);
        }
        Type deep = type;
        assertTimeoutPreemptively(Duration.ofMinutes(10), () -> FieldPath.of(deep, 0, 3));
    }
}

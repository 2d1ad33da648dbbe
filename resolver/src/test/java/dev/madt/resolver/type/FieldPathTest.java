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
    private static final Type FLOAT = new ScalarType("float", 4);
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

    /** The name is that of what it is in, as of the pointer in a pair of it and nothing. */
    @Test
    void shouldNameWhatHasNoNameByWhatItIsIn() {
        Type pair = record(RecordType.Kind.STRUCT, 8, field("", LONG, 0));
        Type vector = record(
                RecordType.Kind.CLASS, 16, field("begin", LONG, 0), field("capacity", pair, 8));
        assertEquals(".capacity", FieldPath.of(vector, 8, 8));
        assertEquals(".capacity+4", FieldPath.of(vector, 12, 4));
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
    }

    @Test
    void shouldNameAllMembersOfAUnionThatAnAccessMayMean() {
        Type number = record(RecordType.Kind.UNION, 4, field("i", INT, 0), field("f", FLOAT, 0));
        assertEquals(".{i|f}", FieldPath.of(number, 0, 4));
        assertEquals(".{i+1|f+1}", FieldPath.of(number, 1, 1));
        assertEquals(".{i|f}", FieldPath.of(number, 0));
        assertEquals(".{i|f}", FieldPath.of(number, 0, 2));
        Type bytes = record(
                RecordType.Kind.UNION,
                4,
                field("bytes", new ArrayType(CHAR, 4, 1), 0),
                field("halves", new ArrayType(SHORT, 2, 2), 0),
                field("number", number, 0));
        assertEquals(".number.{i|f}", FieldPath.of(bytes, 0, 4));
        assertEquals(".halves[1]", FieldPath.of(bytes, 2, 2));
        assertEquals(".{bytes[1]|halves[0]+1|number.{i+1|f+1}}", FieldPath.of(bytes, 1, 3));
        Type tagged = record(
                RecordType.Kind.STRUCT,
                24,
                field("tag", SHORT, 0),
                field("", number, 4),
                field("more", new ArrayType(number, 4, 4), 8));
        assertEquals(".{i|f}", FieldPath.of(tagged, 4, 4));
        assertEquals(".more[2].{i|f}", FieldPath.of(tagged, 16, 4));
        assertEquals(".more[].{i|f}", FieldPath.of(tagged, 16, 4, 0));
        Type nested = record(RecordType.Kind.UNION, 8, field("t", tagged, 0), field("l", LONG, 0));
        assertEquals(".{t.tag|l}", FieldPath.of(nested, 0, 1));
    }

    @Test
    void shouldNotTakeAPartWithoutANameForTheWhole() {
        Type pair = record(RecordType.Kind.STRUCT, 8, field("a", INT, 0), field("b", INT, 4));
        Type outer = record(RecordType.Kind.STRUCT, 24, field("", pair, 8), field("c", LONG, 16));
        assertEquals(".a", FieldPath.of(outer, 8, 8));
        assertEquals(".b", FieldPath.of(outer, 12, 4));
        assertEquals("+3", FieldPath.of(outer, 3, 1));
        Type late = record(RecordType.Kind.STRUCT, 8, field("a", INT, 4));
        Type hidden = record(RecordType.Kind.STRUCT, 16, field("", late, 8));
        assertEquals("+9", FieldPath.of(hidden, 9, 1));
    }

    @Test
    void shouldShortenALongListOfAlternatives() {
        List<RecordType.Field> members = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            members.add(field("m" + i, INT, 0));
        }
        Type many = new RecordType(RecordType.Kind.UNION, "union u", 4, members);
        assertEquals(".{m0|m1|m2|m3|m4|m5|m6|m7|…}", FieldPath.of(many, 0, 4));
    }

    /** Fortran's first index is the one of neighbours in memory. */
    @Test
    void shouldWriteIndicesAndMembersAsFortranDoes() {
        Type vector = new ArrayType(LONG, 3, 8, 1, Notation.FORTRAN);
        Type grid = new ArrayType(vector, 5, 24, -1, Notation.FORTRAN);
        assertEquals("long(3,-1:3)", grid.name());
        assertEquals("(2,-1)", FieldPath.of(grid, 8, 8));
        assertEquals("(1,0)", FieldPath.of(grid, 24, 8));
        assertEquals("(3,3)+2", FieldPath.of(grid, 114, 1));
        assertEquals("(:,2)", FieldPath.of(grid, 72, 24));
        assertEquals("", FieldPath.of(grid, 0, 120));
        assertEquals("+120", FieldPath.of(grid, 120, 8));
        assertEquals("(:,:)", FieldPath.of(grid, 32, 8, 0));
        assertEquals("(2,:)", FieldPath.of(grid, 32, 8, 3));
        Type point = new RecordType(
                RecordType.Kind.STRUCT,
                "type(point)",
                32,
                List.of(field("x", LONG, 0), field("tag", vector, 8)),
                Notation.FORTRAN);
        Type points = new ArrayType(point, ArrayType.OPEN, 32, 1, Notation.FORTRAN);
        assertEquals("type(point)(:)", points.name());
        assertEquals("(3)%tag(2)", FieldPath.of(points, 80, 8));
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
        assertEquals(".{a,b}", FieldPath.of(flags, 0, 1));
        assertEquals(".{a,b,c}", FieldPath.of(flags, 0, 3));
        assertEquals(".b+1", FieldPath.of(flags, 1, 1));
        assertEquals(".c", FieldPath.of(flags, 2, 1));
        Type both =
                record(RecordType.Kind.UNION, 4, field("bits", flags, 0), field("word", INT, 0));
        assertEquals(".{bits|word}", FieldPath.of(both, 0, 4));
        assertEquals(".{bits.{a,b}|word}", FieldPath.of(both, 0, 1));
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

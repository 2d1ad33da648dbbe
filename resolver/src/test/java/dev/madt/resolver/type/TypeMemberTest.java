package dev.madt.resolver.type;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.type.RecordType.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypeMemberTest {
    private static final Type LONG = new ScalarType("long", 8);
    private static final Type DOUBLE = new ScalarType("double", 8);
    private static final RecordType STOCK =
            record("Stock", new Field("id", LONG, 0), new Field("price", DOUBLE, 8));

    private static RecordType record(String name, Field... fields) {
        List<Field> all = List.of(fields);
        Field last = all.get(all.size() - 1);
        return new RecordType(RecordType.Kind.STRUCT, name, last.offset() + last.size(), all);
    }

    private static RecordType node() {
        RecordType links = record("_Rb_tree_node_base", new Field("_M_left", LONG, 0));
        RecordType pair = record(
                "pair<long const, Stock>",
                new Field("first", LONG, 0),
                new Field("second", STOCK, 8));
        return record(
                "_Rb_tree_node<std::pair<long const, Stock> >",
                new Field("_Rb_tree_node_base", links, 0, 0, 0, true),
                new Field("", new NamedType("__aligned_membuf<pair>", pair), 8));
    }

    @Test
    void shouldNameMembersOfTheTypeItself() {
        assertEquals("Stock.price", TypeMember.of(STOCK, 8, 8));
        assertEquals("Stock", TypeMember.of(STOCK, 0, 16));
        assertEquals("long", TypeMember.of(LONG, 0, 8));
        assertEquals("stock_t.id", TypeMember.of(new NamedType("stock_t", STOCK), 0, 8));
    }

    @Test
    void shouldNameOneElementForAll() {
        Type table = new ArrayType(new ArrayType(STOCK, 3, 16), 5, 48);
        assertEquals("Stock.price", TypeMember.of(table, 2 * 48 + 16 + 8, 8));
        assertEquals("Stock.id", TypeMember.of(new ArrayType(STOCK, ArrayType.OPEN, 16), 160, 8));
        RecordType owner = record("Owner", new Field("held", new ArrayType(STOCK, 4, 16), 0));
        assertEquals("Owner.held[].price", TypeMember.of(owner, 24, 8));
    }

    @Test
    void shouldNameTheAuthorsTypeInContainers() {
        assertEquals("Stock.price", TypeMember.of(node(), 24, 8));
        assertEquals("Stock.id", TypeMember.of(new ArrayType(node(), 2, 32), 32 + 16, 8));
        assertEquals(
                "Stock.price",
                TypeMember.of(
                        record(
                                "_List_node<Stock>",
                                new Field("next", LONG, 0),
                                new Field("", new NamedType("__aligned_membuf<Stock>", STOCK), 8)),
                        16,
                        8));
    }

    @Test
    void shouldNameTheContainerWhereItsOwnMembersLie() {
        String name = "_Rb_tree_node<std::pair<long const, Stock> >";
        assertEquals(name + "._M_left", TypeMember.of(node(), 0, 8));
        assertEquals(name + ".first", TypeMember.of(node(), 8, 8));
        RecordType room = new RecordType(
                RecordType.Kind.UNION,
                "union {basic_string.h:216}",
                16,
                List.of(new Field("capacity", LONG, 0)));
        RecordType text =
                record("basic_string<char>", new Field("size", LONG, 0), new Field("", room, 8));
        assertEquals("basic_string<char>.capacity", TypeMember.of(text, 8, 8));
    }
}

package dev.madt.resolver.type;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.type.RecordType.Field;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicTypesTest {
    private static final Type LONG = new ScalarType("long", 8);

    private static RecordType record(String name, Field... fields) {
        return new RecordType(RecordType.Kind.STRUCT, name, 8L * fields.length, List.of(fields));
    }

    private static Type pointer(String name) {
        return new PointerType(name, 8, () -> LONG);
    }

    private static String places(Type type) {
        StringBuilder places = new StringBuilder();
        for (long at = 0; at < type.size(); at += 8) {
            places.append(AtomicTypes.isAtomic(type, at) ? 'a' : '.');
        }
        return places.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "std::atomic<long>",
                "std::atomic<node *>",
                "std::__atomic_base<long>",
                "std::__1::atomic<long>",
                "std::__1::once_flag",
                "core::sync::atomic::AtomicU64",
                "core::sync::atomic::Atomic<u64>",
                "core::sync::atomic::AtomicPtr<alloc::vec::Vec<u8>>"
            })
    void shouldKnowRecords(String name) {
        assertEquals("a", places(record(name, new Field("v", LONG, 0))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "_Atomic long",
                "const _Atomic long",
                "atomic_long",
                "_Atomic_word",
                "std::atomic_long"
            })
    void shouldKnowOtherNames(String name) {
        assertEquals("a", places(new NamedType(name, LONG)));
    }

    @Test
    void shouldTellAnAtomicPointerFromOneToSuch() {
        assertEquals(".", places(pointer("core::sync::atomic::AtomicU64 *")));
        assertEquals(".", places(pointer("std::atomic<long> *")));
        Type pointer = pointer("_Atomic long *");
        assertEquals(".", places(pointer));
        assertEquals(".", places(new NamedType("_Atomic long *const", pointer)));
        assertEquals("a", places(new NamedType("long *_Atomic", pointer("long *"))));
        Type array = new ArrayType(pointer, 2, 8);
        assertEquals("..", places(new NamedType("_Atomic long *const[2]", array)));
    }

    @Test
    void shouldFindThemInOthers() {
        Type atomic = record("core::sync::atomic::AtomicU64", new Field("v", LONG, 0));
        Type shared = record("Shared", new Field("name", LONG, 0), new Field("ready", atomic, 8));
        assertEquals(".a", places(shared));
        assertEquals(".a.a", places(new ArrayType(shared, 2, 16)));
        Type outer = record(
                "Outer", new Field("to", pointer("Shared *"), 0), new Field("in", atomic, 8));
        assertEquals(".a", places(new NamedType("outer_t", outer)));
    }

    @Test
    void shouldTakeNoOtherTypeForAtomic() {
        assertEquals(".", places(LONG));
        assertEquals(
                "..",
                places(record(
                        "std::vector<std::atomic<long>, std::allocator<std::atomic<long> > >",
                        new Field("_M_start", pointer("std::atomic<long> *"), 0),
                        new Field("_M_finish", pointer("std::atomic<long> *"), 8))));
        assertEquals(".", places(record("_Alloc_hider", new Field("_M_p", pointer("char *"), 0))));
    }
}

package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.type.FieldPath;
import dev.madt.resolver.type.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types of Ada, as GNAT describes them: here by an assembler, which every machine has. */
class AdaTypesTest {
    /** Holds an array of records whose size a discriminant tells, 32 bytes apart. */
    private static final String UNIT =
            """
            .bss
            .globl pkg__stacks
            .type pkg__stacks, @object
            .size pkg__stacks, 64
            pkg__stacks: .zero 64
            .section .debug_abbrev,"",@progbits
            .uleb128 1, 0x11; .byte 1; .uleb128 0x13, 0x0b, 0x25, 0x08, 0, 0
            .uleb128 2, 0x13; .byte 1; .uleb128 0x03, 0x08, 0x0b, 0x18, 0, 0
            .uleb128 3, 0x0d; .byte 0; .uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0, 0
            .uleb128 4, 0x24; .byte 0; .uleb128 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0
            .uleb128 5, 0x01; .byte 1; .uleb128 0x49, 0x13, 0x51, 0x0b, 0, 0
            .uleb128 6, 0x21; .byte 0; .uleb128 0x49, 0x13, 0x2f, 0x0b, 0, 0
            .uleb128 7, 0x34; .byte 0; .uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
            .byte 0
            .section .debug_info,"",@progbits
            unit: .long end - begin
            begin: .value 4; .long .debug_abbrev; .byte 8
            .uleb128 1; .byte 0x0d; .string "GNU Ada"
            integer: .uleb128 4; .string "pkg__count"; .byte 8, 5
            record: .uleb128 2; .string "pkg__stack"; .uleb128 1; .byte 0x96
            .uleb128 3; .string "size"; .long integer - unit; .byte 0
            .uleb128 3; .string "top"; .long integer - unit; .byte 24
            .byte 0
            array: .uleb128 5; .long record - unit; .byte 32
            .uleb128 6; .long integer - unit; .byte 2
            .byte 0
            .uleb128 7; .string "pkg__stacks"; .long array - unit; .uleb128 9; .byte 3
            .quad pkg__stacks
            .byte 0
            end:
            .text
            .globl main
            main: ret
            """;

    @TempDir
    Path folder;

    @Test
    void shouldKnowArraysOfRecordsOfNoSizeOfTheirOwn() throws Exception {
        Path source = Files.writeString(folder.resolve("unit.s"), UNIT);
        Path program = folder.resolve("program");
        CommandOutput.lines("gcc", "-no-pie", "-o", program.toString(), source.toString());
        long address = Long.parseLong(
                CommandOutput.lines("nm", program.toString()).stream()
                        .filter(line -> line.endsWith(" pkg__stacks"))
                        .findFirst()
                        .orElseThrow()
                        .split(" ")[0],
                16);
        Type type = DebugInfo.open(program, warning -> {}).symbol(address, 64).type();
        assertEquals("pkg.stack[2]", type.name());
        assertEquals(64, type.size());
        assertEquals(
                List.of("[1].size", "[1].top", "[2].size", "[2].top"),
                List.of(
                        FieldPath.of(type, 0),
                        FieldPath.of(type, 24),
                        FieldPath.of(type, 32),
                        FieldPath.of(type, 56)));
    }
}

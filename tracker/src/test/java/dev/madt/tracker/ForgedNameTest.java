package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.Block;
import org.junit.jupiter.api.Test;

class ForgedNameTest {
    private static Block block(Block.Kind kind, long number) {
        return new Block(kind, number, 0x401000, 0x5000, 24, Block.Life.LIVE, 0, -1);
    }

    @Test
    void shouldBeginWithTheKindInSevenCharacters() {
        assertEquals(
                "<malloc0014@func+230>",
                ForgedName.render(block(Block.Kind.MALLOC, 14), "func+230"));
        assertEquals(
                "<calloc0001@func+230>",
                ForgedName.render(block(Block.Kind.CALLOC, 1), "func+230"));
        assertEquals(
                "<memmap0999@func+230>",
                ForgedName.render(block(Block.Kind.MEMMAP, 999), "func+230"));
        assertEquals(
                "<reallo9999@func+230>",
                ForgedName.render(block(Block.Kind.REALLO, 9_999), "func+230"));
        assertEquals(
                "<mremap0002@~func+230>",
                ForgedName.render(block(Block.Kind.MREMAP, 2), "~func+230"));
    }

    @Test
    void shouldSayHowABlockEnded() {
        Block block = block(Block.Kind.REALLO, 6);

        assertEquals("<freed:0006@f+4>", ForgedName.render(block.dead(Block.Life.FREED, 9), "f+4"));
        assertEquals(
                "<unmap:0006@f+4>", ForgedName.render(block.dead(Block.Life.UNMAPPED, 9), "f+4"));
    }

    @Test
    void shouldNameAllBlocksOfACall() {
        assertEquals("<calloc@func+230>", ForgedName.common(Block.Kind.CALLOC, "func+230"));
    }

    @Test
    void shouldGrowPastFourDigits() {
        assertEquals(
                "<malloc10000@f+4>", ForgedName.render(block(Block.Kind.MALLOC, 10_000), "f+4"));
    }
}

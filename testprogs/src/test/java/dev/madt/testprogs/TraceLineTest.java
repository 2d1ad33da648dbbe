package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TraceLineTest {
    @Test
    void shouldTakeTheLinesOfTheManualApart() {
        List.of(
                        "M$14:<malloc0013@fMallocHandle+45>,528",
                        "R$15:<reallo0014@grow+60>,1056,<freed:0009@grow+22>",
                        "F$16:<freed:0006@fMallocHandle+45>,release+20",
                        "L$0:<malloc0013@fMallocHandle+45>+0,[heap],findDisparity+55",
                        "S$1:table+24,[.bss],main+130",
                        "W$2:<malloc0013@fMallocHandle+45>+8,520,[heap],load+61",
                        "Y$3:buf+0,src+16,64,[.bss],[.rodata],copy+33",
                        "L$4:[libc.so.6:.bss]+5120,[libc.so.6:.bss],[libc.so.6]+500124",
                        "L$5:cells+8,[.data],std::vector<int, std::allocator<int> >::at(unsigned"
                                + " long)+12",
                        "M#14:0x5555555596b0,528,0x55555555520c",
                        "L#0:0x5555555596b0,[heap],0x55555555523b")
                .forEach(TraceLine::parse);
        TraceLine load = TraceLine.parse("L$0:<malloc0013@f(int, char)+45>+8,[heap],g(a, b)+55");
        assertEquals(new TraceLine.CodeName("g(a, b)", 55, false), load.code());
        assertEquals(
                new TraceLine.CodeName("main", 9, true),
                TraceLine.parse("M$1:<malloc0001@main+9~>,3").code());
    }

    @Test
    void shouldRefuseWhatIsNoLine() {
        assertThrows(AssertionError.class, () -> TraceLine.parse("X$1:table+0,[.bss],main+1"));
        assertThrows(AssertionError.class, () -> TraceLine.parse("L$1:table,[.bss],main+1"));
        assertThrows(AssertionError.class, () -> TraceLine.parse("M#1:0x10,0x10,0x10"));
    }

    @Test
    void shouldPairLinesAndCountThem() {
        TextTrace text = TextTrace.parse(List.of(
                "M$1:<malloc0001@main+9>,3",
                "M#1:0x10,3,0x20",
                "L#0:0x10,[heap],0x24",
                "L$0:<malloc0001@main+9>+0,[heap],main+13"));
        assertEquals(2, text.pairs().size());
        AssertionError gap = assertThrows(
                AssertionError.class,
                () -> TextTrace.parse(List.of("M$2:<malloc0001@main+9>,3", "M#2:0x10,3,0x20")));
        assertTrue(gap.getMessage().contains("number 1 is missing"), gap.getMessage());
    }
}

package dev.madt.view.chains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.OwnSource;
import dev.madt.view.ViewFeed;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChainTreeTest {
    private static ChainCounts counts() {
        ChainCounts counts = new ChainCounts();
        ChainedProgram program = new ChainedProgram(new ViewFeed(
                counts,
                Demangler.NONE,
                null,
                OwnSource.USUAL,
                new UserSites(Set.of(), List.of(), null)));
        program.node(1, 0, 0, "__libc_start_main", 128);
        program.node(2, 1, 0, "main", 30);
        program.node(3, 2, 0, "parse", 12);
        program.node(4, 3, 0, "xmalloc", 4);
        program.node(5, 2, 0, "load", 44);
        program.node(6, 5, 0, "parse", 12);
        program.node(7, 6, 0, "xmalloc", 4);
        program.node(8, 2, 0, "once", 9);
        program.enter("main");
        long kept = program.malloc(100, "xmalloc", 4, 4);
        for (int i = 0; i < 3; i++) {
            program.free(program.malloc(40, "xmalloc", 4, 7));
        }
        long once = program.malloc(7, "once", 9, 8);
        for (int i = 0; i < 5; i++) {
            program.store(kept + 8L * i);
        }
        program.store(once);
        program.free(once);
        program.end();
        return counts;
    }

    @Test
    void shouldShowSitesWithTheirCallersBelow() {
        ChainTree tree = new ChainTree(counts(), ChainTree.Order.BYTES, 0, 0);
        assertEquals(
                """
                 share  accesses  blocks  bytes  allocation site, and the calls that led to it
                96.9 %         5       4    220  <malloc@parse+12>
                52.9 %         0       3    120    ├─ load+44
                                                   │  main+30
                44.1 %         5       1    100    └─ main+30
                 3.1 %         1       1      7  <malloc@once+9>
                                                   main+30
                """,
                tree.text(false, TextTable.WIDE));
        assertFalse(tree.isCut());
    }

    @Test
    void shouldLeaveOutWhatIsSmall() {
        ChainTree tree = new ChainTree(counts(), ChainTree.Order.BYTES, 0.5, 0);
        assertEquals(
                """
                 share  accesses  blocks  bytes  allocation site, and the calls that led to it
                96.9 %         5       4    220  <malloc@parse+12>  … 1 more: 44.1 %
                52.9 %         0       3    120    load+44
                                                   main+30
                """,
                tree.text(false, TextTable.WIDE));
        assertTrue(tree.isCut());
    }

    /** A block is temporary that its thread ends before it makes another one. */
    @Test
    void shouldCountWhatEndsSoonAndWhatLivesAtThePeak() {
        ChainTree tree = new ChainTree(counts(), ChainTree.Order.TEMPORARY, 0, 0);
        assertEquals(
                """
                depth,share,accesses,blocks,bytes,alive,temporary,peak,call,line
                0,0.750000,5,4,220,100,3,140,<malloc@parse+12>,
                1,0.750000,0,3,120,0,3,40,load+44,
                2,0.750000,0,3,120,0,3,40,main+30,
                1,0.000000,5,1,100,100,0,100,main+30,
                0,0.250000,1,1,7,0,1,0,<malloc@once+9>,
                1,0.250000,1,1,7,0,1,0,main+30,
                """,
                tree.csv());
    }

    @Test
    void shouldKeepToTheWidthOfALine() {
        String text = new ChainTree(counts(), ChainTree.Order.ACCESSES, 0, 0).text(false, 70);
        assertTrue(text.lines().skip(1).allMatch(line -> line.length() <= 70), text);
    }
}

package dev.madt.view.chains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.view.ViewFeed;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WrapperJudgeTest {
    private static final String MODULE = "\n[prog]";

    private static WrapperJudge judged(Consumer<ChainedProgram> program) {
        WrapperJudge judge = new WrapperJudge();
        ChainedProgram told = new ChainedProgram(new ViewFeed(judge));
        told.enter("main");
        program.accept(told);
        told.end();
        return judge;
    }

    /** Callers ask a function for blocks; each of them writes its own. */
    private static void ask(ChainedProgram program, String function, int sizes) {
        for (int i = 0; i < 12; i++) {
            program.enter("caller" + i % 4).enter(function);
            long block = program.malloc(32 + i % sizes * 16L, 4);
            program.leave();
            program.store(block);
            program.store(block + 24);
            program.leave();
        }
    }

    @Test
    void shouldFindWhatOnlyPassesOnItsBlocks() {
        assertEquals(
                Set.of("get_space" + MODULE),
                judged(program -> ask(program, "get_space", 5)).wrappers());
    }

    @Test
    void shouldNotTakeWhatMakesOneKindOfThingForOne() {
        assertEquals(Set.of(), judged(program -> ask(program, "new_node", 1)).wrappers());
    }

    @Test
    void shouldNotTakeWhatFillsItsBlocksForOne() {
        assertEquals(
                Set.of(),
                judged(program -> {
                            for (int i = 0; i < 12; i++) {
                                program.enter("caller" + i).enter("load_text");
                                program.store(program.malloc(32 + i * 16L, 4) + 24);
                                program.leave().leave();
                            }
                        })
                        .wrappers());
    }

    @Test
    void shouldNotTakeWhatHasOneCallerForOne() {
        assertEquals(
                Set.of(),
                judged(program -> {
                            for (int i = 0; i < 12; i++) {
                                program.enter("read").malloc(32 + i * 16L, 4);
                                program.leave();
                            }
                        })
                        .wrappers());
    }

    /** An allocator may keep the size in front of what it gives to its callers. */
    @Test
    void shouldPermitAHeaderThatNobodyElseAccesses() {
        assertEquals(
                Set.of("mem_get" + MODULE),
                judged(program -> {
                            for (int i = 0; i < 12; i++) {
                                program.enter("caller" + i).enter("mem_get");
                                long block = program.malloc(32 + i * 16L, 4);
                                program.store(block);
                                program.leave();
                                program.store(block + 16);
                                program.leave();
                            }
                        })
                        .wrappers());
        assertEquals(
                Set.of(),
                judged(program -> {
                            for (int i = 0; i < 12; i++) {
                                program.enter("caller" + i).enter("new_record");
                                long block = program.malloc(32 + i * 16L, 4);
                                program.store(block);
                                program.leave();
                                program.store(block);
                                program.leave();
                            }
                        })
                        .wrappers());
    }

    /** A wrapper of a wrapper is one if only what it calls allocates for it. */
    @Test
    void shouldFindWrappersOfWrappers() {
        WrapperJudge judge = judged(program -> {
            for (int i = 0; i < 12; i++) {
                program.enter("caller" + i).enter("checked").enter("get_space");
                long block = program.malloc(32 + i * 16L, 4);
                program.leave().leave();
                program.store(block);
                program.leave();
            }
            ask(program, "get_space", 5);
        });
        assertEquals(Set.of("get_space" + MODULE, "checked" + MODULE), judge.wrappers());
    }

    @Test
    void shouldGiveUpWhereThereAreNoChains() {
        WrapperJudge judge = new WrapperJudge();
        ChainedProgram program = new ChainedProgram(new ViewFeed(judge));
        program.enterUnseen("main");
        for (int i = 0; i < 100; i++) {
            program.malloc(16, 4);
        }
        assertTrue(judge.enough());
    }
}

package dev.madt.view.chains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.OwnSource;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.CallChain;
import dev.madt.view.NamePattern;
import dev.madt.view.Needs;
import dev.madt.view.ViewFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserSitesTest {
    /** Lists how blocks are named, and how they came to be. */
    private static final class Births implements Analysis {
        private final Needs needs;
        private final List<String> names = new ArrayList<>();
        private final List<String> paths = new ArrayList<>();
        private final List<CallChain> chains = new ArrayList<>();

        private Births(Needs needs) {
            this.needs = needs;
        }

        @Override
        public Needs needs() {
            return needs;
        }

        @Override
        public void accesses(Accesses batch) {
            // births alone count
        }

        @Override
        public void allocation(Allocation event) {
            names.add(event.born().commonName());
            paths.add(event.born().chain() == null ? "?" : event.born().chain().path());
            chains.add(event.chain());
        }
    }

    private static Births births(
            Needs needs, CallChain.SiteRule rule, Consumer<ChainedProgram> program) {
        Births births = new Births(needs);
        ChainedProgram told = new ChainedProgram(
                new ViewFeed(births, Demangler.NONE, null, OwnSource.USUAL, rule));
        program.accept(told);
        told.end();
        return births;
    }

    private static UserSites sites(String... wrappers) {
        return new UserSites(Set.of(wrappers), List.of(), null);
    }

    private static void parse(ChainedProgram program) {
        program.enter("main").enter("parse").enter("xmalloc");
        program.malloc(24, 4);
        program.leave()
                .leave()
                .enter("load")
                .enter("_ZNSt6vectorIiE9push_backEv")
                .enter("_Znwm");
        program.malloc(40, 9);
        program.leave().leave().leave();
        program.malloc(8, 77);
        program.leave();
    }

    @Test
    void shouldNameBlocksByTheCallOutsideOfAllocators() {
        for (Needs needs : List.of(
                Needs.BATCHES, Needs.BATCHES.bySite(), Needs.BATCHES.bySite().withChains())) {
            Births births = births(needs, sites(), UserSitesTest::parse);
            assertEquals(
                    List.of("<malloc@parse>", "<malloc@load>", "<malloc@main+77>"), births.names);
        }
    }

    /** An allocator's own functions are behind it, whatever they are called. */
    @Test
    void shouldPassWhatAllocatorsCall() {
        Births births = births(Needs.BATCHES.bySite(), sites(), program -> {
            program.enter("main").enter("parse").enter("sqlite3Malloc").enter("func@0xa74f0");
            program.malloc(24, 15);
            program.leave().leave().enter("qsort").enter("compare");
            program.malloc(8, 3);
            program.leave().leave().enter("_ZN5StockC1Ev").enter("_ZN4PoolI5StockE8allocateEm");
            program.malloc(8, 7);
            program.leave().enter("_ZN4PoolI5StockE10deallocateEPS0_m");
            program.malloc(8, 9);
        });
        assertEquals(
                List.of(
                        "<malloc@parse>",
                        "<malloc@compare+3>",
                        "<malloc@_ZN5StockC1Ev>",
                        "<malloc@_ZN4PoolI5StockE10deallocateEPS0_m+9>"),
                births.names);
    }

    @Test
    void shouldTellTheWholeChain() {
        Births births = births(
                Needs.BATCHES.bySite().withChains(),
                CallChain.SiteRule.INNER,
                UserSitesTest::parse);
        assertEquals(
                List.of(
                        "main;parse;xmalloc",
                        "main;load;_ZNSt6vectorIiE9push_backEv;_Znwm",
                        "main"),
                births.paths);
        assertEquals("<malloc@xmalloc+4>", births.names.get(0), "by the innermost call");
        assertEquals("xmalloc+4", births.chains.get(0).call().name());
    }

    /** Unwound stacks tell which calls led to a block; what was never told ends a chain. */
    @Test
    void shouldTellTheChainOfNodes() {
        Births births = births(Needs.BATCHES.bySite().withChains(), sites(), program -> {
            program.node(1, 0, 0, "main", 30);
            program.node(2, 1, 0, "parse", 12);
            program.node(3, 2, 0, "xmalloc", 4);
            program.node(4, 0, 2, "deep", 8);
            program.malloc(24, "xmalloc", 4, 3);
            program.malloc(24, "parse", 12, 2);
            program.malloc(24, "deep", 8, 4);
            program.malloc(24, "other", 8, 0);
            program.malloc(24, "other", 8, 77);
        });
        assertEquals(List.of("main;parse;xmalloc", "main;parse", "…;deep", "?", "?"), births.paths);
        assertEquals(
                List.of(
                        "<malloc@parse+12>",
                        "<malloc@parse+12>",
                        "<malloc@deep+8>",
                        "<malloc@other+8>",
                        "<malloc@other+8>"),
                births.names);
    }

    /** Of a deep stack more may be told than was wanted: what depends on the calls before it. */
    @Test
    void shouldTellTheInnermostCallsThatWereWanted() {
        Births births =
                births(Needs.BATCHES.bySite().withChains(), CallChain.SiteRule.INNER, program -> {
                    program.wanted(2);
                    program.node(1, 0, 2, "outer", 30);
                    program.node(2, 1, 0, "main", 30);
                    program.node(3, 2, 0, "parse", 12);
                    program.node(4, 0, 2, "main", 30);
                    program.node(5, 4, 0, "parse", 12);
                    program.malloc(24, "parse", 12, 3);
                    program.malloc(24, "parse", 12, 5);
                    program.malloc(24, "main", 30, 2);
                    program.malloc(24, "outer", 30, 1);
                });
        assertEquals(
                List.of("…;main;parse", "…;main;parse", "…;outer;main", "…;outer"), births.paths);
    }

    /** Costs nothing where nobody asks. */
    @Test
    void shouldKnowNoChainsUnlessAsked() {
        Births births =
                births(Needs.BATCHES.bySite(), CallChain.SiteRule.INNER, UserSitesTest::parse);
        assertEquals(List.of("?", "?", "?"), births.paths);
    }

    @Test
    void shouldKeepEqualChainsAsOne() {
        Births births = births(Needs.BATCHES.bySite().withChains(), sites(), program -> {
            program.enter("main");
            for (int i = 0; i < 3; i++) {
                program.enter("parse");
                program.malloc(24 + i, 4);
                program.leave();
            }
        });
        assertTrue(births.chains.get(0) == births.chains.get(2), "one object");
    }

    @Test
    void shouldPassFurtherFunctionsAndFindThoseThatAreNamed() {
        UserSites through = new UserSites(
                Set.of(), List.of(new NamePattern("pa*"), new NamePattern("lo?d")), null);
        assertEquals(
                List.of("<malloc@main>", "<malloc@main>", "<malloc@main+77>"),
                births(Needs.BATCHES, through, UserSitesTest::parse).names);
        UserSites first = new UserSites(Set.of(), List.of(), new NamePattern("x*"));
        assertEquals(
                List.of("<malloc@xmalloc+4>", "<malloc@load>", "<malloc@main+77>"),
                births(Needs.BATCHES, first, UserSitesTest::parse).names);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "malloc",
                "xmalloc",
                "sqlite3DbMallocRaw",
                "Perl_safesysmalloc",
                "av_mallocz",
                "zmalloc",
                "zcalloc",
                "PyMem_Malloc",
                "_PyObject_GC_New",
                "xstrdup",
                "g_slice_alloc0",
                "_Znwm",
                "_ZNSt6vectorIiSaIiEE9push_backEOi",
                "_ZNKSt8functionIFvvEEclEv",
                "_ZSt4moveIRiEvT_",
                "_ZN9__gnu_cxx13new_allocatorIiE8allocateEmPKv",
                "__rust_alloc",
                "_ZN5alloc7raw_vec12handle_error17h0123456789abcdefE",
                "_ZN4core3ops8function6FnOnce9call_once17h0123456789abcdefE",
                "_ZN52_$LT$T$u20$as$u20$alloc..slice..ConvertVec$GT$6to_vec17h0123456789abcdefE",
                "_RNvMs_NtCsabc_5alloc7raw_vecINtB4_6RawVecpE7reserve",
                "_RNvCs1_7___rustc12___rust_alloc"
            })
    void shouldKnowAllocators(String symbol) {
        assertTrue(AllocatorNames.isAllocator(symbol));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "main",
                "new_node",
                "parse",
                "make_list",
                "alloc_node",
                "_ZN4shop5OrderC1Ev",
                "func@0xa74f0",
                "_ZN4core5startEv",
                "_ZN7Strings3addERKSs",
                "_RNvCs1_4shop4main",
                "_ZN52_$LT$words..Shelf$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
                "load_text",
                "reallyDone",
                "_Z5indexRSt3mapIiiE"
            })
    void shouldNotTakeOthersForAllocators(String symbol) {
        assertFalse(AllocatorNames.isAllocator(symbol));
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.ColdCode;
import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.WithoutStacks;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.file.TraceReader;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.CallChain;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.ViewFeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the chains of all allocations, from unwound stacks, with those of the calls that the
 * same trace has. Functions that have gone on in another one by a jump are not on the stack.
 */
class ChainsByCallsIT {
    private static final int CHAIN = 64;
    private static final int LEAST = 100;
    /** Of those that go on in each other, at most. */
    private static final int JUMPS = 2;

    private static final String LOADER = "[ld-linux-x86-64.so.2]";

    private static final String RAISED = "__pthread_kill_implementation";

    @TempDir
    Path directory;

    /** A function of a chain, by the linker's name. */
    private record Function(String module, String symbol) {
        static Function of(Place call) {
            return new Function(call.module(), ColdCode.whole(call.symbol()));
        }

        /** Returns whether it begins before calls are recorded, or the shim calls within it. */
        boolean isNotFollowed() {
            return module.equals(LOADER) || symbol.equals("_IO_fputs");
        }

        boolean isNamed() {
            return !symbol.equals(module);
        }
    }

    /** Takes chains of allocations down, the innermost function first. */
    private static final class Chains implements Analysis {
        private final List<List<Function>> all = new ArrayList<>();
        /** Holds what calls enter. */
        private final Set<Function> entered = new HashSet<>();

        @Override
        public Needs needs() {
            return Needs.BATCHES.withChains();
        }

        @Override
        public void accesses(Accesses batch) {
            // births and ends alone count
        }

        @Override
        public void allocation(Allocation event) {
            List<Function> chain = new ArrayList<>();
            CallChain end = event.chain() == null ? null : event.chain().withoutStart();
            for (CallChain each = event.chain(); each != end; each = each.outer()) {
                Function function = Function.of(each.call());
                boolean inlined = each.call().frameName().contains("inlined");
                if (!each.hasJumped() && !inlined && function.isNamed()) {
                    chain.add(function);
                }
            }
            all.add(chain);
            entered.addAll(chain.subList(Math.min(1, chain.size()), chain.size()));
        }
    }

    private Chains chains(boolean unwound) throws Exception {
        Chains chains = new Chains();
        ViewFeed feed = new ViewFeed(chains);
        try (TraceReader reader = new TraceReader(directory.resolve("calls.madt"))) {
            reader.read(new TraceDecoder(unwound ? feed : new WithoutStacks(feed)));
        }
        return chains;
    }

    private void compare(List<String> command) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of(command.get(0))), "no " + command.get(0));
        List<String> words = new ArrayList<>(List.of(
                "trace",
                "-q",
                "-f",
                "--record",
                "accesses,calls",
                "--chain",
                "" + CHAIN,
                "-o",
                "calls.madt",
                "--"));
        words.addAll(command);
        MadtRun.madt(directory, words.toArray(String[]::new)).expect(0);
        Chains byStacks = chains(true);
        Chains byCalls = chains(false);
        assertEquals(byStacks.all.size(), byCalls.all.size());
        int compared = 0;
        for (int i = 0; i < byStacks.all.size(); i++) {
            List<Function> stack = toSignal(byStacks.all.get(i));
            List<Function> calls = toSignal(byCalls.all.get(i));
            if (!stack.isEmpty() && stack.stream().noneMatch(Function::isNotFollowed)) {
                compared++;
                assertTrue(
                        isSame(stack, calls, byCalls.entered),
                        () -> command + ": " + stack + ", by calls " + calls);
            }
        }
        System.out.printf("%s: %,d chains%n", String.join(" ", command), compared);
        assertTrue(compared > LEAST, compared + " chains");
    }

    /**
     * Nobody enters the part of a function that has no name, and it is known by itself on the stack
     * alone. Who has gone on from the innermost by jumps is not known there.
     */
    private static boolean isSame(
            List<Function> stack, List<Function> calls, Set<Function> entered) {
        boolean part = stack.size() > 1 && !entered.contains(stack.get(0));
        int more = calls.size() - stack.size();
        if (more < 0 || more > (part ? JUMPS : 0)) {
            return false;
        }
        for (int i = 0; i < stack.size(); i++) {
            Function called = calls.get(i == 0 ? 0 : i + more);
            if (!stack.get(i).equals(called) && (i == 0 || entered.contains(stack.get(i)))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the part that is inside of a signal: by calls, nobody has called a handler on a stack
     * of its own. It is empty where the handler has gone on in the allocator by a jump.
     */
    private static List<Function> toSignal(List<Function> chain) {
        int end = 0;
        while (end < chain.size() && !chain.get(end).symbol.equals(RAISED)) {
            end++;
        }
        return chain.subList(0, end);
    }

    static List<List<String>> programs() {
        return Tier.some(
                List.of(
                        ChainedPrograms.SQLITE,
                        List.of("/usr/bin/python3", "-I", "-S", "-c", "print(sorted([3, 1, 2]))"),
                        List.of("/usr/bin/perl", "-e", "print join ',', map { $_ x 3 } 1 .. 100"),
                        List.of("/usr/bin/bc", "-l", "/dev/null"),
                        List.of("/usr/bin/git", "--version"),
                        List.of("/usr/bin/lua5.4", "-e", "t = {} for i = 1, 100 do t[i] = i end")),
                1);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldEqualCallsOfProgramsOfDebian(List<String> command) throws Exception {
        compare(command);
    }

    /** With handlers, contexts and threads. */
    @ParameterizedTest
    @ValueSource(strings = "gcc -O2")
    @SoakCases({"gcc -O0 -fomit-frame-pointer", "gcc -O3 -flto", "clang -O2", "clang -O0"})
    void shouldEqualCallsOfC(String compiler) throws Exception {
        compare(List.of(ChainedPrograms.c(directory, compiler.split(" "))));
    }

    /**
     * With exceptions: where one has led to, recorded calls know from the next call on. A function
     * that allocates or frees before that, as with -O3 -flto, is not compared.
     */
    @ParameterizedTest
    @ValueSource(strings = "g++ -O2")
    @SoakCases({"g++ -O0", "g++ -Os", "clang++ -O2", "clang++ -O0"})
    void shouldEqualCallsOfCxx(String compiler) throws Exception {
        compare(List.of(ChainedPrograms.cxx(directory, compiler.split(" "))));
    }

    @Soak
    @Test
    void shouldEqualCallsOfFortran() throws Exception {
        compare(List.of(ChainedPrograms.built(
                directory, "chained.f90", ChainedPrograms.FORTRAN, "-O2", "gfortran")));
    }

    @Soak
    @Test
    void shouldEqualCallsOfRust() throws Exception {
        compare(List.of(ChainedPrograms.built(
                directory, "chained.rs", ChainedPrograms.RUST, "-O", "rustc")));
    }
}

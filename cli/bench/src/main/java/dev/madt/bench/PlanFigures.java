package dev.madt.bench;

import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.ProbeChoice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Says how the sites of modules are reached, and what their splice plans cost: from the heads of
 * plans that are made for it (madt_plan.h).
 */
final class PlanFigures {
    private static final List<String> TACTICS =
            List.of("plain", "forward", "backward", "near", "int3", "step");
    private static final int SITES = 160;
    private static final int HEAD = 232;
    private static final Path LIBC = Path.of("/lib/x86_64-linux-gnu/libc.so.6");

    private final CodeAnalyser analyser;
    private final Path home;
    private final Path plan;

    PlanFigures(Path home, Path folder) {
        this.home = home;
        this.plan = folder.resolve("plan");
        this.analyser = new CodeAnalyser(home.resolve("madt-native/target/libmadtcode.so"));
    }

    void print(PrintStream out, List<String> programs) throws IOException {
        out.printf(Locale.ROOT, "%nsites by tactic, %%%n%-15s %9s", "", "sites");
        TACTICS.forEach(tactic -> out.printf(Locale.ROOT, " %9s", tactic));
        out.printf(Locale.ROOT, " %9s%n", "plan ms");
        List<Path> modules = new ArrayList<>();
        programs.forEach(
                name -> modules.add(home.resolve("madt-native/target/bench").resolve(name)));
        if (Files.exists(LIBC)) {
            modules.add(LIBC);
        }
        for (Path module : modules) {
            row(out, module);
        }
    }

    private void row(PrintStream out, Path module) throws IOException {
        long begin = System.nanoTime();
        analyser.plan(module, plan, 0, 0, ProbeChoice.ACCESSES);
        double milliseconds = (System.nanoTime() - begin) / 1e6;
        byte[] bytes;
        try (var in = Files.newInputStream(plan)) {
            bytes = in.readNBytes(HEAD);
        }
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long all = 0;
        for (int i = 0; i < TACTICS.size(); i++) {
            all += head.getInt(SITES + 4 * i);
        }
        out.printf(Locale.ROOT, "%-15s %,9d", module.getFileName(), all);
        for (int i = 0; i < TACTICS.size(); i++) {
            out.printf(
                    Locale.ROOT, " %9.2f", 100.0 * head.getInt(SITES + 4 * i) / Math.max(1, all));
        }
        out.printf(Locale.ROOT, " %9.0f%n", milliseconds);
    }
}

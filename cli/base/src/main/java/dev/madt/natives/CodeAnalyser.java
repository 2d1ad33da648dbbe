package dev.madt.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/** libmadtcode.so: decodes a module and writes its code map and its splice plans. */
public final class CodeAnalyser {
    /** Of {@link #uses}: the low parts of vector registers. */
    public static final int USES_LOW = 1;
    /** Of {@link #uses}: other registers that are no general ones. */
    public static final int USES_OTHERS = 2;
    /** Of {@link #uses}: system calls. */
    public static final int USES_KERNEL = 4;

    private static final int ERROR_BYTES = 512;

    private final Path file;
    private final NativeFunction identity;
    private final NativeFunction build;
    private final NativeFunction check;
    private final NativeFunction plan;
    private final NativeFunction planNumber;
    private final NativeFunction planCheck;
    private final NativeFunction places;
    private final NativeFunction graph;
    private final NativeFunction uses;

    /** @throws LinkageError if the library or one that it needs cannot be loaded */
    public CodeAnalyser(Path file) {
        this.file = file;
        NativeLibrary library = new NativeLibrary(file.toString());
        identity = library.function("madtcode_identity");
        build = library.function("madtcode_build");
        check = library.function("madtcode_check");
        plan = library.function("madtcode_plan_chosen");
        planNumber = library.function("madtcode_plan_number");
        planCheck = library.function("madtcode_plan_check");
        places = library.function("madtcode_places");
        graph = library.function("madtcode_graph");
        uses = library.function("madtcode_uses");
    }

    /** Returns when the analyser was built: what is older may be another one's work. */
    public FileTime built() throws IOException {
        return Files.getLastModifiedTime(file);
    }

    /**
     * Sums up the bytes of an ELF file that its analysis depends on.
     *
     * @param point and {@code join}: the key, without which nobody can make another file of the
     *     same sum
     * @throws IOException with the library's reason
     */
    public long identity(Path elf, long point, long join) throws IOException {
        try (NativeMemory from = NativeMemory.of(elf.toString());
                NativeMemory sum = new NativeMemory(Long.BYTES);
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(
                    identity.call(
                            from.address(),
                            point,
                            join,
                            sum.address(),
                            error.address(),
                            ERROR_BYTES),
                    error);
            return sum.bytes().getLong(0);
        }
    }

    /**
     * Writes the code map of {@code elf} to {@code out}.
     *
     * @throws IOException with the library's reason
     */
    public void build(Path elf, Path out) throws IOException {
        try (NativeMemory from = NativeMemory.of(elf.toString());
                NativeMemory to = NativeMemory.of(out.toString());
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(build.call(from.address(), to.address(), error.address(), ERROR_BYTES), error);
        }
    }

    /**
     * Writes the places of all proven instructions of {@code elf} to {@code out}.
     *
     * @throws IOException with the library's reason
     */
    public void places(Path elf, Path out) throws IOException {
        try (NativeMemory from = NativeMemory.of(elf.toString());
                NativeMemory to = NativeMemory.of(out.toString());
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(places.call(from.address(), to.address(), error.address(), ERROR_BYTES), error);
        }
    }

    /**
     * Returns what all code of {@code elf} may use besides general registers and memory:
     * {@code enum madtcode_use}.
     *
     * @throws IOException with the library's reason
     */
    public int uses(Path elf) throws IOException {
        try (NativeMemory from = NativeMemory.of(elf.toString());
                NativeMemory used = new NativeMemory(Integer.BYTES);
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(uses.call(from.address(), used.address(), error.address(), ERROR_BYTES), error);
            return used.bytes().getInt(0);
        }
    }

    /**
     * Writes the splice plan of {@code elf} to {@code out}.
     *
     * @param variant of {@code enum madt_plan_variant}: where its areas lie
     * @param flags of {@code enum madt_plan_flag}
     * @param choice which probes it has
     * @throws IOException with the library's reason
     */
    public void plan(Path elf, Path out, int variant, int flags, ProbeChoice choice)
            throws IOException {
        try (NativeMemory chosen = NativeMemory.of(choice.bytes(variant, flags));
                NativeMemory from = NativeMemory.of(elf.toString());
                NativeMemory to = NativeMemory.of(out.toString());
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(
                    plan.call(
                            from.address(),
                            to.address(),
                            chosen.address(),
                            error.address(),
                            ERROR_BYTES),
                    error);
        }
    }

    /**
     * Gives the templates of a plan that was just made the numbers from {@code firstTemplate} on.
     *
     * @throws IOException with the library's reason
     */
    public void number(Path plan, int firstTemplate) throws IOException {
        try (NativeMemory path = NativeMemory.of(plan.toString());
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(
                    planNumber.call(path.address(), firstTemplate, error.address(), ERROR_BYTES),
                    error);
        }
    }

    /**
     * Writes the control-flow graphs of those functions of {@code elf} to {@code out} that begin
     * from {@code start} on and before {@code end}, ELF virtual addresses.
     *
     * @param text whether their instructions are written too
     * @throws IOException with the library's reason
     */
    public void graph(Path elf, Path out, long start, long end, boolean text) throws IOException {
        try (NativeMemory from = NativeMemory.of(elf.toString());
                NativeMemory to = NativeMemory.of(out.toString());
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            demand(
                    graph.call(
                            from.address(),
                            to.address(),
                            start | end << Integer.SIZE,
                            text ? 1 : 0,
                            error.address(),
                            ERROR_BYTES),
                    error);
        }
    }

    private static void demand(long result, NativeMemory error) throws IOException {
        if ((int) result != 0) {
            throw new IOException(error.text());
        }
    }

    /**
     * Returns whether a file is an undamaged code map of this version, for this build-id (which may
     * be empty: any).
     */
    public boolean check(Path map, byte[] buildId) {
        return passes(check, map, buildId);
    }

    /**
     * Returns whether a file is an undamaged splice plan of this version, for this build-id (which
     * may be empty: any).
     */
    public boolean checkPlan(Path plan, byte[] buildId) {
        return passes(planCheck, plan, buildId);
    }

    private static boolean passes(NativeFunction check, Path checked, byte[] buildId) {
        try (NativeMemory path = NativeMemory.of(checked.toString());
                NativeMemory id = NativeMemory.of(buildId);
                NativeMemory error = new NativeMemory(ERROR_BYTES)) {
            return (int) check.call(
                            path.address(),
                            id.address(),
                            buildId.length,
                            error.address(),
                            ERROR_BYTES)
                    == 0;
        }
    }
}

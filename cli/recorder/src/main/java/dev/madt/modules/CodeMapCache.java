package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.Reason;
import dev.madt.console.Status;
import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.Libc;
import dev.madt.natives.ProbeChoice;
import dev.madt.resolver.ModuleSymbols;
import dev.madt.resolver.SymbolStore;
import dev.madt.resolver.debug.KeptSection;
import dev.madt.resolver.debug.SectionStore;
import dev.madt.resolver.elf.FileVersion;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Predicate;

/**
 * Code maps, splice plans, symbols and source lines of modules, kept between runs in
 * {@code ~/.cache/madt} (mode 0700). They go by what a module's bytes are ({@link #identify}): a
 * build-id says only what the linker has been told or has seen. An entry that is damaged, of
 * another version, older than the analyser or another user's is built anew. Where that directory
 * cannot be used, maps live as long as the session. Files that are in use stay until
 * {@link #close}, which brings the directory back within its limit ({@code MADT_CACHE_SIZE}).
 */
public final class CodeMapCache implements AutoCloseable {
    /** Writes what is kept of a module into a file. */
    private interface Maker {
        void make(Path out) throws IOException;
    }

    private static final String LIMIT = "MADT_CACHE_SIZE";
    private static final long DEFAULT_LIMIT = 1L << 30;

    private final CodeAnalyser analyser;
    private final Path directory;
    private final Path session;
    private final Messages messages;
    /** Null if nothing is kept. */
    private final CacheSpace space;

    /** Null until it is asked for. */
    private CacheKey key;

    public CodeMapCache(CodeAnalyser analyser, Path session, Messages messages) throws Failure {
        this.analyser = analyser;
        this.session = session;
        this.messages = messages;
        long limit = limit();
        this.directory = limit == 0 ? session : usableDirectory();
        this.space = directory.equals(session)
                ? null
                : new CacheSpace(directory, limit, System.getenv(LIMIT) != null);
    }

    /** Returns where it keeps them, without symbolic links. */
    public Path directory() throws IOException {
        return directory.toRealPath();
    }

    /** Returns how many bytes are to be kept. */
    public static long limit() throws Failure {
        String text = System.getenv(LIMIT);
        long limit = text == null || text.isEmpty() ? DEFAULT_LIMIT : Numbers.bytes(text);
        if (limit < 0) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "MADT_CACHE_SIZE is a number of bytes, as in 500M or 2G, 0 to keep nothing, not"
                            + " '"
                            + text
                            + "'.");
        }
        return limit;
    }

    /** Returns where analyses are to be kept; null if neither XDG_CACHE_HOME nor HOME says. */
    public static Path wanted() {
        String base = System.getenv("XDG_CACHE_HOME");
        String home = System.getenv("HOME");
        if (base == null || !base.startsWith("/")) {
            base = home == null || home.isEmpty() ? null : home + "/.cache";
        }
        return base == null ? null : Path.of(base, "madt");
    }

    /** Returns whether analyses can be kept there; the folder is made. */
    public static boolean usable(Path wanted) {
        try {
            make(wanted);
            return ours(wanted) && Files.isWritable(wanted);
        } catch (IOException e) {
            return false;
        }
    }

    private static void make(Path wanted) throws IOException {
        Files.createDirectories(wanted.getParent());
        if (!Files.isDirectory(wanted)) {
            Files.createDirectory(
                    wanted,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
    }

    private Path usableDirectory() {
        Path wanted = wanted();
        if (wanted == null) {
            messages.detail("no HOME: code maps are not kept");
            return session;
        }
        try {
            make(wanted);
            if (ours(wanted) && Files.isWritable(wanted)) {
                return wanted;
            }
            messages.detail(wanted + " is not ours to write: code maps are not kept");
        } catch (IOException e) {
            messages.detail(
                    "cannot make " + wanted + ": " + Reason.cause(e) + ": code maps are not kept");
        }
        return session;
    }

    /**
     * Returns which file a module is, as a word, by all of its bytes that an analysis depends on.
     * Other bytes have another word, and nobody can make a file with the word of another one
     * without the key of the cache.
     *
     * @throws IOException with the reason if it is no module that can be read
     */
    String identify(Path module) throws IOException {
        CacheKey known = key();
        return HexFormat.of().toHexDigits(analyser.identity(module, known.point(), known.join()));
    }

    private synchronized CacheKey key() throws IOException {
        key = key == null ? CacheKey.of(directory) : key;
        return key;
    }

    /**
     * The code map of a module, from the cache or made now.
     *
     * @param identity {@link #identify}, as is that of the other methods
     * @param buildId may be empty
     * @throws IOException with the reason if the module cannot be analysed
     */
    Path mapOf(Path module, String identity, byte[] buildId) throws IOException {
        String name = identity + "." + SharedLayout.CODEMAP_VERSION + "." + analyserVersion()
                + ".codemap";
        Path cached = directory.resolve(name);
        return find(
                module,
                cached,
                file -> analyser.check(file, buildId),
                ofModule(module, identity, out -> analyser.build(module, out)));
    }

    /**
     * Keeps no result of a module that somebody edits while it is read: it would be kept as another
     * file's.
     */
    private Maker ofModule(Path module, String identity, Maker maker) {
        return out -> {
            maker.make(out);
            if (!identify(module).equals(identity)) {
                throw new IOException(module + " changed while it was read");
            }
        };
    }

    /**
     * The splice plan of a module, from the cache or made now.
     *
     * @param buildId may be empty
     * @param variant of {@code enum madt_plan_variant}
     * @param flags of {@code enum madt_plan_flag}
     * @param probes which it has
     * @throws IOException with the reason if there can be no plan
     */
    Path planOf(
            Path module,
            String identity,
            byte[] buildId,
            int variant,
            int flags,
            ProbeChoice probes)
            throws IOException {
        return find(
                module,
                planFile(identity, variant, flags, probes),
                file -> analyser.checkPlan(file, buildId),
                ofModule(module, identity, out -> makePlan(module, out, variant, flags, probes)));
    }

    /**
     * The places of a module's instructions, from the cache or made now.
     *
     * @throws IOException with the reason if the module cannot be analysed
     */
    Path placesOf(Path module, String identity) throws IOException {
        return find(
                module,
                directory.resolve(
                        identity + "." + SplicePlan.VERSION + "." + analyserVersion() + ".places"),
                CodePlaces::isSound,
                ofModule(module, identity, out -> analyser.places(module, out)));
    }

    /** Returns whether there is a file for such a plan, sound or not. */
    boolean hasPlan(String identity, int variant, int flags, ProbeChoice probes)
            throws IOException {
        return Files.exists(planFile(identity, variant, flags, probes));
    }

    private Path planFile(String identity, int variant, int flags, ProbeChoice probes)
            throws IOException {
        // the same object: equals of records makes classes at run time, at every start
        String chosen = probes == ProbeChoice.ACCESSES ? "" : "." + digest(probes);
        return directory.resolve(identity + "." + SplicePlan.VERSION + "." + variant + "." + flags
                + chosen + "." + analyserVersion() + ".plan");
    }

    /**
     * Returns what the symbol tables of a module say ({@link ModuleSymbols}), from the cache or
     * made now. Null, and nothing is kept, by classes that are not in an archive: the time of their
     * folder does not tell whether they have changed.
     *
     * @throws IOException with the reason if they cannot be read
     */
    Path symbolsOf(Path module, String identity, String tables, SymbolStore.Maker maker)
            throws IOException {
        String classes = classes();
        if (space == null || classes == null) {
            return null;
        }
        String name = identity + "." + tables + "." + ModuleSymbols.VERSION + "." + classes + "."
                + analyserVersion() + ".symbols";
        return find(
                module,
                directory.resolve(name),
                ModuleSymbols::isSound,
                ofModule(module, identity, maker::make));
    }

    /** Returns which classes read modules; null if that cannot be said. */
    private static String classes() throws IOException {
        Path classes = Path.of(System.getProperty("java.class.path").split(":", 2)[0]);
        return Files.isRegularFile(classes)
                ? Long.toHexString(Files.getLastModifiedTime(classes).toMillis())
                : null;
    }

    /**
     * The file for source lines of a module ({@link KeptLines}), which may not be there yet; null
     * if none are kept.
     *
     * @param debug the file with the debug information
     */
    Path linesOf(String identity, Path debug) throws IOException {
        String classes = classes();
        if (space == null || classes == null) {
            return null;
        }
        Path file = directory.resolve(identity + "." + FileVersion.of(debug) + "."
                + KeptLines.VERSION + "." + classes + ".lines");
        boolean usable = !Files.exists(file) || ours(file) && space.use(file);
        return usable ? file : null;
    }

    /**
     * Puts a new file with source lines in the place of one that {@link #linesOf} named. Who reads
     * the old one has it mapped, and nobody gives it to a target, so it may be replaced.
     */
    void keepLines(Path file, SymbolStore.Maker maker) {
        try {
            buildIn(file, maker::make);
            space.hasGrown();
        } catch (IOException e) {
            messages.detail("cannot keep " + file + ": " + Reason.of(e));
        }
    }

    /**
     * A section of debug information that is compressed in its file, from the cache or unpacked
     * now; null if nothing is kept.
     *
     * @throws IOException with the reason if it cannot be unpacked
     */
    Path sectionOf(Path file, String section, SectionStore.Maker maker) throws IOException {
        if (space == null) {
            return null;
        }
        String name = FileVersion.of(file) + section + ".section";
        return find(file, directory.resolve(name), KeptSection::isSound, maker::make);
    }

    /** A plan owns its template numbers; where the folder can keep no account, any. */
    private void makePlan(Path module, Path out, int variant, int flags, ProbeChoice probes)
            throws IOException {
        analyser.plan(module, out, variant, flags, probes);
        Path folder = out.getParent();
        TemplateNumbers numbers = folder.equals(session)
                ? TemplateNumbers.ofSession(folder)
                : TemplateNumbers.kept(folder);
        analyser.number(out, numbers.take(SplicePlan.open(out).entries()));
    }

    private static String digest(ProbeChoice probes) {
        return HexFormat.of().formatHex(sha256().digest(probes.bytes(0, 0)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of two analysers with the same versions the later one may know better. */
    private String analyserVersion() throws IOException {
        return Long.toHexString(analyser.built().toMillis());
    }

    private Path find(Path module, Path cached, Predicate<Path> sound, Maker maker)
            throws IOException {
        if (Files.exists(cached)
                && ours(cached)
                && (space == null || space.use(cached))
                && isSound(cached, sound)) {
            return cached;
        }
        long begin = System.nanoTime();
        Path built = build(module, cached, sound, maker);
        messages.detail(String.format(
                "analysed %s in %d ms", module, (System.nanoTime() - begin) / 1_000_000));
        return built;
    }

    /** Looks at all of a file that is in use, once as long as nobody changes it. */
    private boolean isSound(Path cached, Predicate<Path> sound) {
        if (space != null && space.isChecked(cached) || CheckedFiles.holds(cached)) {
            return true;
        }
        boolean whole = sound.test(cached);
        if (whole) {
            CheckedFiles.note(cached);
        }
        return whole;
    }

    private Path build(Path module, Path cached, Predicate<Path> sound, Maker maker)
            throws IOException {
        if (space == null) {
            return buildIn(cached, maker);
        }
        try {
            return keep(cached, sound, maker);
        } catch (IOException e) {
            messages.detail("cannot keep the analysis of " + module + ": " + Reason.of(e));
            return buildIn(session.resolve(cached.getFileName()), maker);
        }
    }

    private Path keep(Path cached, Predicate<Path> sound, Maker maker) throws IOException {
        Path fresh = cached.resolveSibling(
                cached.getFileName() + "." + ProcessHandle.current().pid());
        try {
            maker.make(fresh);
            if (Files.exists(cached) && !sound.test(cached)) {
                space.discard(cached);
            }
            space.put(fresh, cached);
        } finally {
            Files.deleteIfExists(fresh);
        }
        if (ours(cached) && space.use(cached) && isSound(cached, sound)) {
            return cached;
        }
        throw new IOException(cached + " is gone or damaged");
    }

    /** A half-written file must never stand under its name: it is built beside and moved. */
    private Path buildIn(Path target, Maker maker) throws IOException {
        Path fresh = target.resolveSibling(
                target.getFileName() + "." + ProcessHandle.current().pid());
        try {
            maker.make(fresh);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            return target;
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("cannot rename " + fresh, e);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    @Override
    public void close() {
        if (space != null) {
            space.close();
        }
    }

    private static boolean ours(Path file) throws IOException {
        int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return owner == Libc.geteuid();
    }
}

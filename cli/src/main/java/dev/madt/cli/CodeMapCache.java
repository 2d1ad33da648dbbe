package dev.madt.cli;

import dev.madt.tracker.SharedLayout;
import dev.madt.tracker.SplicePlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Code maps and splice plans by build-id, kept between runs in {@code ~/.cache/madt} (mode 0700). An entry that is damaged, of another version,
 * older than the analyser or another user's is built anew. Where that directory cannot be used, maps live as long as the session.
 */
final class CodeMapCache {
    /** Writes what is kept of a module into a file. */
    private interface Maker {
        void make(Path out) throws IOException;
    }

    private final CodeAnalyser analyser;
    private final Path directory;
    private final Path session;
    private final Talk talk;

    CodeMapCache(CodeAnalyser analyser, Path session, Talk talk) {
        this.analyser = analyser;
        this.session = session;
        this.talk = talk;
        this.directory = usableDirectory();
    }

    private Path usableDirectory() {
        String base = System.getenv("XDG_CACHE_HOME");
        String home = System.getenv("HOME");
        if (base == null || !base.startsWith("/")) {
            base = home == null || home.isEmpty() ? null : home + "/.cache";
        }
        if (base == null) {
            talk.detail("no HOME: code maps are not kept");
            return session;
        }
        Path wanted = Path.of(base, "madt");
        try {
            Files.createDirectories(wanted.getParent());
            if (!Files.isDirectory(wanted)) {
                Files.createDirectory(wanted,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            if (ours(wanted) && Files.isWritable(wanted)) {
                return wanted;
            }
            talk.detail(wanted + " is not ours to write: code maps are not kept");
        } catch (IOException e) {
            talk.detail("cannot make " + wanted + ": " + Reason.cause(e) + ": code maps are not kept");
        }
        return session;
    }

    /**
     * The code map of a module, from the cache or made now.
     *
     * @param buildId may be empty: the contents are the key then
     * @throws IOException with the reason if the module cannot be analysed
     */
    Path mapOf(Path module, byte[] buildId) throws IOException {
        String name = key(module, buildId) + "." + SharedLayout.CODEMAP_VERSION + ".codemap";
        Path cached = directory.resolve(name);
        if (current(cached) && analyser.check(cached, buildId)) {
            return cached;
        }
        return build(module, cached, out -> analyser.build(module, out));
    }

    /**
     * The splice plan of a module, from the cache or made now.
     *
     * @param buildId may be empty: the contents are the key then
     * @param variant of {@code enum madt_plan_variant}
     * @param flags of {@code enum madt_plan_flag}
     * @throws IOException with the reason if there can be no plan
     */
    Path planOf(Path module, byte[] buildId, int variant, int flags) throws IOException {
        String name = key(module, buildId) + "." + SplicePlan.VERSION + "." + variant + "." + flags + ".plan";
        Path cached = directory.resolve(name);
        if (current(cached) && analyser.checkPlan(cached, buildId)) {
            return cached;
        }
        return build(module, cached, out -> analyser.plan(module, out, variant, flags));
    }

    private Path build(Path module, Path cached, Maker maker) throws IOException {
        long begin = System.nanoTime();
        Path built = buildAnywhere(module, cached, maker);
        talk.detail(String.format("analysed %s in %d ms", module, (System.nanoTime() - begin) / 1_000_000));
        return built;
    }

    private Path buildAnywhere(Path module, Path cached, Maker maker) throws IOException {
        try {
            return buildIn(cached, maker);
        } catch (IOException e) {
            if (directory.equals(session)) {
                throw e;
            }
            talk.detail("cannot keep the analysis of " + module + ": " + Reason.of(e));
            return buildIn(session.resolve(cached.getFileName()), maker);
        }
    }

    /** A half-written file must never stand under its name: it is built beside and moved. */
    private Path buildIn(Path target, Maker maker) throws IOException {
        Path fresh = target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid());
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

    private boolean current(Path cached) throws IOException {
        return Files.exists(cached) && ours(cached) && Files.getLastModifiedTime(cached).compareTo(analyser.built()) >= 0;
    }

    private static boolean ours(Path file) throws IOException {
        int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return owner == Libc.geteuid();
    }

    private static String key(Path module, byte[] buildId) throws IOException {
        return buildId.length > 0 ? HexFormat.of().formatHex(buildId) : "sha256-" + contentDigest(module);
    }

    private static String contentDigest(Path module) throws IOException {
        try (InputStream in = Files.newInputStream(module)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] block = new byte[65536];
            for (int n = in.read(block); n >= 0; n = in.read(block)) {
                digest.update(block, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

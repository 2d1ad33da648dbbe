package dev.madt.resolver.debug;

import dev.madt.resolver.elf.BuildId;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * Finds the separate debug file of a stripped module as gdb does (GDB manual, "Separate Debug
 * Files"): by build-id below the debug directory, then in what debuginfod clients have fetched,
 * then by {@code .gnu_debuglink} beside the module, in {@code .debug/} there, and below the debug
 * directory. A file is taken only if its build-id, or the link's CRC, agrees; one that cannot be
 * read counts as absent.
 */
public final class DebugFile {
    /** Says where distributions put debug files. */
    public static final Path ROOT = Path.of("/usr/lib/debug");

    private final ElfImage module;
    private final byte[] buildId;
    private final Path root;

    /** Looks below {@code root}, normally {@code /usr/lib/debug}. */
    public DebugFile(ElfImage module, byte[] buildId, Path root) {
        this.module = module;
        this.buildId = buildId;
        this.root = root;
    }

    /** The debug file, or null. */
    public ElfImage find() throws IOException {
        ElfImage byId = byBuildId();
        return byId != null ? byId : byLink();
    }

    /**
     * The file that {@code .gnu_debugaltlink} names: a path, absolute or from the file's folder,
     * and a build-id (dwz(1)); null if it is not there or has another id.
     */
    ElfImage supplementary() {
        ElfSection section = module.section(".gnu_debugaltlink");
        if (section == null) {
            return null;
        }
        try {
            ByteBuffer link = module.data(section);
            String name = ElfImage.string(link, 0);
            int from = name.getBytes(StandardCharsets.UTF_8).length + 1;
            byte[] id = new byte[link.limit() - from];
            link.get(from, id);
            ElfImage named = withId(module.file().toRealPath().resolveSibling(name), id);
            return named != null || id.length < 2 ? named : withId(idPath(id), id);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private ElfImage byBuildId() {
        if (buildId.length < 2) {
            return null;
        }
        ElfImage installed = withId(idPath(buildId), buildId);
        if (installed != null) {
            return installed;
        }
        for (Path cache : caches()) {
            Path file = cache.resolve(HexFormat.of().formatHex(buildId)).resolve("debuginfo");
            ElfImage fetched = withId(file, buildId);
            if (fetched != null) {
                return fetched;
            }
        }
        return null;
    }

    private Path idPath(byte[] id) {
        String digits = HexFormat.of().formatHex(id);
        return root.resolve(
                ".build-id/" + digits.substring(0, 2) + "/" + digits.substring(2) + ".debug");
    }

    private static ElfImage withId(Path file, byte[] id) {
        try {
            ElfImage image = Files.isRegularFile(file) ? ElfImage.open(file) : null;
            return image != null && Arrays.equals(BuildId.of(image), id) ? image : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /**
     * The folders that debuginfod clients keep files in (debuginfod_find_debuginfo(3), CACHE), the
     * newest way first.
     */
    private static List<Path> caches() {
        List<Path> caches = new ArrayList<>();
        String home = System.getProperty("user.home", "/");
        String set = System.getenv("DEBUGINFOD_CACHE_PATH");
        if (set != null && !set.isEmpty()) {
            caches.add(Path.of(set));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        caches.add(Path.of(
                xdg == null || xdg.isEmpty() ? home + "/.cache" : xdg, "debuginfod_client"));
        caches.add(Path.of(home, ".debuginfod_client_cache"));
        return caches;
    }

    private ElfImage byLink() throws IOException {
        ElfSection section = module.section(".gnu_debuglink");
        if (section == null) {
            return null;
        }
        ByteBuffer link = module.data(section).order(ByteOrder.LITTLE_ENDIAN);
        String name = ElfImage.string(link, 0);
        if (name.isEmpty() || name.indexOf('/') >= 0 || link.limit() < 8) {
            return null;
        }
        int sum = link.getInt(link.limit() - 4);
        for (Path directory : directories()) {
            ElfImage image = checked(directory.resolve(name), sum);
            if (image != null) {
                return image;
            }
        }
        return null;
    }

    private Set<Path> directories() throws IOException {
        Set<Path> directories = new LinkedHashSet<>();
        for (Path file : new Path[] {
            module.file().toAbsolutePath().normalize(), module.file().toRealPath()
        }) {
            Path own = file.getParent();
            directories.add(own);
            directories.add(own.resolve(".debug"));
            directories.add(root.resolve(own.toString().substring(1)));
        }
        return directories;
    }

    private ElfImage checked(Path file, int sum) {
        try {
            if (!Files.isRegularFile(file)
                    || Files.isSameFile(file, module.file())
                    || checksum(file) != sum) {
                return null;
            }
            return ElfImage.open(file);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static int checksum(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] part = new byte[1 << 16];
        try (var in = Files.newInputStream(file)) {
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                crc.update(part, 0, n);
            }
        }
        return (int) crc.getValue();
    }
}

package dev.madt.view.cache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/**
 * The three caches that Cachegrind simulates.
 *
 * @param instructions first level, instructions
 * @param data first level, data
 * @param last the last level, for both
 */
public record CacheHierarchy(CacheGeometry instructions, CacheGeometry data, CacheGeometry last) {
    private static final Path SYS = Path.of("/sys/devices/system/cpu/cpu0/cache");
    private static final CacheHierarchy USUAL = new CacheHierarchy(
            new CacheGeometry(32 << 10, 8, 64),
            new CacheGeometry(32 << 10, 8, 64),
            new CacheGeometry(8 << 20, 16, 64));

    /**
     * Returns those of this machine's first processor; a usual size where the kernel does not tell.
     */
    public static CacheHierarchy ofThisMachine() {
        return of(SYS);
    }

    /** Returns those that a directory in the form of the kernel's tells of. */
    static CacheHierarchy of(Path sys) {
        CacheHierarchy found = USUAL;
        int level = 0;
        try (DirectoryStream<Path> caches = Files.newDirectoryStream(sys, "index*")) {
            for (Path cache : caches) {
                int here = Integer.parseInt(read(cache, "level"));
                String type = read(cache, "type");
                CacheGeometry geometry = geometry(cache);
                if (here == 1) {
                    found = type.equals("Instruction")
                            ? found.withInstructions(geometry)
                            : found.withData(geometry);
                } else if (here > level) {
                    level = here;
                    found = found.withLast(geometry);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return USUAL;
        }
        return found;
    }

    /** Returns all caches for data of this machine's first processor, the nearest one first. */
    public static List<CacheGeometry> dataLevels() {
        return dataLevels(SYS);
    }

    static List<CacheGeometry> dataLevels(Path sys) {
        TreeMap<Integer, CacheGeometry> levels = new TreeMap<>();
        try (DirectoryStream<Path> caches = Files.newDirectoryStream(sys, "index*")) {
            for (Path cache : caches) {
                if (!read(cache, "type").equals("Instruction")) {
                    levels.put(Integer.valueOf(read(cache, "level")), geometry(cache));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            levels.clear();
        }
        return levels.isEmpty() ? List.of(USUAL.data, USUAL.last) : List.copyOf(levels.values());
    }

    private static CacheGeometry geometry(Path cache) throws IOException {
        long size = CacheGeometry.bytes(read(cache, "size"));
        int line = Integer.parseInt(read(cache, "coherency_line_size"));
        int ways = Integer.parseInt(read(cache, "ways_of_associativity"));
        // 0: fully associative
        return new CacheGeometry(size, ways == 0 ? (int) (size / line) : ways, line);
    }

    private static String read(Path cache, String file) throws IOException {
        return Files.readString(cache.resolve(file)).strip();
    }

    public CacheHierarchy withInstructions(CacheGeometry geometry) {
        return new CacheHierarchy(geometry, data, last);
    }

    public CacheHierarchy withData(CacheGeometry geometry) {
        return new CacheHierarchy(instructions, geometry, last);
    }

    public CacheHierarchy withLast(CacheGeometry geometry) {
        return new CacheHierarchy(instructions, data, geometry);
    }
}

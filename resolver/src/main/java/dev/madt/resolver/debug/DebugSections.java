package dev.madt.resolver.debug;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.madt.resolver.elf.BuildId;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.InflaterInputStream;

/**
 * The sections of the file that holds the debug information of a module: the module itself or its
 * separate file. A section is mapped, not read; one that is compressed (System V ABI, chapter 4,
 * SHF_COMPRESSED) is unpacked when it is asked for, and kept. What a header claims of its size is
 * believed only as far as the stream goes.
 */
public final class DebugSections {
    private static final String INFO = ".debug_info";
    /** ET_REL: a file that is not linked. */
    private static final int RELOCATABLE = 1;

    private static final int HEADER = 24;
    private static final int ZLIB = 1;
    private static final int ZSTD = 2;
    private static final long MOST = 1L << 30;
    private static final long MOST_HEAP = 1 << 20;
    /** To unpack a smaller one takes no longer than to find it. */
    private static final long LEAST_KEPT = 1 << 15;

    /** A larger section would take the place of much else that is kept. */
    private static final long MOST_KEPT = 1 << 26;

    private final ElfImage image;
    private final Path root;
    private final SectionStore store;
    private final Map<String, ByteBuffer> found = new HashMap<>();

    private DebugSections(ElfImage image, Path root, SectionStore store) {
        this.image = image;
        this.root = root;
        this.store = store;
    }

    /**
     * Finds the debug information of a module; null if there is none.
     *
     * @throws IOException if the module cannot be read or is malformed
     */
    public static DebugSections of(Path module) throws IOException {
        return of(module, SectionStore.NONE);
    }

    /** The same; sections that are unpacked are kept in a store. */
    public static DebugSections of(Path module, SectionStore store) throws IOException {
        return of(module, DebugFile.ROOT, store);
    }

    /**
     * Opens a file that parts of the debug information of another one were split off to.
     *
     * @throws IOException if it cannot be read or is malformed
     */
    public static DebugSections split(Path file) throws IOException {
        try {
            ElfImage image = ElfImage.open(file);
            image.checkDebug();
            return new DebugSections(image, DebugFile.ROOT, SectionStore.NONE);
        } catch (RuntimeException e) {
            throw ElfImage.malformed(file, e);
        }
    }

    /** Returns these sections, of which some are only parts. */
    DebugSections with(Map<String, ByteBuffer> parts) {
        DebugSections some = new DebugSections(image, root, store);
        some.found.putAll(parts);
        return some;
    }

    static DebugSections of(Path module, Path root) throws IOException {
        return of(module, root, SectionStore.NONE);
    }

    private static DebugSections of(Path module, Path root, SectionStore store) throws IOException {
        try {
            ElfImage image = ElfImage.open(module);
            image.checkDebug();
            if (image.section(INFO) == null) {
                image = new DebugFile(image, BuildId.of(image), root).find();
            }
            if (image != null) {
                image.checkDebug();
            }
            return image == null || image.section(INFO) == null
                    ? null
                    : new DebugSections(image, root, store);
        } catch (RuntimeException e) {
            throw ElfImage.malformed(module, e);
        }
    }

    /** The file that the sections are in. */
    public Path file() {
        return image.file();
    }

    /**
     * The bytes of a section, little-endian; empty if there is none of this name.
     *
     * @throws IOException if the section is compressed and cannot be unpacked
     */
    public ByteBuffer get(String name) throws IOException {
        ByteBuffer known = found.get(name);
        if (known == null) {
            ElfSection section = image.section(name);
            known = section == null
                    ? ByteBuffer.allocate(0)
                    : image.type() == RELOCATABLE ? all(name) : contents(section);
            found.put(name, known.order(ByteOrder.LITTLE_ENDIAN));
        }
        return known.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The sections of one name, behind each other: types that are split off have one each. */
    private ByteBuffer all(String name) throws IOException {
        List<ByteBuffer> parts = new ArrayList<>();
        for (ElfSection section : image.sections()) {
            if (section.name().equals(name)) {
                parts.add(contents(section));
            }
        }
        if (parts.size() == 1) {
            return parts.get(0);
        }
        long size = parts.stream().mapToLong(ByteBuffer::limit).sum();
        if (size > MOST) {
            throw image.malformed("sections " + name + " of " + size + " bytes");
        }
        ByteBuffer all = ByteBuffer.allocate((int) size);
        parts.forEach(all::put);
        return all.flip();
    }

    /**
     * The file that {@code .gnu_debugaltlink} names (dwz), checked by its build-id; null if it is
     * not to be had.
     */
    public DebugSections supplementary() {
        ElfImage other = new DebugFile(image, new byte[0], root).supplementary();
        return other == null ? null : new DebugSections(other, root, store);
    }

    private ByteBuffer contents(ElfSection section) throws IOException {
        ByteBuffer stored = image.data(section);
        return (section.flags() & ElfSection.COMPRESSED) == 0
                ? stored
                : unpack(section.name(), stored);
    }

    private ByteBuffer unpack(String name, ByteBuffer stored) throws IOException {
        if (stored.limit() < HEADER) {
            throw image.malformed(
                    "compressed section " + name + " of " + stored.limit() + " bytes");
        }
        int type = stored.getInt(0);
        long size = stored.getLong(8);
        if (size < 0 || size > MOST) {
            throw image.malformed("compressed section " + name + " claims "
                    + Long.toUnsignedString(size) + " bytes");
        }
        ByteBuffer packed = stored.slice(HEADER, stored.limit() - HEADER);
        ByteBuffer all = size >= LEAST_KEPT && size <= MOST_KEPT
                ? kept(name, type, packed, size)
                : unpack(name, type, packed, size);
        if (all.limit() != size) {
            throw image.malformed(
                    "section " + name + " unpacks to " + all.limit() + " bytes, not " + size);
        }
        return all;
    }

    private ByteBuffer unpack(String name, int type, ByteBuffer packed, long size)
            throws IOException {
        try (InputStream in = stream(name, type, packed)) {
            return size > MOST_HEAP
                    ? throughFile(in, size)
                    : ByteBuffer.wrap(in.readNBytes((int) size));
        }
    }

    /** From the store, if that keeps it. */
    private ByteBuffer kept(String name, int type, ByteBuffer packed, long size)
            throws IOException {
        Path file = store.section(image.file(), name, out -> {
            try (InputStream in = stream(name, type, packed)) {
                KeptSection.write(in, size, out);
            }
        });
        return file == null ? unpack(name, type, packed, size) : KeptSection.open(file);
    }

    /**
     * Up to {@code size} bytes of a stream, in a file that has no name any more: the heap may be
     * small.
     */
    private static ByteBuffer throughFile(InputStream in, long size) throws IOException {
        try (FileChannel channel = temporaryFile()) {
            byte[] part = new byte[1 << 16];
            long total = 0;
            for (int n = in.read(part); n >= 0 && total < size; n = in.read(part)) {
                int kept = (int) Math.min(n, size - total);
                write(ByteBuffer.wrap(part, 0, kept), channel);
                total += kept;
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, total);
        }
    }

    private static FileChannel temporaryFile() throws IOException {
        try {
            Path file = Files.createTempFile(Path.of(temporaryFolder()), "madt-section", "");
            FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Files.delete(file); // before anything can stop this process
            return channel;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private static void write(ByteBuffer part, FileChannel channel) throws IOException {
        try {
            channel.write(part);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private static String temporaryFolder() {
        return System.getProperty("java.io.tmpdir");
    }

    private static IOException unwritable(IOException cause) {
        String reason =
                cause instanceof FileSystemException file ? file.getReason() : cause.getMessage();
        return new IOException(
                "cannot write a temporary file in " + temporaryFolder()
                        + (reason == null ? "" : " (" + reason + ")")
                        + "; TMPDIR=FOLDER names another place for it",
                cause);
    }

    private InputStream stream(String name, int type, ByteBuffer packed) throws IOException {
        byte[] bytes = new byte[packed.limit()];
        packed.get(0, bytes);
        InputStream in = new ByteArrayInputStream(bytes);
        return switch (type) {
            case ZLIB -> new InflaterInputStream(in);
            case ZSTD -> new ZstdInputStreamNoFinalizer(in);
            default ->
                throw image.malformed("section " + name + " is compressed in unknown way " + type);
        };
    }
}

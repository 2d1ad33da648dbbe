package dev.madt.foreseen;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The loader's list of modules in a process that runs, as a debugger finds it: by the auxiliary
 * vector, the program headers and DT_DEBUG (System V ABI, chapter 5). The process may change it
 * meanwhile: what is read is good for guesses.
 */
final class LinkMap {
    /**
     * A module.
     *
     * @param path as the loader has it; empty: the program
     * @param bias added to the addresses in its file
     */
    record Entry(String path, long bias) {}

    private static final int AT_PHDR = 3;
    private static final int AT_PHNUM = 5;
    private static final int HEADER_BYTES = 56;
    private static final int HEADER_ADDRESS = 16;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_PHDR = 6;
    private static final int DT_DEBUG = 21;
    private static final int PAIR_BYTES = 16;
    private static final int LINK_BYTES = 32;
    private static final int LINK_NAME = 8;
    private static final int LINK_NEXT = 24;
    private static final int PATH_BYTES = 1024;
    private static final int MOST = 4096;

    private final FileChannel memory;

    private LinkMap(FileChannel memory) {
        this.memory = memory;
    }

    /** In the loader's order; empty where the process may not be looked at. */
    static List<Entry> of(int pid) {
        Path folder = Path.of("/proc", Integer.toString(pid));
        try (FileChannel memory = FileChannel.open(folder.resolve("mem"))) {
            ByteBuffer vector = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("auxv")))
                    .order(ByteOrder.LITTLE_ENDIAN);
            return new LinkMap(memory).entries(value(vector, AT_PHDR), value(vector, AT_PHNUM));
        } catch (IOException | IllegalArgumentException e) {
            return List.of(); // then the process is asked for its modules
        }
    }

    private static long value(ByteBuffer pairs, long key) {
        for (int at = 0; at + PAIR_BYTES <= pairs.limit(); at += PAIR_BYTES) {
            if (pairs.getLong(at) == key) {
                return pairs.getLong(at + Long.BYTES);
            }
        }
        return 0;
    }

    /** Reads up to so many bytes: as far as there is memory. */
    private ByteBuffer read(long from, int size) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        try {
            while (bytes.hasRemaining() && memory.read(bytes, from + bytes.position()) > 0) {
                continue;
            }
        } catch (IOException e) {
            if (bytes.position() == 0) {
                throw e;
            }
        }
        return bytes.flip();
    }

    private List<Entry> entries(long headers, long count) throws IOException {
        ByteBuffer table = read(headers, (int) Math.min(count, MOST) * HEADER_BYTES);
        long bias = 0;
        long dynamic = 0;
        int size = 0;
        for (int at = 0; at + HEADER_BYTES <= table.limit(); at += HEADER_BYTES) {
            long address = table.getLong(at + HEADER_ADDRESS);
            switch (table.getInt(at)) {
                case PT_PHDR -> bias = headers - address;
                case PT_DYNAMIC -> {
                    dynamic = address;
                    size = (int) table.getLong(at + HEADER_BYTES - PAIR_BYTES);
                }
                default -> {
                    continue;
                }
            }
        }
        long debug = dynamic == 0 ? 0 : value(read(bias + dynamic, size), DT_DEBUG);
        List<Entry> entries = new ArrayList<>();
        long next = debug == 0 ? 0 : read(debug, PAIR_BYTES).getLong(Long.BYTES);
        while (next != 0 && entries.size() < MOST) {
            ByteBuffer link = read(next, LINK_BYTES);
            entries.add(new Entry(text(link.getLong(LINK_NAME)), link.getLong(0)));
            next = link.getLong(LINK_NEXT);
        }
        return entries;
    }

    private String text(long from) throws IOException {
        ByteBuffer bytes = read(from, PATH_BYTES);
        int end = 0;
        while (end < bytes.limit() && bytes.get(end) != 0) {
            end++;
        }
        return new String(bytes.array(), 0, end, StandardCharsets.UTF_8);
    }
}

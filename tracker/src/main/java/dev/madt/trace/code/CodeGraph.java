package dev.madt.trace.code;

import dev.madt.trace.layout.GraphLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Control-flow graphs of the functions of one module, as the analyser has written them
 * ({@code madt_graph.h}). The file is mapped and read in place. Addresses are ELF virtual
 * addresses. Immutable.
 */
public final class CodeGraph {
    private static final long UNSIGNED = 0xffffffffL;

    private final ByteBuffer bytes;
    private final int functions;
    private final int blocksAt;
    private final int edgesAt;
    private final int insnsAt;
    private final int textAt;

    /**
     * A function.
     *
     * @param row its row in the file
     * @param kinds {@code FUNCTION_…} of {@code SharedLayout}
     * @param firstBlock the row of its first block
     * @param unproven bytes of which nobody knows that they are code
     * @param reason says whether an instrument can stand where it is entered
     */
    public record Function(
            int row,
            long start,
            long end,
            int kinds,
            int firstBlock,
            int blocks,
            long unproven,
            InstrumentReason reason) {
        public long size() {
            return end - start;
        }
    }

    /**
     * A block.
     *
     * @param number in its function, from 0
     * @param front says whether an instrument can stand in front of it
     * @param behind likewise behind it
     */
    public record Block(
            int number,
            long start,
            long end,
            int firstEdge,
            int edges,
            BlockEnd ends,
            InstrumentReason front,
            InstrumentReason behind) {}

    /**
     * Says where control goes from a block.
     *
     * @param address 0: nobody knows
     * @param block its number in the function; negative: it leads out of it
     */
    public record Edge(long address, int block, EdgeKind kind) {}

    /**
     * An instruction in Intel's syntax.
     *
     * @param refers the address that it names, relative to RIP or as the target of a branch; or 0
     */
    public record Insn(long address, int length, String text, long refers) {}

    private CodeGraph(ByteBuffer bytes) {
        this.bytes = bytes;
        functions = bytes.getInt(GraphLayout.Graph.FUNCTIONS);
        blocksAt = GraphLayout.Graph.BYTES + functions * GraphLayout.Function.BYTES;
        edgesAt = blocksAt + bytes.getInt(GraphLayout.Graph.BLOCKS) * GraphLayout.Block.BYTES;
        insnsAt = edgesAt + bytes.getInt(GraphLayout.Graph.EDGES) * GraphLayout.Edge.BYTES;
        textAt = insnsAt + bytes.getInt(GraphLayout.Graph.INSNS) * GraphLayout.Insn.BYTES;
    }

    /**
     * Maps a file that was just made.
     *
     * @throws IOException with file and cause if it cannot be read, or is none
     */
    public static CodeGraph open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < GraphLayout.Graph.BYTES || size > Integer.MAX_VALUE) {
                throw new IOException(file + ": graphs of " + size + " bytes cannot be read");
            }
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size)
                    .order(ByteOrder.LITTLE_ENDIAN);
            CodeGraph graph = new CodeGraph(bytes);
            if (bytes.getLong(0) != GraphLayout.MAGIC
                    || graph.textAt + bytes.getInt(GraphLayout.Graph.TEXT) != size) {
                throw new IOException(file + ": these are no graphs");
            }
            return graph;
        }
    }

    /** Returns the executable bytes of the module. */
    public long textBytes() {
        return number(GraphLayout.Graph.TEXT_BYTES);
    }

    /** Returns the functions by their start; one within another stands behind it. */
    public List<Function> functions() {
        List<Function> all = new ArrayList<>(functions);
        for (int row = 0; row < functions; row++) {
            int at = GraphLayout.Graph.BYTES + row * GraphLayout.Function.BYTES;
            all.add(new Function(
                    row,
                    number(at + GraphLayout.Function.START),
                    number(at + GraphLayout.Function.END),
                    bytes.getInt(at + GraphLayout.Function.KINDS),
                    bytes.getInt(at + GraphLayout.Function.FIRST_BLOCK),
                    bytes.getInt(at + GraphLayout.Function.BLOCKS),
                    number(at + GraphLayout.Function.UNPROVEN),
                    InstrumentReason.of(bytes.get(at + GraphLayout.Function.REASON))));
        }
        return all;
    }

    /** Returns the blocks of a function by address. */
    public List<Block> blocks(Function function) {
        List<Block> all = new ArrayList<>(function.blocks());
        for (int number = 0; number < function.blocks(); number++) {
            int at = blocksAt + (function.firstBlock() + number) * GraphLayout.Block.BYTES;
            all.add(new Block(
                    number,
                    number(at + GraphLayout.Block.START),
                    number(at + GraphLayout.Block.END),
                    bytes.getInt(at + GraphLayout.Block.FIRST_EDGE),
                    bytes.getShort(at + GraphLayout.Block.EDGES) & 0xffff,
                    BlockEnd.of(bytes.get(at + GraphLayout.Block.ENDS)),
                    InstrumentReason.of(bytes.get(at + GraphLayout.Block.FRONT)),
                    InstrumentReason.of(bytes.get(at + GraphLayout.Block.BEHIND))));
        }
        return all;
    }

    public List<Edge> edges(Block block) {
        List<Edge> all = new ArrayList<>(block.edges());
        for (int i = 0; i < block.edges(); i++) {
            int at = edgesAt + (block.firstEdge() + i) * GraphLayout.Edge.BYTES;
            all.add(new Edge(
                    number(at + GraphLayout.Edge.ADDRESS),
                    bytes.getInt(at + GraphLayout.Edge.BLOCK),
                    EdgeKind.of(bytes.getInt(at + GraphLayout.Edge.KIND))));
        }
        return all;
    }

    /** Returns the instructions of all functions, function by function; none without text. */
    public List<Insn> insns() {
        int count = bytes.getInt(GraphLayout.Graph.INSNS);
        List<Insn> all = new ArrayList<>(count);
        for (int row = 0; row < count; row++) {
            int at = insnsAt + row * GraphLayout.Insn.BYTES;
            all.add(new Insn(
                    number(at + GraphLayout.Insn.ADDRESS),
                    bytes.get(at + GraphLayout.Insn.LENGTH) & 0xff,
                    text(bytes.getInt(at + GraphLayout.Insn.TEXT)),
                    number(at + GraphLayout.Insn.REFERS)));
        }
        return all;
    }

    private String text(int from) {
        int start = textAt + from;
        int end = start;
        while (bytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - start];
        bytes.get(start, text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    private long number(int at) {
        return bytes.getInt(at) & UNSIGNED;
    }
}

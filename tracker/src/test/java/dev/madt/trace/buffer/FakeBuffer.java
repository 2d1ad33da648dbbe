package dev.madt.trace.buffer;

import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A buffer file in memory, and the target's side of it. */
final class FakeBuffer {
    private final ByteBuffer bytes;

    FakeBuffer(int chunks) {
        bytes = ByteBuffer.allocateDirect((int) SharedLayout.bufferSize(chunks))
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(SharedLayout.Buffer.MAGIC, SharedLayout.BUFFER_MAGIC);
        bytes.putInt(SharedLayout.Buffer.VERSION, SharedLayout.LAYOUT_VERSION);
        bytes.putInt(SharedLayout.Buffer.CHUNKS, chunks);
        bytes.putInt(SharedLayout.Buffer.CHUNK_WORDS, SharedLayout.CHUNK_WORDS);
        bytes.putInt(SharedLayout.Buffer.NUMBER, 5);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    void claim(int chunk, int thread, long epoch) {
        for (int word = SharedLayout.CHUNK_HEADER_WORDS; word < SharedLayout.CHUNK_WORDS; word++) {
            word(chunk, word, SharedLayout.WORD_NONE);
        }
        bytes.putInt(at(chunk, 0) + SharedLayout.Chunk.THREAD, thread);
        bytes.putLong(at(chunk, 0) + SharedLayout.Chunk.EPOCH, epoch);
        bytes.putInt(at(chunk, 0) + SharedLayout.Chunk.FILLED, SharedLayout.CHUNK_LIVE);
        state(chunk, SharedLayout.BUSY);
        bytes.putInt(head(chunk) + SharedLayout.ChunkState.THREAD, thread);
    }

    void call(int chunk, long begun, long number) {
        bytes.putLong(at(chunk, 0) + SharedLayout.Chunk.CALL_BEGUN, begun);
        bytes.putLong(at(chunk, 0) + SharedLayout.Chunk.CALL_NUMBER, number);
    }

    /** Writes a record from this word on; returns the word behind it. */
    int record(int chunk, int word, int template, long epoch, long... words) {
        for (int i = 0; i < words.length; i++) {
            word(chunk, word + 1 + i, words[i]);
        }
        word(chunk, word, SharedLayout.recordHeader(template, epoch));
        return word + 1 + words.length;
    }

    void word(int chunk, int word, long value) {
        bytes.putLong(at(chunk, word), value);
    }

    long word(int chunk, int word) {
        return bytes.getLong(at(chunk, word));
    }

    int filled(int chunk) {
        return bytes.getInt(at(chunk, 0) + SharedLayout.Chunk.FILLED);
    }

    void filled(int chunk, int filled) {
        bytes.putInt(at(chunk, 0) + SharedLayout.Chunk.FILLED, filled);
    }

    void publish(int chunk, long ticket) {
        bytes.putLong(head(chunk) + SharedLayout.ChunkState.TICKET, ticket);
        state(chunk, SharedLayout.READY);
    }

    private void state(int chunk, int state) {
        bytes.putInt(head(chunk) + SharedLayout.ChunkState.STATE, state);
    }

    private static int head(int chunk) {
        return SharedLayout.Buffer.CHUNK + chunk * SharedLayout.ChunkState.BYTES;
    }

    private static int at(int chunk, int word) {
        return SharedLayout.PAGE + chunk * SharedLayout.CHUNK_STRIDE + word * 8;
    }
}

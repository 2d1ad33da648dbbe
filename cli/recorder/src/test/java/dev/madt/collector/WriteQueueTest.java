package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class WriteQueueTest {
    private final WriteQueue queue = new WriteQueue(WriteQueue.MOST_WAITING);
    private final CountDownLatch disk = new CountDownLatch(1);
    private final List<Integer> done = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void letTheWriterEnd() {
        disk.countDown();
        queue.close();
    }

    private void write(int number) {
        try {
            disk.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        done.add(number);
    }

    /** As many as it takes before it is full; the disk takes none. */
    private int fill() throws IOException {
        int count = 0;
        while (!queue.isFull()) {
            int number = count++;
            queue.put(() -> write(number));
        }
        return count;
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    void shouldDoEverythingInOrder() throws Exception {
        disk.countDown();
        for (int i = 0; i < 1_009; i++) {
            int number = i;
            if (i % 3 == 0) {
                queue.add(() -> write(number));
            } else {
                queue.put(() -> write(number));
            }
        }
        queue.await();
        assertEquals(upTo(1_009), done);
    }

    @Test
    void shouldBeFullWhileAsManyAsMayWaitAreNotDone() throws Exception {
        assertEquals(WriteQueue.MOST_WAITING, fill());
        queue.awaitRoom(1);
        assertTrue(queue.isFull());
        disk.countDown();
        queue.awaitRoom(Long.MAX_VALUE);
        assertFalse(queue.isFull());
    }

    @Test
    void shouldTakeWhatIsPutWithoutAsking() throws Exception {
        int count = fill();
        for (int i = 0; i < WriteQueue.MOST_WAITING; i++) {
            int number = count + i;
            queue.put(() -> write(number));
        }
        disk.countDown();
        queue.put(() -> write(2 * count));
        queue.await();
        assertEquals(upTo(2 * count + 1), done);
    }

    @Test
    void shouldMakeThoseWaitWhoDoNotAskUntilOneTaskIsDone() throws Exception {
        int count = fill() + WriteQueue.MOST_WAITING;
        for (int i = WriteQueue.MOST_WAITING; i < count; i++) {
            int number = i;
            queue.put(() -> write(number));
        }
        new Thread(disk::countDown).start();
        queue.put(() -> write(count));
        assertFalse(done.isEmpty());
        queue.await();
        assertEquals(upTo(count + 1), done);
    }

    @Test
    void shouldBeFullWithOneTaskWhereNoMoreMayWait() throws Exception {
        try (WriteQueue narrow = new WriteQueue(1)) {
            assertFalse(narrow.isFull());
            narrow.put(() -> write(0));
            assertTrue(narrow.isFull());
            assertFalse(narrow.takesSeveral());
            disk.countDown();
            narrow.await();
            assertFalse(narrow.isFull());
        }
    }

    @Test
    void shouldTakeWhatIsSmallWithoutWaiting() throws Exception {
        int count = fill() + WriteQueue.MOST_WAITING;
        for (int i = WriteQueue.MOST_WAITING; i < count; i++) {
            int number = i;
            queue.put(() -> write(number));
        }
        queue.add(() -> write(count));
        disk.countDown();
        queue.await();
        assertEquals(upTo(count + 1), done);
    }

    @Test
    void shouldDoWhatWaitsAndTakeNothingMoreWhenClosed() throws Exception {
        int count = fill();
        CountDownLatch last = new CountDownLatch(1);
        queue.add(last::countDown);
        queue.close();
        assertEquals(
                "the trace is closed",
                assertThrows(IOException.class, () -> queue.add(() -> write(count)))
                        .getMessage());
        disk.countDown();
        last.await();
        assertEquals(upTo(count), done);
    }

    @Test
    void shouldSayThatItWasInterrupted() throws Exception {
        fill();
        Thread.currentThread().interrupt();
        assertEquals(
                "interrupted while the trace was written",
                assertThrows(IOException.class, queue::await).getMessage());
        assertTrue(Thread.interrupted());
    }
}

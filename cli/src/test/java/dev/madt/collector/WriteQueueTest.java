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
    private final WriteQueue queue = new WriteQueue();
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

    /** As many as it takes without waiting; the disk takes none. */
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
    void shouldAttendToOtherThingsWhileThereIsNoRoom() throws Exception {
        assertEquals(WriteQueue.MOST_WAITING, fill());
        List<Integer> attended = new ArrayList<>();
        queue.whileWaiting(() -> {
            attended.add(done.size());
            if (attended.size() == 3) {
                disk.countDown();
            }
        });
        queue.put(() -> write(WriteQueue.MOST_WAITING));
        assertEquals(List.of(0, 0, 0), attended.subList(0, 3));
        queue.await();
        assertEquals(upTo(WriteQueue.MOST_WAITING + 1), done);
    }

    @Test
    void shouldAttendToOtherThingsUntilAllIsDone() throws Exception {
        int count = fill();
        queue.whileWaiting(disk::countDown);
        queue.await();
        assertEquals(count, done.size());
        assertFalse(queue.isFull());
    }

    @Test
    void shouldTakeWhatIsSmallWithoutWaiting() throws Exception {
        int count = fill();
        queue.whileWaiting(() -> {
            throw new AssertionError("waited");
        });
        queue.add(() -> write(count));
        disk.countDown();
        queue.whileWaiting(() -> {});
        queue.await();
        assertEquals(upTo(count + 1), done);
    }

    @Test
    void shouldEndTheWaitWithWhatTheAttendanceThrows() throws Exception {
        fill();
        queue.whileWaiting(() -> {
            throw new IllegalStateException("a request failed");
        });
        assertEquals("a request failed", assertThrows(IllegalStateException.class, () -> queue.put(() -> write(9))).getMessage());
    }

    @Test
    void shouldDoWhatWaitsAndTakeNothingMoreWhenClosed() throws Exception {
        int count = fill();
        CountDownLatch last = new CountDownLatch(1);
        queue.add(last::countDown);
        queue.close();
        assertEquals("the trace is closed", assertThrows(IOException.class, () -> queue.add(() -> write(count))).getMessage());
        disk.countDown();
        last.await();
        assertEquals(upTo(count), done);
    }

    @Test
    void shouldSayThatItWasInterrupted() throws Exception {
        fill();
        Thread.currentThread().interrupt();
        assertEquals("interrupted while the trace was written", assertThrows(IOException.class, queue::await).getMessage());
        assertTrue(Thread.interrupted());
    }
}

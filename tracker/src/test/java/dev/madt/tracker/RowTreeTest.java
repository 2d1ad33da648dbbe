package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tree of rows beside a {@link TreeMap}. */
class RowTreeTest {
    private static final int WIDTH = 4;

    /** Says which key comes next. */
    private interface Keys {
        long next(int step, Random random);
    }

    private static TreeMap<Long, Long> newModel() {
        return new TreeMap<>(Long::compareUnsigned);
    }

    private static void put(RowTree tree, Map<Long, Long> model, long key, long value) {
        if (model.put(key, value) == null) {
            tree.insert(key, value, ~value);
        } else {
            assertTrue(tree.floor(key));
            tree.set(1, value);
            tree.set(2, ~value);
        }
    }

    private static void remove(RowTree tree, TreeMap<Long, Long> model, long near) {
        Long key = model.floorKey(near);
        assertEquals(key != null, tree.floor(near));
        if (key != null) {
            assertEquals(key, tree.get(0));
            tree.remove();
            model.remove(key);
        }
    }

    private static void look(RowTree tree, TreeMap<Long, Long> model, long key) {
        Map.Entry<Long, Long> floor = model.floorEntry(key);
        assertEquals(floor != null, tree.floor(key));
        if (floor != null) {
            assertEquals(floor.getKey(), tree.get(0));
            assertEquals(floor.getValue(), tree.get(1));
            assertEquals(~floor.getValue(), tree.get(2));
        }
    }

    private static void compareAll(RowTree tree, TreeMap<Long, Long> model) {
        tree.checkInvariants();
        assertEquals(model.size(), tree.size());
        boolean more = tree.first();
        for (Map.Entry<Long, Long> entry : model.entrySet()) {
            assertTrue(more);
            assertEquals(entry.getKey(), tree.get(0));
            assertEquals(entry.getValue(), tree.get(1));
            more = tree.next();
        }
        assertFalse(more);
    }

    private static void compare(int steps, int removals, Keys keys) {
        Random random = new Random(steps);
        RowTree tree = new RowTree(WIDTH);
        TreeMap<Long, Long> model = newModel();
        for (int step = 0; step < steps; step++) {
            long key = keys.next(step, random);
            if (random.nextInt(100) < removals) {
                remove(tree, model, key);
            } else {
                put(tree, model, key, random.nextLong());
            }
            look(tree, model, keys.next(random.nextInt(step + 1), random) + random.nextInt(3) - 1);
            if (step % 9_973 == 0) {
                compareAll(tree, model);
            }
        }
        compareAll(tree, model);
        while (!model.isEmpty()) {
            remove(tree, model, random.nextLong() | Long.MIN_VALUE);
        }
        compareAll(tree, model);
        put(tree, model, 77, 7);
        compareAll(tree, model);
    }

    @Test
    void shouldAgreeWhenKeysAscend() {
        compare(100_003, 1, (step, random) -> 48L * step);
    }

    @Test
    void shouldAgreeWhenKeysDescend() {
        compare(50_021, 1, (step, random) -> 48L * (1_000_003 - step));
    }

    @Test
    void shouldAgreeForAnyKeys() {
        compare(150_001, 30, (step, random) -> random.nextLong());
    }

    @Test
    void shouldAgreeWhenKeysComeAndGoInFewPlaces() {
        compare(150_011, 48, (step, random) -> 16L * random.nextInt(20_011));
    }

    /** Each new key right in front of the last: leaves are cut where they are fullest. */
    @Test
    void shouldAgreeWhenKeysCloseInFromBothSides() {
        compare(50_033, 5, (step, random) -> step % 2 == 0 ? 16L * step : (1L << 47) - 16L * step);
    }

    @Test
    void shouldKeepCopiesApart() {
        Random random = new Random(7);
        List<RowTree> trees = new ArrayList<>(List.of(new RowTree(WIDTH)));
        List<TreeMap<Long, Long>> models = new ArrayList<>(List.of(newModel()));
        for (int step = 0; step < 60_013; step++) {
            int one = random.nextInt(trees.size());
            long key = 16L * random.nextInt(30_011);
            if (random.nextInt(5) < 2) {
                remove(trees.get(one), models.get(one), key);
            } else {
                put(trees.get(one), models.get(one), key, random.nextLong());
            }
            look(trees.get(one), models.get(one), key + 8);
            if (step % 7_001 == 0) {
                TreeMap<Long, Long> copy = newModel();
                copy.putAll(models.get(one));
                trees.add(trees.get(one).share());
                models.add(copy);
            }
        }
        for (int i = 0; i < trees.size(); i++) {
            compareAll(trees.get(i), models.get(i));
        }
    }
}

package dev.madt.trace.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedTemplatesTest {
    private static final int BLOCK = 64;
    private static final long BIAS = 0x7f00_1230_0000L;
    private static final List<AccessKind> KINDS = Stream.of(AccessKind.values())
            .filter(kind -> kind != AccessKind.UNKNOWN)
            .toList();
    private static final List<Integer> SIZES = List.of(8, 4, 16, 1, 2, 32, 64);

    /** @param from -1: it is stored */
    private record Word(AccessSite site, int from, int distance) {}

    /** @param whole a whole form of the template before */
    private record Template(List<Word> words, boolean whole) {
        int stored() {
            return whole
                    ? words.size()
                    : (int) words.stream().filter(w -> w.from < 0).count();
        }

        boolean derives() {
            return stored() < words.size();
        }

        boolean isProbe() {
            return words.get(0).site.kind().probes();
        }
    }

    private final Random random = new Random(20_011);

    private static void put(ByteArrayOutputStream out, long number) {
        long rest = number;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write((int) rest | 0x80);
        }
        out.write((int) rest);
    }

    private static long zigzag(int number) {
        return (number << 1 ^ number >> 31) & 0xffffffffL;
    }

    private Word word(List<Word> before, AccessKind kind) {
        int size =
                random.nextInt(4) == 0 ? 1 + random.nextInt(65_535) : SIZES.get(random.nextInt(7));
        long address =
                random.nextInt(9) == 0 ? random.nextInt() & 0x7fffffffL : random.nextInt(999);
        AccessSite site = new AccessSite(
                address, 1 + random.nextInt(15), kind, size, random.nextInt(256), false);
        int from = before.isEmpty() || before.size() > 15 ? -1 : random.nextInt(before.size());
        boolean derived = from >= 0 && before.get(from).from < 0 && random.nextBoolean();
        return new Word(site, derived ? from : -1, derived ? random.nextInt(65_536) - 32_768 : 0);
    }

    private List<Word> words(boolean long64, AccessKind kind) {
        List<Word> words = new ArrayList<>();
        int count = long64 ? 64 : 1 + random.nextInt(16);
        while (words.size() < count) {
            words.add(word(long64 ? List.of() : words, kind));
        }
        return words;
    }

    private List<Template> templates(int count) {
        List<Template> templates = new ArrayList<>();
        while (templates.size() < count) {
            AccessKind kind = KINDS.get(random.nextInt(KINDS.size()));
            Template template = new Template(words(random.nextInt(20) == 0, kind), false);
            if (kind.probes() && template.derives()) {
                continue;
            }
            templates.add(template);
            if (template.derives()) {
                templates.add(new Template(template.words, true));
            }
        }
        return templates;
    }

    /** As madt_templates.h has it. */
    private static PackedTemplates packed(List<Template> templates) {
        ByteArrayOutputStream heads = new ByteArrayOutputStream();
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        List<Integer> index = new ArrayList<>();
        long last = 0;
        for (int i = 0; i < templates.size(); i++) {
            Template template = templates.get(i);
            if (i % BLOCK == 0) {
                last = template.words.get(0).site.address();
                index.addAll(List.of((int) last, words.size()));
            }
            int kind =
                    template.whole ? 128 : template.derives() ? 64 : template.isProbe() ? 192 : 0;
            heads.write(kind + template.stored() - 1);
            for (Word word : template.whole ? List.<Word>of() : template.words) {
                AccessSite site = word.site;
                put(words, zigzag((int) (site.address() - last)));
                last = site.address();
                int access = site.kind().code() - 1;
                int shown = access + 32 * (site.operand() ^ (access == 0 ? 1 : 0));
                int size = SIZES.contains(site.size()) ? SIZES.indexOf(site.size()) : 7;
                put(words, site.length() - 1 + 15 * (shown % 2 + 2 * (size + 8 * (shown / 2))));
                if (size == 7) {
                    put(words, site.size());
                }
                if (template.derives()) {
                    put(words, word.from < 0 ? 0 : 1 + word.from + 16 * zigzag(word.distance));
                }
            }
        }
        index.addAll(List.of(-1, words.size()));
        int at = templates.size() + words.size() + 7 & -8;
        ByteBuffer bytes =
                ByteBuffer.allocate(at + 4 * index.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(heads.toByteArray()).put(words.toByteArray()).position(at);
        for (int i = 0; i < index.size(); i += 2) {
            bytes.putInt(index.get(i)).putInt(at - templates.size() - index.get(i + 1));
        }
        return new PackedTemplates(bytes, 0, at, templates.size());
    }

    private static long[] restored(Template template, long[] stored) {
        long[] words = new long[template.words.size()];
        int next = 0;
        for (int i = 0; i < words.length; i++) {
            Word word = template.words.get(i);
            words[i] = word.from < 0 ? stored[next++] : words[word.from] + word.distance;
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 128, 1_993})
    void shouldGiveTheTemplatesThatWerePacked(int count) {
        List<Template> wanted = templates(count);
        PackedTemplates templates = packed(wanted);
        for (int i = wanted.size() - 1; i >= 0; i--) {
            Template template = wanted.get(i);
            assertEquals(template.stored(), templates.stored(i), "template " + i);
            assertEquals(
                    template.isProbe(),
                    templates.isProbe(i) || template.whole && template.isProbe());
            AccessSite[] sites = template.words.stream()
                    .map(Word::site)
                    .map(s -> new AccessSite(
                            s.address() + BIAS, s.length(), s.kind(), s.size(), s.operand(), false))
                    .toArray(AccessSite[]::new);
            assertArrayEquals(sites, templates.sites(i, BIAS), "template " + i);
            if (template.whole || !template.derives()) {
                assertNull(templates.sources(i));
            } else {
                long[] stored = LongStream.range(0, template.stored())
                        .map(k -> 70_000 * k)
                        .toArray();
                assertArrayEquals(
                        restored(template, stored), templates.sources(i).restore(stored));
            }
        }
        assertThrows(IndexOutOfBoundsException.class, () -> templates.sites(wanted.size(), BIAS));
        assertThrows(IndexOutOfBoundsException.class, () -> templates.stored(-1));
    }
}

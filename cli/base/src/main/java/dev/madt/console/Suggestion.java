package dev.madt.console;

import java.util.Collection;

/**
 * "Did you mean": the known word nearest to a mistyped one, by edit distance with transpositions.
 */
public final class Suggestion {
    private Suggestion() {}

    /**
     * A sentence to append to an error, with a leading blank, or nothing if no word is near.
     * O(words × length²).
     */
    public static String sentence(String typed, Collection<String> known) {
        String best = null;
        int bestDistance = Math.max(1, typed.replace("-", "").length() / 3) + 1;
        for (String word : known) {
            int distance = distance(typed, word);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = word;
            }
        }
        return best == null ? "" : " Did you mean '" + best + "'?";
    }

    public static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : cheapest(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int cheapest(int[][] d, String a, String b, int i, int j) {
        int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped = i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
    }
}

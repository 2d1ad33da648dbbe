package dev.madt.testing;

import java.util.Arrays;

/** The only reasons for which a test may skip itself where every oracle is required. */
enum PermittedSkip {
    SLOW_ENGINE("engine trap takes minutes", "an access costs this engine about 20 µs"),
    NO_USER_NAMESPACES("no user namespaces", "most containers forbid them, even to root"),
    NO_MOUNTS("mounts are forbidden", "containers lack CAP_SYS_ADMIN"),
    NO_I386("no calls of i386", "a kernel can be built without them"),
    OTHER_CACHE(
            "_CACHE_PATH or XDG_CACHE_HOME is set",
            "the place where debug files are looked for by default is not asked then"),
    NO_ATTRIBUTES("no extended attributes", "tmpfs before Linux 6.6 has none of users"),
    NOT_ROOT("only root can", "a user without root's rights may run the tests"),
    PRIVATE_FOLDER(
            "an ordinary user cannot reach",
            "the sources may lie in the home of root, which no other user may enter");

    /** Holds what a permitted skip's message contains. */
    private final String text;
    /** Why the test may be left out. */
    final String reason;

    PermittedSkip(String text, String reason) {
        this.text = text;
        this.reason = reason;
    }

    static boolean covers(String message) {
        return message != null
                && Arrays.stream(values()).anyMatch(skip -> message.contains(skip.text));
    }
}

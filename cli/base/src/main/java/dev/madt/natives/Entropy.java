package dev.madt.natives;

import java.security.SecureRandom;

/**
 * Bytes that nobody can guess, from the kernel (getentropy(3)). Java's own generator is the same in
 * the end, but loading its classes takes a twentieth of a short recording.
 */
public final class Entropy {
    private Entropy() {}

    /** Returns so many random bytes, at most 256. */
    public static byte[] bytes(int count) {
        byte[] random = new byte[count];
        try (NativeMemory memory = new NativeMemory(count)) {
            if (Libc.getentropy(memory.address(), count) == 0) {
                memory.bytes().get(0, random);
            } else {
                new SecureRandom().nextBytes(random); // a sandbox may forbid getrandom(2)
            }
        }
        return random;
    }
}

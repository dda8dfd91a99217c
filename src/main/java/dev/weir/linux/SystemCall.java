package dev.weir.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/** Calls a function of the system's C library. */
final class SystemCall {
    private static final boolean IS_LINUX =
            System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux");

    private SystemCall() {}

    /** Calls the function that it is given. */
    interface Caller {
        @SuppressWarnings("IllegalThrows") // as a handle's invocation declares it
        int call(MethodHandle function) throws Throwable;
    }

    /** Calls a function, on Linux only. */
    @SuppressWarnings("restricted") // Java has no other way, and the launcher allows this one
    static void make(String name, FunctionDescriptor form, Caller caller, Linker.Option... options) {
        if (!IS_LINUX) {
            return;
        }
        var linker = Linker.nativeLinker();
        var function = linker.downcallHandle(linker.defaultLookup().findOrThrow(name), form, options);
        try {
            var _ = caller.call(function);
        } catch (Throwable e) {
            throw new IllegalStateException(name + " throws nothing", e);
        }
    }
}

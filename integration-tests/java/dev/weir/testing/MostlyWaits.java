package dev.weir.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * On a class whose tests wait for real time to pass, or for others to find each other, with the processors at rest: they run
 * beside those of the classes that do not say so. Each has servers of its own, and waits on conditions that hold on a busy machine too.
 */
@Documented
@Execution(ExecutionMode.CONCURRENT)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface MostlyWaits {}

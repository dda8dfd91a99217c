# The image of Weir, for the place of envoyproxy/ratelimit's: /bin/ratelimit, configured by its environment alone, as a user
# without rights, on a root that may be read-only.
#
#     docker build --tag weir .
#     docker run --rm --publish 8081:8081 --volume "$PWD/descriptors:/srv/runtime_data/current/config:ro" weir
#
# bin/weir is a shell script of few commands, so the last stage has a shell. ImageIT runs these steps without a container.

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /weir
COPY pom.xml ./
COPY src/main ./src/main
RUN --mount=type=cache,target=/m2 mvn -B -ntp -q -Dmaven.repo.local=/m2 package -Dmaven.test.skip=true
# A Java of the parts that Weir and its libraries use. (The JDK of this stage has /opt/java.)
RUN jlink --no-header-files --no-man-pages --output /opt/jre \
    --add-modules java.base,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.jfr,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs
# Netty would unpack its way to epoll into /tmp, which may be read-only. Here Java finds it without.
RUN mkdir -p /opt/native/unpacked && cd /opt/native/unpacked \
    && for jar in /weir/target/weir/lib/netty-transport-native-epoll-*-linux-*.jar; do jar --extract --file "$jar" META-INF/native; done \
    && mv META-INF/native/*.so /opt/native/ && rm -r /opt/native/unpacked

FROM debian:trixie-slim
LABEL org.opencontainers.image.title="Weir" \
    org.opencontainers.image.description="The rate limit service for Envoy, a drop-in for envoyproxy/ratelimit" \
    org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/jre /opt/java
COPY --from=build /opt/native /usr/java/packages/lib
COPY --from=build /weir/target/weir /opt/weir
ENV JAVA_HOME=/opt/java LANG=C.UTF-8
# The cache is good for this Java and these jars only, so it is made where they will run.
RUN ln -s /opt/weir/bin/weir /bin/ratelimit && ln -s /opt/weir/bin/weir /bin/weir && /opt/weir/bin/make-aot-cache
USER 65534:65534
EXPOSE 8080 8081 6070 9090
# Who runs it asks /healthcheck; an image's own check would need a program for that.
HEALTHCHECK NONE
# No ENTRYPOINT: whoever ran the Go image gives /bin/ratelimit as the command, and it must not come twice.
CMD ["/bin/ratelimit"]

package dev.weir.testing;

import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What tools such as grpcurl see of a server. */
public final class ServiceNames {
    private ServiceNames() {}

    /** Returns the names of the services that the server lists by reflection. */
    public static List<String> reflectedBy(Caller caller) {
        var listed = new CompletableFuture<List<String>>();
        var asking = ServerReflectionGrpc.newStub(caller.channel())
                .withDeadlineAfter(Caller.PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        listed.complete(response.getListServicesResponse().getServiceList().stream()
                                .map(ServiceResponse::getName)
                                .toList());
                    }

                    @Override
                    public void onError(Throwable failure) {
                        listed.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        listed.completeExceptionally(new AssertionError("ended without a list"));
                    }
                });
        asking.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        try {
            return listed.join();
        } finally {
            asking.onCompleted();
        }
    }
}

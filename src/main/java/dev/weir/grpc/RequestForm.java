package dev.weir.grpc;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;

/** The form of a {@code RateLimitRequest} with the field that its class lacks: {@code is_negative_hits}, which asks for a refund. */
final class RequestForm {
    private static final int IS_NEGATIVE_HITS = 4;

    static final Descriptor REQUEST = withRefunds();

    private RequestForm() {}

    private static Descriptor withRefunds() {
        FileDescriptor old = RateLimitDescriptor.getDescriptor().getFile();
        FileDescriptorProto.Builder file = old.toProto().toBuilder();
        file.getMessageTypeBuilder(RateLimitDescriptor.getDescriptor().getIndex())
                .addField(FieldDescriptorProto.newBuilder()
                        .setName("is_negative_hits")
                        .setNumber(IS_NEGATIVE_HITS)
                        .setType(FieldDescriptorProto.Type.TYPE_BOOL)
                        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL));
        Descriptor request = RateLimitRequest.getDescriptor();
        try {
            FileDescriptor descriptors =
                    FileDescriptor.buildFrom(file.build(), old.getDependencies().toArray(FileDescriptor[]::new));
            FileDescriptor[] needed = request.getFile().getDependencies().stream()
                    .map(dependency -> dependency.equals(old) ? descriptors : dependency)
                    .toArray(FileDescriptor[]::new);
            return FileDescriptor.buildFrom(request.getFile().toProto(), needed)
                    .findMessageTypeByName(request.getName());
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException("one field more than the class has", e);
        }
    }
}

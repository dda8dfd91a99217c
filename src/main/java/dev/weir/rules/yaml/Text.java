package dev.weir.rules.yaml;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.reader.StreamReader;

/** Bytes of a file as text: UTF-8, or UTF-16 if a byte order mark says so. */
final class Text {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private Text() {}

    /** Returns the text without its byte order mark, or null if it is not to be read; the mistake is reported. */
    static @Nullable String decode(byte[] content, Report report) {
        Charset charset = charsetOf(content);
        var decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        var bytes = ByteBuffer.wrap(content);
        var chars = CharBuffer.allocate(content.length);
        var result = decoder.decode(bytes, chars, true);
        chars.flip();
        int start = !chars.isEmpty() && chars.get(0) == BYTE_ORDER_MARK ? 1 : 0;
        String text = chars.subSequence(start, chars.length()).toString();
        if (result.isError()) {
            int odd = content[bytes.position()] & 0xFF;
            reportAt(text, report, "the byte 0x%02X is not %s; save the file as UTF-8".formatted(odd, charset));
            return null;
        }
        return isPrintable(text, report) ? text : null;
    }

    private static Charset charsetOf(byte[] content) {
        int mark = content.length < 2 ? 0 : (content[0] & 0xFF) << 8 | (content[1] & 0xFF);
        return switch (mark) {
            case 0xFEFF -> StandardCharsets.UTF_16BE;
            case 0xFFFE -> StandardCharsets.UTF_16LE;
            default -> StandardCharsets.UTF_8;
        };
    }

    private static boolean isPrintable(String text, Report report) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (!StreamReader.isPrintable(c)) {
                String code = "U+%04X".formatted(c);
                reportAt(text.substring(0, i), report, "the character " + code + " must not stand in YAML; remove it");
                return false;
            }
        }
        return true;
    }

    /** Reports a mistake right behind the text that was read. */
    private static void reportAt(String before, Report report, String message) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < before.length(); i++) {
            boolean isBreak = before.charAt(i) == '\n'
                    || (before.charAt(i) == '\r' && (i + 1 == before.length() || before.charAt(i + 1) != '\n'));
            if (isBreak) {
                line++;
                lineStart = i + 1;
            }
        }
        report.mistake(line, before.codePointCount(lineStart, before.length()) + 1, message);
    }
}

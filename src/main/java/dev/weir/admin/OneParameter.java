package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import java.util.Set;

/**
 * A page in whose query one parameter may stand. One that is misspelt, or said twice, would else be passed over, and another
 * question answered than was asked.
 *
 * @param name of the parameter
 * @param form how it is written, for who writes it otherwise
 */
record OneParameter(String name, String form, Page page) implements Page {
    @Override
    public int mostBytes() {
        return page.mostBytes();
    }

    @Override
    public Reply answer(Question question) {
        return Set.of(name).containsAll(question.parameters().keySet())
                ? page.answer(question)
                : Reply.text(400, "in the query stands ?" + form + " once, or nothing\n");
    }
}

package dev.weir.admin;

import dev.weir.http.Authorization;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;

/** A page that people may look at in a browser, which shall neither keep it nor take it for anything else. */
record ForPeople(Page page) implements Page {
    @Override
    public int mostBytes() {
        return page.mostBytes();
    }

    @Override
    public boolean reads(Authorization authorization) {
        return page.reads(authorization);
    }

    @Override
    public Reply answer(Question question) {
        return page.answer(question).with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff");
    }
}

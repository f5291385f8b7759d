"""Breaks of the second channel: links, forms and logins that let somebody else decide, or decide twice."""

from tests.faults.mutation import Mutation

_LETTERS = "tests/handlers/mail/test_letters.py"
_LINKS = "tests/handlers/mail/test_forged_links.py"
_MANY = "tests/handlers/mail/test_many.py"
_SENDING = "tests/bot/worker/test_mailing.py"
_LOGIN = "tests/handlers/mail/test_login.py"

LINKS = (
    Mutation(
        promise=1,
        breaks="a link counts though its signature was edited",
        file="handlers/mail/links.py",
        old="parts = self._signer(kind).loads(text)",
        new="parts = self._signer(kind).loads_unsafe(text)[1]",
        caught_by=(f"{_LINKS}::test_an_edited_signature",),
    ),
    Mutation(
        promise=1,
        breaks="a form of the page need not have been shown to whoever sends it",
        file="handlers/mail/browser.py",
        old="return bool(cookie) and said == [link.key, who, cookie]",
        new="return True",
        caught_by=(
            f"{_LINKS}::test_a_post_without_the_token_of_the_page",
            f"{_LINKS}::test_a_post_from_another_browser",
        ),
    ),
    Mutation(
        promise=1,
        breaks="another site may send the page's form",
        file="handlers/mail/browser.py",
        old='return site != "same-origin" or origin not in ("null", ours)',
        new="return False",
        caught_by=(f"{_LINKS}::test_a_post_from_another_site",),
    ),
    Mutation(
        promise=1,
        breaks="whoever logs in may use anybody's link",
        file="handlers/mail/page.py",
        old="if person is None or not person.email or person.email.lower() != email.lower():",
        new="if person is None:",
        caught_by=(f"{_LOGIN}::test_somebody_else_who_has_the_link_sees_and_decides_nothing",),
    ),
    Mutation(
        promise=1,
        breaks="an email that the provider has not verified counts",
        file="handlers/mail/login.py",
        old='            "email_verified": True,\n',
        new="",
        caught_by=(f"{_LOGIN}::test_claims_that_do_not_hold_let_nobody_in",),
    ),
    Mutation(
        promise=2,
        breaks="a link is not bound to what was shown",
        file="handlers/mail/standing.py",
        old="if link.digest != state.request.digest:",
        new="if False:",
        caught_by=(f"{_LINKS}::test_a_link_to_what_has_changed_since",),
    ),
    Mutation(
        promise=3,
        breaks="a link counts as often as it is used",
        file="handlers/mail/one.py",
        old='Received(key=key, command=command, raw="{}", at=command.at, place=link.key)',
        new='Received(key=f"{key}{asyncio.get_running_loop().time()}", command=command, raw="{}", at=command.at)',
        caught_by=(f"{_LINKS}::test_two_answers_at_once_by_one_link_are_one",),
    ),
    Mutation(
        promise=2,
        breaks="the link of a list is not bound to what was listed",
        file="handlers/mail/many.py",
        old="if digest_of(_members(found)) != link.digest:",
        new="if False:",
        caught_by=(f"{_MANY}::test_a_list_is_bound_to_its_person_and_to_what_it_showed",),
    ),
    Mutation(
        promise=2,
        breaks="an answer to a list counts for whatever it lists by now",
        file="handlers/mail/many.py",
        old='if form.get("shown") != digest_of(_members(open_)):',
        new="if False:",
        caught_by=(
            f"{_MANY}::test_one_is_decided_alone_and_the_rest_together",
            f"{_MANY}::test_a_plan_that_changed_meanwhile_does_not_count_and_the_others_do",
        ),
    ),
    Mutation(
        promise=3,
        breaks="what is decided by a list may be decided once more by a link of its own",
        file="handlers/mail/many.py",
        old="key = one.link.key",
        new='key = f"list:{one.link.key}"',
        caught_by=(f"{_MANY}::test_a_link_and_its_list_are_one_answer",),
    ),
    Mutation(
        promise=11,
        breaks="whoever was emailed is emailed again after a crash as if it were news",
        file="bot/worker/mailing.py",
        old="    await context.store.keep_mailed(_kept(letter, subject, context.now()))\n",
        new="    _kept(letter, subject, context.now())\n",
        caught_by=(
            f"{_SENDING}::test_what_comes_later_is_one_more_in_the_same_thread_and_not_at_once",
        ),
    ),
    Mutation(
        promise=12,
        breaks="emails and pages show what an alert says as it came",
        file="handlers/mail/templates/__init__.py",
        old='autoescape=select_autoescape(("html",)),',
        new="autoescape=False,",
        caught_by=(f"{_LETTERS}::test_what_an_alert_says_is_data_in_the_html_and_in_the_headers",),
    ),
)

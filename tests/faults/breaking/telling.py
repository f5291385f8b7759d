"""Breaks of promises 9, 11 and 12: receipts, copies that tell the truth, words that stay words."""

from tests.faults.mutation import Edit, Mutation

_CHAIN = "tests/policies/test_receipt_chain.py"
_RECEIPTS = "tests/bot/store/test_receipts.py"
_ANCHOR = "tests/bot/test_anchor.py"
_STORY = "tests/bot/worker/test_story.py"
_CLOSING = "tests/bot/worker/test_closing.py"
_OUTBOX = "tests/bot/test_outbox.py"
_START = "tests/bot/test_start.py"
_STOP = "tests/bot/worker/test_stop.py"
_ANNOUNCER = "tests/handlers/test_announcer.py"
_HOME = "tests/handlers/test_home_follows.py"
_MRKDWN = "tests/handlers/test_mrkdwn.py"
_HOSTILE = "tests/handlers/test_hostile.py"
_PAYLOADS = "tests/handlers/test_payloads.py"
_RECOGNISE = "tests/policies/test_recognise.py"

RECEIPTS = (
    Mutation(
        promise=9,
        breaks="the hash leaves out what the receipt says",
        file="policies/receipt/chain.py",
        old='"previous": previous, "body": dict(body)}',
        new='"previous": previous}',
        caught_by=(
            f"{_CHAIN}::test_an_edited_receipt_is_found",
            f"{_RECEIPTS}::test_what_was_done_to_the_chain_is_found",
        ),
    ),
    Mutation(
        promise=9,
        breaks="a receipt need not follow from the one before it",
        file="policies/receipt/chain.py",
        old="        if receipt.previous != previous:\n",
        new="        if False:\n",
        also=(
            Edit(
                file="policies/receipt/chain.py",
                old="if receipt.hash != _hash(number, receipt.incident_id, previous, receipt.body):",
                new="if receipt.hash != _hash("
                "number, receipt.incident_id, receipt.previous, receipt.body):",
            ),
        ),
        caught_by=(
            f"{_CHAIN}::test_a_receipt_that_was_sealed_again_is_found",
            f"{_RECEIPTS}::test_what_was_done_to_the_chain_is_found",
        ),
    ),
    Mutation(
        promise=9,
        breaks="a missing receipt is not said to be missing",
        file="policies/receipt/chain.py",
        old="        if receipt.number != number:\n",
        new="        if False:\n",
        caught_by=(f"{_CHAIN}::test_a_missing_receipt_is_found",),
    ),
    Mutation(
        promise=9,
        breaks="a cut-off chain passes",
        file="policies/receipt/chain.py",
        old="    if head and head[0] > number:\n",
        new="    if False:\n",
        caught_by=(
            f"{_CHAIN}::test_a_cut_off_chain_is_found_by_its_anchor",
            f"{_ANCHOR}::test_a_cut_off_chain_is_found_by_the_anchor_alone",
        ),
    ),
    Mutation(
        promise=9,
        breaks="a chain that was written anew as a whole passes",
        file="policies/receipt/chain.py",
        old="        if head and head[0] == number and head[1] != previous:\n",
        new="        if False:\n",
        caught_by=(
            f"{_CHAIN}::test_a_rewritten_chain_is_found_by_its_anchor",
            f"{_RECEIPTS}::test_a_chain_that_was_rewritten_whole_is_found_by_its_anchor",
        ),
    ),
    Mutation(
        promise=9,
        breaks="only the newest line of the anchor counts",
        file="bot/anchor.py",
        old="for head in anchored)",
        new="for head in anchored[-1:])",
        caught_by=(f"{_ANCHOR}::test_a_rewritten_chain_is_found_even_when_it_was_anchored_again",),
    ),
    Mutation(
        promise=9,
        breaks="the head is not anchored outside the database",
        file="bot/worker/closing.py",
        old="    if context.anchor is not None and number:\n",
        new="    if False:\n",
        caught_by=(f"{_CLOSING}::test_the_head_of_the_receipts_is_anchored_outside_the_database",),
    ),
    Mutation(
        promise=9,
        breaks="an incident is resolved and its receipt is not stored",
        file="bot/worker/closing.py",
        old="        receipt=written,\n",
        new="",
        caught_by=(f"{_STORY}::test_the_night_ends_with_one_run_and_a_receipt",),
    ),
    Mutation(
        promise=9,
        breaks="what was changed before an incident was handed over leaves no receipt",
        file="bot/worker/stepping.py",
        old='(_row(context, incident, "receipt"),) if acted(incident) else ()',
        new="()",
        caught_by=(
            f"{_CLOSING}::test_an_incident_that_is_handed_over_after_a_start_leaves_a_receipt",
        ),
    ),
)

COPIES = (
    Mutation(
        promise=11,
        breaks="direct messages are left as they were",
        file="bot/outbox.py",
        old='return [f"request:{request_id}", *(f"dm:{request_id}:{person}" for person in everybody)]',
        new='return [f"request:{request_id}"]',
        caught_by=(
            f"{_OUTBOX}::test_a_decision_is_shown_on_the_card_in_the_thread_and_in_every_direct_message",
            f"{_STORY}::test_an_alert_becomes_a_cause_a_plan_and_a_request_to_the_owner",
        ),
    ),
    Mutation(
        promise=11,
        breaks="who was asked at an earlier hop is forgotten",
        file="bot/outbox.py",
        old="asked = [person for person, _ in known.asked] if known else []",
        new="asked = [person for person, _ in known.asked[-1:]] if known else []",
        caught_by=(
            f"{_OUTBOX}::test_a_decision_is_shown_on_the_card_in_the_thread_and_in_every_direct_message",
        ),
    ),
    Mutation(
        promise=11,
        breaks="requests do not tell that their run started or ended",
        file="bot/outbox.py",
        old="touched = list(incident.requests) if moving else []",
        new="touched: list[str] = []",
        caught_by=(f"{_OUTBOX}::test_a_run_that_starts_and_ends_is_shown_on_the_request_too",),
    ),
    Mutation(
        promise=11,
        breaks="nothing is looked at again after a restart",
        file="bot/main/living.py",
        old="            await built.store.add(looks)\n",
        new="            pass\n",
        caught_by=(f"{_START}::test_every_open_copy_is_looked_at_again_after_a_restart",),
    ),
    Mutation(
        promise=11,
        breaks="after a restart only the card is looked at",
        file="bot/outbox.py",
        old="names = [name for r in incident.requests for name in _copies(incident, r, ())]",
        new="names: list[str] = []",
        caught_by=(
            f"{_OUTBOX}::test_a_restart_looks_at_the_card_and_at_every_copy_of_every_request",
            f"{_START}::test_every_open_copy_is_looked_at_again_after_a_restart",
        ),
    ),
    Mutation(
        promise=11,
        breaks="a copy that was posted once is never updated",
        file="handlers/announcer.py",
        old="if showing.copy and showing.copy.shown == shown:",
        new="if showing.copy:",
        caught_by=(f"{_ANNOUNCER}::test_a_change_updates_the_message_where_it_is",),
    ),
    Mutation(
        promise=11,
        breaks="a copy that somebody deleted stays away",
        file="handlers/posting.py",
        old="                return False\n",
        new="                return True\n",
        caught_by=(f"{_ANNOUNCER}::test_a_deleted_message_is_posted_anew",),
    ),
    Mutation(
        promise=11,
        breaks="home tabs are not told that something changed",
        file="handlers/announcer.py",
        old="            await self.after()\n",
        new="            pass\n",
        caught_by=(f"{_HOME}::test_home_tabs_are_told_when_a_card_changes",),
    ),
    Mutation(
        promise=11,
        breaks="open cards do not tell that everything is stopped",
        file="bot/worker/refreshing.py",
        old="            rows += refresh(incident, now)\n",
        new="",
        caught_by=(f"{_STOP}::test_a_stop_refreshes_every_open_card_and_looks_at_its_steps",),
    ),
)

WORDS = (
    Mutation(
        promise=12,
        breaks="foreign text is shown unescaped",
        file="handlers/mrkdwn.py",
        old='return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")',
        new="return text",
        caught_by=(
            f"{_MRKDWN}::test_nobody_is_mentioned_by_foreign_text",
            f"{_HOSTILE}::test_hostile_words_stay_words[words]",
        ),
    ),
    Mutation(
        promise=12,
        breaks="one line of foreign text may mention people",
        file="handlers/mrkdwn.py",
        old='return cut(escape(" ".join(text.split())), limit)',
        new='return cut(" ".join(text.split()), limit)',
        caught_by=(
            f"{_MRKDWN}::test_nobody_is_mentioned_by_foreign_text",
            f"{_HOSTILE}::test_hostile_words_stay_words[words]",
        ),
    ),
    Mutation(
        promise=12,
        breaks="foreign text may begin a line of its own and look like ours",
        file="handlers/mrkdwn.py",
        old='return cut(escape(" ".join(text.split())), limit)',
        new="return cut(escape(text), limit)",
        caught_by=(f"{_HOSTILE}::test_a_title_can_not_start_a_line_of_its_own",),
    ),
    Mutation(
        promise=12,
        breaks="foreign text may leave its code block",
        file="handlers/mrkdwn.py",
        old='inside = cut(escape(text.replace("`", _GRAVE).strip("\\n")), limit - 8)',
        new='inside = cut(escape(text.strip("\\n")), limit - 8)',
        caught_by=(f"{_MRKDWN}::test_code_and_fences_can_not_be_left",),
    ),
    Mutation(
        promise=12,
        breaks="an unknown sender opens incidents",
        file="policies/recognise/__init__.py",
        old="return next((known for known in senders if known.fits(sender)), None)",
        new="return next((known for known in senders), None)",
        caught_by=(f"{_RECOGNISE}::test_a_sender_named_by_two_ids_must_have_both",),
    ),
    Mutation(
        promise=12,
        breaks="a person who quotes an alert opens an incident",
        file="policies/recognise/__init__.py",
        old="    if signal.sender.bot_id is None and signal.sender.app_id is None:\n",
        new="    if False:\n",
        caught_by=(f"{_RECOGNISE}::test_what_is_no_alert_is_ignored_with_the_reason",),
    ),
    Mutation(
        promise=12,
        breaks="a reply in a thread opens an incident",
        file="policies/recognise/__init__.py",
        old="    if signal.thread_ts is not None and signal.thread_ts != signal.ts:\n",
        new="    if False:\n",
        caught_by=(f"{_RECOGNISE}::test_what_is_no_alert_is_ignored_with_the_reason",),
    ),
    Mutation(
        promise=12,
        breaks="our own messages are read again",
        file="handlers/payloads/own.py",
        old="return any(self._by_me(part, mine) for part in (body.event, body.event.message) if part)",
        new="return False",
        caught_by=(
            f"{_PAYLOADS}::test_our_own_webhook_and_its_edits_are_left_alone",
            f"{_PAYLOADS}::test_every_sample_is_read_and_the_ids_of_its_links_survive",
        ),
    ),
    Mutation(
        promise=12,
        breaks="what we posted counts as an alert when it comes back",
        file="policies/recognise/__init__.py",
        old="    if _ours(signal.sender, own):\n",
        new="    if False:\n",
        caught_by=(f"{_RECOGNISE}::test_what_is_no_alert_is_ignored_with_the_reason",),
    ),
)

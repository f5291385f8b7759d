"""Breaks of promises 3 and 12 at the webhooks: who sends is proven, what is sent is data, nothing is lost."""

from tests.faults.mutation import Edit, Mutation

_EVERY = "tests/handlers/webhooks/test_every_sender.py"
_DOORS = "tests/handlers/webhooks/test_doors.py"
_VERIFY = "tests/handlers/webhooks/test_verify.py"
_ONCE = "tests/handlers/test_commands_once.py"
_HOOKS = "tests/policies/hooks/test_hooks.py"

STORED = (
    Mutation(
        promise=3,
        breaks="a webhook is told that it arrived though it could not be stored",
        file="handlers/webhooks/receiving.py",
        old='            raise Refused(Outcome.UNSTORED, "it can\'t be stored now") from error\n',
        new="            return Outcome.ACCEPTED, str(error)\n",
        caught_by=(f"{_EVERY}::test_when_nothing_can_be_stored_the_sender_tries_again",),
    ),
)

KNOCKS = (
    Mutation(
        promise=12,
        breaks="a webhook takes what nobody proves to have sent",
        file="handlers/webhooks/receiving.py",
        old="        verify(self._claim(name, request, body, now))\n",
        new="",
        caught_by=(
            f"{_EVERY}::test_without_a_proof_nothing_is_taken",
            f"{_EVERY}::test_a_proof_by_another_secret_is_none",
        ),
    ),
    Mutation(
        promise=12,
        breaks="the beginning of a proof is proof enough",
        file="handlers/webhooks/verify.py",
        old="    if not hmac.compare_digest(_bytes(given), wanted):\n",
        new="    if not wanted.startswith(_bytes(given)[:12]):\n",
        caught_by=(f"{_VERIFY}::test_any_flipped_bit_of_a_proof_is_refused",),
    ),
    Mutation(
        promise=12,
        breaks="a delivery that somebody kept counts whenever it is sent again",
        file="handlers/webhooks/verify.py",
        old="    if abs(now - sent) > DRIFT:\n",
        new="    if False:\n",
        caught_by=(
            f"{_EVERY}::test_a_signed_time_that_is_not_now_is_refused",
            f"{_VERIFY}::test_a_time_holds_for_five_minutes_both_ways",
        ),
    ),
    Mutation(
        promise=12,
        breaks="whatever a webhook calls a link becomes one",
        file="policies/recognise/hooks/wire.py",
        old='_PAGE = re.compile(r"https?://[^',
        new='_PAGE = re.compile(r"\\w+:[^',
        also=(
            Edit(
                file="policies/recognise/hooks/wire.py",
                old="        return value if urlsplit(value).hostname else None\n",
                new="        return value\n",
            ),
        ),
        caught_by=(f"{_HOOKS}::test_a_link_that_is_no_page_costs_the_link_and_not_the_alert",),
    ),
    Mutation(
        promise=12,
        breaks="the title of a webhook's alert may hold lines of its own",
        file="policies/recognise/hooks/wire.py",
        old='_UNPRINTABLE.sub(" ", value[:longest]).strip()',
        new="value[:longest]",
        caught_by=(
            f"{_DOORS}::test_what_alerts_say_mentions_nobody_and_opens_under_its_hook",
            f"{_HOOKS}::test_whatever_stands_in_a_field_it_is_read_or_malformed",
        ),
    ),
    Mutation(
        promise=3,
        breaks="a command that somebody recorded can be carried out once more",
        file="handlers/commands.py",
        old="            if await _is_over(wiring, verb):",
        new="            if False:",
        caught_by=(f"{_ONCE}::test_what_was_taken_back_since_is_not_done_again",),
    ),
)

"""Ways to break what keeps an author from deciding about their own change, and a reader from writing."""

from tests.faults.mutation import Mutation

_WHO = "tests/policies/test_who_changed_it.py"
_HOST = "tests/connectors/git/test_git_host.py"
_HISTORY = "tests/connectors/git/test_git_history.py"
_BINARY = "tests/connectors/git/test_git_binary.py"
_BANS = "tests/bot/worker/test_bans.py"

AUTHORS = (
    Mutation(
        promise=1,
        breaks="whoever wrote the change that broke it may decide about its repair",
        file="policies/bans.py",
        old="    found = blame(incident) if rule.author else None\n    for author",
        new="    found = None\n    for author",
        caught_by=(
            f"{_WHO}::test_whoever_wrote_it_is_kept_out_by_their_slack_id",
            f"{_BANS}::test_the_author_of_the_change_is_passed_over_and_their_tap_is_refused",
        ),
    ),
    Mutation(
        promise=1,
        breaks="an author with another address in git than in Slack may decide",
        file="policies/approval.py",
        old="return person.called(self.who) or (self.by_name and person.is_named(self.name))",
        new="return person.called(self.who)",
        caught_by=(
            f"{_WHO}::test_an_author_whom_slack_does_not_know_is_kept_out_by_name_and_the_rule_says_so",
        ),
    ),
    Mutation(
        promise=1,
        breaks="only the authors of the commits on the card are kept out",
        file="connectors/git/history.py",
        old="people = list(authors_of(commits).values())",
        new="people = list(authors_of(commits[: params.limit]).values())",
        caught_by=(f"{_HISTORY}::test_everybody_in_between_is_told_though_not_every_commit_is",),
    ),
    Mutation(
        promise=1,
        breaks="a co-author of the change may decide",
        file="connectors/git/commits.py",
        old="people = [_author(name, email), *_co_authors(trailers)]",
        new="people = [_author(name, email)]",
        caught_by=(f"{_HISTORY}::test_who_put_it_there_is_not_who_wrote_it_but_a_co_author_is",),
    ),
    Mutation(
        promise=1,
        breaks="an author who is not found makes nothing stricter, though dw.yml wants two people",
        file="policies/bans.py",
        old="return max(wanted, _TWO) if unsure else wanted",
        new="return wanted",
        caught_by=(
            f"{_WHO}::test_two_people_must_say_yes_where_dw_yml_wants_it_and_an_author_is_not_found",
        ),
    ),
    Mutation(
        promise=2,
        breaks="the same code that failed is run again",
        file="policies/diagnosis/code.py",
        old="    if failed is None or now is None or failed == now:\n",
        new="    if failed is None or now is None:\n",
        caught_by=(
            f"{_WHO}::test_the_same_code_is_not_run_again_and_code_that_was_mended_since_is",
        ),
    ),
    Mutation(
        promise=10,
        breaks="any verb of git may be run, push among them",
        file="connectors/git/binary.py",
        old="        if verb not in VERBS:\n",
        new="        if False:\n",
        caught_by=(f"{_HOST}::test_nothing_can_be_pushed_through_it",),
    ),
    Mutation(
        promise=10,
        breaks="the token for the repository is given to a process that speaks to nobody",
        file="connectors/git/binary.py",
        old="    if network and remote.header:\n",
        new="    if remote.header:\n",
        caught_by=(f"{_BINARY}::test_a_token_is_only_given_to_the_child_that_speaks_to_the_host",),
    ),
    Mutation(
        promise=12,
        breaks="the first line of a commit is formatting in Slack",
        file="policies/diagnosis/changes.py",
        old='    said = (text(commit.get("subject")) or "without a word").translate(_MARKS)\n',
        new='    said = text(commit.get("subject")) or "without a word"\n',
        caught_by=(f"{_WHO}::test_formatting_in_foreign_words_is_none",),
    ),
)

"""What may stand in no tracked file, and links that must lead somewhere."""

import re

from tests.architecture.sources import ROOT, at, tracked

HOSTS = ("pypi" + ".org", "pythonhosted" + ".org", "registry.npm" + "js.org", "deb." + "debian.org")
BANNED = re.compile("|".join([*map(re.escape, HOSTS), r"(?<![\w.<>-])/(?:work|root|home)/\w"]))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BINARY = {".png", ".gif", ".jpg", ".ico", ".woff2", ".gz"}


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    found = [
        f"{at(file, number)}: {match[0]}"
        for file in tracked()
        if file.suffix not in BINARY
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if (match := BANNED.search(line))
    ]
    assert found == []


def test_every_link_in_the_documents_leads_to_a_file() -> None:
    pages = [file for file in tracked() if file.suffix == ".md"]
    assert ROOT / "README.md" in pages
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not re.match(r"(https?|mailto):|#", target)
        if not (page.parent / target.partition("#")[0]).exists()
    ]
    assert dead == []

"""What `dw doctor` says about mail and login. It connects, logs in and reads; it sends nothing."""

from bot.health import Finding
from bot.ports import RetryAfter, Undeliverable
from handlers.mail.login import Login, LoginFailed
from handlers.mail.office import Office
from handlers.mail.postman import SmtpPostman


async def check_office(office: Office) -> list[Finding]:
    """One finding for each part there is. Never raises, never shows a secret."""
    found = [await _mail(office.postman)] if office.postman else []
    return [*found, await _login(office.login)] if office.login else found


async def _mail(postman: SmtpPostman) -> Finding:
    try:
        return Finding(name="mail", ok=True, says=await postman.hello())
    except (Undeliverable, RetryAfter) as problem:
        rule = postman.rule
        says = f"{rule.host}:{rule.port}: {problem} → look at mail in dw.yml, and DW_SMTP_PASSWORD"
        return Finding(name="mail", ok=False, says=says)


async def _login(login: Login) -> Finding:
    try:
        ends = await login.discover()
    except LoginFailed as problem:
        says = f"{problem} → look at oidc.issuer in dw.yml"
        return Finding(name="login", ok=False, says=says)
    return Finding(name="login", ok=True, says=f"people log in at {ends['authorization_endpoint']}")

"""The second channel: requests by email, the page behind their link, and the login in front of it.

Nothing else in the house knows SMTP, HTML or OpenID.
"""

from handlers.mail.office import Keys, Office
from handlers.mail.probe import check_office

__all__ = ["Keys", "Office", "check_office"]

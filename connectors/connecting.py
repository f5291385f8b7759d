"""Why no connection could be made, in words: the library only says that there is none.

Its own text is left out, for it may quote what was asked; only the kind of the cause is looked at.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping

_CERTIFICATES: Mapping[int, str] = {
    10: "its TLS certificate has expired; nothing was sent. Have it renewed there",
    18: "its TLS certificate is signed by itself",
    19: "its TLS certificate is signed by nobody this machine trusts",
    20: "its TLS certificate is signed by nobody this machine trusts",
    21: "its TLS certificate is signed by nobody this machine trusts",
    62: "its TLS certificate is for another host; nothing was sent. Check the address in dw.yml",
    64: "its TLS certificate is for another host; nothing was sent. Check the address in dw.yml",
}
_TRUST = "; nothing was sent. Give the file of its authority in SSL_CERT_FILE, or mend it there"
_NO_TLS = "no TLS connection could be made; nothing was sent. Check https:// and the port in dw.yml"
_NO_NAME = "its host name is not known; nothing was sent. Check the address in dw.yml, and the name service"
_NOBODY = "nobody listens there; nothing was sent. Is it running? Else check the address in dw.yml"
_DEEPEST = 10


def why_not(error: BaseException) -> str | None:
    """What kept a connection from being made, and what to do now; None when that is not told."""
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                says = _CERTIFICATES.get(cause.verify_code, _CERTIFICATES[20])
                return says if "nothing was sent" in says else says + _TRUST
            case ssl.SSLError():
                return _NO_TLS
            case socket.gaierror():
                return _NO_NAME
            case ConnectionRefusedError():
                return _NOBODY
            case _:
                pass
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what is behind it; of several attempts the first one."""
    cause: BaseException | None = error
    for _ in range(_DEEPEST):
        if cause is None:
            return
        yield cause
        several = cause.exceptions if isinstance(cause, BaseExceptionGroup) else ()
        cause = several[0] if several else cause.__cause__ or cause.__context__

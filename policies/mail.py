"""What dw.yml says of the second channel: where emails are sent from, and where people log in."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MailRule(_Model):
    """The server that takes the emails. Its password is `DW_SMTP_PASSWORD`."""

    host: str = Field(description="the SMTP server")
    port: int = Field(587, ge=1, le=65535, description="587 for starttls, 465 for tls")
    tls: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="how the way there is encrypted; `none` only to this machine"
    )
    sender: str = Field(description="the address that the emails come from")
    user: str | None = Field(None, description="who logs in there; left out: nobody does")


class OidcRule(_Model):
    """The OpenID provider that people log in at. The client's secret is `DW_OIDC_SECRET`."""

    issuer: str = Field(description="its address, exactly as its discovery document has it")
    client_id: str = Field(description="what it knows `dw` as")

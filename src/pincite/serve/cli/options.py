"""Options that several commands share, and how their words become types."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import click

from pincite.types import EVERYONE, Identity

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_LIBRARY = ".pincite"


class DateType(click.ParamType[date]):
    """A day as YYYY-MM-DD."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The date, or a usage error."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a date; write YYYY-MM-DD", param, ctx)


class AttributeType(click.ParamType[tuple[str, str]]):
    """One attribute as key=value."""

    name = "key=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Key and value, both without outer space, or a usage error."""
        if isinstance(value, tuple):
            return value
        key, sign, text = str(value).partition("=")
        if not sign or not key.strip() or not text.strip():
            self.fail(f"{value!r} is not key=value", param, ctx)
        return key.strip(), text.strip()


library_option = click.option(
    "--library",
    metavar="DIR",
    default=DEFAULT_LIBRARY,
    envvar="PINCITE_LIBRARY",
    show_default=True,
    help="Folder of the library.",
)
tenant_option = click.option("--tenant", default="default", show_default=True, help="The tenant you act for.")
role_option = click.option("--role", "roles", multiple=True, help="A role you hold; repeat for several.")
as_of_option = click.option(
    "--as-of", type=DateType(), help="The day to answer for; by default the one that a question asks for, else today."
)
attribute_option = click.option(
    "--attr", "attributes", type=AttributeType(), multiple=True, help="Scope as key=value; repeat for several."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def identity_of(tenant: str, roles: Sequence[str]) -> Identity:
    """The identity that flags describe. On the command line the operating system has already said who may run it."""
    return Identity(tenant=tenant, roles=frozenset(role for role in roles if role))


def principals_of(access: str) -> frozenset[str]:
    """``--access underwriter,group:claims`` as principals; a bare word is a role."""
    names = [name.strip() for name in access.split(",")]
    return frozenset(n if n == EVERYONE or ":" in n else f"role:{n}" for n in names if n)

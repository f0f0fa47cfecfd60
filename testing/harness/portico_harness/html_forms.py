"""The forms and links of a page, found by element id, as a browser would send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_FIELDS = ("input", "button", "textarea", "select")


@dataclass(slots=True)
class Field:
    """One control of a form."""

    id: str
    name: str
    value: str
    kind: str


@dataclass(slots=True)
class Form:
    """A form with its controls in order."""

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)

    def has(self, id: str) -> bool:
        """True when a control with this id is in the form."""
        return any(control.id == id for control in self.fields)

    def filled(self, button: str, values: dict[str, str]) -> dict[str, str]:
        """What is sent when the button is pressed, with controls filled in by id.

        Raises:
            KeyError: when the page has no control of such an id.
        """
        missing = [id for id in values if not self.has(id)]
        if missing:
            raise KeyError(f"the form has no field {missing}")
        return {
            control.name: values.get(control.id, control.value)
            for control in self.fields
            if control.name and (control.kind not in ("submit", "button") or control.id == button)
        }


class Document(HTMLParser):
    """One parsed page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.ids: set[str] = set()
        self.refresh = ""
        self._open: Form | None = None
        self._by_id: dict[str, Form] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects forms, controls, links and ids."""
        given = {name: value or "" for name, value in attrs}
        if given.get("id"):
            self.ids.add(given["id"])
        if tag == "form":
            self._open = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._open)
            self._by_id[given.get("id", "")] = self._open
        elif tag == "a" and given.get("id"):
            self.links[given["id"]] = given.get("href", "")
        elif tag == "meta" and given.get("http-equiv") == "refresh":
            self.refresh = given.get("content", "")
        elif tag in _FIELDS:
            self._add(tag, given)

    def handle_endtag(self, tag: str) -> None:
        """Ends a form."""
        if tag == "form":
            self._open = None

    @property
    def return_address(self) -> str:
        """Where the page that leads back to the application goes on to; empty for every other page."""
        return self.links.get("return", "")

    def form_with(self, id: str) -> Form | None:
        """The form that has a control of this id."""
        return next((form for form in self.forms if form.has(id)), None)

    def _add(self, tag: str, given: dict[str, str]) -> None:
        owner = self._by_id.get(given["form"]) if "form" in given else self._open
        if owner is None:
            return
        kind = given.get("type", "submit" if tag == "button" else "text")
        owner.fields.append(Field(given.get("id", ""), given.get("name", ""), given.get("value", ""), kind))

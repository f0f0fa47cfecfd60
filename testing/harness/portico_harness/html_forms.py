"""Parses the forms and links of a page by element id, as a browser would send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_FIELDS = ("input", "button", "textarea", "select")


@dataclass(slots=True)
class Field:
    id: str
    name: str
    value: str
    kind: str
    chosen: bool = True
    options: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Form:
    action: str
    method: str
    fields: list[Field] = field(default_factory=list)

    def has(self, id: str) -> bool:
        return any(control.id == id for control in self.fields)

    def filled(self, button: str, values: dict[str, str]) -> dict[str, str]:
        """Returns the submitted fields, with controls filled in by id.

        Raises:
            KeyError: when a control is missing.
        """
        missing = [id for id in values if not self.has(id)]
        if missing:
            raise KeyError(f"the form has no field {missing}")
        sent = [one for one in self.fields if one.name and (one.kind not in ("submit", "button") or one.id == button)]
        # Of several radio buttons, the one that is filled in counts.
        sent.sort(key=lambda one: one.kind == "radio" and one.id in values)
        return {one.name: values.get(one.id, one.value) for one in sent if one.chosen or one.id in values}


class Document(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.ids: set[str] = set()
        self.refresh = ""
        self._open: Form | None = None
        self._last: Field | None = None
        self._text = False
        self._selects = False
        self._by_id: dict[str, Form] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
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
        elif tag == "option":
            self._add_option(given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        self._text = self._text and tag != "textarea"

    def handle_data(self, data: str) -> None:
        if self._text and self._last:
            self._last.value += data

    @property
    def return_address(self) -> str:
        """Returns the target of the page that redirects to the application; empty for every other page."""
        return self.links.get("return", "")

    def form_with(self, id: str) -> Form | None:
        return next((form for form in self.forms if form.has(id)), None)

    def _add(self, tag: str, given: dict[str, str]) -> None:
        owner = self._by_id.get(given["form"]) if "form" in given else self._open
        if owner is None:
            return
        kind = given.get("type", "submit" if tag == "button" else "text")
        chosen = kind not in ("radio", "checkbox") or "checked" in given
        self._last = Field(given.get("id", ""), given.get("name", ""), given.get("value", ""), kind, chosen)
        self._text, self._selects = tag == "textarea", False
        owner.fields.append(self._last)

    def _add_option(self, given: dict[str, str]) -> None:
        """Of a list, the first option that is selected counts, or the first."""
        if self._last and not self._selects and ("selected" in given or not self._last.options):
            self._last.value, self._selects = given.get("value", ""), "selected" in given
        if self._last:
            self._last.options.append(given.get("value", ""))

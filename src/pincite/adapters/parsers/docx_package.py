"""The parts of an Office file (DOCX, XLSX): names, relationships and safely parsed XML."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pincite.errors import ParseError

if TYPE_CHECKING:
    from lxml.etree import _Element

    from pincite.adapters.parsers.zipsafe import SafeZip

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", W[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/spreadsheetml/main", b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", M[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", R[1:-1].encode()),
)
_HINT = "Open the file in the program that wrote it and save it again."


def val(element: _Element | None, name: str = "val") -> str | None:
    """The ``w:val`` (or other w: attribute) of an element that may be missing."""
    return element.get(f"{W}{name}") if element is not None else None


def is_on(element: _Element | None) -> bool | None:
    """A toggle property: None when it is not set at all."""
    if element is None:
        return None
    return (val(element) or "true").lower() not in ("0", "false", "off", "none")


class Package:
    """Parsed parts by name, each parsed once."""

    def __init__(self, archive: SafeZip) -> None:
        self._archive = archive
        self._trees: dict[str, _Element | None] = {}
        self._relations: dict[str, dict[str, tuple[str, str]]] = {}
        self.main = self._find_main()

    def tree(self, name: str) -> _Element | None:
        """The root of a part; None when the package has no such part.

        Raises:
            ParseError: corrupt.
        """
        if name not in self._trees:
            self._trees[name] = _parse(self._archive.read(name), name) if name in self._archive.names else None
        return self._trees[name]

    def main_tree(self) -> _Element:
        """The root of the document part."""
        root = self.tree(self.main)
        if root is None:
            raise ParseError("the package holds no document", code="mislabelled", hint=_HINT)
        return root

    def target(self, relation_id: str) -> str | None:
        """The part that a relation of the main part leads to."""
        return self._relations_of(self.main).get(relation_id, ("", None))[1]

    def related(self, kind: str) -> str | None:
        """The first part of a kind ("styles", "numbering" ...) that the main part names."""
        found = (part for type_, part in self._relations_of(self.main).values() if type_.endswith(f"/{kind}"))
        return next(found, None)

    def _find_main(self) -> str:
        for type_, part in self._relations_of("").values():
            if type_.endswith("/officeDocument"):
                return part
        return "word/document.xml"

    def _relations_of(self, part: str) -> dict[str, tuple[str, str]]:
        if part not in self._relations:
            folder, name = posixpath.split(part)
            root = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
            found: dict[str, tuple[str, str]] = {}
            for relation in root.iter(_RELATIONSHIP) if root is not None else ():
                if relation.get("TargetMode") != "External":
                    target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
                    found[relation.get("Id", "")] = (relation.get("Type", ""), target)
            self._relations[part] = found
        return self._relations[part]


def _parse(data: bytes, name: str) -> _Element:
    from lxml import etree

    for strict, usual in _STRICT:
        data = data.replace(strict, usual)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise ParseError(f"{name} in the package is damaged", code="corrupt", hint=_HINT) from exc
    if root.getroottree().docinfo.internalDTD is not None:
        raise ParseError(f"{name} declares a document type, which no Office file does", code="corrupt", hint=_HINT)
    return root

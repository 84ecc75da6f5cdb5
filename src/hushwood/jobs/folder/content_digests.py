"""What recognises the content of a table, in whatever format or batches it comes: the ledger of keys goes by it."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table


def content_digest(table: Table, threads: int = 1) -> bytes:
    """SHA-256 of the values that a release protects: the same for a file and a frame of one table, in any format.

    Identifiers and ignored columns, the order of columns and that of categories do not count.
    """
    digest = ContentDigest(table.schema)
    digest.add(table, threads)
    return digest.digest()


class ContentDigest:
    """The same, of a table that comes in batches."""

    def __init__(self, schema: Schema) -> None:
        self._columns = {a.name: _ColumnDigest.of(a) for a in schema.kept}

    def add(self, table: Table, threads: int = 1) -> None:
        """Take the next records."""
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda name: self._columns[name].add(table.columns[name]), self._columns))

    def digest(self) -> bytes:
        """The digest of all records."""
        named = {hashlib.sha256(n.encode()).digest(): c.found.digest() for n, c in self._columns.items()}
        return hashlib.sha256(b"".join(name + named[name] for name in sorted(named))).digest()


@dataclass(frozen=True, slots=True)
class _ColumnDigest:
    """A running hash; `places` are the codes of categories in the order of their texts, the last for missing."""

    found: Any
    places: Array | None

    @classmethod
    def of(cls, attribute: Attribute) -> _ColumnDigest:
        if attribute.kind == "numeric":
            return cls(hashlib.sha256(b"numeric"), None)
        texts = [text.encode("utf-8", "surrogatepass") for text in attribute.categories]
        places = np.empty(len(texts) + 1, np.int32)
        order = sorted(range(len(texts)), key=texts.__getitem__)
        places[order], places[-1] = np.arange(len(texts)), -1
        found = hashlib.sha256(b"categorical")
        for place in order:
            found.update(len(texts[place]).to_bytes(8, "big") + texts[place])
        return cls(found, places)

    def add(self, values: Array) -> None:
        if self.places is not None:
            self.found.update(self.places[values].data)
            return
        plain = values + 0.0  # no negative zero
        plain[np.isnan(plain)] = np.nan  # one bit pattern for all that is missing
        self.found.update(plain.data)

"""All techniques by their acronym. To add one: its file, its test, a line here, a line in docs/techniques.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hushwood.techniques.alpt import Alpt
from hushwood.techniques.capt import Capt
from hushwood.techniques.linfapt import Linfapt
from hushwood.techniques.linnapt import Linnapt
from hushwood.techniques.ppt import Ppt
from hushwood.techniques.protocol import Technique
from hushwood.techniques.random_categorical import RandomCategorical
from hushwood.techniques.rnat import Rnat
from hushwood.techniques.rpt import Rpt
from hushwood.techniques.swap import Swap

TECHNIQUES: Mapping[str, Callable[[], Technique]] = {
    "RPT": Rpt,
    "PPT": Ppt,
    "ALPT": Alpt,
    "LINFAPT": Linfapt,
    "LINNAPT": Linnapt,
    "RNAT": Rnat,
    "CAPT": Capt,
    "RC": RandomCategorical,
    "SWAP": Swap,
}

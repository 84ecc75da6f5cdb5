"""All techniques by their acronym. To add one: its file, its test, a line here, a line in docs/techniques.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hushwood.registry import Registry

if TYPE_CHECKING:
    from hushwood.techniques.protocol import Technique

TECHNIQUES: Registry[Callable[[], Technique]] = Registry(
    {
        "RPT": "hushwood.techniques.class_permutations:Rpt",
        "PPT": "hushwood.techniques.class_permutations:Ppt",
        "ALPT": "hushwood.techniques.class_permutations:Alpt",
        "LINFAPT": "hushwood.techniques.domain_noise:Linfapt",
        "LINNAPT": "hushwood.techniques.domain_noise:Linnapt",
        "RNAT": "hushwood.techniques.domain_noise:Rnat",
        "CAPT": "hushwood.techniques.capt:Capt",
        "RC": "hushwood.techniques.pram:RandomCategorical",
        "SWAP": "hushwood.techniques.swap:Swap",
        "PRAM": "hushwood.techniques.pram:Pram",
        "IPRAM": "hushwood.techniques.pram:InvariantPram",
        "WARNER": "hushwood.techniques.warner:Warner",
        "FRAPP": "hushwood.techniques.frapp:Frapp",
        "SUBATTRIBUTES": "hushwood.techniques.sub_attributes:SubAttributes",
        "DRSWAP": "hushwood.techniques.swap:DaleniusReiss",
        "REISS": "hushwood.techniques.approximate_swap:ApproximateSwap",
        "SUPPRESS": "hushwood.techniques.suppression:Suppression",
        "COARSEN": "hushwood.techniques.coarsening:Coarsening",
        "RANKSWAP": "hushwood.techniques.rank_swapping:RankSwap",
        "MDAV": "hushwood.techniques.mdav:Mdav",
        "MONDRIAN": "hushwood.techniques.mondrian:Mondrian",
        "TDS": "hushwood.techniques.mondrian:Tds",
        "GADP": "hushwood.techniques.gadp:Gadp",
        "CGADP": "hushwood.techniques.gadp:Cgadp",
        "EGADP": "hushwood.techniques.gadp:Egadp",
        "SHUFFLE": "hushwood.techniques.shuffle:Shuffle",
        "ROTATION": "hushwood.techniques.shuffle:Rotation",
        "SADP": "hushwood.techniques.added_noise:Sadp",
        "KIM": "hushwood.techniques.added_noise:Kim",
        "TENDICK": "hushwood.techniques.added_noise:TendickMatloff",
        "KIMWINKLER": "hushwood.techniques.added_noise:KimWinkler",
        "LOGNOISE": "hushwood.techniques.added_noise:LogNoise",
        "KIMWINKLER95": "hushwood.techniques.mask_and_swap:MaskAndSwap",
        "TRAUB": "hushwood.techniques.added_noise:Traub",
        "LIEW": "hushwood.techniques.liew:Liew",
        "ZHULIU": "hushwood.techniques.zhu_liu:ZhuLiu",
        "SEGMENT-SHUFFLE": "hushwood.techniques.segment_shuffle:SegmentShuffle",
        "CART-SYNTHESIS": "hushwood.techniques.cart_synthesis:CartSynthesis",
        "FOREST-SYNTHESIS": "hushwood.techniques.forest_synthesis:ForestSynthesis",
        "COPULA-SYNTHESIS": "hushwood.techniques.copula_synthesis:CopulaSynthesis",
    }
)

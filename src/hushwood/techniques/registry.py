"""All techniques by their acronym. To add one: its file, its test, a line here, a line in docs/techniques.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hushwood.registry import Registry

if TYPE_CHECKING:
    from hushwood.techniques.protocol import Technique

TECHNIQUES: Registry[Callable[[], Technique]] = Registry(
    {
        "RPT": "hushwood.techniques.rpt:Rpt",
        "PPT": "hushwood.techniques.ppt:Ppt",
        "ALPT": "hushwood.techniques.alpt:Alpt",
        "LINFAPT": "hushwood.techniques.linfapt:Linfapt",
        "LINNAPT": "hushwood.techniques.linnapt:Linnapt",
        "RNAT": "hushwood.techniques.rnat:Rnat",
        "CAPT": "hushwood.techniques.capt:Capt",
        "RC": "hushwood.techniques.random_categorical:RandomCategorical",
        "SWAP": "hushwood.techniques.swap:Swap",
        "PRAM": "hushwood.techniques.pram:Pram",
        "IPRAM": "hushwood.techniques.invariant_pram:InvariantPram",
        "WARNER": "hushwood.techniques.warner:Warner",
        "FRAPP": "hushwood.techniques.frapp:Frapp",
        "SUBATTRIBUTES": "hushwood.techniques.sub_attributes:SubAttributes",
        "DRSWAP": "hushwood.techniques.dalenius_reiss:DaleniusReiss",
        "REISS": "hushwood.techniques.approximate_swap:ApproximateSwap",
        "SUPPRESS": "hushwood.techniques.suppression:Suppression",
        "COARSEN": "hushwood.techniques.coarsening:Coarsening",
        "RANKSWAP": "hushwood.techniques.rank_swapping:RankSwap",
        "MDAV": "hushwood.techniques.mdav:Mdav",
        "MONDRIAN": "hushwood.techniques.mondrian:Mondrian",
        "TDS": "hushwood.techniques.tds:Tds",
        "GADP": "hushwood.techniques.gadp:Gadp",
        "CGADP": "hushwood.techniques.cgadp:Cgadp",
        "EGADP": "hushwood.techniques.egadp:Egadp",
        "SHUFFLE": "hushwood.techniques.shuffle:Shuffle",
        "ROTATION": "hushwood.techniques.rotation:Rotation",
        "SADP": "hushwood.techniques.sadp:Sadp",
        "KIM": "hushwood.techniques.kim:Kim",
        "TENDICK": "hushwood.techniques.tendick_matloff:TendickMatloff",
        "KIMWINKLER": "hushwood.techniques.kim_winkler:KimWinkler",
        "LOGNOISE": "hushwood.techniques.log_noise:LogNoise",
        "KIMWINKLER95": "hushwood.techniques.mask_and_swap:MaskAndSwap",
        "TRAUB": "hushwood.techniques.traub:Traub",
        "LIEW": "hushwood.techniques.liew:Liew",
        "ZHULIU": "hushwood.techniques.zhu_liu:ZhuLiu",
        "SEGMENT-SHUFFLE": "hushwood.techniques.segment_shuffle:SegmentShuffle",
        "CART-SYNTHESIS": "hushwood.techniques.cart_synthesis:CartSynthesis",
        "FOREST-SYNTHESIS": "hushwood.techniques.forest_synthesis:ForestSynthesis",
        "COPULA-SYNTHESIS": "hushwood.techniques.copula_synthesis:CopulaSynthesis",
    }
)

"""All techniques by their acronym. To add one: its file, its test, a line here, a line in docs/techniques.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hushwood.techniques.added_noise import Kim, KimWinkler, LogNoise, Sadp, TendickMatloff, Traub
from hushwood.techniques.approximate_swap import ApproximateSwap
from hushwood.techniques.capt import Capt
from hushwood.techniques.cart_synthesis import CartSynthesis
from hushwood.techniques.class_permutations import Alpt, Ppt, Rpt
from hushwood.techniques.coarsening import Coarsening
from hushwood.techniques.copula_synthesis import CopulaSynthesis
from hushwood.techniques.domain_noise import Linfapt, Linnapt, Rnat
from hushwood.techniques.forest_synthesis import ForestSynthesis
from hushwood.techniques.frapp import Frapp
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.liew import Liew
from hushwood.techniques.mask_and_swap import MaskAndSwap
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.mondrian import Mondrian, Tds
from hushwood.techniques.pram import InvariantPram, Pram, RandomCategorical
from hushwood.techniques.protocol import Technique
from hushwood.techniques.rank_swapping import RankSwap
from hushwood.techniques.segment_shuffle import SegmentShuffle
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.sub_attributes import SubAttributes
from hushwood.techniques.suppression import Suppression
from hushwood.techniques.swap import DaleniusReiss, Swap
from hushwood.techniques.warner import Warner
from hushwood.techniques.zhu_liu import ZhuLiu

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
    "PRAM": Pram,
    "IPRAM": InvariantPram,
    "WARNER": Warner,
    "FRAPP": Frapp,
    "SUBATTRIBUTES": SubAttributes,
    "DRSWAP": DaleniusReiss,
    "REISS": ApproximateSwap,
    "SUPPRESS": Suppression,
    "COARSEN": Coarsening,
    "RANKSWAP": RankSwap,
    "MDAV": Mdav,
    "MONDRIAN": Mondrian,
    "TDS": Tds,
    "GADP": Gadp,
    "CGADP": Cgadp,
    "EGADP": Egadp,
    "SHUFFLE": Shuffle,
    "ROTATION": Rotation,
    "SADP": Sadp,
    "KIM": Kim,
    "TENDICK": TendickMatloff,
    "KIMWINKLER": KimWinkler,
    "LOGNOISE": LogNoise,
    "KIMWINKLER95": MaskAndSwap,
    "TRAUB": Traub,
    "LIEW": Liew,
    "ZHULIU": ZhuLiu,
    "SEGMENT-SHUFFLE": SegmentShuffle,
    "CART-SYNTHESIS": CartSynthesis,
    "FOREST-SYNTHESIS": ForestSynthesis,
    "COPULA-SYNTHESIS": CopulaSynthesis,
}

"""All techniques by their acronym. To add one: its file, its test, a line here, a line in docs/techniques.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hushwood.techniques.alpt import Alpt
from hushwood.techniques.approximate_swap import ApproximateSwap
from hushwood.techniques.capt import Capt
from hushwood.techniques.cart_synthesis import CartSynthesis
from hushwood.techniques.cgadp import Cgadp
from hushwood.techniques.coarsening import Coarsening
from hushwood.techniques.copula_synthesis import CopulaSynthesis
from hushwood.techniques.dalenius_reiss import DaleniusReiss
from hushwood.techniques.egadp import Egadp
from hushwood.techniques.forest_synthesis import ForestSynthesis
from hushwood.techniques.frapp import Frapp
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.invariant_pram import InvariantPram
from hushwood.techniques.kim import Kim
from hushwood.techniques.kim_winkler import KimWinkler
from hushwood.techniques.liew import Liew
from hushwood.techniques.linfapt import Linfapt
from hushwood.techniques.linnapt import Linnapt
from hushwood.techniques.log_noise import LogNoise
from hushwood.techniques.mask_and_swap import MaskAndSwap
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.mondrian import Mondrian
from hushwood.techniques.ppt import Ppt
from hushwood.techniques.pram import Pram
from hushwood.techniques.protocol import Technique
from hushwood.techniques.random_categorical import RandomCategorical
from hushwood.techniques.rank_swapping import RankSwap
from hushwood.techniques.rnat import Rnat
from hushwood.techniques.rotation import Rotation
from hushwood.techniques.rpt import Rpt
from hushwood.techniques.sadp import Sadp
from hushwood.techniques.segment_shuffle import SegmentShuffle
from hushwood.techniques.shuffle import Shuffle
from hushwood.techniques.sub_attributes import SubAttributes
from hushwood.techniques.suppression import Suppression
from hushwood.techniques.swap import Swap
from hushwood.techniques.tds import Tds
from hushwood.techniques.tendick_matloff import TendickMatloff
from hushwood.techniques.traub import Traub
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

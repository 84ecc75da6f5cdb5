"""All estimators by the acronym of the technique whose noise they undo. To add one: its file, its test, a line here."""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.reconstruction.estimators import (
    added_noise,
    factor_noise,
    log_noise,
    matrices,
    noise_inside,
    shrunk_noise,
    whole_records,
)
from hushwood.reconstruction.recovered import Estimator

ESTIMATORS: Mapping[str, Estimator] = {
    "LINFAPT": noise_inside.recover,
    "LINNAPT": noise_inside.recover,
    "RNAT": noise_inside.recover,
    "ZHULIU": noise_inside.recover,
    "SADP": added_noise.recover,
    "TRAUB": added_noise.recover,
    "KIM": shrunk_noise.recover,
    "TENDICK": shrunk_noise.recover,
    "KIMWINKLER95": shrunk_noise.recover,
    "KIMWINKLER": factor_noise.recover,
    "LOGNOISE": log_noise.recover,
    "PRAM": matrices.recover,
    "RC": matrices.recover,
    "WARNER": matrices.recover,
    "SUBATTRIBUTES": matrices.recover,
    "FRAPP": whole_records.recover,
}

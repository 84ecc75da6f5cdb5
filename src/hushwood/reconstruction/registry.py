"""All estimators by the acronym of the technique whose noise they undo. To add one: its file, its test, a line here."""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.reconstruction import estimators
from hushwood.reconstruction.recovered import Estimator

ESTIMATORS: Mapping[str, Estimator] = {
    "LINFAPT": estimators.recover_noise_inside,
    "LINNAPT": estimators.recover_noise_inside,
    "RNAT": estimators.recover_noise_inside,
    "ZHULIU": estimators.recover_noise_inside,
    "SADP": estimators.recover_added_noise,
    "TRAUB": estimators.recover_added_noise,
    "KIM": estimators.recover_shrunk_noise,
    "TENDICK": estimators.recover_shrunk_noise,
    "KIMWINKLER95": estimators.recover_shrunk_noise,
    "KIMWINKLER": estimators.recover_factor_noise,
    "LOGNOISE": estimators.recover_log_noise,
    "PRAM": estimators.recover_by_matrix,
    "RC": estimators.recover_by_matrix,
    "WARNER": estimators.recover_by_matrix,
    "SUBATTRIBUTES": estimators.recover_by_matrix,
    "FRAPP": estimators.recover_whole_records,
}

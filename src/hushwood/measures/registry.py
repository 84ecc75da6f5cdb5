"""All measures by name. To add one: its file, its test, a line here, a line in docs/measures.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hushwood.measures.protocol import Measure
from hushwood.measures.risk.changed_classes import ChangedClasses
from hushwood.measures.risk.class_entropy import ClassEntropy
from hushwood.measures.risk.exact_copies import ExactCopies
from hushwood.measures.risk.extremes import Extremes
from hushwood.measures.risk.k_anonymity import KAnonymity
from hushwood.measures.risk.l_diversity import LDiversity
from hushwood.measures.risk.perceived_risk import PerceivedRisk
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.measures.risk.sers import Sers
from hushwood.measures.risk.t_closeness import TCloseness
from hushwood.measures.risk.unchanged_cells import UnchangedCells
from hushwood.measures.risk.variance_explained import VarianceExplained
from hushwood.measures.utility.association_rules import AssociationRules
from hushwood.measures.utility.biases import Biases
from hushwood.measures.utility.clustering import ClustersFoundAgain
from hushwood.measures.utility.contingency_tables import ContingencyTables
from hushwood.measures.utility.correlations import Correlations
from hushwood.measures.utility.count_queries import CountQueries
from hushwood.measures.utility.discernibility import Discernibility
from hushwood.measures.utility.distribution_distances import DistributionDistances
from hushwood.measures.utility.eduds import Eduds
from hushwood.measures.utility.edusc import Edusc
from hushwood.measures.utility.generalisation_loss import GeneralisationLoss
from hushwood.measures.utility.means_and_variances import MeansAndVariances
from hushwood.measures.utility.odds_ratios import OddsRatios
from hushwood.measures.utility.prediction_accuracy import PredictionAccuracy
from hushwood.measures.utility.regression_coefficients import RegressionCoefficients
from hushwood.measures.utility.rule_types import RuleTypes
from hushwood.measures.utility.told_apart import ToldApart
from hushwood.measures.utility.weighted_totals import WeightedTotals

MEASURES: Mapping[str, Callable[..., Measure]] = {
    "rule_types": RuleTypes,
    "prediction_accuracy": PredictionAccuracy,
    "means_and_variances": MeansAndVariances,
    "correlations": Correlations,
    "distribution_distances": DistributionDistances,
    "eduds": Eduds,
    "edusc": Edusc,
    "sers": Sers,
    "reidentification_entropy": ReidentificationEntropy,
    "class_entropy": ClassEntropy,
    "unchanged_cells": UnchangedCells,
    "changed_classes": ChangedClasses,
    "k_anonymity": KAnonymity,
    "l_diversity": LDiversity,
    "t_closeness": TCloseness,
    "discernibility": Discernibility,
    "generalisation_loss": GeneralisationLoss,
    "clustering": ClustersFoundAgain,
    "told_apart": ToldApart,
    "count_queries": CountQueries,
    "exact_copies": ExactCopies,
    "extremes": Extremes,
    "variance_explained": VarianceExplained,
    "perceived_risk": PerceivedRisk,
    "biases": Biases,
    "regression_coefficients": RegressionCoefficients,
    "contingency_tables": ContingencyTables,
    "association_rules": AssociationRules,
    "odds_ratios": OddsRatios,
    "weighted_totals": WeightedTotals,
}

"""All measures by name. To add one: its file, its test, a line here, a line in docs/measures.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hushwood.registry import Registry

if TYPE_CHECKING:
    from hushwood.measures.protocol import Measure

MEASURES: Registry[Callable[..., Measure]] = Registry(
    {
        "rule_types": "hushwood.measures.utility.rule_types:RuleTypes",
        "prediction_accuracy": "hushwood.measures.utility.prediction_accuracy:PredictionAccuracy",
        "means_and_variances": "hushwood.measures.utility.means_and_variances:MeansAndVariances",
        "correlations": "hushwood.measures.utility.correlations:Correlations",
        "distribution_distances": "hushwood.measures.utility.distribution_distances:DistributionDistances",
        "eduds": "hushwood.measures.utility.eduds:Eduds",
        "edusc": "hushwood.measures.utility.edusc:Edusc",
        "sers": "hushwood.measures.risk.sers:Sers",
        "reidentification_entropy": "hushwood.measures.risk.reidentification_entropy:ReidentificationEntropy",
        "class_entropy": "hushwood.measures.risk.class_entropy:ClassEntropy",
        "unchanged_cells": "hushwood.measures.risk.unchanged_cells:UnchangedCells",
        "changed_classes": "hushwood.measures.risk.changed_classes:ChangedClasses",
        "k_anonymity": "hushwood.measures.risk.k_anonymity:KAnonymity",
        "l_diversity": "hushwood.measures.risk.l_diversity:LDiversity",
        "t_closeness": "hushwood.measures.risk.t_closeness:TCloseness",
        "discernibility": "hushwood.measures.utility.discernibility:Discernibility",
        "generalisation_loss": "hushwood.measures.utility.generalisation_loss:GeneralisationLoss",
        "clustering": "hushwood.measures.utility.clustering:ClustersFoundAgain",
        "told_apart": "hushwood.measures.utility.told_apart:ToldApart",
        "count_queries": "hushwood.measures.utility.count_queries:CountQueries",
        "exact_copies": "hushwood.measures.risk.exact_copies:ExactCopies",
        "extremes": "hushwood.measures.risk.extremes:Extremes",
        "variance_explained": "hushwood.measures.risk.variance_explained:VarianceExplained",
        "perceived_risk": "hushwood.measures.risk.perceived_risk:PerceivedRisk",
        "biases": "hushwood.measures.utility.biases:Biases",
        "regression_coefficients": "hushwood.measures.utility.regression_coefficients:RegressionCoefficients",
        "contingency_tables": "hushwood.measures.utility.contingency_tables:ContingencyTables",
        "association_rules": "hushwood.measures.utility.association_rules:AssociationRules",
        "odds_ratios": "hushwood.measures.utility.odds_ratios:OddsRatios",
        "weighted_totals": "hushwood.measures.utility.weighted_totals:WeightedTotals",
    }
)

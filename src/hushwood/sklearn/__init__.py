"""Hushwood for scikit-learn users: decision trees, SysFor forests, and a release as a resampling step."""

from __future__ import annotations

from hushwood.sklearn.anonymizer import Anonymizer
from hushwood.sklearn.classifiers import C45Classifier, SysForClassifier

__all__ = ["Anonymizer", "C45Classifier", "SysForClassifier"]

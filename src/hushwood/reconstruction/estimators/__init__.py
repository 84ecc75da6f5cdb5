"""Estimators of original distributions, one file for each kind of noise; `reconstruction.registry` names them all."""

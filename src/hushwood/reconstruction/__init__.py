"""What an honest miner can recover from a release: distributions and trees, but no single value.

>>> import numpy as np
>>> noise = np.array([-0.7, -0.3, -0.1, 0.0, 0.2, 0.3, 0.6])
>>> released = np.concatenate([1 + noise, 1 + noise, 1 + noise, 4 + noise])
>>> found = reconstruct(released, AddedNoise(0.4, domain=(0.5, 4.5)), intervals=4)
>>> found.probabilities.round(2).tolist()
[0.75, 0.0, 0.0, 0.25]
"""

from __future__ import annotations

from hushwood.reconstruction.disguised import Disguise, disguised_accuracy, disguised_tree, undisguised_share
from hushwood.reconstruction.distributions import Reconstruction, reconstruct
from hushwood.reconstruction.known_noise import AddedNoise, NoiseInside
from hushwood.reconstruction.recovered import information_loss, privacy, privacy_loss
from hushwood.reconstruction.released_columns import reconstruct_column
from hushwood.reconstruction.trees_back import noisy_tree

__all__ = [
    "AddedNoise",
    "Disguise",
    "NoiseInside",
    "Reconstruction",
    "disguised_accuracy",
    "disguised_tree",
    "information_loss",
    "noisy_tree",
    "privacy",
    "privacy_loss",
    "reconstruct",
    "reconstruct_column",
    "undisguised_share",
]

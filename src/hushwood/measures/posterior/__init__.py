"""What an intruder believes after seeing a release: likelihoods, posteriors, entropies."""

"""Ours: releases with trees by C4.5 or See5."""

"""The room of engines: where perturbers run; every engine gives the same values."""

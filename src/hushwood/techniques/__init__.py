"""The room of techniques: one file each, one small protocol, one literal registry."""

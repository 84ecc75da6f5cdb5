"""Trees drawn as SVG."""

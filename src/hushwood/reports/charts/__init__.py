"""Charts as Vega-Lite, drawn by Altair."""

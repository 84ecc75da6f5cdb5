"""Tables as frames: Polars, pandas, Arrow, and any other library that Narwhals knows."""

"""The certificate's loops, compiled by numba."""

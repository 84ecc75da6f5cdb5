"""The distributions that techniques draw from, each as data."""

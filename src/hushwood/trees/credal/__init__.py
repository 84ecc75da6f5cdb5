"""Credal trees and forests: splits by the upper entropy of the class (Abellán and Moral 2003)."""

"""Binary trees that grow one split at a time: published trees and Mondrian's parts."""

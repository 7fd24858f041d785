"""The version of the package; a test holds the macros of csrc/nimmt.h to it."""

__version__ = "0.1.0"

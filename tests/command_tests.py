"""What starts a file of tests of the command: its arguments, and a cache of its own.

  TEST.py --heddle PATH --source PATH_OF_REPOSITORY [arguments of unittest]
"""
import argparse
import pathlib
import sys
import tempfile
import unittest


def main(names):
    """Runs the tests of the file whose globals these are; they get HEDDLE, SOURCE and CACHE. The exit status."""
    parser = argparse.ArgumentParser(description=names["__doc__"].splitlines()[0], add_help=False)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True)
    options, rest = parser.parse_known_args()
    names["HEDDLE"] = str(pathlib.Path(options.heddle).resolve())
    names["SOURCE"] = pathlib.Path(options.source).resolve()
    with tempfile.TemporaryDirectory(prefix="heddle-cache-") as names["CACHE"]:
        program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    return 0 if program.result.wasSuccessful() else 1

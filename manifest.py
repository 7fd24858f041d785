# For freezing into a MicroPython firmware: make ... FROZEN_MANIFEST=/path/to/this/manifest.py
import json

with open("package.json") as file:  # beside this file, where MicroPython's build runs it
    found = json.load(file)

metadata(version=found["version"], description="An engine for the card game 6 nimmt!", license="MIT")  # noqa: F821
# The files of package.json, unchanged; opt=3 leaves line numbers out.
package(  # noqa: F821
    "nimmt", files=[name.partition("/")[2] for name, _ in found["urls"]], base_path="src", opt=3
)

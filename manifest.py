# For freezing into a MicroPython firmware: make ... FROZEN_MANIFEST=/path/to/this/manifest.py
metadata(version="0.1.0", description="An engine for the card game 6 nimmt!", license="MIT")  # noqa: F821

# The files of package.json, unchanged; opt=3 leaves line numbers out.
package(  # noqa: F821
    "nimmt",
    files=(
        "__init__.py",
        "_backend.py",
        "_json.py",
        "_pycore.py",
        "_version.py",
        "arena.py",
        "bots.py",
        "cards.py",
        "draft.py",
        "errors.py",
        "events.py",
        "game.py",
        "hosted.py",
        "playback.py",
        "protocol.py",
        "record.py",
        "referee.py",
        "refuse.py",
        "round.py",
        "rules.py",
        "save.py",
        "scored.py",
        "slots.py",
        "stream.py",
        "table.py",
        "turn.py",
        "view.py",
    ),
    base_path="src",
    opt=3,
)

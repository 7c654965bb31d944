"""Keep the curves of runs: ``python docs/keep_curve.py RUN ...``.

The name of a recipe stands for its curve in ``regard show RECIPE --costs``. Of each recipe one is
kept, of at most a hundred judgements, with the command of its run.
"""

import json
import sys

from regard import ledger
from regard.command.costs import validations
from regard.files import write_whole
from regard.running import find, knobs_in

MOST = 100


def main(runs: list[str]) -> None:
    for run in runs:
        recipe, metric, curve = validations(run)
        every = -(-len(curve) // MOST)
        points = list(curve.items())[::-every][::-1]  # the last one is kept
        command = ledger.command_of(*knobs_in(find(run)))
        kept = {"metric": metric, "command": command, "curve": points}
        path = ledger.IN_REPOSITORY / "curves" / f"{recipe}.json"
        path.parent.mkdir(exist_ok=True)
        write_whole(path, (json.dumps(kept) + "\n").encode())
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measure the weights of the package once more: ``python docs/remeasure.py act-logic "a note"``.

Their numbers take the place of those of the run that they are from, whose minutes and validation
number stay: for when what is measured has changed, and the run is gone.
"""

import sys

from regard import ledger
from regard.recipes import RECIPES, turn
from regard.running import SHIPPED, knobs_in


def main(name: str, note: str) -> None:
    place = SHIPPED / name
    _, knobs = knobs_in(place)
    found = turn(RECIPES[name], knobs).evaluate(place)
    print(ledger.enter_again(name, knobs["seed"], found, note))


if __name__ == "__main__":
    main(*sys.argv[1:])

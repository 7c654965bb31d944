"""Train Bahdanau's translator on Korean directions, then see what it says and where it looked.

The same five commands by hand:

    regard train rnnsearch-directions --to runs/demo --longest 16 --epochs 1
    regard evaluate runs/demo
    regard run runs/demo "서울역 근처 스타벅스 로 가자"
    regard show runs/demo --to demo.html
    regard show runs/demo --to demo.png

A second time the trained run is there already, and only the rest is done.
"""

import sys
from pathlib import Path

import regard
from regard.command import main
from regard.running import opened
from regard.tasks import directions

RUN, PAGE = "runs/demo", "demo.html"
# A third of the recipe's own course, on shorter sentences; the whole is right more often.
SHORT = ["--longest", "16", "--epochs", "1"]


def demo() -> int:
    say("Training RNNsearch on made-up Korean directions (about two minutes)")
    status = main(["train", "rnnsearch-directions", "--to", RUN, *SHORT])
    if status:
        return status
    say("Sentences that it never saw")
    recipe = opened(Path(RUN))
    interpreter = regard.load(RUN)
    unseen = [directions.LECTURE, *recipe.data.tests()["test"][:4]]  # type: ignore[attr-defined]
    for pair in unseen:
        found = interpreter(" ".join(pair.source))
        print(f"  {' '.join(pair.source)}")
        print(f"    {found}")
        if found.words != pair.target:
            print(f"    wrong; right is: {' '.join(pair.target)}")
    say("Its score on 1,000 unseen sentences, and on longer ones than it was trained on")
    status = main(["evaluate", RUN])
    say("What each English word looked at, as a page for your browser")
    return status or main(["show", RUN, "--to", PAGE])


def say(title: str) -> None:
    print(f"\n{title}\n", flush=True)


if __name__ == "__main__":
    sys.exit(demo())

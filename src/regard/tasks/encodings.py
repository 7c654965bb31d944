"""Which kind of vocabulary plain data are."""

from typing import Any

from regard.tasks.subwords import Subwords
from regard.tasks.vocabulary import Encoding, Vocabulary


def encoding_from_json(data: dict[str, Any]) -> Encoding:
    """The ``Vocabulary`` or the ``Subwords`` that these data were made from."""
    kinds: dict[str, type[Vocabulary] | type[Subwords]] = {
        "words": Vocabulary,
        "subwords": Subwords,
    }
    if data.get("kind") not in kinds:
        raise ValueError(
            f"the kind of a vocabulary is one of {', '.join(kinds)}, but here it is "
            f"{data.get('kind')!r}"
        )
    return kinds[data["kind"]].from_json(data)

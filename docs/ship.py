"""Put a trained run into the package: ``python docs/ship.py runs/my-run``.

Only what using it takes: its knobs, its vocabularies and its weights, the last in half precision,
so that a small model stays below two megabytes.
"""

import json
import sys
from pathlib import Path

import safetensors.torch
from safetensors import safe_open

from regard.files import write_whole
from regard.running import SHIPPED, find, knobs_in

MOST_BYTES = 2_000_000


def main(run: str) -> None:
    source = find(run)
    name, _ = knobs_in(source)
    target = SHIPPED / name
    target.mkdir(parents=True, exist_ok=True)
    entries = [*source.glob("*entries.json"), *source.glob("words.json")]
    for path in (source / "knobs.json", *sorted(entries)):
        kept = json.loads(path.read_text(encoding="utf-8"))
        write_whole(target / path.name, (json.dumps(kept, ensure_ascii=False) + "\n").encode())
    weights = halved(source / "model.safetensors")
    if len(weights) > MOST_BYTES:
        raise SystemExit(f"{name}: {len(weights):,} bytes are more than {MOST_BYTES:,}")
    write_whole(target / "model.safetensors", weights)
    print(f"{target}: {len(weights):,} bytes of weights")


def halved(path: Path) -> bytes:
    """The weights of a file in half precision."""
    with safe_open(path, framework="pt") as file:
        kept = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        tensors = {
            name: each.half() if each.is_floating_point() else each for name, each in kept.items()
        }
        return safetensors.torch.save(tensors, file.metadata())


if __name__ == "__main__":
    main(sys.argv[1])

"""What a person sees while a run goes: a bar on a terminal, now and then a line elsewhere."""

import sys
from time import perf_counter

from tqdm import tqdm  # type: ignore[import-untyped]

from regard.training.progress import Progress

SOONEST, LATEST = 5.0, 60.0  # seconds between two lines; the longer a run, the rarer


class Display:
    """Progress with loss, speed and time left; ``steps`` is how many there will be, as is known."""

    def __init__(self, steps: int | None, done: int, *, shown: bool = True) -> None:
        self.shown = shown
        self.steps = steps
        self.first = done
        self.began = self.last = perf_counter()
        self.bar = tqdm(
            total=steps, initial=done, unit="step", disable=None if shown else True, file=sys.stderr
        )

    def step(self, progress: Progress, loss: float) -> None:
        """One more update is done."""
        if not self.bar.disable:
            self.bar.set_postfix_str(f"epoch {progress.epochs:.2f}, loss {loss:.4g}", refresh=False)
            self.bar.update()
        elif self.shown:
            now = perf_counter()
            pause = min(LATEST, max(SOONEST, (now - self.began) / 10))
            if now - self.last >= pause:
                self.last = now
                self.say(self._line(progress, loss, now - self.began))

    def say(self, text: str) -> None:
        """A line that stays."""
        if self.shown:
            self.bar.write(text, file=sys.stderr)

    def close(self) -> None:
        """Leave the bar as it is."""
        self.bar.close()

    def _line(self, progress: Progress, loss: float, seconds: float) -> str:
        speed = (progress.step - self.first) / seconds
        line = f"step {progress.step}"
        if self.steps is not None:
            line += f" of {self.steps}"
        line += f", epoch {progress.epochs:.2f}, loss {loss:.4g}, {speed:.3g} steps/s"
        if self.steps is not None and speed > 0:
            left = (self.steps - progress.step) / speed
            line += f", {tqdm.format_interval(left)} left"
        return line

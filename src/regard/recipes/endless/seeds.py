"""Seeds of what is drawn, each far from all others; updates take those from 0 on.

Torch's generator looks at the lower 32 bits of a seed alone: all seeds are below 2**32.
"""

APART = 2**24  # seeds between two of these; no draw needs as many
JUDGING = 2**32 - 4 * APART  # what a network is judged by in training, as many as there are batches
ASKING = 2**32 - 3 * APART  # what is drawn for a person
TESTING = 2**32 - 2 * APART  # the test sequences
TRYING = 2**32 - APART  # by which it is seen whether a network goes on to its next lesson


def practising(number: int) -> int:
    """The seed of an update's batch, counted from 0: never one of the seeds above.

    >>> practising(250), practising(2**32 - 4 * APART)
    (250, 0)
    """
    return number % JUDGING

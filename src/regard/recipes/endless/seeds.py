"""Seeds of what is drawn, each far from all others; updates take those from 0 on."""

JUDGING = 2**40  # what a network is judged by while it trains, as many as there are batches
ASKING = 2**41  # what is drawn for a person
TESTING = 2**42  # the test sequences
TRYING = 2**43  # by which it is seen whether a network goes on to its next lesson

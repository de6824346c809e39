"""Decisions about points and rewards, without any I/O."""

# GraphQL's Int ends a little above; a wallet's sums stay below it for ever.
MOST_POINTS = 2_000_000_000
LARGEST_ADJUSTMENT = 1_000_000

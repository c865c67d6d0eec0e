"""`make bench`: figures of this house, each beside a peer or a floor measured in the same run."""

import ladder.ratings as ratings_first  # noqa: F401 - it sets the threads that numpy reads when imported

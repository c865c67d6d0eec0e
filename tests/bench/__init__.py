"""`make bench`: figures of this house, each beside a peer or a floor measured in the same run."""

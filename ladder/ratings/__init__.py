"""How strong each version is: one fit a season, and the standings it yields."""

import os

# Before numpy is first imported: on a host whose cores play matches, its threads wait for each other, and a
# fit takes ten times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

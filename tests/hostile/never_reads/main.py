"""Says that it is ready, and never reads a line."""

import time

print('{"type":"ready"}', flush=True)
time.sleep(60)

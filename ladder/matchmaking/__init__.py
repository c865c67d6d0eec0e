"""Who plays whom next, and the dispatcher that rings the workers."""

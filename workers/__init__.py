"""Run strangers' programs, on the farm and on an author's desk. No Django, no database."""

"""Settings of the ladder, all from the environment; docs/deploy.md lists every variable."""

"""What a bot is: programs, protocol, jobs, faults, the SDK, the house's own bots. No Django, no processes."""

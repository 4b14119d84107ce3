"""Doctor: can this machine run a target, and can its numbers be trusted; looks, changes nothing."""

"""Two results folders side by side: what differs in provenance, ratios, verdicts."""

"""Report: raw results to tables, figures, verdicts and a page, beside the published numbers."""

"""The auditable memory: event log, broker, projections, retrieval."""

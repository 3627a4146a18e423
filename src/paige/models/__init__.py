"""Model providers, the API-call log, prompt rendering, the registry of local engines."""

"""Files of a project that gates rest on: roles and counters, features, the session, evidence."""

"""What a run did, told again and sent on: spans, journal, moments."""

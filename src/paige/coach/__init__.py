"""The developer's door: coaching on real issues in their own repository."""

"""What runs inside the sandbox when code is tested. Started as files there, never imported here."""

"""What people write for agents: definitions, skills, plugins, and the prompts made of them."""

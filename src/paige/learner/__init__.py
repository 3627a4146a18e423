"""What a person knows: concepts, mastery, cards, stages, gaps."""

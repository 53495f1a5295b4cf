"""Language: inflection, pronouns, and the phrasing of facts."""

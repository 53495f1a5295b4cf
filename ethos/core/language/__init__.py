"""Words of a language: inflection, pronouns, and how a fact is phrased."""

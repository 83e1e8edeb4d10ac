"""Fitting the small scorers on free data: ``python -m benchmarks.fit importance|overrule|recall FOLDER``."""

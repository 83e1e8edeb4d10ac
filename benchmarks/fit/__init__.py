"""Fitting the small scorers on free data: ``python -m benchmarks.fit importance|meaning|overrule|recall|centre FOLDER``."""

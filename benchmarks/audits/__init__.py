"""Audits: they show whether rules, statistics, bots and code are as good as we say."""

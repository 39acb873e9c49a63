"""tap_reporter.py: a plugin of pytest that prints a line of TAP for each test."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap


class Reporter:
    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config):
        config.pluginmanager.unregister(name="terminalreporter")

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.rpartition("/")[2]
        if report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            tap.skip(f"{name}: {reason}")
        elif report.failed:
            tap.ok(False, f"{name} ({report.when})", report.longreprtext)
        elif report.when == "call":
            tap.ok(True, name)

    def pytest_collectreport(self, report):
        if report.failed:
            tap.ok(False, f"{report.nodeid} can be imported", report.longreprtext)

#!/usr/bin/env python3
"""Chromium without a window, for tests of HTML pages. Debian: chromium, chromium-driver, python3-selenium.

A process of its own renders each page from a file. The browser's log has its messages (errors of scripts, violations of
the Content-Security-Policy), and the performance log has each request.
"""
import json
import shutil

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

WIDTHS = (400, 1280)
SCHEMES = ("light", "dark")


class Browser:
    def __init__(self):
        options = Options()
        options.binary_location = shutil.which("chromium")
        # root cannot use the sandbox, and /dev/shm is small in containers.
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--no-first-run", "--disable-background-networking"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open(self, path, width=1280, scheme="light", media="screen", scripts=True):
        self.command("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", media=media,
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.driver.get("file://" + path)

    def messages(self):
        """Returns the messages since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Returns the URLs that were requested since the last call."""
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

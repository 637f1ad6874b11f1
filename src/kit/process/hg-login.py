"""Passes the login to hg: it takes that from files and command lines only, and neither may hold a password, so we read the environment."""
import os

SETTINGS = ('prefix', 'username', 'password')


def log_in(ui):
    for name in SETTINGS:
        value = os.environ.get('SLIPWAY_HG_' + name.upper(), '')
        ui.setconfig(b'auth', b'slipway.' + name.encode('ascii'), value.encode('ascii'), b'environment')


def uisetup(ui):
    log_in(ui)


def uipopulate(ui):
    log_in(ui)


def reposetup(ui, repo):
    log_in(repo.ui)

"""Holds hg to the addresses that the server has judged: hg looks up names itself, and follows redirects to any host."""
import os
import socket

HOST = 'SLIPWAY_HG_HOST'
ADDRESSES = 'SLIPWAY_HG_ADDRESSES'
REFUSED = 'The repository redirects to another host, which this server does not follow. Use the address of that host.'


def plain(name):
    text = name.decode('ascii', 'replace') if isinstance(name, bytes) else str(name)
    return text.rstrip('.').lower()


def hold(host, addresses):
    look_up = socket.getaddrinfo

    def held(name, *args, **kwargs):
        if plain(name) not in (plain(host), *addresses):
            raise socket.gaierror(socket.EAI_NONAME, REFUSED)
        return [found for address in addresses for found in look_up(address, *args, **kwargs)]

    socket.getaddrinfo = held


if os.environ.get(ADDRESSES):
    hold(os.environ[HOST], os.environ[ADDRESSES].split())

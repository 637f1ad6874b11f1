#!/bin/sh
# Starts Slipway with the Node that lies beside it. Needs no program but this shell.
set -eu
self=$0
while [ -h "$self" ]; do
  target=$(command -p readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
case $self in
  */*) folder=${self%/*} ;;
  *) folder=. ;;
esac
root=$(cd "$folder/.." && pwd -P)
exec "$root/runtime/node" "$root/bin/slipway.mjs" "$@"

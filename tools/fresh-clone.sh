#!/usr/bin/env bash
# Proves on a fresh clone of HEAD, in an empty environment, that `npm start` serves and `npm test` runs.
set -euo pipefail

readonly LONGEST_START_SECONDS=300
readonly LONGEST_STOP_SECONDS=15
readonly LONGEST_TEST_SECONDS=300

repository="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
clone="$scratch/clone"
log="$scratch/start.log"
server=''

say() { echo "fresh clone: $*"; }

fail() {
  say "FAILED: $*" >&2
  [[ ! -s $log ]] || { say "the last command wrote:" >&2; sed 's/^/  /' "$log" >&2; }
  exit 1
}

cleanup() {
  [[ -z $server ]] || kill -KILL -- "-$server" 2>/dev/null || true
  rm -rf "$scratch"
}
trap cleanup EXIT

# A run by npm has this repository's own programs first on the path; a fresh machine does not.
system_path() {
  local entry kept=''
  local IFS=':'
  for entry in $PATH; do
    [[ $entry == *node_modules* || $entry == *node-gyp-bin* ]] || kept="$kept${kept:+:}$entry"
  done
  echo "$kept"
}

# Replaces the shell it is called in, so that a signal to that shell reaches the command: call it in a subshell.
become() {
  cd "$clone"
  exec env -i HOME="$HOME" PATH="$(system_path)" "$@"
}

free_port() {
  (become node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
}

# Calls a command until it succeeds, for at most so many seconds.
within() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
  done
}

is_ready() { grep -qs "Slipway is ready at http://127.0.0.1:$port" "$log" && curl -fs "http://127.0.0.1:$port/api/v1/health" >/dev/null; }
is_ready_or_gone() { is_ready || is_gone; }
is_gone() { ! kill -0 "$server" 2>/dev/null; }
is_silent() { ! curl -s "http://127.0.0.1:$port/api/v1/health" >/dev/null; }

git -C "$repository" rev-parse -q --verify HEAD >/dev/null || fail "the repository has no commit yet"
git clone -q --no-hardlinks "$repository" "$clone" || fail "the repository cannot be cloned"
say "$(git -C "$clone" log -1 --format='%h %s'), Node $(become node --version), npm $(become npm --version)"

port="$(free_port)"
started=$SECONDS
set -m # gives the server a process group of its own, so that nothing of it can stay behind
(become SLIPWAY_PORT="$port" npm start) >"$log" 2>&1 &
server=$!
set +m
within $LONGEST_START_SECONDS is_ready_or_gone || fail "the server was not ready within $LONGEST_START_SECONDS seconds"
is_ready || fail "npm start ended before the server was ready"
say "ready after $((SECONDS - started)) seconds, installation included"

grep -q "Data directory: .*/data" "$log" || fail "npm start does not print where the data lies"
password="$(cat "$clone/data/initial-admin-password")" || fail "there is no initial password in the data directory"
grep -qF -- "$password" "$log" || fail "npm start does not print the administrator's password"
version="$(curl -fsS -u "admin:$password" "http://127.0.0.1:$port/api/version")" || fail "the administrator cannot ask for the version"
[[ $version == *'"version"'* ]] || fail "the answer to /api/version has no version: $version"

kill -TERM "$server"
within $LONGEST_STOP_SECONDS is_gone || fail "npm start did not end within $LONGEST_STOP_SECONDS seconds of SIGTERM"
wait "$server" || fail "npm start ended with status $? after SIGTERM"
within $LONGEST_STOP_SECONDS is_silent || fail "npm start ended, but its server still answers"
server=''
changed="$(git -C "$clone" status --porcelain)"
[[ -z $changed ]] || fail "npm start changes the working tree: $changed"

read -r test_file < <(git -C "$clone" ls-files 'src/*.test.ts')
(become timeout $LONGEST_TEST_SECONDS npm test -- "$test_file" >"$log" 2>&1) || fail "npm test -- $test_file does not pass"
grep -Eq '^[1-9][0-9]* passed, 0 failed' "$log" || fail "npm test does not end with a count of tests"
say "npm start and npm test work"

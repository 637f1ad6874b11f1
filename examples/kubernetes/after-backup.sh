#!/bin/sh
# Post-backup script for a server in a container cluster: moves each backup out of the volume of the server.
#
# Set it as post_backup_script in the backup config. It reads from the environment of the server:
#   BACKUP_TARGET      the folder to move backups to, such as a mounted volume or bucket
#   BACKUP_SERVER_URL  the address of the server as seen from its own container (http://localhost:8153)
#   BACKUP_TOKEN_FILE  a file with the personal access token of an administrator; without it the server goes on working meanwhile
set -eu

server=${BACKUP_SERVER_URL:-http://localhost:8153}
name=$(basename "$SVC_BACKUP_PATH")
switched_on=

maintenance() {
  # The token goes through a file, so that it is not seen in the list of processes.
  printf 'header = "Authorization: bearer %s"\n' "$(cat "$BACKUP_TOKEN_FILE")" |
    curl --silent --show-error --config - --request POST --output /dev/null --write-out '%{http_code}' \
      --header 'X-Svc-Confirm: true' --header 'Accept: application/vnd.svc.v1+json' \
      "$server/api/admin/maintenance_mode/$1"
}

finish() {
  status=$?
  if [ -n "$switched_on" ]; then
    code=$(maintenance disable)
    # Somebody may have switched it off meanwhile.
    case $code in 204 | 409) ;; *) echo "maintenance mode could not be switched off: $code" >&2; status=1 ;; esac
  fi
  exit "$status"
}
trap finish EXIT

if [ -n "${BACKUP_TOKEN_FILE:-}" ]; then
  code=$(maintenance enable)
  case $code in
    204) switched_on=yes ;;
    409) echo 'the server is in maintenance mode already, and stays in it' ;;
    *) echo "maintenance mode could not be switched on: $code" >&2; exit 1 ;;
  esac
fi

# Under another name until all of it is there, so that half a copy is never taken for a backup.
rm -rf "$BACKUP_TARGET/.$name.partial"
cp -R "$SVC_BACKUP_PATH" "$BACKUP_TARGET/.$name.partial"
mv "$BACKUP_TARGET/.$name.partial" "$BACKUP_TARGET/$name"
rm -rf "$SVC_BACKUP_PATH"
echo "moved $name to $BACKUP_TARGET"

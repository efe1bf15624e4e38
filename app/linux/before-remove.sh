#!/bin/sh
# Runs as root before the .deb is removed: disconnects the agents of whoever removes it. An update leaves them connected.
[ "$1" = remove ] || exit 0
user=${SUDO_USER:-$(logname 2>/dev/null)}
home=$(getent passwd "$user" | cut -d: -f6)
[ -n "$home" ] || exit 0
for command in 'uninstall --all' stop; do
  # Two words become two arguments.
  # shellcheck disable=SC2086
  runuser -u "$user" -- env HOME="$home" /opt/Reflect/bin/reflect $command || true
done

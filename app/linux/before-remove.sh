#!/bin/sh
# Runs as root before the .deb is removed: disconnects the agents of everyone who has used Reflect here. An update leaves
# them connected.
[ "$1" = remove ] || exit 0
getent passwd | while IFS=: read -r user _ _ _ _ home _; do
  [ -d "$home/.reflect" ] || continue
  for command in 'uninstall --all' stop; do
    # Two words become two arguments.
    # shellcheck disable=SC2086
    runuser -u "$user" -- env HOME="$home" /opt/Reflect/bin/reflect $command </dev/null || true
  done
done

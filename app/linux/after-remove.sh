#!/bin/sh
# Runs as root after the .deb is removed. An update installs everything again right away.
[ "$1" = upgrade ] && exit 0
rm -f /usr/bin/reflect-desktop /usr/bin/reflect
profile=/etc/apparmor.d/reflect-desktop
if [ -f "$profile" ]; then
  apparmor_parser --remove "$profile" 2>/dev/null || true
  rm -f "$profile"
fi

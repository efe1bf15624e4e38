#!/bin/sh
# Runs as root after the .deb is unpacked.
app=/opt/Reflect
ln -sf "$app/reflect-desktop" /usr/bin/reflect-desktop
ln -sf "$app/bin/reflect" /usr/bin/reflect

# Without user namespaces Chromium's sandbox needs a helper that runs as root.
if unshare --user true 2>/dev/null; then mode=0755; else mode=4755; fi
chmod "$mode" "$app/chrome-sandbox" || true

update-mime-database /usr/share/mime 2>/dev/null || true
update-desktop-database /usr/share/applications 2>/dev/null || true

# Older versions of AppArmor do not know the profile's language, and do not need it either.
profile=/etc/apparmor.d/reflect-desktop
if apparmor_status --enabled 2>/dev/null &&
  apparmor_parser --skip-kernel-load --debug "$app/resources/apparmor-profile" >/dev/null 2>&1; then
  cp -f "$app/resources/apparmor-profile" "$profile"
  apparmor_parser --replace --write-cache --skip-read-cache "$profile" || true
fi

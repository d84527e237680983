#!/usr/bin/env bash
# Makes an OCI image of a Debian package, without an engine: the program, the libraries it needs, zone data, the
# certificates of authorities, and no shell. It runs as user 65532 and needs root only to be made.
# usage: image.sh PACKAGE.deb VERSION LAYOUT. SOURCE_DATE_EPOCH is its date; the libraries are those of Debian 12 today.
set -euo pipefail
package=$1 version=$2 layout=$3
suite=bookworm user=65532
: "${SOURCE_DATE_EPOCH:?the date of the commit}"
export SOURCE_DATE_EPOCH LC_ALL=C
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root extracted=$work/extracted
mkdir "$root" "$extracted" "$work/package"

# What the package depends on, without what manages the units.
names=$(dpkg-deb --field "$package" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep -E '^(lib|zlib|tzdata)')
needed=$(printf '%s\n' "$names" ca-certificates | sort | paste -sd,)
mmdebstrap --quiet --variant=extract "--include=$needed" "$suite" "$extracted" </dev/null
dpkg-deb --extract "$package" "$work/package"

# Only what the program reads: no tool that needs a shell, nothing of the machine that made the image.
cd "$extracted"
rm -f usr/lib/*/libssl.so* usr/lib/*/libcrypto.so*
cp -a --parents lib lib64 usr/lib/*-linux-gnu usr/share/zoneinfo usr/share/doc/*/copyright "$root"
mkdir -p "$root"/{etc/ssl/certs,etc/tminus,var/lib/tminus,usr/bin,usr/share,proc,sys,dev,run,tmp}
# As update-ca-certificates does it.
find usr/share/ca-certificates -name '*.crt' | sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
cd - >/dev/null
cp "$work/package/usr/bin/tminus" "$root/usr/bin"
cp -r "$work/package/usr/share/tminus" "$root/usr/share"
mkdir -p "$root/usr/share/doc/tminus"
cp "$work"/package/usr/share/doc/tminus/{NOTICES,copyright} "$root/usr/share/doc/tminus"
printf 'root:x:0:0:root:/:/nologin\ntminus:x:%s:%s:tminus:/var/lib/tminus:/nologin\n' $user $user >"$root/etc/passwd"
printf 'root:x:0:\ntminus:x:%s:\n' $user >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
chown "$user:$user" "$root/var/lib/tminus"
chmod 700 "$root/var/lib/tminus"
chmod 1777 "$root/tmp"
# The date of the commit on everything, so that the same source makes the same image.
find "$root" -exec touch --no-dereference -d "@$SOURCE_DATE_EPOCH" {} +

rm -rf "$layout"
umoci init --layout "$layout"
umoci new --image "$layout:$version"
umoci config --image "$layout:$version" --created "$created" --history.created "$created" --author tminus \
    --architecture "$(dpkg-deb --field "$package" Architecture)" --os linux --config.user "$user:$user" \
    --config.entrypoint /usr/bin/tminus --config.cmd run --config.cmd --config --config.cmd /etc/tminus \
    --config.cmd --state --config.cmd /var/lib/tminus --config.volume /var/lib/tminus --config.stopsignal SIGTERM \
    --config.env LIBDISPATCH_LOG=NO --config.env PATH=/usr/bin --config.workingdir /var/lib/tminus \
    --config.label "org.opencontainers.image.title=tminus" --config.label "org.opencontainers.image.version=$version"
umoci insert --image "$layout:$version" --history.created "$created" --history.created_by "scripts/image.sh" "$root" /
umoci gc --layout "$layout"

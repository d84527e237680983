#!/usr/bin/env bash
# Follows the installation commands of README and Operating in a booted Debian, with only the package. in_tree.sh reads
# this file, and has the functions and variables that it uses.
# shellcheck disable=SC2154

# stranger PAGE WORDS: a person who may use sudo follows a page, with nothing but the package, and has a delivery.
stranger() {
    dpkg --purge tminus >/dev/null 2>&1
    rm -rf "$config" /home/ada/work
    mkdir -p /home/ada/work/.build/deb
    ln "$current" /home/ada/work/.build/deb/tminus_current.deb
    ln "$current" /home/ada/work/tminus_current.deb
    # The package is built already.
    block "$1" "$2" | sed 's/^make deb && //' >/tmp/commands
    says "$2" /tmp/commands
    # The last command follows the log until somebody ends it.
    (cd /home/ada/work && exec setsid runuser -u ada -- bash -e /tmp/commands) </dev/null >/tmp/followed 2>&1 &
    local follower=$!
    until_true 120 delivered hello
    # Of this daemon, not of one before.
    until_true 20 grep -q "tminus\[$(unit MainPID)\]: .*hello has ended" /tmp/followed
    kill -- -"$follower"
}
# page NAME: as it is in the package, which nobody has installed yet.
page() { dpkg-deb --fsys-tarfile "$current" | tar -xO "./usr/share/doc/tminus/$1" >"/tmp/${1##*/}"; }
page README.md
page articles/Operating.md
echo 'ada ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/ada

step "a stranger with README and the package has a delivery"
stranger /tmp/README.md "sudo apt install ./.build/deb/tminus_*.deb"
passed

step "a stranger with Operating and the package has a delivery"
stranger /tmp/Operating.md "sudo tee /etc/tminus/hello.yaml"
passed

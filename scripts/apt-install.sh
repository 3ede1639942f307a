#!/usr/bin/env bash
# apt-install.sh PACKAGE...: installs Debian packages. If this user may not, it
# prints the command to run.
set -euo pipefail

if ! command -v apt-get >/dev/null; then
  echo "found no apt-get; install with your package manager: $*" >&2
  exit 1
fi
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "run: sudo apt-get install -y $*" >&2
    exit 1
  fi
  sudo=(sudo -n)
fi
export DEBIAN_FRONTEND=noninteractive
# "${sudo[@]+…}", because the bash of macOS treats an empty array as unset.
${sudo[@]+"${sudo[@]}"} apt-get update -q >&2
${sudo[@]+"${sudo[@]}"} apt-get install -y -q --no-install-recommends "$@" >&2

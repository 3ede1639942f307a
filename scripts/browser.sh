#!/usr/bin/env bash
# browser.sh find      prints the path of the browser that action will use. If there
#                      is none, fails and prints how to install one.
# browser.sh install   like find, but installs a browser if there is none
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

find_browser() {
  local name
  if [ -n "${ACTION_BROWSER_PATH:-}" ]; then
    command -v "$ACTION_BROWSER_PATH"
    return
  fi
  for name in chrome-headless-shell chromium-headless-shell headless_shell chromium google-chrome \
    "/Applications/Chromium.app/Contents/MacOS/Chromium" \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    if command -v "$name"; then
      return
    fi
  done
  return 1
}

say_how() {
  echo "no browser found" >&2
  if [ "$(uname)" = Darwin ]; then
    echo "install one: brew install --cask google-chrome" >&2
  else
    echo "install one: sudo apt-get install -y chromium-headless-shell (or chromium)" >&2
  fi
  exit 1
}

case "${1:-}" in
  find)
    find_browser || say_how
    ;;
  install)
    if ! find_browser; then
      [ "$(uname)" = Linux ] || say_how
      "$here/apt-install.sh" chromium-headless-shell || "$here/apt-install.sh" chromium || say_how
      find_browser || say_how
    fi
    ;;
  *)
    echo "usage: browser.sh find|install" >&2
    exit 2
    ;;
esac

#!/usr/bin/env bash
# fuzz.sh TIME: runs every fuzz target for TIME (default: 20s), one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-20s}

for package in $(go list ./...); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
  done
done

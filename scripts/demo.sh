#!/usr/bin/env bash
# demo.sh ACTION: runs three actions on a demo shop that it starts on a free
# port, and shows their results. It leaves no process and no file behind.
set -euo pipefail
cd "$(dirname "$0")/.."
action=$1

tmp=$(mktemp -d)
shop=
finish() {
  exec 3>&- || true # the shop exits at the end of its input
  if [ -n "$shop" ]; then wait "$shop" || true; fi
  rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The flags of `make build`, to reuse its compiled packages.
CGO_ENABLED=0 go build -trimpath -o "$tmp/shop" ./testdata/shop/serve
mkfifo "$tmp/in" "$tmp/out"
"$tmp/shop" -until-eof <"$tmp/in" >"$tmp/out" &
shop=$!
exec 3>"$tmp/in"
read -r line <"$tmp/out"
base=${line#listening on }

export ACTION_PATH=$PWD/testdata/shop/actions
export SHOP_PASSWORD=lovelace

# run BASE_URL ARGUMENT...: one action, shown as a user would type it.
run() {
  export BASE_URL=$1
  shift
  printf '\n\033[1m$ action'
  printf ' %q' "$@"
  printf '\033[0m      # BASE_URL=%s\n' "$BASE_URL"
  "$action" "$@" --no-daemon 3>&-
}

run "$base" run shop:order:create --customer "Ada Lovelace" --product Kaleidoscope --quantity 3 --express
# The second version of the shop has other markup; the definition supports both.
run "$base/v2" run shop:order:search --words lovelace
run "$base" run shop:order:delete --id 1001

#!/usr/bin/env bash
# release.sh [DIR]: writes archives of both programs for each system, and their
# checksums, to DIR (default: dist). The version is the tag of the commit, or for a
# commit without a tag the output of `git describe`. The same commit gives the same
# bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
version=${VERSION:-$(git describe --tags --always --dirty)}
date=@$(git log -1 --format=%ct)
package=$(go list -m)

rm -rf "$out"
mkdir -p "$out"
for system in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64; do
  os=${system%/*} arch=${system#*/}
  name=action-$version-$os-$arch
  mkdir "$out/$name"
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath \
    -ldflags "-s -w -X $package/internal/daemon/endpoint.version=$version" \
    -o "$out/$name/" ./cmd/action ./cmd/actiond
  cp LICENSE README.md CHANGELOG.md "$out/$name/"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -C "$out" -cf - "$name" |
    gzip -n9 >"$out/$name.tar.gz"
  rm -r "${out:?}/$name"
done
(cd "$out" && sha256sum -- *.tar.gz >SHA256SUMS && cat SHA256SUMS)

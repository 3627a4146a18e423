#!/usr/bin/env bash
# Installs what the tests need from the system's packages, only what is missing: Chromium and PostgreSQL.
set -euo pipefail

missing=()
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "Install these yourself, then run make test again: ${missing[*]}" >&2
  exit 1
fi
run() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
export DEBIAN_FRONTEND=noninteractive
run apt-get update -qq
run apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

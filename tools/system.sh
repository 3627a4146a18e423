#!/usr/bin/env bash
# Installs what the tests need from the system's packages, only what is missing: Chromium, PostgreSQL,
# bubblewrap for the sandbox, a speaker, and the shells whose completion is tried.
set -euo pipefail

missing=()
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
command -v bwrap >/dev/null || missing+=(bubblewrap)
for program in espeak-ng zsh fish; do command -v "$program" >/dev/null || missing+=("$program"); done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "Install these yourself, then run make test again: ${missing[*]}" >&2
  exit 1
fi
run() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
export DEBIAN_FRONTEND=noninteractive
run apt-get update -qq
# Older systems have only the browser with its windows, which does as well.
apt-cache show chromium-headless-shell >/dev/null 2>&1 || missing=("${missing[@]/chromium-headless-shell/chromium}")
run apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

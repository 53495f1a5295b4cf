#!/bin/sh
# What `make run` shows: a conversation goes in, facts come out, each with its reason, and one question for a person.
# Everything lives in ./demo; delete the folder and nothing is left.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
[ ! -e "$top/demo/ethos.db" ] || echo "This ran before, so there is little new to learn; 'rm -r demo' starts over."
mkdir -p "$top/demo"
cd "$top/demo"
[ -e config.toml ] || printf '[ethos]\nuser = "demo"\n' >config.toml
export ETHOS_CONFIG="$top/demo/config.toml"

say() { printf '\n== %s\n' "$*"; }

say "ethos capture first-talk.jsonl      (a project's first two meetings, written for this)"
ethos capture "$top/samples/first-talk.jsonl"

say "ethos consolidate                   (the rules read it; nothing leaves this machine)"
ethos consolidate

say "ethos facts                         (what is held now)"
ethos facts

newest=$(ethos facts --kind decision --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["facts"][0]["id"])')
say "ethos why $newest      (what one of them rests on)"
ethos why "$newest"

say "ethos inbox                         (what it does not dare to decide)"
ethos inbox

say "ethos recall 'which database'       (what an agent would ask)"
ethos recall 'which database'

if [ -t 0 ] && [ -t 1 ]; then
  say "ethos run                           (the daemon: it waits for an idle machine; Ctrl-C ends it)"
  echo "Try from another terminal:  cd demo && ../.venv/bin/ethos status"
  exec ethos run
fi
say "No terminal, so this ends here. 'make run' in a terminal goes on with the daemon."

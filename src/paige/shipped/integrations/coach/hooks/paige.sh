#!/bin/sh
# Finds the program `paige` and hands an event of the coding agent to it. A coding agent must never
# be held up by this: without Paige nothing is said, and nothing fails.
here=$(dirname "$0")
installed="$here/../../../../../../../../bin/paige" # <environment>/lib/python3.x/site-packages/paige/shipped/integrations/coach/hooks
checkout="$here/../../../../../../.venv/bin/paige"  # <checkout>/src/paige/shipped/integrations/coach/hooks
for program in "${PAIGE_BIN:-}" "$(command -v paige)" "$checkout" "$installed"; do
    if [ -n "$program" ] && [ -x "$program" ]; then
        exec "$program" coach hook "$@"
    fi
done
echo "Paige was not found: put \`paige\` on the PATH, or set PAIGE_BIN." >&2
exit 0

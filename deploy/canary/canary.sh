#!/usr/bin/env bash
# Tries a new image beside a release of the chart, buys calls from it, and takes it over or takes it back by itself.
#
# The canary is a second release with one process of each service (values.yaml), on the same servers: it joins the queue groups of NATS, so a
# part of all work goes to it, and its own gateway is bought from. Nothing of the first release changes before every call was paid
# for and answered; then the first release takes the image, and one more call is bought from it. What fails is rolled back.
#
# RELEASE     the release that serves
# DIGEST      of the image, as `npm run image` prints it
# CANARY_URL  where the gateway of the canary answers: http://RELEASE-canary-callboard-gateway inside the cluster
# PUBLIC_URL  where the release answers
# CALLS, PAUSE_SECONDS  how many calls are bought from the canary, and the time between them: 10, 30
# CALLBOARD   the command that pays: npx callboard. Its wallet and policy stand in CALLBOARD_CONFIG_DIR; a call costs DECODE_PRICE_USD
# ASSET       a token beside the USDC of public networks to pay with, CAIP2/ADDRESS
# CHART       the chart: helm/callboard
# exit codes: 0 the release has the image, 1 it was taken back, 2 a setting is missing, 3 it could not be taken back, or the canary
# could not be removed
set -uo pipefail
for name in RELEASE DIGEST CANARY_URL PUBLIC_URL; do
  [ -n "${!name:-}" ] || { echo "$name is not set" >&2; exit 2; }
done
chart="${CHART:-helm/callboard}"
canary="$RELEASE-canary"
read -ra pay <<< "${CALLBOARD:-npx callboard}"
here=$(dirname "${BASH_SOURCE[0]}")
work=$(mktemp -d)
# Whether the release may have an image from which no call was bought.
unproven=
child=

# Runs a command beside the script, which acts on a signal only once its own command has ended.
patiently() {
  "$@" &
  child=$!
  wait "$child"
  local ended=$?
  child=
  return "$ended"
}

newest_revision() {
  helm history "$RELEASE" --max 1 --output yaml | sed -n 's/^[- ]*revision: *//p'
}

# Back to the revision that served: without its number, helm would go back one further where the upgrade was refused.
take_back() {
  [ "$(newest_revision)" = "$revision" ] && return
  echo "$RELEASE goes back to revision $revision." >&2
  helm rollback "$RELEASE" "$revision" --wait --timeout 15m && return
  echo "$RELEASE could not go back: look at helm history $RELEASE." >&2
  code=3
}

# Removes the canary, if there is one: helm says so in words alone where it is too old for --ignore-not-found.
remove_canary() {
  local said
  said=$(helm uninstall "$canary" 2>&1) && return
  [[ $said == *'release: not found'* ]] && return
  echo "$said" >&2
  echo "$canary could not be removed, and still takes a part of all work: helm uninstall $canary." >&2
  code=3
}

end() {
  code=$?
  trap - EXIT
  trap '' INT TERM
  # What a signal has interrupted.
  [ -n "$child" ] && kill "$child" 2> /dev/null && wait "$child"
  [ -n "$unproven" ] && take_back
  remove_canary
  rm -rf "$work"
  exit "$code"
}
trap end EXIT
# A signal ends it as a failure, and nothing stays behind.
trap 'exit 1' INT TERM

# A call that is paid for. What is decoded is a made-up payment.
buy() {
  "${pay[@]}" pay "$1/x402/decode" --request POST --header 'content-type: application/json' \
    --data "$(cat "$here/payment.json")" ${ASSET:+--asset "$ASSET"} --json
}

revision=$(newest_revision)
[ -n "$revision" ] || exit 1
helm get values "$RELEASE" --revision "$revision" --output yaml > "$work/values.yaml" || exit 1
echo "The canary starts beside $RELEASE."
patiently helm upgrade --install "$canary" "$chart" --values "$work/values.yaml" --values "$here/values.yaml" \
  --set "image.digest=$DIGEST" --set image.tag= --wait --timeout 15m || exit 1

for ((call = 1; call <= ${CALLS:-10}; call++)); do
  patiently buy "$CANARY_URL" || { echo "Call $call of the canary failed: it is taken back." >&2; exit 1; }
  patiently sleep "${PAUSE_SECONDS:-30}"
done

echo "$RELEASE takes the image."
unproven=yes
patiently helm upgrade "$RELEASE" "$chart" --values "$work/values.yaml" --set "image.digest=$DIGEST" --set image.tag= --wait --timeout 15m &&
  patiently buy "$PUBLIC_URL" || { echo "$RELEASE failed with the image." >&2; exit 1; }
unproven=
echo "$RELEASE runs $DIGEST."

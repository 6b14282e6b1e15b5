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
# exit codes: 0 the release has the image, 1 it was taken back, 2 a setting is missing
set -uo pipefail
for name in RELEASE DIGEST CANARY_URL PUBLIC_URL; do
  [ -n "${!name:-}" ] || { echo "$name is not set" >&2; exit 2; }
done
chart="${CHART:-helm/callboard}"
canary="$RELEASE-canary"
read -ra pay <<< "${CALLBOARD:-npx callboard}"
here=$(dirname "${BASH_SOURCE[0]}")
work=$(mktemp -d)

end() {
  code=$?
  trap - EXIT
  helm uninstall "$canary" --ignore-not-found --wait
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

helm get values "$RELEASE" --output yaml > "$work/values.yaml" || exit 1
echo "The canary starts beside $RELEASE."
helm upgrade --install "$canary" "$chart" --values "$work/values.yaml" --values "$here/values.yaml" \
  --set "image.digest=$DIGEST" --set image.tag= --wait --timeout 15m || exit 1

for ((call = 1; call <= ${CALLS:-10}; call++)); do
  buy "$CANARY_URL" || { echo "Call $call of the canary failed: it is taken back." >&2; exit 1; }
  sleep "${PAUSE_SECONDS:-30}"
done

echo "$RELEASE takes the image."
if helm upgrade "$RELEASE" "$chart" --values "$work/values.yaml" --set "image.digest=$DIGEST" --set image.tag= --wait --timeout 15m &&
  buy "$PUBLIC_URL"; then
  echo "$RELEASE runs $DIGEST."
else
  echo "$RELEASE failed with the image: it goes back." >&2
  helm rollback "$RELEASE" --wait --timeout 15m
  exit 1
fi

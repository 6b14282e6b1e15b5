"""Runs with a client that is generated beside it, in ./generated; each line that it prints is one thing it read."""

import json
import re
import sys

from generated import AuthenticatedClient, Client
from generated.api.catalog import catalog_discovery, catalog_entry
from generated.api.listings import listings_mine
from generated.api.oauth import oauth_delete_client, oauth_list_keys, oauth_read_client, oauth_register, oauth_token
from generated.api.x402_facilitator import x402_facilitator_decode
from generated.models import (
    CatalogueEntry,
    DiscoveryPage,
    InvalidGrantOAuthError,
    InvalidClientOAuthError,
    InvalidRequestError,
    ItemKind,
    NotFoundError,
    OauthRegisterRequest,
    OauthTokenRequest,
    PaymentRequired,
    RegisteredClient,
    UnauthorizedError,
    X402FacilitatorDecodeRequest,
)

base_url, document_path = sys.argv[1:]
client = Client(base_url=base_url)


def say(what: str, read: object) -> None:
    print(json.dumps({"what": what, "read": read}))


def patterns_of(value: object):
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        for member in value.values():
            yield from patterns_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from patterns_of(member)


with open(document_path, encoding="utf-8") as file:
    patterns = set(patterns_of(json.load(file)))
for pattern in patterns:
    re.compile(pattern)
say("patterns", len(patterns) > 10)

found = catalog_discovery.sync(client=client, q="weather", kinds=[ItemKind.API], include_unverified=True, limit=5)
assert isinstance(found, DiscoveryPage), found
item = found.items[0]
say("search", {"ref": item.ref, "payable": item.execution.payable})

entry = catalog_entry.sync(item.ref, client=client)
assert isinstance(entry, CatalogueEntry), entry
say("entry", {"id": entry.id, "price": entry.price, "method": entry.endpoints[0].method.value})

missing = catalog_entry.sync("no-such-listing", client=client)
assert isinstance(missing, NotFoundError), missing
say("missing", missing.error)

wrong = catalog_discovery.sync(client=client, limit=51)
assert isinstance(wrong, InvalidRequestError), wrong
say("wrong", wrong.field)

unpaid = x402_facilitator_decode.sync_detailed(client=client, body=X402FacilitatorDecodeRequest(header="x"))
assert isinstance(unpaid.parsed, PaymentRequired), unpaid
say("offer", {"amount": unpaid.parsed.accepts[0].amount, "header": "PAYMENT-REQUIRED" in unpaid.headers})

dead = AuthenticatedClient(base_url=base_url, token="unknown")
for what, ask in (("mine", listings_mine), ("keys", oauth_list_keys)):
    refused = ask.sync_detailed(client=dead)
    assert isinstance(refused.parsed, UnauthorizedError), refused
    say(what, {"status": refused.status_code, "challenge": refused.headers["WWW-Authenticate"].split(" ")[0]})

token = oauth_token.sync(
    client=client,
    body=OauthTokenRequest(grant_type="refresh_token", refresh_token="x", client_id="x"),
)
assert isinstance(token, (InvalidGrantOAuthError, InvalidClientOAuthError)), token
say("token", token.error)

registered = oauth_register.sync(
    client=client,
    body=OauthRegisterRequest(redirect_uris=["https://tools.example/callback"], client_name="Tools"),
)
assert isinstance(registered, RegisteredClient), registered
manager = AuthenticatedClient(base_url=base_url, token=registered.registration_access_token)
kept = oauth_read_client.sync(registered.client_id, client=manager)
assert isinstance(kept, RegisteredClient), kept
say("client", {"name": kept.client_name, "secret": "string" if isinstance(registered.client_secret, str) else None})
removed = oauth_delete_client.sync_detailed(registered.client_id, client=manager)
say("removed", removed.status_code)

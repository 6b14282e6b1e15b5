// Runs with a client generated next to it, in ./generated; each line that it prints is one thing it read.
import { createClient } from './generated/client/index.ts'
import {
  catalogDiscovery,
  catalogEntry,
  listingsMine,
  oauthDeleteClient,
  oauthListKeys,
  oauthReadClient,
  oauthRegister,
  oauthToken,
  x402FacilitatorDecode,
} from './generated/sdk.gen.ts'
import type { CatalogueEntry, DiscoveryItem, PaymentRequirements } from './generated/types.gen.ts'

const [baseUrl = ''] = process.argv.slice(2)
const client = createClient({ baseUrl })
const say = (what: string, read: unknown) => console.log(JSON.stringify({ what, read }))

/** A switch over the codes of an answer does not compile if it misses one. */
const never = (code: never): never => {
  throw new Error(`unexpected ${JSON.stringify(code)}`)
}

const found = await catalogDiscovery({
  client,
  query: { q: 'weather', kinds: ['api'], includeUnverified: true, limit: 5 },
})
const item: DiscoveryItem | undefined = found.data?.items[0]
if (!item) throw new Error('nothing was found')
say('search', { ref: item.ref, payable: item.execution.payable })

const { data: entry } = await catalogEntry({ client, path: { serviceId: item.ref } })
if (!entry) throw new Error('the listing cannot be read')
const read: CatalogueEntry = entry
say('entry', { id: read.id, price: read.price, method: read.endpoints[0]?.method })

const { error: missing } = await catalogEntry({ client, path: { serviceId: 'no-such-listing' } })
switch (missing?.error) {
  case 'not_found':
    say('missing', missing.error)
    break
  case 'invalid_request':
    say(
      'missing',
      missing.issues?.map(({ field }) => field),
    )
    break
  case 'internal_error':
    say('missing', missing.request_id)
    break
  case 'rate_limited':
  case 'headers_too_large':
  case 'request_timeout':
  case 'not_acceptable':
  case 'temporarily_unavailable':
  case 'deadline_exceeded':
  case undefined:
    say('missing', null)
    break
  default:
    never(missing)
}

const wrong = await catalogDiscovery({ client, query: { limit: 51 } })
if (wrong.error?.error === 'invalid_request') say('wrong', wrong.error.field)

const unpaid = await x402FacilitatorDecode({ client, body: { header: 'x' } })
if (unpaid.error && 'accepts' in unpaid.error && unpaid.error.x402Version === 2) {
  const [offer]: PaymentRequirements[] = unpaid.error.accepts
  say('offer', { amount: offer?.amount, header: unpaid.response?.headers.has('PAYMENT-REQUIRED') })
}

const mine = await listingsMine({ client })
if (mine.error?.error === 'unauthorized') {
  say('mine', {
    status: mine.response?.status,
    challenge: mine.response?.headers.get('WWW-Authenticate')?.split(' ')[0],
  })
}
const keys = await oauthListKeys({ client })
if (keys.error?.error === 'unauthorized') {
  say('keys', {
    status: keys.response?.status,
    challenge: keys.response?.headers.get('WWW-Authenticate')?.split(' ')[0],
  })
}

const refused = await oauthToken({ client, body: { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' } })
if (refused.error && 'error_description' in refused.error) say('token', refused.error.error)

const { data: registered } = await oauthRegister({
  client,
  body: { redirect_uris: ['https://tools.example/callback'], client_name: 'Tools' },
})
if (!registered) throw new Error('the client was not registered')
const managed = { client, path: { clientId: registered.client_id }, auth: registered.registration_access_token }
const { data: kept } = await oauthReadClient(managed)
say('client', { name: kept?.client_name, secret: typeof registered.client_secret })
say('removed', (await oauthDeleteClient(managed)).response?.status)

import type { Shift } from './shift.ts'

let turn = 0

/** Publishes a draft, and edits an older one. */
export async function publishListings({ stage, requests, journal }: Shift): Promise<boolean> {
  turn += 1
  const { account, bearer } = stage.provider
  const headers = { authorization: bearer }
  const path = `/api/call/listings/payout-nonce?wallet=${account.address}`
  const asked = await requests.send('listings.payoutNonce', 'GET', path, { headers })
  if (asked.status !== 200) return false
  const message = String(asked.body.message)
  const body = {
    name: `Fault ${turn} ${Date.now().toString(36)}`,
    description: 'Published while something broke.',
    category: 'data',
    operations: [{ method: 'GET', url: stage.paidUrl, name: 'Paid' }],
    payoutWallet: account.address,
    network: stage.devnet.network,
    message,
    signature: await account.signMessage({ message }),
  }
  const made = await requests.send('listings.publish', 'POST', '/api/call/listings', { headers, body })
  if (made.status !== 201) return false
  const slug = String((made.body.listing as { slug?: unknown } | undefined)?.slug)
  journal.listings.add(slug)
  return edit(slug, { stage, requests, journal })
}

/** Edits a draft; an edit without an answer may or may not have taken effect. */
async function edit(slug: string, { stage, requests, journal }: Omit<Shift, 'baseUrl'>): Promise<boolean> {
  const description = `Edited in round ${turn}.`
  const may = journal.descriptions.get(slug) ?? new Set(['Published while something broke.'])
  journal.descriptions.set(slug, may.add(description))
  const answer = await requests.send('listings.edit', 'PATCH', `/api/call/listings/${slug}`, {
    headers: { authorization: stage.provider.bearer },
    body: { description },
  })
  if (answer.status !== 200) return false
  journal.descriptions.set(slug, new Set([description]))
  return true
}

import { authorize, buy, fund, type LocalAccount, newAccount, paymentPayload } from '@callboard/conformance'
import { until } from '@callboard/testkit'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { withBazaar } from '@x402/extensions/bazaar'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openInstance, openReplicas, type Place } from './discovery/place.ts'
import { DESCRIBED, type DescribedSeller, startDescribedSeller } from './discovery/seller.ts'

const places: [what: string, open: () => Promise<Place>][] = [
  ['one process', openInstance],
  ...(inject('natsUrl')
    ? ([['two replicas of facilitator and prober', () => openReplicas(inject('postgresUrl'))]] as [
        string,
        () => Promise<Place>,
      ][])
    : []),
]

describe.each(places)('discovery, %s', (_what, open) => {
  let place: Place
  let buyer: LocalAccount
  let attacker: LocalAccount
  const sellers: DescribedSeller[] = []

  beforeAll(async () => {
    place = await open()
    buyer = newAccount()
    attacker = newAccount()
    for (const { address } of [buyer, attacker]) await fund(place.devnet, address, { usdc: 1_000_000n })
  }, 120_000)
  afterAll(async () => {
    await Promise.all(sellers.splice(0).map((seller) => seller.close()))
    await place?.close()
  })

  /** The bazaar's stock client, unchanged. */
  const bazaar = () => withBazaar(new HTTPFacilitatorClient({ url: `${place.baseUrl}/x402` })).extensions.bazaar

  /** A seller of its own for each test, whose wallet no payer has paid. */
  async function startSeller() {
    const wallet = newAccount().address
    const seller = await startDescribedSeller(place, wallet)
    sellers.push(seller)
    return { seller, wallet, url: seller.url('/weather') }
  }

  const buyAt = (url: string) => buy(place.devnet, buyer, url)
  const listed = async (payTo: string) => (await bazaar().listResources({ payTo })).items
  const everything = async () => (await bazaar().listResources({ limit: 100 })).items

  /** Settles a payment to one of the attacker's own wallets, with a URL and text of its choice. */
  async function claim(url: string, amount: string, payTo = newAccount().address) {
    const { network, usdc } = place.devnet
    const extra = { name: usdc.name, version: usdc.version }
    const terms = { scheme: 'exact', network, asset: usdc.address, amount, payTo, maxTimeoutSeconds: 120, extra }
    const resource = { url, description: 'CLAIMED', serviceName: 'CLAIMED', tags: ['CLAIMED'], mimeType: 'text/html' }
    const extensions = { bazaar: { info: { input: { type: 'http', method: 'GET' } }, routeTemplate: '/:CLAIMED' } }
    const payload = paymentPayload(terms, await authorize(attacker, terms))
    const answer = await fetch(`${place.baseUrl}/x402/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        x402Version: 2,
        paymentPayload: { ...payload, resource, extensions },
        paymentRequirements: terms,
      }),
    })
    return { payTo, settled: ((await answer.json()) as { success?: boolean }).success === true }
  }

  interface PaymentRow {
    readonly unlisted_because: string | null
    readonly probed_at: Date | null
  }

  const listingOf = async (url: string) =>
    (
      await place.query<PaymentRow>(
        'select unlisted_because, probed_at from x402_facilitator.discovered_resource where url = $1',
        [url],
      )
    )[0]

  const becomes = (url: string, reason: string | null) =>
    until(`${url} becomes ${reason}`, async () => (await listingOf(url))?.unlisted_because === reason, 15_000)

  /** Waits for a probe of a URL that starts from now on. */
  async function nextProbe(url: string) {
    const before = (await listingOf(url))?.probed_at?.getTime() ?? 0
    await until('it was probed again', async () => ((await listingOf(url))?.probed_at?.getTime() ?? 0) > before, 15_000)
  }

  test('the stock client lists and finds a paid resource as its own offer describes it', async () => {
    const { seller, wallet, url } = await startSeller()
    await buyAt(`${url}?city=Bern`)
    await becomes(url, null)
    const [item, ...more] = await listed(wallet)
    expect(more).toEqual([])
    expect(item).toMatchObject({
      resource: url,
      type: 'http',
      x402Version: 2,
      ...DESCRIBED,
      accepts: [{ scheme: 'exact', network: place.devnet.network, amount: '2500', payTo: wallet }],
      extensions: { bazaar: { info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Bern' } } } } },
    })
    expect(Number.isNaN(Date.parse(item?.lastUpdated ?? ''))).toBe(false)

    const found = await bazaar().search({ query: 'forecast of the weather', payTo: wallet, limit: 1 })
    expect(found).toMatchObject({ x402Version: 2, partialResults: false, pagination: { limit: 1, cursor: null } })
    expect(found.resources.map(({ resource }) => resource)).toEqual([url])
    expect((await bazaar().search({ query: 'mortgage', payTo: wallet })).resources).toEqual([])
    expect((await bazaar().search({ query: 'weather', network: 'eip155:8453' })).resources).toEqual([])

    seller.payTo(null)
    await becomes(url, 'no_offer')
    expect(await listed(wallet)).toEqual([])
  })

  test('payments by others, of any amount, change nothing in an honest seller’s entry', async () => {
    const { wallet, url } = await startSeller()
    await buyAt(url)
    await becomes(url, null)
    const [before] = await listed(wallet)
    await claim(url, '0')
    await claim(url, '1')
    const { payTo, settled } = await claim(url, '5000')
    expect(settled).toBe(true)
    await nextProbe(url)
    await nextProbe(url)
    const [after, ...more] = await listed(wallet)
    expect(more).toEqual([])
    expect({ ...after, lastUpdated: '' }).toEqual({ ...before, lastUpdated: '' })
    expect(await listed(payTo)).toEqual([])
    expect(JSON.stringify(await everything())).not.toContain('CLAIMED')
  })

  test('claiming an honest seller’s URL first puts nothing before or next to its entry', async () => {
    const { wallet, url } = await startSeller()
    const { payTo, settled } = await claim(url, '5000')
    expect(settled).toBe(true)
    await becomes(url, 'pays_another')
    expect((await everything()).filter(({ resource }) => resource === url)).toEqual([])
    await buyAt(url)
    await becomes(url, null)
    expect((await everything()).filter(({ resource }) => resource === url)).toEqual([
      expect.objectContaining({ ...DESCRIBED, accepts: [expect.objectContaining({ payTo: wallet, amount: '2500' })] }),
    ])
    expect(await listed(payTo)).toEqual([])
  })

  test('a seller that asks for payment to a never-paid wallet is delisted', async () => {
    const { seller, wallet, url } = await startSeller()
    await buyAt(url)
    await becomes(url, null)
    const another = newAccount().address
    seller.payTo(another)
    await becomes(url, 'pays_another')
    expect([...(await listed(wallet)), ...(await listed(another))]).toEqual([])
    await buyAt(url)
    await becomes(url, null)
    expect(await listed(another)).toHaveLength(1)
  })

  test('a URL that sells nothing is never listed', async () => {
    const { settled } = await claim(`${place.baseUrl}/`, '5000')
    expect(settled).toBe(true)
    await becomes(`${place.baseUrl}/`, 'no_offer')
    expect(JSON.stringify(await everything())).not.toContain('CLAIMED')
  })

  test('health says what can be settled, and a search page with an invalid cursor is refused', async () => {
    const health = await fetch(`${place.baseUrl}/x402/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({
      status: 'ok',
      networks: expect.arrayContaining([{ network: place.devnet.network, canSettle: true }]),
    })
    await expect(bazaar().search({ query: 'weather', cursor: 'nonsense' })).rejects.toThrow(/400.*cursor/)
  })
})

import { expect, test } from 'vitest'
import { offerIn, whyNotPaid } from './offer-seen.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const entry = (more: object = {}) => ({ scheme: 'exact', network: 'eip155:8453', asset: USDC, ...more })
const why = async (offer: unknown) => whyNotPaid(await offerIn(new Response(JSON.stringify(offer), { status: 402 })))

test('an unknown token is named by a network and an address that a shell reads as one word', async () => {
  expect(await why({ x402Version: 2, accepts: [entry(), entry({ network: '$(id):1;sh #' })] })).toEqual({
    kind: 'unknown_asset',
    assets: [{ network: 'eip155:8453', asset: USDC }],
  })
  expect(await why({ x402Version: 2, accepts: [entry({ network: 'eip155:1;id #' })] })).toEqual({
    kind: 'other_scheme',
    schemes: ['exact on eip155:1;id #'],
  })
})

test('an offer of version 1 is told as such, and not as one of an unknown token', async () => {
  const accepts = [entry({ network: 'base', maxAmountRequired: '1000' })]
  expect(await why({ x402Version: 1, accepts })).toEqual({ kind: 'version_1' })
})

test.each([
  ['no JSON', 'pay me'],
  ['no entries', { x402Version: 2, accepts: [] }],
  ['entries without their parts', { x402Version: 2, accepts: [{ scheme: 'exact' }] }],
  ['extensions that are no record', { x402Version: 2, accepts: [entry()], extensions: 'none' }],
  ['words of any length', { x402Version: 2, accepts: [entry({ network: 'n'.repeat(65) })] }],
])('an offer with %s is unreadable', async (_what, offer) => {
  expect(await why(offer)).toEqual({ kind: 'unreadable' })
})

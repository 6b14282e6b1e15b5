import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import type { Owner } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { mirroring, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/listings/claim'
type Signer = Pick<Owner['account'], 'address' | 'signMessage'>

const ORIGIN = 'https://nobody-mirrors-this.example'

/** A claim by an owner, signed by the owner's wallet or by another. */
async function signed({ api, account: own }: Owner, origin = ORIGIN, account: Signer = own) {
  const asked = `/api/call/listings/claim-nonce?origin=${encodeURIComponent(origin)}&wallet=${account.address}`
  const { message } = accepted(listings.claimNonce, await api.get(asked))
  return { origin, message, signature: await account.signMessage({ message }) }
}

export const claim: Register = (target) => {
  staged(target, '404 no_listings: an origin that is not mirrored', async ({ visitor }) => {
    refused(listings.claim, await visitor.api.post(PATH, await signed(visitor)), 404, 'no_listings')
  })

  mirroring(target, 'the payee takes what is mirrored of its origin, once', async (mirrored, { visitor, provider }) => {
    const { slug, origin, payee } = mirrored
    refused(listings.claim, await visitor.api.post(PATH, await signed(visitor, origin)), 403, 'not_payee')
    const claimed = await visitor.api.post(PATH, await signed(visitor, origin, payee))
    const { claimed: slugs } = accepted(listings.claim, claimed)
    try {
      expect(slugs).toContain(slug)
      const again = await provider.api.post(PATH, await signed(provider, origin, payee))
      refused(listings.claim, again, 409, 'already_owned')
    } finally {
      // Returns them to the mirror, for the next run.
      for (const one of slugs) accepted(listings.withdraw, await visitor.api.delete(`/api/call/listings/${one}`))
    }
  })

  staged(target, '401 invalid_signature: a message is valid once', async ({ visitor }) => {
    const proof = await signed(visitor)
    refused(listings.claim, await visitor.api.post(PATH, proof), 404, 'no_listings')
    refused(listings.claim, await visitor.api.post(PATH, proof), 401, 'invalid_signature')
  })

  staged(target, '401 invalid_signature: another account, wallet, origin or text', async ({ visitor, provider }) => {
    const proof = await signed(visitor)
    const { message } = proof
    const longer = `${message}\n- https://other.example`
    for (const wrong of [
      { ...proof, signature: await provider.account.signMessage({ message }) },
      { ...proof, origin: 'https://other.example' },
      { ...proof, message: longer, signature: await visitor.account.signMessage({ message: longer }) },
    ]) {
      refused(listings.claim, await visitor.api.post(PATH, wrong), 401, 'invalid_signature')
    }
    refused(listings.claim, await provider.api.post(PATH, proof), 401, 'invalid_signature')
  })

  staged(target, '400 names the field', async ({ visitor }) => {
    const proof = { origin: ORIGIN, message: 'a', signature: `0x${'11'.repeat(65)}` }
    for (const [body, field] of [
      [{ ...proof, origin: `${ORIGIN}/v1` }, 'origin'],
      [{ ...proof, origin: 'http://api.example' }, 'origin'],
      [{ ...proof, message: '' }, 'message'],
      [{ ...proof, signature: 'no' }, 'signature'],
      [{ ...proof, wallet: visitor.account.address }, 'wallet'],
    ] as const) {
      refused(listings.claim, await visitor.api.post(PATH, body), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    const proof = { origin: ORIGIN, message: 'a', signature: `0x${'11'.repeat(65)}` }
    refused(listings.claim, await new Client(target().baseUrl).post(PATH, proof), 401, 'unauthorized')
  })
}

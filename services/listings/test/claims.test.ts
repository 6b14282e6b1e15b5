import { listings as operations } from '@callboard/contract'
import { artifacts } from '@callboard/evm'
import { livenessProber } from '@callboard/liveness-prober'
import { granted, startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import { type Address, isRefusal } from '@callboard/values'
import { createWalletClient, encodeDeployData, getAddress, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListingsContext } from '../src/context.ts'
import { listings } from '../src/index.ts'
import { tend } from '../src/postings/tend.ts'
import { named, rowsOf } from './mirror-rows.ts'
import {
  act,
  devnetSetting,
  keyOf,
  mineOf,
  openStage,
  publishAs,
  type Stage,
  send as sendTransaction,
  snapshots,
  splitterOf,
  verify,
  withdrawAs,
} from './stage.ts'

let stage: Stage
let second: TestServices
beforeAll(async () => {
  stage = await openStage()
  second = await startTestServices([livenessProber, listings], {
    databaseUrl: stage.database.url,
    clock: stage.clock,
    env: { DEVNET: devnetSetting(stage.devnet), PROBE_ALLOW_LOOPBACK: 'true', PROBE_POLL_MS: '20' },
  })
})
afterAll(async () => {
  await second?.stop()
  await stage?.close()
})

const origin = () => new URL(stage.provider.url('/')).origin

/** A row whose endpoint asks to be paid at an address, named by a source with the given claims. */
async function mirror(path: string, payTo: string, more: Parameters<typeof named>[2][number] | object = {}) {
  stage.provider.set(path, { payTo })
  const url = stage.provider.url(path)
  await named(stage, 'one', [{ url, ...more }])
  const row = await until(`${path} is payable`, async () =>
    (await rowsOf(stage, url)).find(({ state }) => state === 'payable'),
  )
  return row.slug
}

interface Signing {
  /** The account that takes the listings. */
  readonly account: number
  /** The key that signs; the wallet's own if absent. */
  readonly key?: number
  readonly address?: Address
  readonly of?: string
  readonly services?: TestServices
}

async function signedClaim({ account, key = account, address, of = origin(), services = stage.services }: Signing) {
  const asked = { origin: of, wallet: address ?? wallet(key).address }
  const { message } = granted(await services.call(operations.claimNonce, asked, { caller: keyOf(account) }))
  return { origin: of, message, signature: await wallet(key).signMessage({ message }) }
}

const send = (
  account: number,
  proof: { origin: string; message: string; signature: `0x${string}` },
  services = stage.services,
) => services.call(operations.claim, proof, { caller: keyOf(account) })

const claimAs = async (signing: Signing) => send(signing.account, await signedClaim(signing))

describe('a claim', () => {
  test('takes every unowned row of the origin that pays the signer, and no others', async () => {
    const [one, two, other] = [
      await mirror('/one', wallet(2).address),
      await mirror('/two', wallet(2).address),
      await mirror('/other', wallet(3).address),
    ]
    const { claimed } = granted(await claimAs({ account: 2 }))
    expect(claimed.toSorted()).toEqual([one, two].toSorted())
    const mine = await mineOf(stage, 2, one)
    expect(mine).toMatchObject({
      ...{ status: 'live', verification: 'none', group: 'external', provenance: 'indexed', fee: { bps: 0 } },
      ...{ payoutWallet: wallet(2).address, splitter: null, liveness: { checks7d: 1 } },
      operations: [{ price: '0.01', payment: { payTo: wallet(2).address } }],
    })
    expect(granted(await claimAs({ account: 3 })).claimed).toEqual([other])
  })

  test('goes to the account that asked, whichever wallet signed', async () => {
    const slug = await mirror('/delegated', wallet(4).address)
    expect(granted(await claimAs({ account: 1, key: 4 })).claimed).toEqual([slug])
    expect(await mineOf(stage, 1, slug)).toMatchObject({ payoutWallet: wallet(4).address })
  })

  test('403 not_payee: a source’s word on the payee does not count', async () => {
    const accepts = [{ scheme: 'exact', network: 'eip155:31337', asset: 'x', amount: '1', payTo: wallet(9).address }]
    await mirror('/said', wallet(5).address, { accepts })
    expect(await claimAs({ account: 9 })).toMatchObject({
      refusal: 'not_payee',
      message: expect.stringMatching(/Our probes read that it pays 0x/),
    })
  })

  test('403 not_payee: a row that also pays others cannot be claimed, and a changed payee is no proof', async () => {
    const shared = stage.provider.url('/shared')
    stage.provider.set('/shared', { payTo: wallet(6).address, beside: [{ payTo: wallet(8).address }] })
    await named(stage, 'one', [{ url: shared }])
    await until('it is payable', async () => (await rowsOf(stage, shared))[0]?.state === 'payable')
    expect(await claimAs({ account: 6 })).toMatchObject({ refusal: 'not_payee' })

    const slug = await mirror('/moved', wallet(5).address)
    stage.provider.set('/moved', { payTo: wallet(6).address })
    stage.clock.advance(86_400_000)
    await until(
      'it is suspended',
      async () => (await rowsOf(stage, stage.provider.url('/moved')))[0]?.state === 'suspended',
    )
    expect(await claimAs({ account: 6 })).toMatchObject({ refusal: 'not_payee' })
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended' })
  })

  test('404 no_listings: an origin that is not mirrored', async () => {
    expect(await claimAs({ account: 2, of: 'https://unknown.example' })).toMatchObject({ refusal: 'no_listings' })
  })

  test('409 already_owned: a second claim, by the same account or by another', async () => {
    await mirror('/owned', wallet(7).address)
    granted(await claimAs({ account: 7 }))
    expect(await claimAs({ account: 7 })).toMatchObject({ refusal: 'already_owned' })
    expect(await claimAs({ account: 1, key: 7 })).toMatchObject({ refusal: 'already_owned' })
  })

  test('400 names the origin: http is accepted only for this machine', async () => {
    const call = stage.services.call(
      operations.claimNonce,
      { origin: 'http://api.example', wallet: wallet(2).address },
      { caller: keyOf(2) },
    )
    expect(await call).toMatchObject({ refusal: 'invalid_request', field: 'origin' })
  })

  test('can be signed by a contract wallet through EIP-1271, for the chain on which it was asked', async () => {
    const client = createWalletClient({ account: wallet(4), transport: http(stage.devnet.rpcUrl) })
    const data = encodeDeployData({ ...artifacts.testWallet1271, args: [wallet(4).address] })
    const { contractAddress } = await client.sendTransactionSync({ chain: null, data, pollingInterval: 50 })
    const address = getAddress(String(contractAddress))
    const slug = await mirror('/contract', address)
    expect(granted(await claimAs({ account: 1, key: 4, address })).claimed).toEqual([slug])
  })
})

describe('401 invalid_signature', () => {
  test('for the signature of another wallet, text, account or origin', async () => {
    const slug = await mirror('/guarded', wallet(8).address)
    const proof = await signedClaim({ account: 8 })
    const forged = { ...proof, signature: await wallet(9).signMessage({ message: proof.message }) }
    const extended = `${proof.message}\n- https://other.example`
    const longer = { ...proof, message: extended, signature: await wallet(8).signMessage({ message: extended }) }
    const elsewhere = { ...proof, origin: 'https://other.example' }
    for (const wrong of [forged, longer, elsewhere]) {
      expect(await send(8, wrong)).toMatchObject({ refusal: 'invalid_signature' })
    }
    expect(await send(9, proof)).toMatchObject({ refusal: 'invalid_signature' })
    expect(granted(await send(8, proof)).claimed).toEqual([slug])
  })

  test('for a nonce that was used before or issued for another purpose', async () => {
    await mirror('/once', wallet(9).address)
    const proof = await signedClaim({ account: 9 })
    granted(await send(9, proof))
    expect(await send(9, proof)).toMatchObject({ refusal: 'invalid_signature' })
    const asked = await stage.services.call(operations.payoutNonce, { wallet: wallet(9).address }, { caller: keyOf(9) })
    const message = String(granted(asked).message)
    const published = { origin: origin(), message, signature: await wallet(9).signMessage({ message }) }
    expect(await send(9, published)).toMatchObject({ refusal: 'invalid_signature' })
  })

  test('for a message that is too old', async () => {
    const proof = await signedClaim({ account: 9 })
    stage.clock.advance(600_001)
    expect(await send(9, proof)).toMatchObject({ refusal: 'invalid_signature' })
  })
})

test('of twenty concurrent claims on two replicas exactly one wins, and the others learn why they lost', async () => {
  const slugs = [await mirror('/raced-1', wallet(0).address), await mirror('/raced-2', wallet(0).address)]
  const accounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  const racers = [stage.services, second].flatMap((services) => accounts.map((account) => ({ account, services })))
  const proofs = await Promise.all(racers.map((racer) => signedClaim({ ...racer, key: 0 })))
  const answers = await Promise.all(
    proofs.map((proof, at) => send(racers[at]?.account ?? 0, proof, racers[at]?.services)),
  )
  const won = answers.flatMap((answer) => (isRefusal(answer) ? [] : [answer.claimed.toSorted()]))
  expect(won).toEqual([slugs.toSorted()])
  const lost = answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))
  expect(lost).toEqual(Array.from({ length: 19 }, () => 'already_owned'))
})

describe('a claimed listing', () => {
  const account = 11
  const review = (slug: string, verdict: 'look' | 'reject' | 'suspend' | 'reopen', reason?: string) =>
    stage.services.call(operations.review, { slug, verdict, ...(reason ? { reason } : {}) })
  const edit = (slug: string, words: { name?: string; description?: string }) =>
    stage.services.call(operations.edit, { slug, ...words }, { caller: keyOf(account) })
  const last = async (slug: string) => (await snapshots(stage, slug)).at(-1)

  async function claimed(path: string): Promise<string> {
    const slug = await mirror(path, wallet(account).address, { title: `Told ${path}`, description: 'A source’s words' })
    granted(await claimAs({ account }))
    return slug
  }

  test('keeps its owner’s words, whatever its source and its endpoint say', async () => {
    const slug = await claimed('/words')
    expect(await edit(slug, { name: 'Weather of ours' })).toMatchObject({ ok: true, name: 'Weather of ours' })
    await named(stage, 'one', [{ url: stage.provider.url('/words'), title: 'Hijacked', description: 'Hijacked' }])
    stage.clock.advance(86_400_000)
    await until('it was checked again', async () => (await mineOf(stage, account, slug)).liveness.checks7d === 2)
    expect(await last(slug)).toMatchObject({ name: 'Weather of ours', description: 'A quote' })
    expect(await mineOf(stage, account, slug)).toMatchObject({ name: 'Weather of ours' })
  })

  test('is verified on request, and must be reviewed again once its words change', async () => {
    const slug = await claimed('/verified')
    expect(await act(stage, account, slug, 'request_verification')).toMatchObject({ verification: 'requested' })
    expect(await review(slug, 'look')).toMatchObject({ facts: { payTo: wallet(account).address } })
    expect(await verify(stage, slug)).toMatchObject({ status: 'live', verification: 'verified' })
    expect(await last(slug)).toMatchObject({ verification: 'verified', group: 'external', fee: { bps: 0 } })
    granted(await edit(slug, { name: 'Something else' }))
    expect(await last(slug)).toMatchObject({ verification: 'requested' })
  })

  test('must be reviewed again once it pays another, even if the operator approved that offer', async () => {
    const slug = await claimed('/pays-another')
    granted(await verify(stage, slug))
    const url = stage.provider.url('/pays-another')
    const untilState = (state: string) =>
      until(`it is ${state}`, async () => (await rowsOf(stage, url))[0]?.state === state)
    stage.provider.set('/pays-another', { payTo: wallet(13).address })
    stage.clock.advance(86_400_000)
    await untilState('suspended')
    const { seen } = granted(await stage.services.call(operations.reviewMirrored, { slug, verdict: 'look' }))
    granted(await stage.services.call(operations.reviewMirrored, { slug, verdict: 'approve', seen }))
    await untilState('payable')
    expect(await last(slug)).toMatchObject({ verification: 'requested', payTo: [{ address: wallet(13).address }] })
    expect(await mineOf(stage, account, slug)).toMatchObject({ payoutWallet: wallet(13).address })
    const looked = granted(await review(slug, 'look'))
    expect(looked.facts.payTo).toBe(wallet(13).address)
    expect(looked.checklist.find(({ item }) => item === 'payee_signed')).toMatchObject({ holds: false })
  })

  test('guards its verified name against others', async () => {
    const slug = await claimed('/guarded-name')
    granted(await edit(slug, { name: 'Orbital Weather' }))
    granted(await verify(stage, slug))
    await mirror('/lookalike', wallet(12).address)
    const { claimed: others } = granted(await claimAs({ account: 12 }))
    const renamed = stage.services.call(
      operations.edit,
      { slug: String(others[0]), name: 'Orbital  Weather' },
      { caller: keyOf(12) },
    )
    expect(await renamed).toMatchObject({ refusal: 'name_resembles_verified' })
    const told = await mirror('/told-lookalike', wallet(12).address, { title: 'Orbital Weather' })
    expect((await last(told))?.name).toContain('/told-lookalike')
  })

  test('is suspended and reactivated by its owner, and has a price again once it was probed', async () => {
    const slug = await claimed('/down')
    expect(await act(stage, account, slug, 'suspend')).toMatchObject({ status: 'suspended' })
    expect(await last(slug)).toMatchObject({ status: 'suspended' })
    expect(await act(stage, account, slug, 'suspend')).toMatchObject({
      refusal: 'invalid_state',
      message: 'The action suspend does not apply to a listing that is suspended. Possible now: revise.',
    })
    granted(await act(stage, account, slug, 'revise'))
    stage.clock.advance(1_000)
    expect(await act(stage, account, slug, 'activate')).toMatchObject({ status: 'live', listing: { splitter: null } })
    await until('it has a price', async () => (await last(slug))?.operations[0]?.price === '0.01')
  })

  test('is rejected with a reason that its owner can read, and can meanwhile be neither withdrawn nor reactivated', async () => {
    const slug = await claimed('/rejected')
    granted(await review(slug, 'reject', 'It sells nothing'))
    expect(await mineOf(stage, account, slug)).toMatchObject({
      status: 'rejected',
      rejection: { reason: 'It sells nothing' },
    })
    expect(await withdrawAs(stage, account, slug)).toMatchObject({ refusal: 'invalid_state' })
    granted(await act(stage, account, slug, 'revise'))
    expect(await act(stage, account, slug, 'activate')).toMatchObject({
      refusal: 'invalid_state',
      message: expect.stringContaining('It sells nothing'),
    })
    granted(await review(slug, 'reopen'))
    expect(await act(stage, account, slug, 'activate')).toMatchObject({ status: 'live' })
  })

  test('is suspended by the operator with a reason that its owner can read, and its owner cannot reactivate it', async () => {
    const slug = await claimed('/suspended')
    granted(await review(slug, 'suspend', 'It is a fraud'))
    expect(await mineOf(stage, account, slug)).toMatchObject({
      ...{ status: 'suspended', rejection: null, suspension: { reason: 'It is a fraud' } },
    })
    expect(await review(slug, 'suspend', 'Again')).toMatchObject({ refusal: 'invalid_state' })
    granted(await act(stage, account, slug, 'revise'))
    expect(await act(stage, account, slug, 'activate')).toMatchObject({
      refusal: 'invalid_state',
      message: expect.stringContaining('The operator suspended it: It is a fraud'),
    })
    expect(granted(await review(slug, 'reopen'))).toMatchObject({ status: 'draft' })
    stage.clock.advance(1_000)
    expect(await act(stage, account, slug, 'activate')).toMatchObject({ status: 'live' })
    await until('it has a price', async () => (await last(slug))?.operations[0]?.price === '0.01')
  })

  test('returns to the mirror when its owner withdraws it, and can be claimed again', async () => {
    const slug = await claimed('/given-back')
    granted(await withdrawAs(stage, account, slug))
    await expect(mineOf(stage, account, slug)).rejects.toThrow()
    expect(await last(slug)).toMatchObject({ status: 'live', verification: 'none' })
    expect(granted(await claimAs({ account })).claimed).toContain(slug)
  })

  test.each(['reject', 'suspend'] as const)(
    'stays as the operator judged it (%s), whoever publishes its endpoint as a listing of their own',
    async (verdict) => {
      const path = `/anew-${verdict}`
      const slug = await claimed(path)
      granted(await review(slug, verdict, 'It is a fraud'))
      const { splitterAddress } = await splitterOf(stage, account)
      stage.provider.set(path, { payTo: splitterAddress })
      const anew = { name: `Risen from ${verdict}`, urls: [stage.provider.url(`${path}?again`)] }
      expect(await publishAs(stage, account, anew)).toMatchObject({
        refusal: 'invalid_state',
        field: 'operations.0.url',
        message: expect.stringContaining(slug),
      })
      // Another owner, who controls the endpoint, may list it; the verdict on the row stays all the same.
      const { splitterAddress: others, deployed, deploy } = await splitterOf(stage, 5)
      stage.provider.set(path, { payTo: others })
      const { listing } = granted(await publishAs(stage, 5, { ...anew, name: `Listed after ${verdict}` }))
      if (!deployed) await sendTransaction(stage, 5, deploy)
      granted(await act(stage, 5, listing.slug, 'activate'))
      const kept = await mineOf(stage, account, slug)
      expect(kept[verdict === 'reject' ? 'rejection' : 'suspension']).toMatchObject({ reason: 'It is a fraud' })
    },
  )

  test('an unclaimed row that the operator suspended is not published anew by its payee either', async () => {
    const slug = await mirror('/unclaimed-anew', wallet(12).address)
    granted(await stage.services.call(operations.reviewMirrored, { slug, verdict: 'suspend', reason: 'A fraud' }))
    stage.provider.set('/unclaimed-anew', { payTo: (await splitterOf(stage, 12)).splitterAddress })
    const anew = { name: 'Unclaimed anew', urls: [stage.provider.url('/unclaimed-anew')] }
    expect(await publishAs(stage, 12, anew)).toMatchObject({
      refusal: 'invalid_state',
      message: expect.stringContaining(`The operator suspended ${slug}`),
    })
  })

  test('counts as verified only while it is what the operator reviewed: for its owner’s postings, and for its name', async () => {
    const reviewed = 14
    const slug = await mirror('/counts', wallet(reviewed).address)
    granted(await claimAs({ account: reviewed }))
    const rename = async (name: string) =>
      granted(await stage.services.call(operations.edit, { slug, name }, { caller: keyOf(reviewed) }))
    await rename('Tidal Ledger')
    granted(await verify(stage, slug))
    const asked = {
      ...({ kind: 'open_request', title: 'Wanted', description: 'Tides', category: 'data', amountUsd: '1' } as const),
      accepts: [{ network: 'eip155:31337' as const, asset: stage.devnet.usdc.address }],
      contactUrl: 'https://a.example/',
    }
    const posted = async () => {
      const made = await stage.services.call(operations.publishPosting, asked, { caller: keyOf(reviewed) })
      return granted(made).posting.hasVerifiedListing
    }
    const mayBeCalled = async (name: string) => {
      stage.provider.set('/named', { payTo: (await splitterOf(stage, 12)).splitterAddress })
      const made = await publishAs(stage, 12, { name, urls: [stage.provider.url('/named')] })
      if (isRefusal(made)) return made.refusal
      granted(await withdrawAs(stage, 12, made.listing.slug))
      return 'free'
    }
    const tended = async () => {
      await tend(stage.services.contexts.get('listings') as unknown as ListingsContext, AbortSignal.timeout(10_000))
      const { postings } = granted(
        await stage.services.call(operations.myPostings, { limit: 50 }, { caller: keyOf(reviewed) }),
      )
      return postings.map(({ hasVerifiedListing }) => hasVerifiedListing)
    }
    expect(await posted()).toBe(true)
    expect(await mayBeCalled('Tidal  Ledger')).toBe('name_resembles_verified')

    await rename('Another Name')
    expect(await last(slug)).toMatchObject({ verification: 'requested' })
    expect(await tended()).toEqual([false])
    expect(await posted()).toBe(false)
    expect(await mayBeCalled('Another  Name')).toBe('free')

    await rename('Tidal Ledger')
    expect(await last(slug)).toMatchObject({ verification: 'verified' })
    expect(await tended()).toEqual([true, true])

    granted(await review(slug, 'suspend', 'It changed'))
    expect(await tended()).toEqual([false, false])
    expect(await mayBeCalled('Tidal  Ledger')).toBe('free')
  })

  test('cannot have the name of a listing of its owner that the operator rejected', async () => {
    stage.provider.set('/bank', { payTo: wallet(account).address })
    const { listing } = granted(
      await publishAs(stage, account, { name: 'Central Bank', urls: [stage.provider.url('/bank')] }),
    )
    const renamed = await claimed('/renamed')
    const named = await claimed('/named-before')
    granted(await edit(named, { name: 'Central  Bank!' }))
    granted(await act(stage, account, named, 'suspend'))
    granted(await act(stage, account, named, 'revise'))
    granted(await review(listing.slug, 'reject', 'It is no bank'))
    expect(await edit(renamed, { name: 'CENTRAL BANK' })).toMatchObject({
      ...{ refusal: 'invalid_state', field: 'name' },
      message: expect.stringContaining('The operator rejected central-bank'),
    })
    expect(await act(stage, account, named, 'activate')).toMatchObject({ refusal: 'invalid_state', field: 'name' })
    granted(await edit(named, { name: 'A tide table' }))
    expect(await act(stage, account, named, 'activate')).toMatchObject({ status: 'live' })
  })

  test('404 not_found: to anyone who does not own it', async () => {
    const slug = await claimed('/not-yours')
    expect(await act(stage, 12, slug, 'suspend')).toMatchObject({ refusal: 'not_found' })
    expect(await withdrawAs(stage, 12, slug)).toMatchObject({ refusal: 'not_found' })
    const edited = stage.services.call(operations.edit, { slug, name: 'Taken' }, { caller: keyOf(12) })
    expect(await edited).toMatchObject({ refusal: 'not_found' })
  })
})

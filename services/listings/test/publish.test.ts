import { listings as operations, STATEMENTS } from '@callboard/contract'
import { artifacts } from '@callboard/evm'
import { livenessProber } from '@callboard/liveness-prober'
import { granted, signedMessage, startTestServices, testDatabase, wallet } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { createWalletClient, encodeDeployData, getAddress, http } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { listings } from '../src/index.ts'
import { devnetSetting, keyOf, openStage, proofOf, publishAs, type Stage, splitterOf } from './stage.ts'

let stage: Stage
let good: string

beforeAll(async () => {
  stage = await openStage()
  const { splitterAddress } = await splitterOf(stage, 1)
  stage.provider.set('/good', { payTo: splitterAddress })
  good = stage.provider.url('/good')
})
afterAll(() => stage?.close())

describe('payoutNonce', () => {
  test('200: returns the whole message to sign with a wallet, and only the nonce without one', async () => {
    const { services, clock } = stage
    const asked = await services.call(operations.payoutNonce, { wallet: wallet(1).address }, { caller: keyOf(1) })
    const { nonce, message, expiresAt } = granted(asked)
    expect(message).toContain(`127.0.0.1:8402 wants you to sign in with your Ethereum account:\n${wallet(1).address}`)
    expect(message).toContain(STATEMENTS.publish)
    expect(message).toContain(`Nonce: ${nonce}`)
    expect(Date.parse(expiresAt)).toBeGreaterThan(clock.now())
    expect(granted(await services.call(operations.payoutNonce, {}, { caller: keyOf(1) })).message).toBeNull()
  })
})

describe('publish refuses', () => {
  const publish = (more: Partial<Parameters<typeof publishAs>[2]>) =>
    publishAs(stage, 1, { name: 'Refused', urls: [good], ...more })

  test('422 unsupported_network: a network without self-listing', async () => {
    expect(await publish({ network: 'eip155:5042' })).toMatchObject({
      refusal: 'unsupported_network',
      field: 'network',
    })
  })

  test('201: accepts names of any script, even two that differ only in it, and words that routes use', async () => {
    const slugOf = async (name: string) => granted(await publish({ name })).listing.slug
    expect([await slugOf('Tokyo 天気'), await slugOf('Tokyo 気象')]).toEqual(['tokyo-tianqi', 'tokyo-qixiang'])
    expect([await slugOf('Search'), await slugOf('Payout nonce')]).toEqual([
      expect.stringMatching(/^search-[a-z0-9]{6}$/),
      expect.stringMatching(/^payout-nonce-[a-z0-9]{6}$/),
    ])
  })

  test('201 with a warning: an endpoint that pays its provider and not the splitter, whose address is named', async () => {
    stage.provider.set('/past', { payTo: wallet(1).address })
    const { splitterAddress } = await splitterOf(stage, 1)
    const { warnings } = granted(await publish({ name: 'Past the splitter', urls: [stage.provider.url('/past')] }))
    const message = expect.stringContaining(`to ${splitterAddress} before you activate`)
    expect(warnings).toContainEqual({ code: 'not_paid_to_splitter', field: 'operations.0.url', message })
  })

  test('400 invalid_request: a name without letters or digits, and an operation given twice', async () => {
    expect(await publish({ name: '———' })).toMatchObject({ refusal: 'invalid_request', field: 'name' })
    expect(await publish({ urls: [good, good] })).toMatchObject({
      refusal: 'invalid_request',
      field: 'operations.1.url',
    })
  })

  test('401 invalid_signature: another wallet’s message', async () => {
    expect(await publish({ signer: 2 })).toMatchObject({ refusal: 'invalid_signature', field: 'payoutWallet' })
  })

  test('401 invalid_signature: another wallet’s signature under the payout wallet’s message', async () => {
    const { message } = await proofOf(stage.services, 1)
    const signature = await wallet(2).signMessage({ message })
    expect(await publish({ proof: { message, signature } })).toMatchObject({ refusal: 'invalid_signature' })
  })

  test('401 invalid_signature: a message that was used before, whatever came of it', async () => {
    const proof = await proofOf(stage.services, 1)
    const urls = [stage.provider.url('/nowhere')]
    expect(await publish({ proof, urls })).toMatchObject({ refusal: 'no_usable_challenge' })
    expect(await publish({ proof })).toMatchObject({ refusal: 'invalid_signature' })
  })

  test('401 invalid_signature: a message of another purpose, or with a nonce that was never issued', async () => {
    const asked = { nonce: 'neverIssued1234567890', baseUrl: 'http://127.0.0.1:8402', now: stage.clock.now() }
    const login = await signedMessage(wallet(1), { ...asked, purpose: 'login' })
    const madeUp = await signedMessage(wallet(1), { ...asked, purpose: 'publish' })
    expect(await publish({ proof: login })).toMatchObject({
      message: expect.stringMatching(/^The message is refused: statement_mismatch: its statement has to be “.+”\.$/),
    })
    expect(await publish({ proof: madeUp })).toMatchObject({ refusal: 'invalid_signature' })
  })

  test('422 no_usable_challenge: of an origin that asks for no payment one operation is called, and not twenty', async () => {
    const paths = Array.from({ length: 20 }, (_, at) => `/unpaid/${at}`)
    for (const path of paths) stage.provider.set(path, (_req, res) => res.end('free'))
    expect(await publish({ name: 'Unpaid', urls: paths.map(stage.provider.url) })).toMatchObject({
      refusal: 'no_usable_challenge',
      field: 'operations.0.url',
    })
    expect(paths.filter((path) => stage.provider.calls(path) > 0)).toEqual(['/unpaid/0'])
  })

  test('422 no_usable_challenge: the operation that cannot be paid is named', async () => {
    const { provider } = stage
    provider.set('/upto', { payTo: wallet(1).address, scheme: 'upto' })
    provider.set('/elsewhere', { payTo: wallet(1).address, network: 'eip155:8453' })
    provider.set('/other-token', { payTo: wallet(1).address, asset: wallet(5).address })
    provider.set('/open', (_req, res) => res.end('free'))
    for (const path of ['/upto', '/elsewhere', '/other-token', '/open', '/nowhere']) {
      expect(await publish({ urls: [good, provider.url(path)] })).toMatchObject({
        refusal: 'no_usable_challenge',
        field: 'operations.1.url',
        message: expect.stringMatching(/^Quote 1: /),
      })
    }
    expect(await publish({ urls: [provider.url('/open')] })).toMatchObject({ details: { state: 'open' } })
    expect(await publish({ urls: ['http://10.0.0.1/'] })).toMatchObject({ details: { state: 'refused_target' } })
  })

  test('409 slug_taken: a name that another listing has, even a draft', async () => {
    granted(await publish({ name: 'Taken Name' }))
    expect(await publish({ name: 'taken — name!' })).toMatchObject({ refusal: 'slug_taken', field: 'name' })
  })

  test('409 slug_taken: one of two listings that are published concurrently under one name', async () => {
    const both = await Promise.all([publish({ name: 'Raced' }), publishAs(stage, 2, { name: 'Raced', urls: [good] })])
    expect(both.filter(isRefusal)).toMatchObject([{ refusal: 'slug_taken' }])
  })

  test('503 temporarily_unavailable: while the chain cannot be read, no proof is judged and no nonce is spent', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const DEVNET = JSON.stringify({ ...JSON.parse(devnetSetting(stage.devnet)), rpcUrl: 'http://127.0.0.1:1' })
    const services = await startTestServices([livenessProber, listings], {
      databaseUrl: database.url,
      clock: stage.clock,
      env: { DEVNET, PROBE_ALLOW_LOOPBACK: 'true' },
    })
    const blind = { ...stage, services }
    const proof = await proofOf(services, 1)
    const listing = { name: 'Blind', urls: [good], proof }
    expect(await publishAs(blind, 1, listing)).toMatchObject({
      refusal: 'temporarily_unavailable',
      retryAfterSeconds: 5,
    })
    expect(await publishAs(blind, 1, listing)).toMatchObject({ refusal: 'temporarily_unavailable' })
    expect(
      await services.call(operations.splitters, { wallet: wallet(1).address }, { caller: keyOf(1) }),
    ).toMatchObject({ refusal: 'temporarily_unavailable' })
    await services.stop()
    await database.drop()
  })

  test('503 temporarily_unavailable: without the nonce store no nonce is issued, and none is treated as spent', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const services = await startTestServices([livenessProber, listings], {
      databaseUrl: database.url,
      clock: stage.clock,
      env: {
        DEVNET: devnetSetting(stage.devnet),
        PROBE_ALLOW_LOOPBACK: 'true',
        REDIS_URL: 'redis://127.0.0.1:1',
      },
    })
    expect(await services.call(operations.payoutNonce, {}, { caller: keyOf(1) })).toMatchObject({
      refusal: 'temporarily_unavailable',
    })
    const proof = await proofOf(stage.services, 1)
    expect(await publishAs({ ...stage, services }, 1, { name: 'Forgetful', urls: [good], proof })).toMatchObject({
      refusal: 'temporarily_unavailable',
    })
    await services.stop()
    await database.drop()
  })
})

describe('publish', () => {
  test('400 at the edge: text that Postgres cannot store, or that does not show as it is', () => {
    const { name, description } = operations.publish.input.shape
    for (const text of ['Nul\0 byte', 'Half \ud800 pair', 'Bell \x07 ring']) {
      expect([name, description].map((schema) => schema.safeParse(text).success)).toEqual([false, false])
    }
    expect(description.safeParse('Two lines:\n\tand a tab, and 日本語 🎉').success).toBe(true)
  })

  test('201: a draft is visible only to its owner, and nothing of it is published', async () => {
    granted(await publishAs(stage, 3, { name: 'Quiet', urls: [good], payoutWallet: wallet(1).address, signer: 1 }))
    expect(
      granted(await stage.services.call(operations.mine, { limit: 50 }, { caller: keyOf(3) })).listings,
    ).toMatchObject([{ slug: 'quiet', status: 'draft', payoutWallet: wallet(1).address }])
    expect(await stage.database.query(`select 1 from listings.outbox where key = 'quiet'`)).toEqual([])
  })

  test('201: a contract wallet signs through EIP-1271', async () => {
    const client = createWalletClient({ account: wallet(4), transport: http(stage.devnet.rpcUrl) })
    const { contractAddress } = await client.sendTransactionSync({
      chain: null,
      data: encodeDeployData({ ...artifacts.testWallet1271, args: [wallet(4).address] }),
      pollingInterval: 50,
    })
    if (!contractAddress) throw new Error('The contract wallet was not deployed')
    const payoutWallet = getAddress(contractAddress)
    const asked = await stage.services.call(operations.payoutNonce, { wallet: payoutWallet }, { caller: keyOf(4) })
    const message = String(granted(asked).message)
    const proof = { message, signature: await wallet(4).signMessage({ message }) }
    const published = await publishAs(stage, 4, { name: 'Contract', urls: [good], payoutWallet, proof })
    expect(granted(published).listing).toMatchObject({ slug: 'contract', payoutWallet })
  })

  test('201: a listing shows what the challenge itself says of the operation', async () => {
    const { listing } = granted(await publishAs(stage, 1, { name: 'Told', urls: [`${good}?symbol=BTC`] }))
    expect(listing.operations).toMatchObject([{ description: 'A quote', metadataEvidence: 'none', price: '0.01' }])
  })
})

describe('probe', () => {
  const probe = (url: string) => stage.services.call(operations.probe, { url }, { caller: keyOf(1) })

  test('200: returns the challenge of a candidate', async () => {
    expect(await probe(good)).toMatchObject({ kind: 'x402', accepts: [{ payable: true, notPayableReason: null }] })
    expect(await probe(stage.provider.url('/nowhere'))).toMatchObject({ kind: 'plain' })
  })

  test('400 invalid_request: a URL that leads into a private network', async () => {
    expect(await probe('http://10.0.0.1/')).toMatchObject({ refusal: 'invalid_request', field: 'url' })
    expect(await probe('http://169.254.169.254/')).toMatchObject({ refusal: 'invalid_request', field: 'url' })
  })

  test('422 endpoint_unreachable: the finding says why, and repeats nothing of the response', async () => {
    stage.provider.set('/broken', (_req, res) => res.writeHead(500).end('stack trace'))
    const answer = await probe(stage.provider.url('/broken'))
    expect(answer).toMatchObject({
      refusal: 'endpoint_unreachable',
      message: 'The endpoint answers with a server error.',
      details: { state: 'server_error', finding: 'server_error', httpStatus: 500, offered: [] },
    })
    expect(JSON.stringify(answer)).not.toContain('stack trace')
    expect(await probe('http://127.0.0.1:1/')).toMatchObject({
      refusal: 'endpoint_unreachable',
      details: { state: 'unreachable' },
    })
  })
})

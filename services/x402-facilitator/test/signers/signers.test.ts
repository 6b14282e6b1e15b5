import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Hex, isRefusal } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { parseEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Exchange, LANES, openExchange, type Signed } from '../exchange.ts'
import { AWS_ARN, AWS_CREDENTIALS, startAwsKms } from './aws-double.ts'
import { addressOf, type Double } from './double.ts'
import { GCP_NAME, startGcpKms } from './gcp-double.ts'
import { pathOf, startWeb3signer } from './web3signer-double.ts'

const KINDS = ['aws-kms', 'gcp-kms', 'web3signer'] as const
type Kind = (typeof KINDS)[number]

const folder = temporaryFolder('callboard-signers-')
const keys = Object.fromEntries(KINDS.map((kind) => [kind, generatePrivateKey()])) as Record<Kind, Hex>
let exchange: Exchange
let doubles: Record<Kind, Double>
let services: TestServices | undefined

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  const [aws, gcp, web3signer] = await Promise.all([
    startAwsKms(keys['aws-kms']),
    startGcpKms(keys['gcp-kms']),
    startWeb3signer(keys.web3signer),
  ])
  doubles = { 'aws-kms': aws, 'gcp-kms': gcp, web3signer }
  vi.stubEnv('GCE_METADATA_HOST', new URL(gcp.url).host)
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present')
  vi.stubEnv('AWS_ACCESS_KEY_ID', AWS_CREDENTIALS.id)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', AWS_CREDENTIALS.secret)
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', aws.url)
  for (const kind of KINDS) {
    await exchange.node.setBalance({ address: addressOf(keys[kind]), value: parseEther('1000') })
  }
})
afterEach(async () => {
  await services?.stop()
  services = undefined
  for (const kind of KINDS) {
    doubles[kind].mode = 'well'
    expect(doubles[kind].faults.splice(0)).toEqual([])
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all(KINDS.map((kind) => doubles[kind].close()))
  await exchange.close()
  rmSync(folder, { recursive: true })
})

/** The entry in the settings for the key behind a double. */
const entryOf = (kind: Kind): string => {
  const places = {
    'aws-kms': AWS_ARN,
    'gcp-kms': GCP_NAME,
    web3signer: doubles.web3signer.url + pathOf(keys.web3signer),
  }
  return `${kind}:${addressOf(keys[kind])}@${places[kind]}`
}
const local = () => exchange.env.FACILITATOR_KEYS?.split(',')[0] ?? ''
/** Loading an SDK on a busy machine takes time; only a signer that never answers is given up soon. */
const start = async (entries: readonly string[], timeoutMs = '10000') => {
  services = await exchange.start({
    FACILITATOR_KEYS: entries.join(),
    GCP_KMS_URL: doubles['gcp-kms'].url,
    SIGNER_TIMEOUT_MS: timeoutMs,
  })
  return services
}
const settle = async (signed: Signed) => (await services?.call(operations.settle, signed)) as SettleResponse
const senderOf = async ({ transaction }: SettleResponse) =>
  (await exchange.node.getTransaction({ hash: transaction as Hex })).from.toLowerCase()
const signatures = async (signer: string, outcome: string) => {
  const { values } = (await services?.metrics.registry
    .getSingleMetric('callboard_signing_duration_seconds')
    ?.get()) ?? {
    values: [],
  }
  const counts = values as { metricName?: string; labels: Record<string, unknown>; value: number }[]
  return counts
    .filter(
      ({ metricName, labels }) =>
        metricName?.endsWith('_count') && labels.signer === signer && labels.outcome === outcome,
    )
    .reduce((sum, { value }) => sum + value, 0)
}
const nothingIsStored = async (signed: Signed) => {
  const { nonce } = signed.paymentPayload.payload.authorization
  expect(await exchange.database.query('select * from x402_facilitator.payment where nonce = $1', [nonce])).toEqual([])
  expect(await exchange.uses(signed)).toBe(0)
}

describe.each(KINDS)('%s', (kind) => {
  test('settles payments with either s value in their signatures, and each signature is timed', async () => {
    await start([entryOf(kind)])
    const before = doubles[kind].given()
    for (const payer of [1, 2, 3]) {
      const settled = await settle(await exchange.pay(wallet(payer)))
      expect(settled).toMatchObject({ success: true })
      expect(await senderOf(settled)).toBe(addressOf(keys[kind]).toLowerCase())
    }
    expect(doubles[kind].given() - before).toBe(3)
    expect(await signatures(kind, 'ok')).toBe(3)
  })

  test.each(['away', 'silent'] as const)(
    '%s: 503 that says so, with nothing stored or sent, until it recovers',
    async (mode) => {
      await start([entryOf(kind)], mode === 'silent' ? '2000' : undefined)
      doubles[kind].mode = mode
      const signed = await exchange.pay(wallet(1))
      const answer = await services?.call(operations.settle, signed)
      expect(isRefusal(answer) && answer.refusal).toBe('temporarily_unavailable')
      expect(isRefusal(answer) && answer.message).toContain('The signer of settlements does not answer')
      await nothingIsStored(signed)
      expect(await signatures(kind, 'failed')).toBe(1)
      doubles[kind].mode = 'well'
      expect(await settle(signed)).toMatchObject({ success: true })
      expect(await exchange.uses(signed)).toBe(1)
    },
  )

  test('a signature of another key is refused before anything is stored or sent', async () => {
    await start([entryOf(kind)])
    doubles[kind].mode = 'other_key'
    const signed = await exchange.pay(wallet(1))
    const answer = await services?.call(operations.settle, signed)
    expect(isRefusal(answer) && answer.refusal).toBe('temporarily_unavailable')
    await nothingIsStored(signed)
    expect(await signatures(kind, 'wrong')).toBe(1)
  })
})

test('an account whose signer fails is skipped, and another one settles the payment that it was given', async () => {
  await start([entryOf('web3signer'), local()])
  doubles.web3signer.mode = 'away'
  for (const payer of [1, 2, 3, 1, 2, 3]) {
    const settled = await settle(await exchange.pay(wallet(payer)))
    expect(settled).toMatchObject({ success: true })
    expect(await senderOf(settled)).toBe(LANES[0].address.toLowerCase())
  }
  expect(await signatures('web3signer', 'failed')).toBeGreaterThan(0)
})

test('keys rotate under load without a restart: every payment settles once, and the old account finishes its own', async () => {
  const path = join(folder, 'keys')
  const put = (...entries: string[]) => writeFileSync(path, entries.join())
  put(local())
  services = await exchange.start({ FACILITATOR_KEYS: '', FACILITATOR_KEYS_FILE: path, SECRETS_LOOK_MS: '20' })
  const rotated = (times: number) =>
    until('the new keys serve', async () => {
      const metric = await services?.metrics.registry.getSingleMetric('callboard_secrets_rotated_total')?.get()
      return metric?.values[0]?.value === times
    })
  const one = async () => {
    const signed = await exchange.pay(wallet(1))
    const settled = await settle(signed)
    expect(settled).toMatchObject({ success: true })
    expect(await exchange.uses(signed)).toBe(1)
    return senderOf(settled)
  }
  const old = LANES[0].address.toLowerCase()
  const fresh = addressOf(keys.web3signer).toLowerCase()
  expect(await one()).toBe(old)

  // The old account has one transaction on its way when it retires.
  await exchange.node.setAutomine(false)
  const last = await exchange.pay(wallet(2))
  const ending = settle(last)
  await exchange.isSent()
  put(`retiring:${local()}`, entryOf('web3signer'))
  await rotated(1)
  await exchange.node.setAutomine(true)
  await exchange.node.mine({ blocks: 1 })
  expect(await senderOf(await ending)).toBe(old)
  for (let payment = 0; payment < 3; payment++) expect(await one()).toBe(fresh)

  put(entryOf('web3signer'))
  await rotated(2)
  expect(await one()).toBe(fresh)
  const supported = await services.call(operations.supported, {})
  expect(supported).toMatchObject({ signers: { 'eip155:*': [addressOf(keys.web3signer)] } })
})

import { type ListingSnapshot, x402Facilitator } from '@callboard/contract'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { livenessProber } from '@callboard/liveness-prober'
import { service } from '@callboard/runtime'
import {
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
  wallet,
} from '@callboard/testkit'
import { PaymentRequired } from '@callboard/x402'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { listings } from '../src/index.ts'
import { devnetSetting } from './stage.ts'

let devnet: Devnet
let database: TestDatabase
let replicas: TestServices[] = []
let payTo = wallet(4).address

beforeAll(async () => {
  devnet = await openDevnet()
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await database?.drop()
  await devnet?.stop()
})

const operations = { offer: x402Facilitator.offer }

/** A facilitator that sells the decoder to `payTo`, on the devnet and on a chain that is not configured here. */
const facilitatorStandIn = () =>
  service<z.ZodObject, object, undefined, typeof operations>({
    name: 'x402-facilitator',
    config: z.object({}),
    operations,
    serves: {
      offer: async ({ resourceUrl }) => {
        const { address: asset, name, version } = devnet.usdc
        const entry = { scheme: 'exact', amount: '1000', payTo, maxTimeoutSeconds: 300, extra: { name, version } }
        const accepts = ['eip155:31337', 'eip155:8453'].map((network) => ({ ...entry, network, asset }))
        const offer = { x402Version: 2, resource: { url: resourceUrl }, accepts }
        return { paymentRequired: PaymentRequired.parse(offer), v1: null, priceUsd: '0.001' }
      },
    },
  })

const start = async (withFacilitator = true) => {
  const replica = await startTestServices(
    [livenessProber, ...(withFacilitator ? [facilitatorStandIn()] : []), listings],
    { databaseUrl: database.url, env: { DEVNET: devnetSetting(devnet), PROBE_ALLOW_LOOPBACK: 'true' } },
  )
  replicas.push(replica)
}

const stopAll = async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  replicas = []
}

/** Whether the job of the only replica has completed a run. */
const hasLooked = async () => {
  const { values } = (await replicas[0]?.metrics.jobRuns.get()) ?? { values: [] }
  return values.some(
    ({ labels: { job, outcome }, value }) => job === 'list-own-services' && outcome === 'ok' && value > 0,
  )
}

const snapshots = async () => {
  const rows = await database.query<{ data: ListingSnapshot }>(
    `select data from listings.outbox where name = 'listing.changed.v1' order by sequence`,
  )
  return rows.map(({ data }) => data)
}

test('our own service is listed once, however many replicas start at once', async () => {
  await Promise.all([start(), start()])
  const [first] = await until('it is listed', async () => {
    const all = await snapshots()
    return all.length > 0 && all
  })
  expect(first).toMatchObject({
    slug: 'x402-decode',
    status: 'live',
    verification: 'verified',
    group: 'svc',
    provenance: 'first_party',
    fee: { bps: 0 },
    operations: [{ method: 'POST', url: expect.stringMatching(/\/x402\/decode$/), price: '0.001', payment: { payTo } }],
    payTo: [{ network: 'eip155:31337', address: payTo }],
  })
  await stopAll()
  await start()
  await until('another look was taken', hasLooked)
  expect((await snapshots()).filter(({ slug }) => slug === 'x402-decode')).toHaveLength(1)
  expect(await database.query('select slug from listings.listing')).toEqual([{ slug: 'x402-decode' }])
})

test('a new payee in the settings is adopted, and claims what it is paid', async () => {
  await stopAll()
  payTo = wallet(5).address
  await start()
  const moved = await until('it is listed with its new payee', async () =>
    (await snapshots()).find(({ version }) => version === 3),
  )
  expect(moved).toMatchObject({
    verification: 'verified',
    payTo: [{ address: payTo }],
    operations: [{ payment: { payTo } }],
  })
})

test('without a facilitator nothing is listed, and nothing breaks', async () => {
  await stopAll()
  await database.query('delete from listings.asked')
  await database.query('delete from listings.listing')
  await start(false)
  await until('a look was taken', hasLooked)
  expect(await database.query('select slug from listings.listing')).toEqual([])
})

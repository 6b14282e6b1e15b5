import { listings as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, goLive, keyOf, mineOf, openStage, publishAs, type Stage, send, splitterOf } from './stage.ts'

let stage: Stage
let payTo: string

beforeAll(async () => {
  stage = await openStage()
  const { splitterAddress, deploy } = await splitterOf(stage, 1)
  payTo = splitterAddress
  await send(stage, 1, deploy)
})
afterAll(() => stage?.close())

test('probe, publish, activate and resync report the same about a broken endpoint', async () => {
  const { provider, services } = stage
  const slug = await goLive(stage, 1, 'Broken')
  const url = provider.url('/broken')
  provider.set('/broken', (_req, res) => res.writeHead(405, { allow: 'POST' }).end())
  const said = {
    state: 'method_refused',
    finding: 'method_refused',
    mend: expect.stringContaining('`methods`'),
    docs: 'http://127.0.0.1:8402/docs/probes#method_refused',
    httpStatus: 405,
    methods: ['POST'],
    offered: [],
    issues: [],
  }
  const message = 'The endpoint refuses the method. It says that it accepts POST.'
  const { address: asset } = stage.devnet.usdc
  const wanted = [{ scheme: 'exact', network: 'eip155:31337', asset, payTo }]

  const probed = await services.call(operations.probe, { url, method: 'GET' }, { caller: keyOf(1) })
  expect(probed).toMatchObject({ kind: 'plain', ...said, message, wanted: [{ network: 'eip155:31337', asset }] })
  const refused = { refusal: 'no_usable_challenge', field: 'operations.0.url', details: { ...said, wanted } }
  const words = { message: `Quote 0: ${message}` }
  expect(await publishAs(stage, 1, { name: 'Broken second', urls: [url] })).toMatchObject({ ...refused, ...words })
  expect(granted(await services.call(operations.resync, { slug }))).toMatchObject({
    outcome: 'failed',
    problems: [{ method: 'GET', url, ...said, message, wanted }],
  })
  granted(await act(stage, 1, slug, 'suspend'))
  granted(await act(stage, 1, slug, 'revise'))
  expect(await act(stage, 1, slug, 'activate')).toMatchObject({ ...refused, ...words })
})

test('what is offered is shown next to what is wanted, each way with what keeps it from being used', async () => {
  const beside = [
    { payTo, network: 'eip155:1' },
    { payTo, asset: wallet(5).address },
    { payTo, scheme: 'upto' },
  ]
  stage.provider.set('/offered', { payTo, domain: 'USD Coin', beside })
  const answer = await publishAs(stage, 1, { name: 'Offered', urls: [stage.provider.url('/offered')] })
  if (!isRefusal(answer)) throw new Error('It was published')
  expect(answer.details).toMatchObject({
    finding: 'payable_elsewhere',
    offered: [
      { payTo, payable: false, message: expect.stringContaining('EIP-712'), mend: expect.stringContaining('`name()`') },
      { network: 'eip155:1', message: 'Callboard does not pay on this network.' },
      { asset: wallet(5).address, message: 'The token is not the USDC of the network.' },
      { scheme: 'upto', message: 'Callboard pays only the scheme `exact`.' },
    ],
    issues: expect.arrayContaining([expect.objectContaining({ code: 'ASSET_UNKNOWN', mend: expect.any(String) })]),
  })
})

test('the fix for a sound offer that pays another address names the splitter’s address', async () => {
  const path = '/elsewhere'
  stage.provider.set(path, { payTo: wallet(1).address })
  const { slug } = granted(await publishAs(stage, 1, { name: 'Elsewhere', urls: [stage.provider.url(path)] })).listing
  expect(await act(stage, 1, slug, 'activate')).toMatchObject({
    refusal: 'no_usable_challenge',
    message: expect.stringContaining(`to the fee splitter ${payTo}`),
    details: { finding: 'payable', mend: expect.stringContaining(payTo), offered: [{ payTo: wallet(1).address }] },
  })
  expect((await mineOf(stage, 1, slug)).status).toBe('draft')
})

test('for entries that cannot be read, the faulty members are named', async () => {
  stage.provider.set('/unread', { payTo, amount: '0.02' })
  const asked = { url: stage.provider.url('/unread'), method: 'GET' } as const
  const message =
    'The endpoint’s offer has entries in `accepts`, but none of them is readable. Missing or of the wrong kind: accepts[0].amount.'
  expect(await stage.services.call(operations.probe, asked, { caller: keyOf(1) })).toMatchObject({
    finding: 'entries_unreadable',
    message,
  })
  const answer = await publishAs(stage, 1, { name: 'Unread', urls: [asked.url] })
  expect(answer).toMatchObject({ refusal: 'no_usable_challenge', message: `Quote 0: ${message}` })
})

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { agents, type Caller, type InputOf, type OutputOf, x402Facilitator as operations } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import type { Address, Refusal } from '@callboard/values'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, newNonce, openExchange, type Signed, type Terms } from '../../x402-facilitator/test/exchange.ts'
import { BASE_URL, newOwner, openStage, type Stage } from './stage.ts'

type Transfer = InputOf<typeof agents.relayTransfer>

const AGENT = 1
const SIBLING = 2
/** A wallet that gets nothing from the devnet. */
const POOR = 60
const AMOUNT = 10_000n
let exchange: Exchange
let stage: Stage
let env: Record<string, string>

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  env = { ...exchange.env, BASE_URL }
  stage = await openStage({ modules: [x402Facilitator], env, database: exchange.database })
})
afterEach(async () => {
  stage.clock.set(Date.now())
  await exchange.node.setAutomine(true)
})
afterAll(async () => {
  await stage.close()
  await exchange.close()
})

/** The order that an agent's wallet signs. */
const order = (to: Address, terms: Terms = {}, agent = wallet(AGENT)): Promise<Signed> =>
  exchange.pay(agent, { amount: AMOUNT, payTo: to, ...terms })

const transferOf = ({ paymentPayload: { payload } }: Signed, network = exchange.network): Transfer => ({
  network,
  ...payload,
})

const relay = (
  signed: Signed | Transfer,
  caller: Caller,
  meta: { timeoutMs?: number; stage?: Stage } = {},
): Promise<OutputOf<typeof agents.relayTransfer> | Refusal> => {
  const { stage: at = stage, ...rest } = meta
  const transfer = 'paymentPayload' in signed ? transferOf(signed) : signed
  return at.call(agents.relayTransfer, transfer, { caller, ...rest })
}

/** An agent and its sibling. */
async function ownerAndAgents() {
  const owner = newOwner()
  const { caller } = await stage.link(AGENT, owner)
  const sibling = await stage.link(SIBLING, owner)
  return { owner, caller, sibling: sibling.caller }
}

/** Whether neither the facilitator nor the chain has seen an order. */
async function isUntouched(signed: Signed): Promise<boolean> {
  const { nonce } = signed.paymentPayload.payload.authorization
  const rows = await exchange.database.query('select from x402_facilitator.payment where nonce = $1', [nonce])
  return rows.length === 0 && (await exchange.uses(signed)) === 0
}

const seconds = () => Math.floor(Date.now() / 1000)

describe('a valid transfer', () => {
  test('to the owner: 20 at once and a later one move the money once, and all get the same answer', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner)
    const answers = await Promise.all(Array.from({ length: 20 }, () => relay(signed, caller)))
    expect(answers[0]).toEqual({
      success: true,
      payer: wallet(AGENT).address,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: exchange.network,
      amount: String(AMOUNT),
      extra: { confirmation: { policy: 'included', reached: 'finalized' } },
    })
    stage.clock.advance(3_600_000)
    for (const answer of [...answers, await relay(signed, caller)]) expect(answer).toEqual(answers[0])
    expect(await exchange.uses(signed)).toBe(1)
    expect(await exchange.balanceOf(owner.owner)).toBe(AMOUNT)
  })

  test('counts its gas on its owner and on the network that it came from: owners and agents cost nothing', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner)
    const requester = { address: '192.0.2.7', userAgent: null }
    expect(await relay({ ...transferOf(signed), requester }, caller)).toMatchObject({ success: true })
    const { nonce } = signed.paymentPayload.payload.authorization
    const asked = 'select origin, sponsor from x402_facilitator.payment where nonce = $1'
    expect(await exchange.database.query(asked, [nonce])).toEqual([{ origin: '192.0.2.0/24', sponsor: owner.owner }])
  })

  test('to a live sibling', async () => {
    const { caller } = await ownerAndAgents()
    const before = await exchange.balanceOf(wallet(SIBLING).address)
    expect(await relay(await order(wallet(SIBLING).address), caller)).toMatchObject({ success: true })
    expect(await exchange.balanceOf(wallet(SIBLING).address)).toBe(before + AMOUNT)
  })

  test('succeeds with the third party’s transaction when it submitted the same order', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner)
    const transaction = await exchange.submit(signed)
    expect(await relay(signed, caller)).toMatchObject({ success: true, transaction })
  })

  test('is not a paid resource: discovery does not show it, and its event names none', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner)
    granted(await relay(signed, caller))
    const shown = granted(await stage.call(operations.discoveryResources, { payTo: owner.owner, limit: 20, offset: 0 }))
    expect(shown.items).toEqual([])
    const { nonce } = signed.paymentPayload.payload.authorization
    const events = await exchange.database.query('select data from x402_facilitator.outbox where key = $1', [nonce])
    expect(events.map(({ data }) => data)).toEqual([expect.objectContaining({ resourceUrl: null })])
  })
})

describe('403 recipient_not_allowed, with nothing sent', () => {
  const not = (member: string) => ({ refusal: 'recipient_not_allowed', field: `authorization.${member}` })

  test('to a third party, another owner’s agent, itself or an unlinked sibling', async () => {
    const { owner, caller, sibling } = await ownerAndAgents()
    await stage.link(3, newOwner())
    granted(await stage.call(agents.unlink, { clientId: sibling.clientId }, { caller: owner }))
    for (const to of [wallet(50), wallet(3), wallet(AGENT), wallet(SIBLING)]) {
      const signed = await order(to.address)
      expect(await relay(signed, caller)).toMatchObject(not('to'))
      expect(await isUntouched(signed)).toBe(true)
    }
  })

  test('from another wallet, even though it is also the owner’s agent', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner, {}, wallet(SIBLING))
    expect(await relay(signed, caller)).toMatchObject(not('from'))
    expect(await isUntouched(signed)).toBe(true)
  })

  test('to an unlinked sibling, even though the order was submitted and refused before', async () => {
    const { owner, sibling } = await ownerAndAgents()
    const poor = await stage.link(POOR, owner)
    await exchange.fund(wallet(POOR).address, 1n)
    const signed = await order(wallet(SIBLING).address, { amount: 2n }, wallet(POOR))
    expect(await relay(signed, poor.caller)).toMatchObject({ refusal: 'transfer_failed' })
    await exchange.fund(wallet(POOR).address, 1n)
    granted(await stage.call(agents.unlink, { clientId: sibling.clientId }, { caller: owner }))
    expect(await relay(signed, poor.caller)).toMatchObject(not('to'))
    expect(await exchange.uses(signed)).toBe(0)
  })
})

test('401 unauthorized: an ended link, and every other caller, with nothing sent', async () => {
  const { owner, caller } = await ownerAndAgents()
  const signed = await order(owner.owner)
  granted(await stage.call(agents.unlinkSelf, {}, { caller }))
  for (const who of [caller, owner, { kind: 'api_key', owner: owner.owner, keyId: 'key' }] as Caller[]) {
    expect(await relay(signed, who)).toEqual({ refusal: 'unauthorized' })
  }
  expect(await isUntouched(signed)).toBe(true)
})

describe('400 invalid_request names the field, and nothing is stored', () => {
  test.each([
    ['value', () => ({ amount: 0n })],
    ['validBefore', () => ({ validBefore: seconds() - 1 })],
    ['validBefore', () => ({ validBefore: seconds() + 3 })],
  ])('authorization.%s', async (member, terms) => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner, terms())
    expect(await relay(signed, caller)).toMatchObject({
      refusal: 'invalid_request',
      field: `authorization.${member}`,
      message: expect.any(String),
    })
    expect(await isUntouched(signed)).toBe(true)
  })
})

test('422 unsupported_network: USDC is not settled on that network', async () => {
  const { owner, caller } = await ownerAndAgents()
  const signed = await order(owner.owner)
  expect(await relay(transferOf(signed, 'eip155:1'), caller)).toMatchObject({
    refusal: 'unsupported_network',
    field: 'network',
  })
})

describe('422 transfer_failed, in the words of x402', () => {
  const failed = (reason: string) => ({ refusal: 'transfer_failed', details: { reason } })

  test('the order was changed after it was signed', async () => {
    const { owner, caller } = await ownerAndAgents()
    const { network, signature, authorization } = transferOf(await order(owner.owner))
    const changed = { network, signature, authorization: { ...authorization, value: '10001' as never } }
    expect(await relay(changed, caller)).toEqual(failed('invalid_exact_evm_signature'))
  })

  test('the wallet’s balance is too low', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner, { amount: 10n ** 18n })
    expect(await relay(signed, caller)).toEqual(failed('invalid_exact_evm_insufficient_balance'))
    expect(await exchange.uses(signed)).toBe(0)
  })

  test('a third party’s transaction used the nonce to pay someone else, or the wallet cancelled it', async () => {
    const { owner, caller } = await ownerAndAgents()
    const nonce = newNonce()
    await exchange.submit(await order(wallet(5).address, { nonce }))
    const used = failed('invalid_exact_evm_nonce_already_used')
    expect(await relay(await order(owner.owner, { nonce }), caller)).toEqual(used)
    const cancelled = await order(owner.owner)
    await exchange.cancel(wallet(AGENT), cancelled.paymentPayload.payload.authorization.nonce)
    expect(await relay(cancelled, caller)).toEqual(used)
  })

  test('the order is not valid yet', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner, { validAfter: seconds() + 100 })
    expect(await relay(signed, caller)).toEqual(failed('invalid_exact_evm_payload_authorization_valid_after'))
  })
})

describe('a transfer whose outcome is late', () => {
  test('503 settlement_pending while no block comes; a repeat succeeds, even when the sibling has gone', async () => {
    const { owner, caller, sibling } = await ownerAndAgents()
    const signed = await order(wallet(SIBLING).address)
    await exchange.node.setAutomine(false)
    const pending = await relay(signed, caller, { timeoutMs: 2_500 })
    expect(pending).toMatchObject({
      refusal: 'settlement_pending',
      retryAfterSeconds: 2,
      details: { transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    granted(await stage.call(agents.unlink, { clientId: sibling.clientId }, { caller: owner }))
    await exchange.node.mine({ blocks: 1 })
    await exchange.node.setAutomine(true)
    const repeated = granted(await relay(signed, caller))
    expect(repeated).toMatchObject({ success: true, transaction: (pending as Refusal).details?.transaction })
    expect(await exchange.uses(signed)).toBe(1)
    expect(await relay(await order(wallet(SIBLING).address), caller)).toMatchObject({
      refusal: 'recipient_not_allowed',
    })
  })

  test('503 temporarily_unavailable while the facilitator is unavailable, and nothing is sent', async () => {
    const alone = await openStage({ env, database: exchange.database })
    const { owner, caller, sibling } = await ownerAndAgents()
    try {
      const unavailable = { refusal: 'temporarily_unavailable', retryAfterSeconds: 5 }
      const signed = await order(owner.owner)
      expect(await relay(signed, caller, { stage: alone })).toMatchObject(unavailable)
      expect(await isUntouched(signed)).toBe(true)
      granted(await stage.call(agents.unlink, { clientId: sibling.clientId }, { caller: owner }))
      const toSibling = await order(wallet(SIBLING).address)
      expect(await relay(toSibling, caller, { stage: alone })).toMatchObject(unavailable)
      expect(await relay(signed, caller)).toMatchObject({ success: true })
    } finally {
      await alone.close()
    }
  })

  test('killed after the money moved but before any answer: a repeat returns the only outcome', async () => {
    const { owner, caller } = await ownerAndAgents()
    const signed = await order(owner.owner)
    const child = fork(join(inject('programs'), 'transfer-child.mjs'), {
      env: { ...process.env, ...env, DATABASE_URL: exchange.database.url, FAILPOINT: 'x402-facilitator:settled' },
      execArgv: ['--import', import.meta.resolve('@callboard/testkit/kill-at-failpoint')],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    expect(word).toBe('ready')
    const ended = once(child, 'exit')
    child.send({ input: transferOf(signed), caller })
    expect(await ended).toEqual([null, 'SIGKILL'])
    await until('the money has moved', async () => (await exchange.uses(signed)) === 1)
    expect(await relay(signed, caller)).toMatchObject({ success: true, amount: String(AMOUNT) })
    expect(await exchange.uses(signed)).toBe(1)
    expect(await exchange.balanceOf(owner.owner)).toBe(AMOUNT)
  })
})

import { agentClientId, agents, type Caller, oauth as oauthOperations } from '@callboard/contract'
import { openDevnet } from '@callboard/embedded'
import { artifacts } from '@callboard/evm'
import { issueNonce } from '@callboard/store'
import { granted, startTestServices, UNREACHABLE_DEVNET, wallet } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { createWalletClient, encodeDeployData, getAddress, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agents as service } from '../src/index.ts'
import { BASE_URL, newOwner, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ env: { AUTOMATIC_LINKS_PER_HOUR: '20', AUTOMATIC_LINKS_PER_HOUR_OF_OWNER: '20' } })
})
afterAll(() => stage.close())

const AGENT = 2
const clientId = agentClientId(wallet(AGENT).address)
type Changed = Parameters<Stage['request']>

const asked = async (...changed: [Changed[1]?, Changed[2]?]) =>
  stage.call(agents.deviceAuthorization, await stage.request(AGENT, ...changed))

describe('200', () => {
  test('returns codes, where to enter them, for how long, how often to poll, and the client id of the wallet', async () => {
    const answer = granted(await asked())
    expect(answer).toEqual({
      device_code: expect.stringMatching(/^cb_device_.{43}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${BASE_URL}/link`,
      verification_uri_complete: `${BASE_URL}/link?user_code=${answer.user_code}`,
      expires_in: 1_200,
      interval: 5,
      client_id: clientId,
    })
    expect(await stage.poll(answer)).toMatchObject({ refusal: 'authorization_pending' })
  })

  test.each([
    ['a client_id that is the wallet’s', { client_id: clientId }, {}],
    ['a client_id without a value', { client_id: '' }, {}],
    ['a trailing slash on the uri of the message', {}, { uri: `${BASE_URL}/` }],
    ['a device that asks for no trust', { device: 'laptop', trust_device: false }, {}],
    [
      'everything that may be said',
      { scope: 'call.publish', device: 'a', trust_device: true, router_allowance_usd: 7 },
      {},
    ],
  ] as const)('is also returned for %s', async (_what, changed, spoiled) => {
    expect(isRefusal(await asked(changed, spoiled))).toBe(false)
  })

  test.each([
    [undefined, ['mcp:call', 'router.use']],
    ['', ['mcp:call', 'router.use']],
    ['call.publish', ['call.publish']],
    ['router.use mcp:call router.use', ['router.use', 'mcp:call']],
  ])('scope %j requests %j', async (scope, scopes) => {
    const { user_code: userCode } = granted(await asked({ scope }))
    expect(granted(await stage.call(oauthOperations.findGrant, { userCode })).scopes).toEqual(scopes)
  })

  test('a contract wallet signs through EIP-1271', async () => {
    const devnet = await openDevnet()
    const { rpcUrl, chainId, usdc, splitterFactory } = devnet
    const DEVNET = JSON.stringify({ rpcUrl, chainId, usdc: usdc.address, usdcName: usdc.name, splitterFactory })
    const onChain = await openStage({ env: { DEVNET } })
    const deployer = createWalletClient({ account: wallet(4), transport: http(rpcUrl) })
    const { contractAddress } = await deployer.sendTransactionSync({
      chain: null,
      data: encodeDeployData({ ...artifacts.testWallet1271, args: [wallet(4).address] }),
      pollingInterval: 50,
    })
    const address = getAddress(contractAddress ?? '0x')
    const input = await onChain.request(4, {}, { address })
    const answer = granted(await onChain.call(agents.deviceAuthorization, input))
    expect(answer.client_id).toBe(agentClientId(address))
    const thirdParty = await onChain.request(5, {}, { address })
    expect(await onChain.call(agents.deviceAuthorization, thirdParty)).toMatchObject({
      refusal: 'invalid_agent_signature',
    })
    await onChain.close()
    await devnet.stop()
  })

  test('is returned for exactly one of many parallel requests with one message', async () => {
    const input = await stage.request(AGENT)
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.call(agents.deviceAuthorization, input)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
    expect(answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))).toEqual(
      Array(9).fill('invalid_agent_signature'),
    )
  })
})

describe('400', () => {
  test.each(['everything', 'mcp:call everything', 'MCP:CALL'])('invalid_scope: %s', async (scope) => {
    expect(await asked({ scope })).toMatchObject({ refusal: 'invalid_scope' })
  })

  test('invalid_request: trust in a device that is not named', async () => {
    expect(await asked({ trust_device: true })).toMatchObject({ refusal: 'invalid_request', field: 'device' })
  })

  test('invalid_request: the client_id of another wallet', async () => {
    const other = agentClientId(wallet(3).address)
    expect(await asked({ client_id: other })).toMatchObject({ refusal: 'invalid_request', field: 'client_id' })
  })

  test('comes before the message is checked, so its nonce remains valid', async () => {
    const input = await stage.request(AGENT)
    for (const wrong of [{ scope: 'everything' }, { trust_device: true }]) {
      expect(isRefusal(await stage.call(agents.deviceAuthorization, { ...input, ...wrong }))).toBe(true)
    }
    expect(isRefusal(await stage.call(agents.deviceAuthorization, input))).toBe(false)
  })
})

describe('401 invalid_agent_signature', () => {
  test.each([
    ['for another host', {}, { domain: 'evil.example' }],
    ['for another origin', {}, { uri: 'https://evil.example' }],
    ['with another statement', {}, { statement: 'Sign in to Callboard as the owner of this wallet.' }],
    ['for a chain that is not served', {}, { chainId: 1 }],
    ['of an hour ago', {}, { issuedAt: new Date(Date.now() - 3_600_000).toISOString() }],
    ['of the future', {}, { issuedAt: new Date(Date.now() + 3_600_000).toISOString() }],
    ['that has expired', {}, { expirationTime: new Date(Date.now() - 1_000).toISOString() }],
    ['with a nonce that was never issued', {}, { nonce: 'abcdefgh12345678abcdefgh' }],
    ['that is no EIP-4361', { agent_message: 'Let me in.' }, {}],
    ['whose signature is no hex', { agent_signature: 'yes' }, {}],
  ] as const)('a message %s', async (_what, changed, spoiled) => {
    expect(await asked(changed, spoiled)).toMatchObject({ refusal: 'invalid_agent_signature' })
  })

  test('a nonce issued for signing in', async () => {
    const { nonce } = granted(await stage.call(oauthOperations.siweNonce, { purpose: 'login' }))
    expect(await asked({}, { nonce })).toMatchObject({ refusal: 'invalid_agent_signature' })
  })

  test('a message that was already used', async () => {
    const input = await stage.request(AGENT)
    expect(isRefusal(await stage.call(agents.deviceAuthorization, input))).toBe(false)
    expect(await stage.call(agents.deviceAuthorization, input)).toMatchObject({ refusal: 'invalid_agent_signature' })
  })
})

describe('503 temporarily_unavailable', () => {
  const UNAVAILABLE = { refusal: 'temporarily_unavailable', retryAfterSeconds: 5 }

  test('when recovery gives another wallet and the chain is unreachable: the signature is not judged', async () => {
    const input = await stage.request(AGENT)
    const agent_signature = await wallet(3).signMessage({ message: input.agent_message })
    expect(await stage.call(agents.deviceAuthorization, { ...input, agent_signature })).toMatchObject(UNAVAILABLE)
  })

  test('when the nonce store is unavailable; then no code is looked up either', async () => {
    const input = await stage.request(AGENT)
    const { user_code: userCode } = await stage.ask(AGENT)
    const { database } = stage
    const unavailable = await openStage({ database, env: { REDIS_URL: 'redis://127.0.0.1:1' } })
    expect(await unavailable.call(agents.deviceAuthorization, input)).toMatchObject(UNAVAILABLE)
    const { requester } = input
    await expect(
      unavailable.call(agents.readLinkRequest, { userCode, requester }, { caller: newOwner() }),
    ).rejects.toMatchObject({ kind: 'unavailable' })
    await unavailable.close()
  })

  test('when the authorization server is unavailable', async () => {
    const alone = await startTestServices([service], {
      databaseUrl: stage.database.url,
      env: { BASE_URL, DEVNET: UNREACHABLE_DEVNET },
    })
    const counters = alone.contexts.get('agents')?.counters
    if (!counters) throw new Error('agents does not run')
    const { nonce } = await issueNonce(counters, 'link', Date.now())
    expect(await alone.call(agents.deviceAuthorization, await stage.request(AGENT, {}, { nonce }))).toMatchObject(
      UNAVAILABLE,
    )
    await alone.stop()
  })
})

describe('automatic approval', () => {
  const SCOPE = 'mcp:call router.use'
  const trusted = { device: 'laptop', trust_device: true, scope: SCOPE, router_allowance_usd: 5 }
  const terms = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 5 }

  async function onTrustedDevice(approval = {}) {
    const owner = newOwner()
    const { caller } = await stage.link(20, owner, trusted, { ...terms, trustDevice: true, ...approval })
    return { owner, caller }
  }

  test('links an agent of a trusted device at once, for the same owner', async () => {
    const { owner, caller } = await onTrustedDevice()
    const device = await stage.ask(21, { ...trusted, label: 'second', router_allowance_usd: 2.5 }, caller)
    expect(device.auto_approved).toBe(true)
    const tokens = granted(await stage.poll(device))
    expect(tokens).toMatchObject({ owner_wallet: owner.owner, scope: SCOPE, router_key_error: 'router_unavailable' })
    expect(granted(await stage.call(agents.list, {}, { caller: owner })).agents).toMatchObject([
      { label: 'scout' },
      { label: 'second', device: 'laptop', router: { allowanceUsd: '2.5', spentTodayUsd: '0' } },
    ])
  })

  test('needs no allowance when no Router is requested', async () => {
    const { caller } = await onTrustedDevice()
    const device = await stage.ask(21, { device: 'laptop', trust_device: true, scope: 'mcp:call' }, caller)
    expect(device.auto_approved).toBe(true)
  })

  test.each([
    ['no device is named', { device: undefined, trust_device: undefined }],
    ['another device is named', { device: 'server' }],
    ['trust is not asked for', { trust_device: false }],
    ['a scope is asked for that was not trusted', { scope: `${SCOPE} call.publish` }],
    ['no allowance is named', { router_allowance_usd: undefined }],
    ['a cent more than the trusted allowance is named', { router_allowance_usd: 5.01 }],
  ])('is left to the owner when %s', async (_why, changed) => {
    const { caller } = await onTrustedDevice()
    await pends(await stage.ask(21, { ...trusted, ...changed }, caller))
  })

  test('is left to the owner when their trust was not ticked, or has ended', async () => {
    const { caller } = await onTrustedDevice({ trustDevice: false })
    await pends(await stage.ask(21, trusted, caller))
    const { owner, caller: other } = await onTrustedDevice()
    expect(await stage.call(agents.distrustDevice, { device: 'laptop' }, { caller: owner })).toEqual({})
    await pends(await stage.ask(21, trusted, other))
  })

  test('is left to the owner when the token has less than is requested, or is not an agent’s', async () => {
    const { owner, caller } = await onTrustedDevice()
    const callers: Caller[] = [
      { ...caller, scopes: ['mcp:call'] },
      { ...caller, owner: wallet(9).address },
      { kind: 'api_key', owner: owner.owner, keyId: 'key' },
      owner,
      { kind: 'anonymous' },
    ]
    for (const other of callers) await pends(await stage.ask(21, trusted, other))
  })

  test('is left to the owner when the requesting agent is no longer linked', async () => {
    const { owner, caller } = await onTrustedDevice()
    await stage.call(agents.unlink, { clientId: caller.clientId }, { caller: owner })
    await pends(await stage.ask(21, trusted, caller))
  })

  test('is left to the owner when every place is taken', async () => {
    const { owner, caller } = await onTrustedDevice({ routerAllowanceUsd: 100 })
    for (let n = 1; n < 20; n += 1) {
      const device = await stage.ask(30 + n, trusted, caller)
      expect(device.auto_approved).toBe(true)
    }
    const device = await stage.ask(60, trusted, caller)
    await pends(device)
    expect(await stage.approve(device.user_code, owner)).toMatchObject({ refusal: 'link_limit' })
  })

  async function pends(device: Awaited<ReturnType<Stage['ask']>>) {
    expect(device).not.toHaveProperty('auto_approved')
    expect(await stage.poll(device)).toMatchObject({ refusal: 'authorization_pending' })
  }
})

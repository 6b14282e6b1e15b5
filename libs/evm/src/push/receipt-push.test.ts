import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from '@callboard/values'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chainSet } from '../chain-set.ts'
import { type ChainClient, chainClients, clientOf } from '../client.ts'
import type { PushState } from './receipt-push.ts'

const usdc = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const chains = chainSet({ devnet: { usdc, splitterFactory: usdc } })
const RAW: Hex = '0x02c0'
const RECEIPT = { transactionHash: `0x${'1'.repeat(64)}`, blockNumber: '0x1' }

/** A node's answers by method; an object with a `code` is an error, null means no answer at all. */
type Answers = Record<string, unknown>

const servers: Server[] = []
const opened: ChainClient[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => {
  vi.useRealTimers()
  for (const client of opened.splice(0)) client.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A node of the devnet's chain that records the methods of its transactions. */
async function node(answers: Answers) {
  const sent: string[] = []
  const server = createServer(async (req, res) => {
    // A WebSocket handshake, which this node does not accept.
    if (req.method !== 'POST') return res.writeHead(405).end()
    const body = JSON.parse(Buffer.concat(await req.toArray()).toString())
    const answer = ({ id, method }: { id: number; method: string }) => {
      const result = { eth_chainId: '0x7a69', ...answers }[method]
      return { jsonrpc: '2.0', id, ...(isError(result) ? { error: result } : { result }) }
    }
    const methods = [body].flat().map(({ method }) => method)
    sent.push(...methods.filter((method) => method.startsWith('eth_send')))
    if (methods.some((method) => answers[method] === null)) return
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, answers }
}

const isError = (answer: unknown): answer is { code: number } =>
  typeof answer === 'object' && answer !== null && 'code' in answer

function clientFor(...urls: readonly string[]) {
  const states: string[] = []
  const push = ({ endpoint, way }: PushState) => states.push(`${endpoint.slice(0, 1)} ${way}`)
  const rpcUrls = { 'eip155:31337': urls }
  const clients = chainClients({ chains, rpcUrls, timeoutMs: 300, retryCount: 0, watch: { push } })
  const client = clientOf(clients, 'eip155:31337')
  opened.push(client)
  return { ...client, states }
}

const SYNC = 'eth_sendRawTransactionSync'
const PLAIN = 'eth_sendRawTransaction'
const UNKNOWN = { code: -32601, message: 'the method does not exist' }

describe('a transaction that is submitted', () => {
  test('returns its receipt from a node that supports EIP-7966', async () => {
    const { url, sent } = await node({ [SYNC]: RECEIPT })
    const client = clientFor(url)
    expect(await client.submit(RAW)).toEqual(RECEIPT)
    expect([sent, client.states]).toEqual([[SYNC], ['1 sync']])
  })

  test('is sent without waiting to a node without EIP-7966, which is tried again only much later', async () => {
    const { url, sent, answers } = await node({ [SYNC]: UNKNOWN, [PLAIN]: '0x1' })
    const client = clientFor(url)
    expect(await client.submit(RAW)).toBeNull()
    expect(await client.submit(RAW)).toBeNull()
    expect([sent, client.states]).toEqual([[SYNC, PLAIN, PLAIN], ['1 poll']])
    vi.advanceTimersByTime(600_000)
    answers[SYNC] = RECEIPT
    expect(await client.submit(RAW)).toEqual(RECEIPT)
    expect(client.states).toEqual(['1 poll', '1 sync'])
  })

  test('counts as accepted where the node’s wait for a block ends without one', async () => {
    const { url, sent } = await node({ [SYNC]: { code: 4, message: 'in no block yet' } })
    expect(await clientFor(url).submit(RAW)).toBeNull()
    expect(sent).toEqual([SYNC])
  })

  test('is sent without waiting where the node refuses to wait, as when its predecessor is still pending', async () => {
    const { url, sent } = await node({ [SYNC]: { code: -32003, message: 'nonce gap' }, [PLAIN]: '0x1' })
    const client = clientFor(url)
    expect(await client.submit(RAW)).toBeNull()
    expect([sent, client.states]).toEqual([[SYNC, PLAIN], ['1 sync']])
  })

  test('error: throws the node’s reason, where it accepts the transaction in neither way', async () => {
    const refused = { code: -32003, message: 'nonce too low' }
    const { url } = await node({ [SYNC]: refused, [PLAIN]: refused })
    await expect(clientFor(url).submit(RAW)).rejects.toThrow('nonce too low')
  })

  test('goes to the next node when one does not answer in time', async () => {
    const mute = await node({ [SYNC]: null })
    const other = await node({ [SYNC]: RECEIPT })
    const client = clientFor(mute.url, other.url)
    expect(await client.submit(RAW)).toEqual(RECEIPT)
    expect([mute.sent, other.sent, client.states]).toEqual([[SYNC], [SYNC], ['2 sync']])
  })

  test('never goes to a node of another chain', async () => {
    const foreign = await node({ eth_chainId: '0x7a6a', [SYNC]: RECEIPT })
    const { url } = await node({ [SYNC]: RECEIPT })
    expect(await clientFor(foreign.url, url).submit(RAW)).toEqual(RECEIPT)
    expect(foreign.sent).toEqual([])
  })

  test('does not delay a read in the meantime', async () => {
    const { url } = await node({ [SYNC]: null, eth_blockNumber: '0x10' })
    const client = clientFor(url)
    const submitted = client.submit(RAW).catch(() => 'no answer')
    expect(await client.getBlockNumber()).toBe(16n)
    expect(await submitted).toBe('no answer')
  })
})

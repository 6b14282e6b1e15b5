import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address, Hex } from '@callboard/values'
import { encodeErrorResult, parseAbi } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isForeignChain } from './answers.ts'
import type { EndpointState } from './chain-proof.ts'
import { chainSet } from './chain-set.ts'
import { type AroundChainCall, chainClients, clientOf } from './client.ts'
import { contractSignatureVerifier } from './contract-signature.ts'
import { predictSplitter, splitterImplementation, splitterRuntime } from './splitter.ts'
import { readSplitterStates } from './splitter-state.ts'

const usdc: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const splitterFactory: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const wallet: Address = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const chains = chainSet({ devnet: { usdc, splitterFactory } })

type Answers = Readonly<Record<string, unknown>>
interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server[Symbol.asyncDispose]())))

/**
 * A node of the devnet's chain that answers by method and records the methods of each HTTP request, except those for
 * the chain id. An Error becomes a JSON-RPC error, its cause the error's data; a function makes the answer.
 */
async function node(answers: Answers) {
  const requests: string[][] = []
  const answer = ({ id, method, params = [] }: RpcCall) => {
    const given = answers[method] ?? (method === 'eth_chainId' ? '0x7a69' : undefined)
    const result: unknown = typeof given === 'function' ? given(...params) : given
    return result instanceof Error
      ? {
          jsonrpc: '2.0',
          id,
          error: {
            code: result.message.includes('reverted') ? 3 : -32000,
            message: result.message,
            data: result.cause ?? '0x',
          },
        }
      : { jsonrpc: '2.0', id, result }
  }
  let failing = 0
  /** Makes one HTTP request fail. */
  const fail = () => {
    failing++
  }
  const server = createServer(async (req, res) => {
    if (failing > 0) {
      failing--
      return res.writeHead(502).end()
    }
    const body = JSON.parse(Buffer.concat(await req.toArray()).toString()) as RpcCall | RpcCall[]
    const calls = Array.isArray(body) ? body : [body]
    const methods = calls.map(({ method }) => method).filter((method) => method !== 'eth_chainId')
    if (methods.length > 0) requests.push(methods)
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
  return { requests, fail, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const clientsOf = (...urls: string[]) =>
  chainClients({ chains, rpcUrls: { 'eip155:31337': urls }, timeoutMs: 1000, retryCount: 0 })

/** Nothing listens on port 9 of this machine. */
const DEAD = 'http://127.0.0.1:9'
const YES: Hex = `0x${'0'.repeat(63)}1`

describe('chainClients', () => {
  test('error: names every served network without an RPC URL', () => {
    const served = chainSet({ networks: ['eip155:8453', 'eip155:5042'] })
    expect(() => chainClients({ chains: served, rpcUrls: { 'eip155:8453': [] } })).toThrow(
      'no RPC URL for eip155:8453, eip155:5042',
    )
  })

  test('behavior: calls the next node when the first is down', async () => {
    const { url } = await node({ eth_blockNumber: '0x10' })
    expect(await clientOf(clientsOf(DEAD, url), 'eip155:31337').getBlockNumber()).toBe(16n)
  })

  test('behavior: a wrapper around requests learns the method, the node, and whether an error is the node’s answer', async () => {
    const { url } = await node({ eth_blockNumber: '0x10', eth_call: new Error('execution reverted') })
    const seen: string[] = []
    const around: AroundChainCall = async ({ network, method, url: at, isAnswer }, ask) => {
      try {
        const answer = await ask()
        if (method !== 'eth_chainId') seen.push(`${network} ${method} ${at === url ? 'node' : 'dead'} ok`)
        return answer
      } catch (error) {
        if (method !== 'eth_chainId')
          seen.push(`${network} ${method} ${at === url ? 'node' : 'dead'} ${isAnswer(error) ? 'refused' : 'failed'}`)
        throw error
      }
    }
    const settings = {
      chains,
      rpcUrls: { 'eip155:31337': [DEAD, url] },
      timeoutMs: 1000,
      retryCount: 0,
      watch: { around },
    }
    const client = clientOf(chainClients(settings), 'eip155:31337')
    await client.getBlockNumber()
    await expect(client.call({ to: wallet })).rejects.toThrow('reverted')
    expect(seen).toEqual(['eip155:31337 eth_blockNumber node ok', 'eip155:31337 eth_call node refused'])
  })
})

describe('an endpoint of another chain', () => {
  const OTHER = '0x7a6a'
  const watched = (...urls: string[]) => {
    const states: string[] = []
    const endpoint = ({ endpoint: at, state, chainId }: EndpointState) =>
      states.push([at.slice(0, 1), state, ...(chainId === undefined ? [] : [chainId])].join(' '))
    const rpcUrls = { 'eip155:31337': urls }
    const clients = chainClients({ chains, rpcUrls, timeoutMs: 1000, retryCount: 0, watch: { endpoint } })
    return { client: clientOf(clients, 'eip155:31337'), states }
  }

  test('is never asked for anything but its chain id, and is reported as left out', async () => {
    const foreign = await node({ eth_chainId: OTHER, eth_blockNumber: '0x99' })
    const { url } = await node({ eth_blockNumber: '0x10' })
    const { client, states } = watched(foreign.url, url)
    expect(await client.getBlockNumber()).toBe(16n)
    expect(foreign.requests).toEqual([])
    expect(states).toContain('1 foreign 31338')
    expect(states).toContain('2 proven')
  })

  test('is detected at the first request, before it is needed', async () => {
    const { url } = await node({ eth_blockNumber: '0x10' })
    const { client, states } = watched(url, (await node({ eth_chainId: OTHER })).url)
    await client.getBlockNumber()
    await vi.waitFor(() => expect(states).toContain('2 foreign 31338'))
  })

  test('at failover: the call fails with an error that says so, never with its answer', async () => {
    const foreign = await node({ eth_chainId: OTHER, eth_blockNumber: '0x99' })
    const { client } = watched(DEAD, foreign.url)
    const error = await client.getBlockNumber().catch((thrown: unknown) => thrown)
    expect(isForeignChain(error)).toBe(true)
    expect(foreign.requests).toEqual([])
  })

  test('after a failure: whatever answers at the same URL must prove its chain anew', async () => {
    const answers: Record<string, unknown> = { eth_blockNumber: '0x10' }
    const { url, fail } = await node(answers)
    const { client, states } = watched(url)
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(16n)
    fail()
    await expect(client.getBlockNumber({ cacheTime: 0 })).rejects.toThrow()
    Object.assign(answers, { eth_chainId: OTHER, eth_blockNumber: '0x99' })
    await expect(client.getBlockNumber({ cacheTime: 0 })).rejects.toThrow('chain id 31338')
    expect(states).toEqual(['1 unproven', '1 proven', '1 unproven', '1 foreign 31338'])
  })
})

describe('readSplitterStates', () => {
  const code = splitterRuntime(splitterImplementation(splitterFactory), wallet)

  test('default: reads code and balance in one HTTP request', async () => {
    const { url, requests } = await node({ eth_getCode: code, eth_call: `0x${'0'.repeat(63)}7` })
    expect(await readSplitterStates(clientsOf(url), chains, wallet)).toEqual([
      {
        network: 'eip155:31337',
        address: predictSplitter(splitterFactory, wallet),
        factory: splitterFactory,
        deployed: true,
        balanceBaseUnits: 7n,
      },
    ])
    expect(requests).toEqual([['eth_getCode', 'eth_call']])
  })

  test('behavior: foreign code at the address is not our splitter', async () => {
    const { url } = await node({ eth_getCode: '0x6001', eth_call: YES })
    expect(await readSplitterStates(clientsOf(url), chains, wallet)).toMatchObject([{ deployed: false }])
  })

  test('error: a node that is down is an error, not an empty splitter', async () => {
    await expect(readSplitterStates(clientsOf(DEAD), chains, wallet)).rejects.toThrow()
  })
})

describe('contractSignatureVerifier', () => {
  const question = { chainId: 31337, address: wallet, hash: YES, signature: `0x${'ab'.repeat(32)}` } as const
  const verdict = async (eth_call: unknown, signature: `0x${string}` = question.signature) =>
    contractSignatureVerifier(clientsOf((await node({ eth_call })).url))({ ...question, signature })

  test('true for a yes, false for a no, for silence and for a revert', async () => {
    expect(await verdict('0x01')).toBe(true)
    expect(await verdict('0x00')).toBe(false)
    expect(await verdict('0x')).toBe(false)
    expect(await verdict(new Error('execution reverted'))).toBe(false)
  })

  test('behavior: a signature shorter than the validator can read, even an empty one, goes to the contract itself', async () => {
    const yes = `0x1626ba7e${'0'.repeat(56)}`
    for (const signature of ['0x', '0xab', `0x${'ab'.repeat(31)}`] as const) {
      expect(await verdict(yes, signature)).toBe(true)
      // A precompile that returns its input starts like a valid answer.
      for (const no of [`0x1626ba7e${'1'.repeat(56)}`, '0x1626ba7e', '0x', `0x${'0'.repeat(64)}`]) {
        expect(await verdict(no, signature)).toBe(false)
      }
      for (const failure of [
        'execution reverted',
        'invalid opcode: INVALID',
        'EVM error InvalidFEOpcode',
        'out of gas',
        'gas uint64 overflow',
        'return data out of bounds',
        'VM execution error.',
      ]) {
        expect(await verdict(new Error(failure), signature)).toBe(false)
      }
      await expect(verdict(new Error('limit exceeded'), signature)).rejects.toThrow()
    }
  })

  test('no contract gets all the gas that its node would grant, which may run for longer than a request waits', async () => {
    const granted: bigint[] = []
    const runs = ({ gas }: { gas?: Hex }) => {
      granted.push(BigInt(gas ?? 550_000_000))
      return new Error('out of gas')
    }
    for (const signature of ['0xab', question.signature] as const) expect(await verdict(runs, signature)).toBe(false)
    expect(granted).toEqual([10_000_000n, 10_000_000n])
  })

  test('false for a contract that answers with a URL to be read (ERC-3668), and nothing is fetched', async () => {
    const { url, requests } = await node({})
    const lookup = encodeErrorResult({
      abi: parseAbi(['error OffchainLookup(address, string[], bytes, bytes4, bytes)']),
      args: [wallet, [url], '0x', '0x1626ba7e', '0x'],
    })
    for (const signature of ['0xab', question.signature] as const) {
      expect(await verdict(new Error('execution reverted', { cause: lookup }), signature)).toBe(false)
    }
    expect(requests).toEqual([])
  })

  test('error: a node that is down, or a chain that is not served, never counts as a no', async () => {
    await expect(contractSignatureVerifier(clientsOf(DEAD))(question)).rejects.toThrow()
    await expect(contractSignatureVerifier(clientsOf(DEAD))({ ...question, chainId: 1 })).rejects.toThrow('not served')
  })
})

import type { HttpMethod } from '@callboard/contract'
import { ELSEWHERE, NETWORK } from './facilitator.ts'

/** What runs a seller: a program next to this file with the packages of its own folder, or bytes recorded from one. */
export type Host = 'javascript' | 'python-v2' | 'python-v1' | 'rust' | 'recorded'

/** A seller on an unchanged third-party server, and what its probe must report. */
export interface RealServer {
  readonly name: string
  readonly host: Host
  /** Its file, without ending. */
  readonly program: string
  readonly path: string
  readonly method?: HttpMethod
  readonly says: object
}

export const PAYEE = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const CENT = { scheme: 'exact', network: NETWORK, asset: USDC_ON_BASE, amount: '10000', payTo: PAYEE }
const paid = { ...CENT, payable: true, notPayableReason: null }
const UNTOLD = ['SCHEMA_INPUT_MISSING', 'SCHEMA_OUTPUT_MISSING']

/** The report on a payable x402 offer of one cent. */
const payable = (version: 1 | 2, operation: object, more: { accepts?: object[]; issues?: string[] } = {}) => ({
  state: 'ok_402',
  finding: 'payable',
  httpStatus: 402,
  result: {
    kind: 'x402',
    x402Version: version,
    accepts: more.accepts ?? [paid],
    operations: [operation],
    conformance: {
      versionConformant: true,
      offerTransport: version === 2 ? 'header' : 'body',
      issues: more.issues ?? [],
    },
    unread: [],
  },
})

/** The report on MPP challenges of one cent on Tempo, one for each accepted token. */
const onTempo = (tokens: number, operation: object) => {
  const request = { amount: '10000', recipient: PAYEE, methodDetails: { chainId: 4217 } }
  const challenge = { realm: 'tides.example', method: 'tempo', intent: 'charge', request }
  return {
    state: 'mpp',
    finding: 'mpp',
    httpStatus: 402,
    result: { kind: 'mpp', operations: [operation], challenge, challenges: Array(tokens).fill(challenge) },
  }
}

/** The report on an MCP server whose only paid tool costs a cent. */
const soldWithinMcp = (x402Version: 1 | 2, httpStatus: number) => {
  const accepts = [{ ...CENT, payable: false, notPayableReason: 'mcp' }]
  const inputSchema = { ...PORT, required: ['port'] }
  const tool = { name: 'tides', description: 'The tides of a port', inputSchema, x402Version, accepts, unread: [] }
  return {
    state: 'blocked_before_gate',
    finding: 'mcp_tools_sold',
    httpStatus,
    result: { kind: 'mcp', tools: [tool] },
  }
}

const TIDES = { method: 'GET', name: 'tides', description: 'The tides of a port' }
const FORECAST = { name: 'forecast', description: 'A forecast', metadataEvidence: 'bazaar' }
const CITY = { properties: { city: { type: 'string' } }, required: ['city'] }
const TEXT = { properties: { text: { type: 'string' } }, required: ['text'] }
const PORT = { type: 'object', properties: { port: { type: 'string' } } }
const HIGH = { type: 'object', properties: { high: { type: 'string' } } }

export const fleet: readonly RealServer[] = [
  {
    name: '@x402/express is payable, with the query that its bazaar extension shows',
    host: 'javascript',
    program: 'x402-express',
    path: '/forecast',
    says: payable(2, { ...FORECAST, method: 'GET', inputSchema: { type: 'object', ...CITY } }),
  },
  {
    name: '@x402/hono is payable by POST, by the one of its two ways that is on a network of ours',
    host: 'javascript',
    program: 'x402-hono',
    path: '/translation',
    says: payable(
      2,
      { method: 'POST', description: 'A translation', metadataEvidence: 'bazaar', inputSchema: TEXT },
      { accepts: [{ network: ELSEWHERE, amount: '10000', payable: false, notPayableReason: 'network' }, paid] },
    ),
  },
  {
    name: '@x402/core on node:http is payable, and the report names what its offer leaves out',
    host: 'javascript',
    program: 'x402-core',
    path: '/tides',
    says: payable(2, TIDES, { issues: UNTOLD }),
  },
  {
    name: 'Fastify, which validates before @x402/core, is payable by what its OpenAPI document says',
    host: 'javascript',
    program: 'x402-fastify',
    path: '/translation',
    says: payable(
      2,
      {
        method: 'POST',
        description: 'A translation',
        metadataEvidence: 'openapi',
        inputSchema: { required: ['text'], properties: { text: { type: 'string', minLength: 3 } } },
      },
      { issues: UNTOLD },
    ),
  },
  {
    name: 'x402-express of version 1 is payable, with the query of its output schema',
    host: 'javascript',
    program: 'x402-express-v1',
    path: '/tides',
    says: payable(1, {
      ...TIDES,
      metadataEvidence: 'output-schema',
      inputSchema: { ...PORT, required: ['port'] },
      outputSchema: HIGH,
    }),
  },
  {
    name: 'x402-hono of version 1 on a test network is payable elsewhere',
    host: 'javascript',
    program: 'x402-hono-v1',
    path: '/tides',
    says: {
      state: 'ok_402',
      finding: 'payable_elsewhere',
      result: { x402Version: 1, accepts: [{ network: ELSEWHERE, payable: false, notPayableReason: 'network' }] },
    },
  },
  {
    name: 'x402-mcp is an MCP server, whose tool is paid within the protocol, and says by version 1 what it costs and whom it pays',
    host: 'javascript',
    program: 'x402-mcp',
    path: '/mcp',
    says: soldWithinMcp(1, 406),
  },
  {
    name: '@modelcontextprotocol/server is asked without a handshake, and its tool that says so is paid within the protocol',
    host: 'javascript',
    program: 'mcp-server',
    path: '/mcp',
    says: soldWithinMcp(2, 400),
  },
  {
    name: 'mppx on Tempo is MPP',
    host: 'javascript',
    program: 'mppx-tempo',
    path: '/tides',
    says: onTempo(1, TIDES),
  },
  {
    name: 'mppx on an EVM chain is payable by the x402 offer beside its challenge, which describes it',
    host: 'javascript',
    program: 'mppx-evm',
    path: '/tides',
    says: payable(2, TIDES, { issues: ['MPP_ALSO_OFFERED', ...UNTOLD] }),
  },
  {
    name: 'x402 on FastAPI is payable by POST, with the body that its bazaar extension shows',
    host: 'python-v2',
    program: 'x402_fastapi',
    path: '/forecast',
    says: payable(2, { ...FORECAST, method: 'POST', inputSchema: CITY }),
  },
  {
    name: 'x402 on Flask is payable, with the query that its bazaar extension shows',
    host: 'python-v2',
    program: 'x402_flask',
    path: '/tides',
    says: payable(2, { ...TIDES, metadataEvidence: 'bazaar', inputSchema: PORT }),
  },
  {
    name: 'x402 on FastMCP is an MCP server, whose one tool that says so is paid within the protocol by version 2',
    host: 'python-v2',
    program: 'x402_mcp',
    path: '/mcp',
    says: soldWithinMcp(2, 406),
  },
  {
    name: 'pympp on Tempo is MPP',
    host: 'python-v2',
    program: 'mpp_tempo',
    path: '/tides',
    says: onTempo(2, { method: 'GET', name: 'tides' }),
  },
  {
    name: 'pympp on an EVM chain is payable, and the report says that its route binding shuts stock clients out',
    host: 'python-v2',
    program: 'mpp_evm',
    path: '/tides',
    says: payable(2, { method: 'GET', name: 'tides' }, { issues: ['MPP_ALSO_OFFERED', 'ROUTE_BOUND', ...UNTOLD] }),
  },
  {
    name: 'l402kit on FastAPI is L402',
    host: 'python-v2',
    program: 'l402_fastapi',
    path: '/tides',
    says: { state: 'ok_402_no_accepts', finding: 'l402', httpStatus: 402, result: { kind: 'plain' } },
  },
  {
    name: 'x402 0.2 on FastAPI is payable by version 1, with query and answer of its output schema',
    host: 'python-v1',
    program: 'x402_v1_fastapi',
    path: '/tides',
    says: payable(1, { ...TIDES, metadataEvidence: 'output-schema', inputSchema: PORT, outputSchema: HIGH }),
  },
  {
    name: 'x402 0.2 on Flask is payable by version 1',
    host: 'python-v1',
    program: 'x402_v1_flask',
    path: '/tides',
    says: payable(1, { ...TIDES, metadataEvidence: 'output-schema' }, { issues: UNTOLD }),
  },
  {
    name: 'fastapi-x402 is not payable on Base, for it gives the token another name than the token has',
    host: 'python-v1',
    program: 'fastapi_x402_pay',
    path: '/tides',
    says: {
      state: 'ok_402_no_accepts',
      finding: 'not_payable',
      result: {
        x402Version: 1,
        accepts: [{ ...CENT, extra: { name: 'USDC' }, payable: false, notPayableReason: 'eip712-domain' }],
      },
    },
  },
  {
    name: 'the Rust crate mpp on axum is MPP',
    host: 'rust',
    program: 'mpp-axum',
    path: '/tides',
    says: onTempo(2, TIDES),
  },
  {
    name: 'the Rust crate x402-axum is payable by version 2',
    host: 'rust',
    program: 'x402-axum-v2',
    path: '/tides',
    says: payable(2, TIDES, { issues: UNTOLD }),
  },
  {
    name: 'the Rust crate x402-axum is payable by version 1',
    host: 'rust',
    program: 'x402-axum-v1',
    path: '/tides',
    says: payable(1, TIDES, { issues: UNTOLD }),
  },
  {
    name: 'the Rust crate mpp on axum is MPP, as it once answered',
    host: 'recorded',
    program: 'mpp-axum-recorded',
    path: '/tides',
    says: onTempo(2, TIDES),
  },
  {
    name: 'the Rust crate x402-axum is payable by version 2, as it once answered',
    host: 'recorded',
    program: 'x402-axum-v2-recorded',
    path: '/tides',
    says: payable(2, TIDES, { issues: UNTOLD }),
  },
  {
    name: 'the Rust crate x402-axum is payable by version 1, as it once answered',
    host: 'recorded',
    program: 'x402-axum-v1-recorded',
    path: '/tides',
    says: payable(1, TIDES, { issues: UNTOLD }),
  },
]

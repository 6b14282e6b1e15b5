import { z } from 'zod'
import { BASE_URL } from '../examples/words.ts'
import { edge } from '../refusals.ts'
import { A2A_PATH, AGENT_CARD_PATH, AgentCard } from '../tools/index.ts'
import type { EdgeRoute } from './edge-route.ts'

/** Null and absence are the same in this protocol (ProtoJSON). */
const text = z.string().nullish()

/** One part of a message: a text, or the call of a skill. Files are named only to be refused. */
const Part = z.object({
  text,
  data: z.strictObject({ skill: z.string(), input: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  raw: text,
  url: text,
})

/** The parameters of `SendMessage` that are read. @source A2A 1.0 §3.2.1, §4.1.4 */
export const SendMessageParams = z.object({
  message: z.object({
    messageId: z.string().min(1),
    role: z.literal('ROLE_USER', 'must be ROLE_USER'),
    parts: z.array(Part).length(1, 'must be one part'),
    contextId: text,
    taskId: text,
  }),
  configuration: z.object({ taskPushNotificationConfig: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})
export type SendMessageParams = z.output<typeof SendMessageParams>

/** The message that answers another one. */
export const AgentMessage = z.object({
  messageId: z.string(),
  contextId: z.string(),
  role: z.literal('ROLE_AGENT'),
  parts: z.array(z.object({ data: z.record(z.string(), z.unknown()), mediaType: z.literal('application/json') })),
  metadata: z.object({
    'callboard.skill': z.string(),
    /** `refused`: the data is `{error, message}`, with the members that the error has elsewhere. */
    'callboard.outcome': z.enum(['answered', 'refused']),
  }),
})
export type AgentMessage = z.output<typeof AgentMessage>

/** An error of JSON-RPC or of A2A. @source A2A 1.0 §5.4, §9.5 */
export const A2aError = z.object({
  code: z.number().int(),
  message: z.string(),
  data: z.array(z.looseObject({ '@type': z.string() })).optional(),
})
export type A2aError = z.output<typeof A2aError>

const Id = z.union([z.string(), z.number().int()])

/** One JSON-RPC message. Lists of messages are not taken, and all other methods of A2A are refused. */
const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id,
  method: z.literal('SendMessage'),
  params: SendMessageParams,
})

/** The result or the error, as JSON-RPC; either comes with the status 200. */
const Answer = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.nullable(),
  result: z.object({ message: AgentMessage }).optional(),
  error: A2aError.optional(),
})

/** The endpoint of the agent-to-agent server, of which each skill is an operation. */
export const a2aEndpoint = {
  id: 'gateway.a2a',
  method: 'POST',
  path: A2A_PATH,
  mediaType: 'application/json',
  optionalBearer: true,
  limited: true,
  summary: 'The agent-to-agent server (A2A 1.0 over JSON-RPC, without tasks); needs the header `A2A-Version: 1.0`',
  body: Message,
  json: {
    schema: Answer,
    example: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        message: {
          messageId: '0b9e2c0e-3a0c-4e0e-9d53-0d6f0f2a2b11',
          contextId: '7f0f1c56-5a3e-4a53-8a5c-3f2f8f0c9a10',
          role: 'ROLE_AGENT',
          parts: [{ data: { wallet: '0x4f3c8f1f0a1b2c3d4e5f60718293a4b5c6d7e8f9' }, mediaType: 'application/json' }],
          metadata: { 'callboard.skill': 'agents_self', 'callboard.outcome': 'answered' },
        },
      },
    },
  },
  refusals: [
    ...[edge.unauthorized, edge.insufficientScope, edge.payloadTooLarge, edge.unsupportedMediaType],
    ...[edge.rateLimited, edge.internal, edge.unavailable, edge.deadline],
  ],
} as const satisfies EdgeRoute

/** Its endpoint and its card. */
export const a2a: readonly EdgeRoute[] = [
  a2aEndpoint,
  {
    id: 'gateway.agentCard',
    method: 'GET',
    path: AGENT_CARD_PATH,
    mediaType: 'application/json',
    summary: 'The agent card of the agent-to-agent server, with its skills',
    json: {
      schema: AgentCard,
      example: {
        name: 'Callboard',
        description: 'An open directory of APIs that are paid per call with x402 in USDC.',
        version: '0.1.0',
        supportedInterfaces: [{ url: BASE_URL + A2A_PATH, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        provider: { organization: 'Callboard', url: BASE_URL },
        documentationUrl: `${BASE_URL}/docs`,
        iconUrl: `${BASE_URL}/favicon.svg`,
        capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
        securitySchemes: { apiKey: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
        defaultInputModes: ['application/json'],
        defaultOutputModes: ['application/json'],
        skills: [
          {
            id: 'catalog_stats',
            name: 'Settlement statistics',
            description: 'Sums of the payments observed on chain.',
            tags: ['catalog', 'read-only'],
            examples: ['{"skill":"catalog_stats","input":{"range":"7d"}}'],
            inputModes: ['application/json'],
            outputModes: ['application/json'],
          },
        ],
      },
    },
    entityTag: true,
  },
]

import { A2A_VERSION, type SendMessageParams } from '@callboard/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refused } from '../answers/errors.ts'
import type { Route } from '../context.ts'
import { readArguments } from '../input/input.ts'
import type { Issue } from '../input/unfit-json.ts'
import type { Exchange } from '../tools/call-tool.ts'
import {
  badParameters,
  noNotifications,
  noTask,
  notOneMessage,
  type Outcome,
  otherVersion,
  unknownMethod,
  unsupported,
} from './protocol-errors.ts'
import { sendMessage } from './send-message.ts'

const JsonRpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})

/** The methods of A2A that only agents with tasks, streams or notifications have. @source A2A 1.0 §3.3.4, §5.3 */
const REFUSED: ReadonlyMap<string, Outcome> = new Map([
  ...['SendStreamingMessage', 'SubscribeToTask', 'ListTasks', 'GetExtendedAgentCard'].map(
    (method) => [method, unsupported] as const,
  ),
  ...['GetTask', 'CancelTask'].map((method) => [method, noTask] as const),
  ...['Create', 'Get', 'Delete'].map((verb) => [`${verb}TaskPushNotificationConfig`, noNotifications] as const),
  ['ListTaskPushNotificationConfigs', noNotifications],
])

/** Answers one JSON-RPC message. @param route the endpoint, whose input are the parameters of `SendMessage` */
export async function answerA2a(exchange: Exchange, route: Route): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { success, data } = JsonRpcRequest.safeParse(request.body)
  if (!success) return sendOutcome(reply, null, notOneMessage)
  const { id, method, params = {} } = data
  if (!isOurs(versionOf(request))) return sendOutcome(reply, id, otherVersion)
  if (method !== 'SendMessage') return sendOutcome(reply, id, REFUSED.get(method) ?? unknownMethod)
  const read = readParams(request, route, params)
  return sendOutcome(reply, id, 'message' in read ? await sendMessage(exchange, read) : read)
}

export const sendOutcome = (reply: FastifyReply, id: string | number | null, outcome: Outcome): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))

/** The version that a message is in: the header's, or that of a parameter of the same name. @source A2A 1.0 §3.6 */
function versionOf({ headers, query }: FastifyRequest): unknown {
  return headers['a2a-version'] ?? (query as Readonly<Record<string, unknown>>)['A2A-Version']
}

/** The third number of a version changes nothing. */
const isOurs = (version: unknown): boolean =>
  typeof version === 'string' && (version === A2A_VERSION || /^1\.0\.\d{1,4}$/.test(version))

function readParams(request: FastifyRequest, route: Route, params: object): SendMessageParams | Outcome {
  try {
    return readArguments(params, request, route) as SendMessageParams
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return badParameters((error.refusal.details?.issues ?? []) as Issue[])
  }
}

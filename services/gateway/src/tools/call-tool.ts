import { anonymous, argumentsOf, refusals, type Tool } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyOf } from '../answers/bodies.ts'
import { declarationOf, Refused, refusalOf } from '../answers/errors.ts'
import type { GatewayContext } from '../context.ts'
import { requireScope } from '../hooks/authenticate.ts'
import { limitByAddress, limitByCaller, limitByInput } from '../hooks/rate-limit.ts'
import { readArguments } from '../input/input.ts'

/** One message of a client: the request that brought it, whose caller is known, and its answer's head. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly ctx: GatewayContext
}

/** What a tool answered, as JSON: its operation's output, or `{error, message}` as the API has it. */
export interface ToolAnswer {
  readonly isRefused: boolean
  /** That of the route: clients see none, as the message is answered in any case. */
  readonly status: number
  readonly json: string
}

/**
 * Calls an operation as a tool, by the rules of its route: the same scope, the same allowance, the same schema, and the
 * same refusals, which a model reads as the tool's answer.
 */
export async function callTool(exchange: Exchange, tool: Tool, given: object): Promise<ToolAnswer> {
  const answer = await answered(exchange, tool, given).catch((error: unknown) => failed(exchange, tool, error))
  exchange.ctx.resources.meters.toolCalls.inc({ operation: tool.op.id, status: String(answer.status) })
  return answer
}

function failed({ request }: Exchange, { name }: Tool, error: unknown): ToolAnswer {
  const refusal = refusalOf(error)
  if (refusal) return refused(request, refusal)
  request.log.error({ err: error, tool: name }, 'a tool failed')
  return refused(request, { refusal: 'internal_error', message: refusals.edge.internal.meaning })
}

async function answered({ request, reply, ctx }: Exchange, { op }: Tool, given: object): Promise<ToolAnswer> {
  requireScope(request, reply, op, ctx)
  const isOpen = op.http.auth === 'none'
  // The message itself was counted as a read.
  if (op.http.limit !== 'read') await (isOpen ? limitByAddress : limitByCaller)(request, reply, op, ctx)
  const input = readArguments(argumentsOf(given), request, op)
  if (op.http.alsoLimit) await limitByInput(input)(request, reply, op, ctx)
  const caller = isOpen ? anonymous : request.state.caller
  const answer = await ctx.bus.callEncoded(op, input, { caller, requestId: request.id, timeoutMs: op.timeoutMs })
  if (isRefusal(answer)) throw new Refused(answer)
  return { isRefused: false, status: op.http.ok, json: Buffer.from(answer).toString() }
}

/** A refusal in the shape of the API; a model has no head to find the seconds in. */
function refused({ id }: FastifyRequest, { refusal: code, message, field, details, ...more }: Refusal): ToolAnswer {
  const declared = declarationOf.get(code)
  const status = declared?.status ?? 500
  const body = bodyOf('api', {
    code,
    status,
    message: message ?? declared?.meaning ?? code,
    field,
    details: { ...details, request_id: id, ...waitOf(more) },
    requestId: id,
  })
  return { isRefused: true, status, json: JSON.stringify(body) }
}

const waitOf = ({ retryAfterSeconds }: Pick<Refusal, 'retryAfterSeconds'>) =>
  retryAfterSeconds === undefined ? {} : { retryAfterSeconds }

import { randomUUID } from 'node:crypto'
import { type AgentMessage, type SendMessageParams, SKILL_OF_TEXTS, type Tool, tools } from '@callboard/contract'
import { Refused } from '../answers/errors.ts'
import { callTool, type Exchange, type ToolAnswer } from '../tools/call-tool.ts'
import { lackFor } from '../tools/offered-tools.ts'
import { badParameters, noFiles, noNotifications, noTask, type Outcome } from './protocol-errors.ts'

/** Characters of a skill's name that a refusal repeats. */
const LONGEST_NAME = 64

type Part = SendMessageParams['message']['parts'][number]

/**
 * Calls the skill that a message names, and answers with a message: nothing is left to ask for later, and nothing is
 * kept. Credentials are a matter of HTTP, so what the caller lacks is refused as on every route.
 * @throws Refused unauthorized, insufficient_scope
 */
export async function sendMessage(exchange: Exchange, params: SendMessageParams): Promise<Outcome> {
  const { message, configuration } = params
  const [part] = message.parts
  if (message.taskId) return noTask
  if (configuration?.taskPushNotificationConfig) return noNotifications
  if (typeof part?.raw === 'string' || typeof part?.url === 'string') return noFiles
  const asked = part && callOf(part)
  if (!asked) return badParameters([{ field: 'message.parts.0', reason: 'must have either text or data' }])
  const tool = tools.find(({ name }) => name === asked.skill)
  if (!tool) {
    const reason = `There is no skill ${JSON.stringify(asked.skill.slice(0, LONGEST_NAME))}; the agent card names them`
    return badParameters([{ field: 'message.parts.0.data.skill', reason }])
  }
  requireCredential(exchange, tool)
  const answer = await callTool(exchange, tool, asked.input)
  return { result: { message: answerOf(answer, tool, message.contextId) } }
}

function callOf({ text, data }: Part): { skill: string; input: object } | undefined {
  if (typeof text === 'string') return data ? undefined : { skill: SKILL_OF_TEXTS, input: { q: text } }
  return data ? { skill: data.skill, input: data.input ?? {} } : undefined
}

const answerOf = ({ isRefused, json }: ToolAnswer, { name }: Tool, contextId?: string | null): AgentMessage => ({
  messageId: randomUUID(),
  contextId: contextId || randomUUID(),
  role: 'ROLE_AGENT',
  parts: [{ data: JSON.parse(json), mediaType: 'application/json' }],
  metadata: { 'callboard.skill': name, 'callboard.outcome': isRefused ? 'refused' : 'answered' },
})

function requireCredential({ request }: Exchange, tool: Tool): void {
  const { name, op } = tool
  const lack = lackFor(request.state.caller, tool)
  if (!lack) return
  const wanted = op.http.auth === 'agent' ? 'an agent’s access token' : 'an API key or an access token'
  const scope = op.http.scope ? `, with the scope ${op.http.scope}` : ''
  throw new Refused({ refusal: lack, message: `The skill ${name} takes ${wanted}${scope}.` })
}

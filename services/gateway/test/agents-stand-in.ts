import { agents, type Caller, type InputOf, type LinkRequest, type OutputOf } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import { z } from 'zod'

const { readLinkRequest, decideLink, self, deviceAuthorization } = agents

/** Requests to the operations below, latest last. */
export interface Asked {
  readonly caller: Caller
  readonly input: unknown
}

/** The `agents` operations that the edge's own tests need, answered from a script, with no service behind them. */
export function agentsStandIn() {
  const asked: Asked[] = []
  const requests = new Map<string, LinkRequest | 'link_limit' | 'already_decided' | 'rate_limited'>()
  /** Owners whose wallets signed too long ago to approve anything. */
  const stale = new Set<string>()
  const found = (input: { userCode: string }) => requests.get(input.userCode.toUpperCase().replace('-', ''))
  const note = (caller: Caller, input: unknown) => asked.push({ caller, input })

  const module = service({
    name: 'agents',
    config: z.object({}),
    operations: { readLinkRequest, decideLink, self, deviceAuthorization },
    serves: {
      readLinkRequest: async (input, ctx) => {
        note(ctx.caller, input)
        const request = found(input)
        if (request === 'rate_limited') return refuse('rate_limited', { retryAfterSeconds: 77 })
        return typeof request === 'object' ? request : refuse('not_found')
      },
      decideLink: async (input: InputOf<typeof decideLink>, ctx) => {
        note(ctx.caller, input)
        const request = found(input)
        if (request === undefined) return refuse('not_found')
        if (request === 'rate_limited') return refuse('rate_limited')
        const isStale = ctx.caller.kind === 'session' && stale.has(ctx.caller.owner)
        if (isStale && input.decision.verdict === 'approve') return refuse('fresh_signature_required')
        return typeof request === 'object' ? { request, routerUnavailable: true } : refuse(request)
      },
      self: async (input, ctx): Promise<OutputOf<typeof self>> => {
        note(ctx.caller, input)
        const { caller } = ctx
        if (caller.kind !== 'agent') throw new Error('the edge lets only agents in')
        const { clientId, owner, scopes } = caller
        return { clientId, owner, scopes, wallet: owner, label: 'a', linkedAt: '2026-11-21T00:00:00.000Z' }
      },
      deviceAuthorization: async (input, ctx) => {
        note(ctx.caller, input)
        if (input.agent_message === 'bad') {
          return refuse('invalid_agent_signature', { message: 'The “message” is not the one to sign — "sorry".' })
        }
        return {
          ...{ device_code: 'code', user_code: 'BCDF-GHJK', expires_in: 1_200, interval: 5 },
          ...{
            verification_uri: 'http://127.0.0.1/link',
            verification_uri_complete: 'http://127.0.0.1/link?user_code=1',
          },
          client_id: `agent_0x${'0'.repeat(40)}`,
        }
      },
    },
  })
  return { module, asked, requests, stale }
}

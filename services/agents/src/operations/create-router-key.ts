import type { agents } from '@callboard/contract'
import type { AgentsHandler } from '../context.ts'
import { newKeyOfCaller } from '../links/new-key.ts'

export const createRouterKey: AgentsHandler<typeof agents.createRouterKey> = (_input, ctx) =>
  newKeyOfCaller(ctx, ctx.caller, 'compute')

import type { agents } from '@callboard/contract'
import type { AgentsHandler } from '../kit.ts'
import { newKeyOfCaller } from '../links/new-key.ts'

export const createBalanceKey: AgentsHandler<typeof agents.createBalanceKey> = (_input, ctx) =>
  newKeyOfCaller(ctx, ctx.caller, 'balance')

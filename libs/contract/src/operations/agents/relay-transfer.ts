import { Eip3009Payload, SettleResponse } from '@callboard/x402'
import { z } from 'zod'
import { operation } from '../../operation.ts'
import {
  gasBudgetSpent,
  invalidRequest,
  recipientNotAllowed,
  settlementPending,
  transferFailed,
  unauthorized,
  unavailable,
  unsupportedNetwork,
} from '../../refusals.ts'
import { Requester } from '../../schemas/requester.ts'
import { Network } from '../../schemas/words.ts'

export const relayTransfer = operation({
  id: 'agents.relayTransfer',
  summary: 'Settle the agent’s signed USDC authorization to its owner or an active sibling, unchanged and once',
  timeoutMs: 80_000,
  http: {
    method: 'POST',
    path: '/api/agents/relay-transfer',
    auth: 'agent',
    stability: 'beta',
    limit: 'transfer',
    ok: 200,
    requester: true,
  },
  /**
   * The signed order as an x402 payment carries it (EIP-3009), and the chain on which it moves USDC. Its gas is counted
   * on the requester, which is absent where the caller is not the gateway.
   */
  input: z.strictObject({ network: Network, ...Eip3009Payload.shape, requester: Requester.optional() }),
  output: SettleResponse.extend({ success: z.literal(true) }),
  errors: [
    unauthorized,
    invalidRequest,
    recipientNotAllowed,
    unsupportedNetwork,
    transferFailed,
    settlementPending,
    gasBudgetSpent,
    unavailable,
  ],
})

import { Api, type KnownAsset, type Paid, pay } from '@callboard/client'
import { argumentsOf, catalog } from '@callboard/contract'
import { MINUTE_MS } from '@callboard/values'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Usage } from '../exit-codes.ts'
import { outcomeOf, receiptOf, WOULD_PAY_AGAIN } from '../payment-outcome.ts'
import { within } from '../price-limit.ts'
import { refuseUnsendable } from '../sendable.ts'
import { ledgerOf, policyOf, type Settings, walletOf } from '../settings.ts'
import { readBody } from './answer-body.ts'
import { CallsUnderWay } from './calls-under-way.ts'
import { isLocal, whyNotCalled } from './listed-endpoint.ts'
import { answered, type LocalTool } from './local-tool.ts'

/** A seller can answer a byte at a time for ever. A payment that was sent is then in the ledger, and is presented again. */
const LONGEST_CALL_MS = 10 * MINUTE_MS

const Input = z.strictObject({
  listing: z.string().min(1).describe('The listing’s slug, as catalog_discovery shows it.'),
  url: z.string().min(1).describe('An endpoint of the listing, with the parameters of this call in its query.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET').describe('The endpoint’s method.'),
  maxUsd: z
    .string()
    .describe(
      'The most that this call may cost, in USD as decimal text: the price that you read. Never above the policy.',
    ),
  headers: z.record(z.string(), z.string()).optional().describe('Request headers, such as content-type.'),
  body: z.string().optional().describe('The body as text. JSON needs the header content-type: application/json.'),
})

const DESCRIPTION =
  'Calls an endpoint of a listing and pays what it asks, in USDC from this machine’s wallet, within the owner’s limits ' +
  '(see policy). Read catalog_entry first: the price and the input are there. An answer that is an error may have been ' +
  'paid for: do what its outcome says, and never repeat it blindly.'

/** `pay` as a tool: only listed endpoints, only within policy.json, each payment in the ledger before it is sent. */
export function payTool(settings: Settings, assets: readonly KnownAsset[]): LocalTool {
  const underWay = new CallsUnderWay()
  const { $schema: _, ...inputSchema } = z.toJSONSchema(Input, { io: 'input' })
  return {
    listed: {
      ...{ name: 'pay', title: 'Call a listed endpoint, and pay for it', description: DESCRIPTION },
      inputSchema: inputSchema as LocalTool['listed']['inputSchema'],
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    run: async (given, cancelled) => {
      const { listing, url, method, headers, maxUsd, body } = inputOf(given)
      await refuseUnlisted(settings, listing, { method, url }, cancelled)
      const init = { method, redirect: 'manual' as const, ...(headers ? { headers } : {}), ...(body ? { body } : {}) }
      refuseUnsendable(url, init)
      const policy = within(policyOf(settings), maxUsd, 'maxUsd')
      const wallet = { account: walletOf(settings, false), policy, ledger: ledgerOf(settings), assets }
      const signal = AbortSignal.any([cancelled, AbortSignal.timeout(LONGEST_CALL_MS)])
      return underWay.alone(JSON.stringify([method, new URL(url).href, body]), async () =>
        shown(await pay(wallet, url, { ...init, signal }), { url, address: wallet.account.address }),
      )
    },
  }
}

function inputOf(given: object): z.output<typeof Input> {
  const { data, error } = Input.safeParse(argumentsOf(given))
  if (data) return data
  const [issue] = error.issues
  throw new Usage(`${issue?.path.join('.') || 'arguments'}: ${issue?.message}`)
}

interface Called {
  readonly method: string
  readonly url: string
}

/** @throws ApiRefusal where there is no such listing, Usage where the call is none of its endpoints */
async function refuseUnlisted({ baseUrl }: Settings, serviceId: string, call: Called, cancelled: AbortSignal) {
  const { requests } = await new Api({ baseUrl }).call(catalog.entry, { serviceId }, cancelled)
  const why = whyNotCalled(call, requests, isLocal(baseUrl))
  if (why !== undefined) throw new Usage(`Not called: ${why}. Nothing was signed.`)
}

async function shown(
  { answer, payment }: Paid,
  { url, address }: { readonly url: string; readonly address: string },
): Promise<CallToolResult> {
  const { body, brokenOff, content } = await readBody(answer, url)
  const receipt = receiptOf(payment)
  const isDone = payment === undefined || payment.state === 'settled'
  const { status } = answer
  const { content: text, ...result } = answered(
    {
      ...{ status, contentType: answer.headers.get('content-type'), body, brokenOff, payment: receipt ?? null },
      outcome: payment ? outcomeOf(payment, address, 'Call pay again with the same input') : 'nothing was asked',
      ...(payment && (brokenOff || !answer.ok) && !payment.repeatable ? { warning: WOULD_PAY_AGAIN } : {}),
    },
    isDone && answer.ok && !brokenOff ? {} : { isError: true },
  )
  return { ...result, content: [...text, ...content] }
}

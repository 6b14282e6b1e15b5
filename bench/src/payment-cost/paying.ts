import type { FacilitatorRequest } from '@callboard/contract'

/** When a payment was requested and answered, by `performance.now()`. */
export interface Moments {
  readonly asked: number
  readonly verified: number
  readonly settled: number
}

/**
 * Verifies and settles one payment at a facilitator's URL.
 * @param answered called with each of the two answers
 * @throws Error when either is refused
 */
export async function pay(facilitatorUrl: string, payment: FacilitatorRequest, answered = () => {}): Promise<Moments> {
  const body = JSON.stringify(payment)
  const asked = performance.now()
  const verdict = await post(`${facilitatorUrl}/verify`, body)
  answered()
  const verified = performance.now()
  if (verdict.isValid !== true) throw new Error(`a payment was not verified: ${JSON.stringify(verdict)}`)
  const answer = await post(`${facilitatorUrl}/settle`, body)
  answered()
  const settled = performance.now()
  if (answer.success !== true) throw new Error(`a payment was not settled: ${JSON.stringify(answer)}`)
  return { asked, verified, settled }
}

/** Makes the payments, some at a time. @param answered called with both answers to each */
export async function payAll(
  facilitatorUrl: string,
  payments: readonly FacilitatorRequest[],
  { atOnce, answered = () => {} }: { readonly atOnce: number; readonly answered?: () => void },
): Promise<Moments[]> {
  const waiting = payments.toReversed()
  const made: Moments[] = []
  const one = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) made.push(await pay(facilitatorUrl, next, answered))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return made
}

async function post(url: string, body: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await answer.json()) as Record<string, unknown>
}

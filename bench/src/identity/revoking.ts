import { percentile } from '../discovery/sampling.ts'

export interface Revoked {
  /** From sending the revocation to the first refusal by the last gateway. Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Requests accepted although begun after the revocation was answered. */
  readonly accepted: number
  /** Accepted requests in total, to prove that credentials were in use. */
  readonly before: number
}

/** A token is refused with 401, or with 429 once an address has presented too many invalid ones. */
const REFUSED: readonly number[] = [401, 429]

/** Whether a token is accepted. @throws Error when it is neither accepted nor refused */
async function isTaken(url: string, authorization: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/agents/self`, { headers: { authorization } })
  await answer.arrayBuffer()
  if (answer.status === 200) return true
  if (REFUSED.includes(answer.status)) return false
  throw new Error(`${url} answered ${answer.status}`)
}

interface Use {
  readonly beganAt: number
  readonly endedAt: number
  readonly taken: boolean
}

/** Uses a token at one gateway continuously until it is refused. */
async function useUntilRefused(url: string, authorization: string): Promise<Use[]> {
  const uses: Use[] = []
  for (;;) {
    const beganAt = performance.now()
    const taken = await isTaken(url, authorization)
    uses.push({ beganAt, endedAt: performance.now(), taken })
    if (!taken) return uses
  }
}

/** Ends one link after the other at changing gateways, while its token is in use at all of them. */
export async function revokeEach(gateways: readonly string[], tokens: readonly string[]): Promise<Revoked> {
  const times: number[] = []
  let [accepted, before] = [0, 0]
  for (const [index, token] of tokens.entries()) {
    const authorization = `Bearer ${token}`
    await Promise.all(gateways.map((url) => isTaken(url, authorization)))
    const using = gateways.map((url) => useUntilRefused(url, authorization))
    const sentAt = performance.now()
    const ended = await fetch(`${gateways[index % gateways.length]}/api/agents/self`, {
      method: 'DELETE',
      headers: { authorization },
    })
    const endedAt = performance.now()
    if (ended.status !== 204) throw new Error(`The end of a link was answered ${ended.status}`)
    const uses = await Promise.all(using)
    times.push(Math.max(...uses.map((each) => each.at(-1)?.endedAt ?? Number.NaN)) - sentAt)
    const taken = uses.flat().filter((use) => use.taken)
    before += taken.length
    accepted += taken.filter(({ beganAt }) => beganAt > endedAt).length
  }
  times.sort((a, b) => a - b)
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), accepted, before }
}

import { startScripted } from '@callboard/conformance/scripted'
import type { Running } from '../instance.ts'
import { type Case, caseNumber, type Material } from './case.ts'
import { type Credentials, newCredentials } from './credentials.ts'
import { makeMaterial } from './material.ts'
import { closeConnections, curlOf, send, type Told } from './send.ts'
import { type Finding, type Outcome, Tally } from './tally.ts'
import { type Target, targets } from './targets.ts'
import { faultsOf } from './verdict.ts'

/** How much to try. */
export interface Effort {
  readonly seed: number
  /** The first case's number. */
  readonly from: number
  /** Ends after this many cases. */
  readonly cases: number
  /** Ends after this time, by `performance.now()`. */
  readonly until: number
  /** Only targets whose name contains this text. */
  readonly only: string
}

const AT_ONCE = 8
/** This many cases may use up codes, nonces and payments before there are new ones. */
const CASES_PER_ROUND = 600
/** This many cases share the credentials that they may end. */
const CASES_PER_VICTIM = 150
/** Operations that end credentials: they get those of another owner, so that the other credentials stay valid. */
const ENDS = /^(oauth|agents)\.(delete|end|unlink|revoke|distrust)|^POST \/account$/
/** Beyond what a route itself waits. */
const GRACE_MS = 10_000
const PAGE_WITHIN_MS = 15_000

/**
 * Sends case after case to a running instance and checks each answer.
 * @param onFinding called once for each kind of fault
 */
export async function runCases(
  instance: Running,
  effort: Effort,
  onFinding: (finding: Finding) => void,
): Promise<Outcome> {
  const chosen = targets.filter(({ name }) => name.includes(effort.only))
  const scripted = await startScripted()
  const tally = new Tally()
  const end = effort.from + effort.cases
  let next = effort.from
  const isOver = () => next >= end || performance.now() >= effort.until || instance.ended() !== null

  async function oneAfterAnother(round: Round, last: number): Promise<void> {
    while (next < last && !isOver()) {
      const number = next++
      const made = caseNumber(effort.seed, number, round.material, chosen)
      const credentials = ENDS.test(made.target.name) ? round.victims : round.credentials
      let { told, faults, headers } = await tried(instance, credentials, made, number)
      if (told?.status === 504) {
        tally.late += 1
        ;({ told, faults, headers } = await tried(instance, credentials, made, number))
        if (told?.status === 504) tally.late -= 1
      }
      tally.note(made, told)
      if (faults.length === 0) continue
      const finding = findingOf(instance, made, headers, { number, faults, told })
      if (tally.keep(finding)) onFinding(finding)
    }
  }
  try {
    while (!isOver()) {
      const { credentials, material } = await patiently(async () => {
        const made = await newCredentials(instance)
        return { credentials: made, material: await makeMaterial(instance, made, scripted) }
      })
      const lastOfRound = Math.min(end, next + CASES_PER_ROUND)
      while (next < lastOfRound && !isOver()) {
        const round = await patiently(() => withVictims(instance, credentials, material))
        const last = Math.min(lastOfRound, next + CASES_PER_VICTIM)
        await Promise.all(Array.from({ length: AT_ONCE }, () => oneAfterAnother(round, last)))
      }
    }
  } finally {
    closeConnections()
    await scripted.close()
  }
  return tally.outcome(
    next - effort.from,
    chosen.map(({ name }) => name),
  )
}

/** Creates what cases need; on a busy machine a step may time out. @throws what the last attempt threw */
async function patiently<Made>(make: () => Promise<Made>, attempts = 3): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    if (attempts <= 1) throw error
    return patiently(make, attempts - 1)
  }
}

interface Round {
  readonly credentials: Credentials
  /** Credentials that cases may end. */
  readonly victims: Credentials
  readonly material: Material
}

async function withVictims(instance: Running, credentials: Credentials, material: Material): Promise<Round> {
  const victims = await newCredentials(instance)
  const { known } = material
  const also = (name: string, value: unknown) => [name, [...(known.get(name) ?? []), value]] as const
  const more = new Map([
    ...known,
    also('clientId', victims.agent.clientId),
    also('client_id', victims.program.client_id),
    also('id', victims.keyId),
    also('token', victims.token),
  ])
  return { credentials, victims, material: { ...material, known: more } }
}

/** To the instance every case comes from a different network, so that none suffers for another's guesses. */
const addressOf = (number: number): string => `10.${(number >> 8) & 255}.${number & 255}.1`

async function tried({ baseUrl }: Running, credentials: Credentials, made: Case, number: number) {
  const headers = { 'x-forwarded-for': addressOf(number), ...made.headers, ...credentials.of(made.kind) }
  try {
    const told = await send(baseUrl, { ...made, headers }, withinMs(made.target))
    return { told, faults: faultsOf(made, told), headers }
  } catch (error) {
    return { told: undefined, faults: [error instanceof Error ? error.message : String(error)], headers }
  }
}

const withinMs = ({ op }: Target): number => (op ? op.timeoutMs + GRACE_MS : PAGE_WITHIN_MS)

function findingOf(
  { baseUrl }: Running,
  made: Case,
  headers: Case['headers'],
  { number, faults, told }: { number: number; faults: readonly string[]; told: Told | undefined },
): Finding {
  return {
    ...{ number, faults, target: made.target.name, kind: made.kind },
    curl: curlOf(baseUrl, { ...made, headers }),
    answer: told ? `${told.status} ${told.text.slice(0, 500)}` : 'no answer',
  }
}

import { type OutputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { type KeptAction, newestActions } from '@callboard/store'
import { isRefusal } from '@callboard/values'
import { actionLine } from './audit.ts'
import { callAsOperator } from './call-as-operator.ts'

type Why = OutputOf<typeof operations.why>

const MOST_ACTIONS = 20

/**
 * Prints on one page where a listing is in each result and why not in the others, what its probes found, whom it pays,
 * and what operators did to it.
 * @param q the query of a search, to see whether it finds the listing
 * @returns the exit code
 */
export async function printWhyListing(running: Running, slug: string, q: string | undefined): Promise<number> {
  const asked = operations.why.input.safeParse({ slug, ...(q === undefined ? {} : { q }) })
  if (!asked.success) {
    console.error(asked.error.issues[0]?.message)
    return 2
  }
  const answer = await callAsOperator(running, operations.why, asked.data, operations.why.timeoutMs)
  if (isRefusal(answer)) {
    console.error(`${slug}: there is no such listing and no such mirrored row`)
    return 1
  }
  const db = running.contexts.get('listings')?.db
  const actions = db ? await newestActions(db, { subject: slug, limit: MOST_ACTIONS }) : []
  console.log([...linesOf(answer), ...actionLines(actions)].join('\n'))
  return 0
}

function linesOf(why: Why): string[] {
  const { slug, group, owner, status, verification, version, indexedVersion } = why
  const behind = indexedVersion === version ? 'the directory has it' : `the directory has ${indexedVersion ?? 'none'}`
  return [
    `${slug}: group ${group}, owner ${owner ?? 'none'}, status ${status}, verification ${verification}, version ${version} (${behind})`,
    ...verdictLines(why),
    ...payeeLines(why),
    'endpoints:',
    ...why.endpoints.flatMap(endpointLines),
    'results:',
    ...why.results.flatMap(resultLines),
  ]
}

function verdictLines({ verdict, takenDownFor }: Why): string[] {
  if (verdict) return [`${verdict.kind} by the operator at ${verdict.at}: ${verdict.reason ?? 'no reason was given'}`]
  return takenDownFor ? [`taken down: ${takenDownFor}`] : []
}

function payeeLines({ payTo, splitterDeployed }: Why): string[] {
  const code =
    splitterDeployed === null
      ? 'paid directly'
      : `fee splitter ${splitterDeployed ? 'seen on chain' : 'not seen on chain'}`
  return payTo.length === 0
    ? ['pays nobody: no offer of it was read']
    : payTo.map(({ network, address }) => `pays ${address} on ${network}, ${code}`)
}

function endpointLines({ method, url, price, pays, readAt, problem, probe }: Why['endpoints'][number]): string[] {
  const offer = price === null ? (problem ?? 'no offer was read') : `${price} USD to ${pays}, read at ${readAt}`
  const checked = probe?.lastCheckedAt
    ? `last probe at ${probe.lastCheckedAt} found ${probe.state}, up ${Math.round(probe.liveness.uptime7d * 100)} % of ${probe.liveness.checks7d} in a week`
    : 'not probed yet'
  return [`  ${method} ${url}: ${offer}`, `    ${probe ? `${checked}, next at ${probe.nextDueAt}` : 'not watched'}`]
}

function resultLines({ result, shown, place, reasons }: Why['results'][number]): string[] {
  if (shown) return [`  ${result}: shown${place === null ? ' behind the first ten thousand' : ` at place ${place}`}`]
  return [
    `  ${result}: not shown`,
    ...reasons.map(({ code, message, mend, deadline }) =>
      [`    ${code}: ${message}`, mend, ...(deadline ? [`By ${deadline}.`] : [])].join(' '),
    ),
  ]
}

const actionLines = (actions: readonly KeptAction[]): string[] =>
  actions.length === 0
    ? ['no operator did anything to it']
    : ['operators did, newest first:', ...actions.map((one) => `  ${actionLine(one)}`)]

import { type OutputOf, router as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator } from './call-as-operator.ts'

type Why = OutputOf<typeof operations.why>

/**
 * Prints what a key could spend at a moment and which level refused, in words.
 * @param key its id, or the start of its secret
 * @param time RFC 3339
 * @param amountUsd what the call needed to hold; absent: prints only the largest amount that would have been admitted
 * @returns the exit code
 */
export async function printWhy(running: Running, key: string, time: string, amountUsd?: string): Promise<number> {
  const asked = operations.why.input.safeParse({ key, at: utc(time), ...(amountUsd ? { amountUsd } : {}) })
  if (!asked.success) {
    const [issue] = asked.error.issues
    const given = issue?.path[0] === 'at' ? `${time} is not a time such as 2026-11-23T14:03:11Z` : issue?.message
    console.error(given)
    return 2
  }
  const answer = await callAsOperator(running, operations.why, asked.data, operations.why.timeoutMs)
  if (isRefusal(answer)) {
    console.error(
      `${key}: there is no such key; give its id, or the first 16 characters of its secret, as /account shows them`,
    )
    return 1
  }
  console.log(linesOf(answer, asked.data.at, amountUsd).join('\n'))
  return 0
}

/** Converts a time with an offset to UTC; anything else is returned unchanged. */
const utc = (time: string): string => (/[+-]\d\d:\d\d$/.test(time) ? (isoOf(time) ?? time) : time)

function isoOf(time: string): string | undefined {
  const ms = Date.parse(time)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

function linesOf(why: Why, at: string, amountUsd: string | undefined): string[] {
  const { key, levels, paidIn, holding, refusals } = why
  return [
    `key ${key.id} ${key.prefix}… “${key.label}”, source ${key.source}, owner ${key.owner}${key.linkId ? `, link ${key.linkId}` : ''}`,
    ...lifeOf(key, at),
    `At ${at}:`,
    ...levels.map(levelLine),
    ...(paidIn
      ? [
          `  paid in  ${paidIn.leftUsd} USD left of ${paidIn.limitUsd} that its calls paid, drawn on where the levels leave too little`,
        ]
      : []),
    `  calls    ${why.underWay} of ${why.concurrency} under way, ${why.admittedInMinute} of ${why.requestsPerMinute} admitted in the minute before`,
    ...holding.map(
      ({ callId, keyId, model, heldUsd, createdAt }) =>
        `  held     ${heldUsd} USD by call ${callId} of key ${keyId}, ${model}, since ${createdAt}`,
    ),
    verdictOf(why, amountUsd),
    ...refusals.map(
      ({ at: when, model, limit, askedUsd, leftUsd, inFlightUsd }) =>
        `Refused at ${when}: ${model} had to hold ${askedUsd} USD, the ${limit} limit had ${leftUsd} USD left and ${inFlightUsd} USD in calls under way.`,
    ),
    ...(refusals.length === 0
      ? ['No refusal of a limit is noted within 5 seconds of it; refusals of rate are not noted.']
      : []),
  ]
}

function lifeOf({ createdAt, endedAt }: Why['key'], at: string): string[] {
  if (Date.parse(at) < Date.parse(createdAt)) return [`It did not exist yet: it was made at ${createdAt}.`]
  if (endedAt && Date.parse(at) >= Date.parse(endedAt))
    return [`It had ended at ${endedAt}: its calls were refused with 401.`]
  return []
}

function levelLine({ level, limitUsd, limitFrom, spentUsd, heldUsd, leftUsd }: Why['levels'][number]): string {
  const used = `${spentUsd} spent, ${heldUsd} held`
  if (limitUsd === null) return `  ${level.padEnd(8)} no limit, ${used}${unsure(limitFrom)}`
  return `  ${level.padEnd(8)} ${leftUsd} USD left of ${limitUsd}: ${used}${unsure(limitFrom)}`
}

const unsure = (from: Why['levels'][number]['limitFrom']) =>
  from === 'now' ? ' (the limit as it is now; what it was then is not recorded)' : ''

function verdictOf({ largestUsd, refusedBy }: Why, amountUsd: string | undefined): string {
  if (amountUsd === undefined) {
    return largestUsd === null
      ? 'No level had a limit.'
      : `The largest call that would have been admitted: ${largestUsd} USD.`
  }
  if (refusedBy) return `A call of ${amountUsd} USD would have been refused by the ${refusedBy} limit.`
  return `No limit refused a call of ${amountUsd} USD.`
}

import type { Scope } from '@callboard/contract'

/** What a scope lets an agent or a program do, in words for the owner who grants it. */
export const SCOPE_SENTENCES: Readonly<Record<Scope, string>> = {
  'mcp:call': 'Use the hosted tools and search as you',
  'router.use': 'Spend your Compute allowance and Router balance',
  'call.publish': 'Create and change listings in your name',
}

/** The risk of a scope in the wrong hands; null for one that neither spends nor speaks. */
export const SCOPE_RISKS: Readonly<Record<Scope, string | null>> = {
  'mcp:call': null,
  'router.use': 'Spends your money',
  'call.publish': 'Speaks in your name',
}

/** Shown above a form that is filled in as its owner left it. */
export const AS_LEFT = 'Nothing has been decided yet. The form is filled in as you left it.'

/** An address in groups of four, for visual comparison. */
export const grouped = (address: string): string =>
  `0x ${
    address
      .slice(2)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  }`

/** The beginning and end of an address. */
export const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** A user code in the agent's format: two groups of letters. */
export const shownCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/^(.{4})(?=.)/, '$1-')

const UNITS = [
  ['second', 1, 90],
  ['minute', 60, 5_400],
  ['hour', 3_600, 48 * 3_600],
  ['day', 86_400, Number.POSITIVE_INFINITY],
] as const

/** A time relative to now, in whole seconds, minutes, hours or days. */
export function relative(time: number, now: number): string {
  const seconds = Math.round(Math.abs(time - now) / 1000)
  const [unit, length] = UNITS.find(([, , below]) => seconds < below) ?? UNITS[3]
  const amount = counted(Math.round(seconds / length), unit)
  return time <= now ? `${amount} ago` : `in ${amount}`
}

/** "1 agent", "3 agents". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

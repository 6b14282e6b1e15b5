import type { Scope } from '@callboard/contract'

/** What a scope lets an agent do, to its owner. */
export const SCOPE_SENTENCES: Readonly<Record<Scope, string>> = {
  'mcp:call': 'Use the hosted tools and search as you',
  'router.use': 'Spend your Compute allowance and Router balance, up to the daily limit',
  'call.publish': 'Create and change listings in your name',
}

/** Where a form is filled in as its owner had left it. */
export const AS_LEFT = 'Nothing was decided yet. The form is filled in as you left it.'

/** An address in groups of four, for comparing by eye. */
export const grouped = (address: string): string =>
  `0x ${
    address
      .slice(2)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  }`

/** An address by its ends. */
export const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** A user code as an agent shows it: letters in two groups. */
export const shownCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/^(.{4})(?=.)/, '$1-')

/** A time beside now, in whole seconds, minutes or hours. */
export function relative(time: number, now: number): string {
  const seconds = Math.round(Math.abs(time - now) / 1000)
  const [count, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5_400
        ? [Math.round(seconds / 60), 'minute']
        : [Math.round(seconds / 3_600), 'hour']
  const amount = `${count} ${unit}${count === 1 ? '' : 's'}`
  return time <= now ? `${amount} ago` : `in ${amount}`
}

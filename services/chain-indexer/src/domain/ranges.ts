/** How many blocks to request from one provider at once. */
export interface RangeSize {
  readonly blocks: number
  /** The most it is known to accept. */
  readonly cap: number
  /** Whether the provider named its limit itself; the cap is then not probed again. */
  readonly named: boolean
}

/** Logs that one answer should contain: some megabytes of JSON, some milliseconds of work. */
const TARGET_LOGS = 10_000
const MOST_BLOCKS = 50_000

/** Few, since the number of logs per block is not known yet, and too large an answer is wasted. */
export const firstRange: RangeSize = { blocks: 16, cap: MOST_BLOCKS, named: false }

/** The next size after an answer: as many blocks as contain the target at this density, at most double. */
export function afterAnswer(size: RangeSize, askedBlocks: number, logs: number): RangeSize {
  const atTheCap = askedBlocks >= size.cap && !size.named
  const cap = atTheCap ? Math.min(MOST_BLOCKS, Math.ceil(size.cap * 1.05)) : size.cap
  const wanted = Math.floor((TARGET_LOGS * askedBlocks) / Math.max(logs, 1))
  return { ...size, cap, blocks: Math.max(1, Math.min(wanted, size.blocks * 2, cap)) }
}

/** The next size after a refusal: the provider's suggestion, if that is less than was requested, else half. */
export function afterRefusal(size: RangeSize, askedBlocks: number, message: string): RangeSize {
  const suggested = suggestedBlocks(message) ?? 0
  if (suggested >= 1 && suggested < askedBlocks) return { blocks: suggested, cap: suggested, named: true }
  const half = Math.max(1, Math.floor(askedBlocks / 2))
  return { blocks: half, cap: Math.max(half, Math.min(size.cap, askedBlocks - 1)), named: false }
}

/** Whether a refusal's text is about the range or the size of the answer, not about the provider's health. */
export const isAboutRange = (message: string): boolean =>
  suggestedBlocks(message) !== undefined || COMPLAINTS.some((words) => words.test(message))

const COMPLAINTS = [
  /block range/i,
  /range (is )?(too|threshold|exceeds)/i,
  /response (size )?(is )?(too (large|big)|exceed)/i,
  /returned more than/i,
  /too many (logs|results|blocks)/i,
  /exceeded max(imum)? allowed/i,
]

/** Phrases in which providers name the number of blocks they accept; `{n}` marks the number. */
const LIMITS = [
  'max(?:imum)? (?:block )?range(?: is)?:? ?{n}',
  'limited to (?:a )?{n}[ -](?:block|range)',
  'up to (?:a )?{n} block',
  'at most {n} block',
  'exceeds? (?:the )?(?:max(?:imum)? )?(?:limit|range) (?:of )?{n} block',
].map((words) => new RegExp(words.replace('{n}', '(\\d[\\d,_]*)'), 'i'))

const WORKING_RANGE = /block range[^[]{0,40}\[\s*(0x[0-9a-f]{1,12}|\d{1,12})\s*,\s*(0x[0-9a-f]{1,12}|\d{1,12})\s*\]/i

/**
 * The number of blocks that a refusal suggests; undefined when it names none.
 * @source ponder packages/utils/src/getLogsRetryHelper.ts, the phrases of about 30 providers
 */
export function suggestedBlocks(message: string): number | undefined {
  const working = WORKING_RANGE.exec(message)
  if (working) return Number(working[2]) - Number(working[1]) + 1
  for (const limit of LIMITS) {
    const named = limit.exec(message)?.[1]
    if (named !== undefined) return Number(named.replace(/[,_]/g, ''))
  }
  return undefined
}

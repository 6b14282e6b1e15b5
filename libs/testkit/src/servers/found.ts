/** A server that tests may need and a machine may lack. The second Postgres is not of the embedded one's version. */
export type Part = 'nats' | 'redis' | 'postgres'

/** The result of the search for a server. */
export type Found =
  | {
      readonly kind: 'running'
      readonly url: string
      /** Where it comes from, in words. */
      readonly how: string
      /** The folder of its data, if we started it; removed when it is stopped. */
      readonly folder?: string
      /** Stops it if we started it. */
      stop(): Promise<void>
    }
  | { readonly kind: 'absent'; readonly why: string }

export type Running = Extract<Found, { kind: 'running' }>

/** One way to get a server: a running one, or the reason why this way is not available. */
export type Way = () => Promise<Running | { readonly closed: string }>

/** What was found in this process so far, and how: for the summary of a test run. */
export const foundParts = (): readonly PartSummary[] => [...summaries.values()]

export interface PartSummary {
  readonly part: Part | 'embedded postgres'
  readonly found: boolean
  /** Where it comes from, or why there is none. */
  readonly how: string
}

const summaries = new Map<Part, PartSummary>()

/**
 * Tries the ways in order and remembers the outcome for the summary.
 * Throws when there is none and `REQUIRE`, a list such as "nats,redis", names the part.
 */
export async function findPart(part: Part, ways: readonly Way[], env: NodeJS.ProcessEnv = process.env): Promise<Found> {
  const closed: string[] = []
  for (const way of ways) {
    const outcome = await way()
    if ('kind' in outcome) {
      summaries.set(part, { part, found: true, how: outcome.how })
      return outcome
    }
    closed.push(outcome.closed)
  }
  const why = closed.join('; ')
  summaries.set(part, { part, found: false, how: why })
  if (isRequired(part, env)) {
    throw new Error(`REQUIRE asks for ${part}, but none was found: ${why}. Install it or set ${urlSetting(part)}.`)
  }
  return { kind: 'absent', why }
}

/** Whether `REQUIRE` names it, so that its absence is a failure and not a reason to skip. */
export const isRequired = (name: string, env: NodeJS.ProcessEnv = process.env): boolean =>
  (env.REQUIRE ?? '').split(',').some((one) => one.trim() === name)

const urlSetting = (part: Part) => `TEST_${part.toUpperCase()}_URL`

/**
 * Uses `TEST_<PART>_URL`. A given URL that does not answer is an error, not a reason to look elsewhere.
 * @param answers sends the server a request and throws when it does not answer
 */
export const byUrl =
  (part: Part, answers: (url: string) => Promise<unknown>, env: NodeJS.ProcessEnv = process.env): Way =>
  async () => {
    const setting = urlSetting(part)
    const url = env[setting]
    if (!url) return { closed: `${setting} is not set` }
    try {
      await answers(url)
    } catch (cause) {
      throw new Error(
        `${setting} names ${new URL(url).host}, where no ${part} answers: start it or clear the setting.`,
        {
          cause,
        },
      )
    }
    return { kind: 'running', url, how: `at ${setting}`, stop: async () => {} }
  }

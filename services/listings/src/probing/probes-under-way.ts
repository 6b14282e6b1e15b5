import { type Refusal, refuse } from '@callboard/values'
import { siteOf } from '@callboard/values/site'

/** An eighth of what one prober takes: accounts cost nothing, so this is a limit over all of them. */
export const MOST_OF_A_SITE = 32
const RETRY_AFTER_SECONDS = 5

/**
 * The probes on demand that this process has asked for, by site. A slow endpoint keeps each of its probes under way for
 * seconds, and further ones of its origin wait; without a limit, one site would take every place of the prober.
 */
export class ProbesUnderWay {
  readonly #bySite = new Map<string, number>()

  /** @refuses rate_limited if the site of the URL has too many: nothing was sent */
  async run<T>(url: string, probe: () => Promise<T>): Promise<T | Refusal<'rate_limited'>> {
    const site = siteOf(url)
    const others = this.#bySite.get(site) ?? 0
    if (others >= MOST_OF_A_SITE) {
      const message = `Too many probes of ${site} are under way.`
      return refuse('rate_limited', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    this.#bySite.set(site, others + 1)
    try {
      return await probe()
    } finally {
      const left = (this.#bySite.get(site) ?? 1) - 1
      if (left > 0) this.#bySite.set(site, left)
      else this.#bySite.delete(site)
    }
  }
}

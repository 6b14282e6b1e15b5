/** A probe that is due. */
export interface DueProbe {
  readonly url: string
  readonly site: string
  /** Who was paid under this URL: the probe counts towards the quota of one of them. */
  readonly payees: readonly string[]
}

/** A probe that was requested within the hour. */
export interface AskedProbe {
  readonly site: string
  readonly payTo: string
}

/** The most probes within an hour. */
export interface ProbeSums {
  readonly inAll: number
  /** Hosts below a domain cost nothing, and neither do the addresses of one network. */
  readonly perSite: number
  readonly perPayee: number
}

/**
 * The probes that may be requested now, each with the payee whose quota it counts towards. The quotas span all URLs,
 * since URLs, wallets and small payments cost nothing. A probe beyond them waits.
 */
export function withinSums<Due extends DueProbe>(
  due: readonly Due[],
  asked: readonly AskedProbe[],
  { inAll, perSite, perPayee }: ProbeSums,
): { readonly probe: Due; readonly payTo: string }[] {
  const sites = counted(asked.map(({ site }) => site))
  const payees = counted(asked.map(({ payTo }) => payTo))
  const granted: { probe: Due; payTo: string }[] = []
  for (const probe of due) {
    if (asked.length + granted.length >= inAll) break
    const payTo = probe.payees.find((one) => payees(one) < perPayee)
    if (payTo === undefined || sites(probe.site) >= perSite) continue
    sites(probe.site, 1)
    payees(payTo, 1)
    granted.push({ probe, payTo })
  }
  return granted
}

/** Counts how often each name occurs; the returned function reads a count and can add to it. */
function counted(names: readonly string[]): (name: string, more?: number) => number {
  const counts = new Map<string, number>()
  const count = (name: string, more = 0) => {
    const sum = (counts.get(name) ?? 0) + more
    counts.set(name, sum)
    return sum
  }
  for (const name of names) count(name, 1)
  return count
}

import { type Invariant, summary } from './invariant.ts'

const SESSIONS = 10
const ENDED = 10

/** Everything acknowledged by a 2xx is present, and everything deleted by a 204 is absent. */
export const acknowledged: Invariant = {
  name: 'no acknowledged write is lost',
  async broken({ cluster, db, load, stage }) {
    const { journal } = load
    const found: string[] = []
    const { rows } = await db.query<{ slug: string; description: string }>(
      'select slug, description from listings.listing',
    )
    const listings = new Map(rows.map((row) => [row.slug, row.description]))
    for (const slug of journal.listings) {
      const description = listings.get(slug)
      const may = journal.descriptions.get(slug)
      if (description === undefined) found.push(`listing ${slug} is lost`)
      else if (may && !may.has(description)) found.push(`listing ${slug} says “${description}”`)
    }
    const ask = (path: string, cookie: string) => fetch(cluster.baseUrl + path, { headers: { cookie } })
    const answer = await ask('/api/keys', stage.provider.cookie)
    const body = (await answer.json()) as { items?: { id: string }[]; keys?: { id: string }[] }
    const keys = new Set((body.items ?? body.keys ?? []).map(({ id }) => id))
    for (const id of journal.keys) {
      if (!keys.has(id) && !journal.doubtfulKeys.has(id)) found.push(`key ${id} is lost`)
    }
    for (const id of journal.deletedKeys) if (keys.has(id)) found.push(`deleted key ${id} is there again`)
    for (const cookie of journal.sessions.slice(-SESSIONS)) {
      const { status } = await ask('/api/auth/session', cookie)
      if (status !== 200) found.push(`a session is lost: ${status}`)
    }
    for (const cookie of journal.endedSessions.slice(-ENDED)) {
      const { status } = await ask('/api/auth/session', cookie)
      if (status !== 401) found.push(`a session that ended is accepted: ${status}`)
    }
    const statusOf = async (token: string) =>
      (await fetch(`${cluster.baseUrl}/api/agents/self`, { headers: { authorization: `Bearer ${token}` } })).status
    for (const [clientId, token] of journal.links) {
      const status = await statusOf(token)
      if (status !== 200) found.push(`the link of ${clientId} is lost: ${status}`)
    }
    for (const token of journal.endedLinks.slice(-ENDED)) {
      const status = await statusOf(token)
      if (status !== 401) found.push(`a token of an ended link is accepted: ${status}`)
    }
    return summary(found)
  },
}

import type { AgentsDb, LinkRequestTable } from './tables.ts'

export const insertRequest = (db: AgentsDb, request: LinkRequestTable) =>
  db.insertInto('link_request').values(request).execute()

export const requestOfGrant = (db: AgentsDb, grantId: string) =>
  db.selectFrom('link_request').selectAll().where('grant_id', '=', grantId).executeTakeFirst()

/** Removes requests that expired before a given time. */
export const sweepRequests = (db: AgentsDb, expiredBefore: Date) =>
  db.deleteFrom('link_request').where('expires_at', '<', expiredBefore).execute()

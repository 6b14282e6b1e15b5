import { coalesce } from '@callboard/runtime'
import { isOutage } from '@callboard/store'
import { type FoundKey, findKeys } from './api-key.repository.ts'
import { type FoundSession, findSessions } from './session.repository.ts'
import type { OauthDb } from './tables.ts'
import { type FoundToken, findAccessTokens } from './token.repository.ts'

/** The most credentials per statement. */
const MOST = 256

type Find<Found> = (hash: string) => Promise<Found | undefined>

/**
 * Reads credentials by the hashes of their values. Reads of a kind that arrive together share a statement; each sees
 * whatever was committed before it arrived, such as a revocation.
 */
export class Credentials {
  /** An access token of a live family, with that family. */
  readonly token: Find<FoundToken>
  /** An active key, with its owner's epoch. */
  readonly key: Find<FoundKey>
  /** A session, with its owner's epoch. */
  readonly session: Find<FoundSession>

  constructor(db: OauthDb) {
    this.token = together((hashes) => findAccessTokens(db, hashes))
    this.key = together((hashes) => findKeys(db, hashes))
    this.session = together((hashes) => findSessions(db, hashes))
  }
}

const together = <Found>(
  find: (hashes: readonly string[]) => Promise<readonly (Found & { readonly hash: string })[]>,
): Find<Found> =>
  coalesce(
    async (hashes: readonly string[]) => {
      const found = new Map((await find(hashes)).map((one) => [one.hash, one]))
      return hashes.map((hash) => found.get(hash))
    },
    { most: MOST, isShared: isOutage },
  )

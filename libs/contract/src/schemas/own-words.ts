import { lookAlikeKey } from '@callboard/values'

/** Words that, on their own, claim that the bearer speaks for this service or was reviewed by it. */
const OFFICES = [
  ...['admin', 'administrator', 'operator', 'moderator', 'staff', 'team', 'system', 'security', 'support', 'helpdesk'],
  ...['help', 'desk', 'official', 'verified', 'trusted', 'approved', 'service', 'account', 'wallet', 'this', 'your'],
  ...['the', 'of', 'and', 'for', 'our'],
]

interface OwnWords {
  /** The name that no other party may have, alone or with other words. */
  readonly ours: string
  readonly offices: ReadonlySet<string>
}

/** Built when the first name is checked: most processes check none, and the table of look-alikes is long. */
let own: OwnWords | undefined

function ownWords(): OwnWords {
  own ??= { ours: lookAlikeKey('Callboard'), offices: new Set(OFFICES.map(lookAlikeKey)) }
  return own
}

const wordsOf = (name: string): string[] => name.split(/[\p{Z}\p{P}\s]+/u).filter((word) => word !== '')

/**
 * Returns why an owner could mistake a third party's chosen name for ours; undefined when they could not. Characters
 * that look like ours count as ours: `Cal1board`, `СаllЬoard` in Cyrillic.
 */
export function ownWordsFault(name: string): string | undefined {
  const { ours, offices } = ownWords()
  if (lookAlikeKey(name).includes(ours)) return 'looks like the name of this service'
  const words = wordsOf(name)
  const isOffice = words.length > 0 && words.every((word) => offices.has(lookAlikeKey(word)))
  return isOffice ? 'says that it speaks for this service' : undefined
}

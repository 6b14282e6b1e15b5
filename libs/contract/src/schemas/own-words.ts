import { lookAlikeKey } from '@callboard/values'

/** What says, alone, that its bearer speaks for this service, or was looked at by it. */
const OFFICES = [
  ...['admin', 'administrator', 'operator', 'moderator', 'staff', 'team', 'system', 'security', 'support', 'helpdesk'],
  ...['help', 'desk', 'official', 'verified', 'trusted', 'approved', 'service', 'account', 'wallet', 'this', 'your'],
  ...['the', 'of', 'and', 'for', 'our'],
]

interface OwnWords {
  /** No other party is called this, alone or beside other words. */
  readonly ours: string
  readonly offices: ReadonlySet<string>
}

/** Made of the first name that is judged: most processes judge none, and the table of what looks alike is long. */
let own: OwnWords | undefined

function ownWords(): OwnWords {
  own ??= { ours: lookAlikeKey('Callboard'), offices: new Set(OFFICES.map(lookAlikeKey)) }
  return own
}

const wordsOf = (name: string): string[] => name.split(/[\p{Z}\p{P}\s]+/u).filter((word) => word !== '')

/**
 * Why a name that a third party chose would be taken for ours, where an owner decides on its bearer; undefined when it would not.
 * Characters that look like ours count as ours: `Cal1board`, `СаllЬoard` in Cyrillic.
 */
export function ownWordsFault(name: string): string | undefined {
  const { ours, offices } = ownWords()
  if (lookAlikeKey(name).includes(ours)) return 'looks like the name of this service'
  const words = wordsOf(name)
  const isOffice = words.length > 0 && words.every((word) => offices.has(lookAlikeKey(word)))
  return isOffice ? 'says that it speaks for this service' : undefined
}

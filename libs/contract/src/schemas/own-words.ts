import { lookAlikeKey } from '@callboard/values'

/** No other party is called this, alone or beside other words. */
const OURS = lookAlikeKey('Callboard')

/** A name of nothing but these says that its bearer speaks for this service, or was looked at by it. */
const OFFICES = new Set(
  [
    ...[
      'admin',
      'administrator',
      'operator',
      'moderator',
      'staff',
      'team',
      'system',
      'security',
      'support',
      'helpdesk',
    ],
    ...['help', 'desk', 'official', 'verified', 'trusted', 'approved', 'service', 'account', 'wallet', 'this', 'your'],
    ...['the', 'of', 'and', 'for', 'our'],
  ].map(lookAlikeKey),
)

const wordsOf = (name: string): string[] => name.split(/[\p{Z}\p{P}\s]+/u).filter((word) => word !== '')

/**
 * Why a name that a third party chose would be taken for ours, where an owner decides on its bearer; undefined when it would not.
 * Characters that look like ours count as ours: `Cal1board`, `СаllЬoard` in Cyrillic.
 */
export function ownWordsFault(name: string): string | undefined {
  if (lookAlikeKey(name).includes(OURS)) return 'looks like the name of this service'
  const words = wordsOf(name)
  const isOffice = words.length > 0 && words.every((word) => OFFICES.has(lookAlikeKey(word)))
  return isOffice ? 'says that it speaks for this service' : undefined
}

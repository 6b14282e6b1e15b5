import { CONFUSABLES } from './confusables.generated.ts'
import { streamSafe } from './shown-text.ts'

/** Accents of the European scripts: readers see a name with one more of them as the same name. */
const ACCENTS = /[\u0300-\u036f]/g
/** Characters between words that carry no meaning: spaces, punctuation, invisible characters. */
const BETWEEN = /[\p{Z}\p{P}\p{C}\p{Default_Ignorable_Code_Point}\s]/gu

let prototypes: ReadonlyMap<string, string | undefined> | undefined

function readPrototypes(): ReadonlyMap<string, string | undefined> {
  const textOf = (codes: string) => String.fromCodePoint(...codes.split('+').map((hex) => Number.parseInt(hex, 16)))
  return new Map(
    CONFUSABLES.trim()
      .split('\n')
      .flatMap((line) => {
        const [prototype, ...alike] = line.split(' ').map(textOf)
        return alike.map((source) => [source, prototype] as const)
      }),
  )
}

/**
 * The skeleton of a text: two texts with equal skeletons can be mistaken for each other.
 * @source Unicode UTS 39 §4, `internalSkeleton`
 */
export function skeletonOf(text: string): string {
  prototypes ??= readPrototypes()
  const known = prototypes
  const visible = streamSafe(text)
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const prototypesOf = Array.from(visible, (character) => known.get(character) ?? character).join('')
  // What was removed may have stood between marks.
  return streamSafe(prototypesOf).normalize('NFD')
}

/**
 * What remains of a name without all that a hasty reader overlooks: two names with the same key look alike. Beyond the
 * skeleton it drops case, accents, spaces and punctuation, and treats i and l as the same, since in capitals or small
 * letters they look alike ("PayPaI", "PAYPAL").
 * @returns "" for a text without letters, digits or symbols: it looks like nothing else
 */
export function lookAlikeKey(name: string): string {
  const once = (text: string) => skeletonOf(skeletonOf(text).normalize('NFKC').toLowerCase())
  return once(once(name)).replace(ACCENTS, '').replace(BETWEEN, '').replaceAll('i', 'l')
}

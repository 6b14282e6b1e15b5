/** Words that only this code used, and the field's word for each. Source and documents are checked against it. */
const RETIRED: Readonly<Record<string, string>> = {
  askForLife: 'askForHeartbeats',
  breathe: 'yield to the event loop',
  burial: 'dead letter',
  buried: 'dead-lettered',
  bury: 'dead-letter',
  departures: 'recent debits',
  household: 'owner and agents',
  joint: 'batcher',
  kit: 'context',
  kits: 'contexts',
  purse: 'spending wallet',
  'signs of life': 'heartbeats',
  speech: 'response version',
  stranger: 'third party',
  strangers: 'third parties',
  takings: 'totals',
  unlessAway: 'unlessUnavailable',
  ware: 'product',
  wares: 'products',
  whenBlind: 'fails',
  wish: 'request',
  wishes: 'requests',
}

const ANY = new RegExp(`(?<![\\w-])(?:${Object.keys(RETIRED).join('|')})(?![\\w])`, 'gi')
/** This list, its test, and documents about the past. */
const EXEMPT = /^(tools\/src\/rules\/words(\.test)?\.ts|docs\/adr\/|CHANGELOG\.md|bench\/results)/
const HELD = /\.(ts|tsx|md)$|(^|\/)package\.json$/
const GENERATED = /\.generated\.ts$/

/** Whether a file is checked against the list. */
export const mayHoldWords = (path: string): boolean => HELD.test(path) && !GENERATED.test(path) && !EXEMPT.test(path)

/** The retired words in one file, each once, with what to write instead. */
export function retiredWords(path: string, text: string): readonly string[] {
  if (!mayHoldWords(path)) return []
  const found = new Set(text.match(ANY)?.map((word) => word.toLowerCase()))
  return Object.entries(RETIRED)
    .filter(([word]) => found.has(word.toLowerCase()))
    .map(([word, instead]) => `${path} says “${word}”: the field says “${instead}” (docs/glossary.md)`)
}

const PARAGRAPH = `
An agent reads a listing before it pays for a call. The listing names the price of every operation, the network on
which the payment settles and the wallet that receives it. A provider publishes a listing with a signature of its wallet,
and the directory probes the endpoint before the listing goes live. The agent signs an authorization for the exact
amount, and the provider hands the authorization to a facilitator. The facilitator verifies the payment and settles it
on the chain. A payment that was settled once is never settled again. The owner of an agent sets a budget for every
day, and the agent asks the owner before it spends more than the budget. A listing that stops answering is suspended
until the endpoint answers again. Every call leaves a receipt, and the receipt names the provider, the amount and the
block. An agent that finds a cheaper provider in the directory moves the next call to that provider. The provider sees
the payment before it answers the call. The directory shows how often an endpoint answered and how long it took. The
wallet of the provider receives the full price of the call, less the fee of the splitter.
`

const START = ''
const FOLLOWERS = followers(PARAGRAPH.trim().split(/\s+/))

/** The words that follow each word in the paragraph, repetitions included; `START` stands before each sentence. */
function followers(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let last = START
  for (const word of words) {
    found.set(last, [...(found.get(last) ?? []), word])
    last = word.endsWith('.') ? START : word
  }
  return found
}

/** FNV-1a, 32 bits, over a text's UTF-16 units. */
export const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomFrom(seed: string): () => number {
  let state = hash(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whole sentences of a Markov chain over the paragraph, with at least the given number of words. */
export function sentences(random: () => number, atLeastWords: number): string {
  const words: string[] = []
  let last = START
  while (words.length < atLeastWords || last !== START) {
    const next = FOLLOWERS.get(last) ?? []
    const word = next[Math.floor(random() * next.length)] ?? 'agent.'
    words.push(word)
    last = word.endsWith('.') ? START : word
  }
  return words.join(' ')
}

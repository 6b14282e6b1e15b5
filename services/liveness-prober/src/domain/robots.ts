import type { FailureFinding } from '@callboard/contract'

/** The agent name by which a robots.txt addresses us; our user agent begins with it. */
const OUR_NAME = 'callboardprober'

/** Anything beyond these limits is not read. */
const MAX_CHARACTERS = 512 * 1024
const MAX_LINES = 5_000
const MAX_RULES = 1_000

interface Rule {
  readonly allows: boolean
  /** In its comparable form. */
  readonly path: string
}

/** What a robots.txt means for us. */
export interface Robots {
  readonly rules: readonly Rule[]
  /** Milliseconds that it asks for between two calls; 0 for none. */
  readonly delayMs: number
  /** Why nothing may be called: the file could not be read. */
  readonly unread?: Unread
}

/** Why a robots.txt could not be read: a failure of the whole origin, or else the server's failure to deliver. */
export type Unread = FailureFinding | 'robots_unreachable'

/** For an origin that has no robots.txt. @source RFC 9309, 2.3.1.3 */
export const ALL_ALLOWED: Robots = { rules: [], delayMs: 0 }
/** For one that is too long to be respected in full. */
export const NONE_ALLOWED: Robots = { rules: [{ allows: false, path: '/' }], delayMs: 0 }

/** Connection failures that affect every resource of the origin. */
const OF_THE_ORIGIN: ReadonlySet<FailureFinding> = new Set([
  ...(['dns', 'dns_no_such_name', 'dns_no_address', 'connect_timeout', 'connection_refused', 'no_route'] as const),
  ...(['tls_expired', 'tls_not_yet_valid', 'tls_wrong_host', 'tls_self_signed', 'tls_untrusted'] as const),
  ...(['tls_handshake', 'refused_target'] as const),
])

/**
 * For an origin whose robots.txt cannot be reached: nothing may be called.
 * @param failure why no answer came; absent if its server answered with an error
 * @source RFC 9309, 2.3.1.4
 */
export const unreachable = (failure?: FailureFinding): Robots => ({
  ...NONE_ALLOWED,
  unread: failure !== undefined && OF_THE_ORIGIN.has(failure) ? failure : 'robots_unreachable',
})

/** Why a URL may not be called; undefined if it may. */
export const forbiddenBecause = (robots: Robots, url: URL): Unread | 'robots_disallowed' | undefined =>
  robots.unread ?? (isAllowed(robots, url) ? undefined : 'robots_disallowed')

/**
 * Reads a robots.txt: the groups that name us, or else those for all agents. `Crawl-delay` is not part of the RFC, and
 * is respected where given.
 * @source RFC 9309
 */
export function readRobots(text: string): Robots {
  const [ours, all] = [new Group(), new Group()]
  let groups: readonly Group[] = []
  let isNaming = false
  for (const [name, value] of fieldsOf(text)) {
    if (name === 'user-agent') {
      // Owners copy the name with its version from their logs.
      const agent = value.split('/', 1)[0]?.trimEnd().toLowerCase()
      const meant = agent === OUR_NAME ? [ours] : agent === '*' ? [all] : []
      groups = isNaming ? [...groups, ...meant] : meant
      for (const group of meant) group.isNamed = true
      isNaming = true
    } else {
      isNaming = false
      for (const group of groups) group.add(name, value)
    }
  }
  return (ours.isNamed ? ours : all).read()
}

/** One group's lines, merged over the whole file. */
class Group {
  isNamed = false
  readonly #rules: Rule[] = []
  #delayMs = 0

  add(name: string, value: string): void {
    const seconds = name === 'crawl-delay' ? Number(value) : Number.NaN
    if (seconds > 0) this.#delayMs = Math.max(this.#delayMs, seconds * 1_000)
    const isRule = name === 'allow' || name === 'disallow'
    // An empty rule matches nothing.
    if (isRule && value !== '' && this.#rules.length < MAX_RULES)
      this.#rules.push({ allows: name === 'allow', path: comparable(value) })
  }

  read(): Robots {
    return { rules: this.#rules, delayMs: this.#delayMs }
  }
}

function* fieldsOf(text: string): Generator<readonly [string, string]> {
  const lines = text
    .slice(0, MAX_CHARACTERS)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/, MAX_LINES)
  for (const line of lines) {
    const [said = ''] = line.split('#', 1)
    const colon = said.indexOf(':')
    if (colon > 0) yield [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()]
  }
}

/** Whether a URL may be called: the longest rule that matches its path and query decides; on a tie, `Allow`. */
export function isAllowed({ rules }: Robots, { pathname, search }: URL): boolean {
  const path = comparable(pathname + search)
  let [longest, allowed] = [-1, true]
  for (const rule of rules) {
    if (!fits(rule.path, path)) continue
    if (rule.path.length > longest || (rule.path.length === longest && rule.allows)) {
      ;[longest, allowed] = [rule.path.length, rule.allows]
    }
  }
  return allowed
}

/** Characters that no URL holds unencoded. */
const ENCODED = /[^!#-;=?-[\]_a-z~]/gu

/**
 * A path or a rule with its octets encoded in one way: otherwise a source could spell a resource past a rule.
 * @source RFC 9309, 2.2.2
 */
const comparable = (path: string): string =>
  path
    .toWellFormed()
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
    .replace(ENCODED, encodeURIComponent)

/** `*` matches any characters, and `$` at the end matches the end. Each part is searched once, from left to right. */
function fits(rule: string, path: string): boolean {
  const isWhole = rule.endsWith('$')
  const [first = '', ...rest] = (isWhole ? rule.slice(0, -1) : rule).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    const found = isLast && isWhole ? lastFit(path, part, at) : path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}

const lastFit = (path: string, part: string, from: number): number =>
  path.endsWith(part) && path.length - part.length >= from ? path.length - part.length : -1

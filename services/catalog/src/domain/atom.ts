/** One entry of a feed: what changed, when, and where it is. */
export interface AtomEntry {
  /** Permanent; never reused for another entry. */
  readonly id: string
  readonly title: string
  /** RFC 3339, like every time here. */
  readonly updated: string
  readonly published?: string
  readonly summary: string
  readonly category?: string
  readonly links: readonly AtomLink[]
}

export interface AtomLink {
  readonly rel: 'self' | 'alternate' | 'related'
  readonly type: string
  readonly href: string
}

export interface AtomFeed {
  readonly id: string
  readonly title: string
  readonly subtitle: string
  /** The author of every entry that names none. */
  readonly author: { readonly name: string; readonly uri: string }
  readonly links: readonly AtomLink[]
  /** Newest first. */
  readonly entries: readonly AtomEntry[]
}

/** The update time of a feed without entries: a changing one would make it look new at each reading. */
const NEVER = '1970-01-01T00:00:00.000Z'

/** @source RFC 4287 */
export function atomDocument({ id, title, subtitle, author, links, entries }: AtomFeed): string {
  const updated =
    entries
      .map((entry) => entry.updated)
      .toSorted()
      .at(-1) ?? NEVER
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    element('subtitle', subtitle),
    element('updated', updated),
    `<author>${element('name', author.name)}${element('uri', author.uri)}</author>`,
    ...links.map(link),
    ...entries.map(entryElement),
    '</feed>\n',
  ].join('\n')
}

const entryElement = ({ id, title, updated, published, summary, category, links }: AtomEntry): string =>
  [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', updated),
    ...(published === undefined ? [] : [element('published', published)]),
    ...(category === undefined ? [] : [`<category term="${escaped(category)}"/>`]),
    ...links.map(link),
    element('summary', summary),
    '</entry>',
  ].join('\n')

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`

const link = ({ rel, type, href }: AtomLink): string =>
  `<link rel="${rel}" type="${escaped(type)}" href="${escaped(href)}"/>`

/** Characters that XML 1.0 forbids: most control characters, halves of surrogate pairs, and two non-characters. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text within an element or an attribute: a provider's words never become markup. */
const escaped = (text: string): string =>
  text.replace(NOT_XML, '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

import { Slug } from '@callboard/contract'
import { html } from 'htm/preact'
import type { Page } from '../shell/document.ts'

const ENTRIES = '/api/calls/'

/** The page for a link that opens no call. Nothing of what the link says is shown: anyone can have written it. */
function refused(status: number, title: string, { why, schema }: { why: string; schema: unknown }): Page {
  const slug = slugIn(schema)
  return {
    status,
    title,
    body: html`<p>${why}</p>
      <p>
        ${slug !== undefined && html`<a href=${`/call/${slug}`}>The listing that it names</a> · `}
        <a href="/">Search the directory</a>
      </p>`,
  }
}

/** The listing that a link names, signed or not. */
function slugIn(schema: unknown): string | undefined {
  if (typeof schema !== 'string' || !schema.startsWith(ENTRIES)) return undefined
  return Slug.safeParse(schema.slice(ENTRIES.length)).data
}

export const unsignedLinkPage = (schema: unknown): Page =>
  refused(400, 'This link opens no call', {
    why: 'It is not a link of ours, or it was changed on the way, or it is older than our keys, which are replaced from time to time. Open the call from its listing.',
    schema,
  })

export const noListingLeftPage: Page = refused(404, 'The listing is not there any more', {
  why: 'It was withdrawn, or it is offline now. Nothing can be called or paid through it.',
  schema: undefined,
})

export const callChangedPage = (schema: unknown): Page =>
  refused(404, 'The listing no longer has this call', {
    why: 'It does not sell this URL with this method and network any more. What it sells now is on its page.',
    schema,
  })

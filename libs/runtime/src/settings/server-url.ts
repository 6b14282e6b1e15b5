import { z } from 'zod'

const UNREADABLE = 'cannot be read as a URL: in user and password, write characters such as # / ? % as %23 %2F %3F %25'

/**
 * The setting of a server's URL. Its client must be able to read it: every connection would fail otherwise, and a new
 * text in its file would replace one that works.
 * @param read reads it as the client does; throws where that is not possible
 */
export const serverUrl = (read: (text: string) => unknown, form?: { readonly of: RegExp; readonly must: string }) =>
  z.string().superRefine((text, ctx) => {
    const message = form && !form.of.test(text) ? form.must : faultOf(text, read)
    if (message !== undefined) ctx.addIssue({ code: 'custom', message })
  })

/** Without the text itself, which the system's errors contain. */
function faultOf(text: string, read: (text: string) => unknown): string | undefined {
  try {
    read(text)
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error instanceof URIError || error instanceof TypeError) return UNREADABLE
    return error.message
  }
}

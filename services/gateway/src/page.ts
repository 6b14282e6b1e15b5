const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML shows it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

/** What our pages may do: nothing but show themselves. No script, no other host. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

/** A page in the one frame that all of them have: dark and light, readable from 320 pixels on. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
  code, pre { font: 0.9em ui-monospace, monospace }
  pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; border-radius: .3rem }
  article { border-top: 1px solid #8886; padding: .4rem 0 1rem }
  table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; vertical-align: top; text-align: left }
</style>
${body}
`

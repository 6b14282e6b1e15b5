import { createHash } from 'node:crypto'

/** The look of the pages an owner decides on: dark and light, from 320 pixels on, focus always seen. */
export const STYLESHEET = `
:root { color-scheme: light dark; --text: #1a1a1a; --back: #fff; --muted: #555; --link: #0b5fff; --danger: #b3261e; --line: #767676; font: 1rem/1.5 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --text: #eee; --back: #111; --muted: #aaa; --link: #7db0ff; --danger: #ff8a80; --line: #8c8c8c } }
*, *::before { box-sizing: border-box }
body { margin: 0; color: var(--text); background: var(--back); overflow-wrap: anywhere }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }
h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
code, pre, .code { font-family: ui-monospace, monospace }
pre { white-space: pre-wrap; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem }
.code { font-size: 2rem; font-weight: 600; letter-spacing: .08em; line-height: 1.2 }
.origin, .hint { color: var(--muted); font-size: .9rem }
dl { margin: 0 }
dl > div { padding: .6rem 0; border-top: 1px solid var(--line) }
dt { font-weight: 600 }
dd { margin: 0 }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 1.25rem 0; padding: .5rem 1rem 1rem }
legend { font-weight: 600; padding: 0 .3rem }
label { display: block }
label.tick { display: grid; grid-template-columns: 1.5rem 1fr; gap: .6rem; align-items: start; padding: .5rem 0 }
input { font: inherit; color: inherit; background: var(--back) }
input[type=checkbox] { width: 1.5rem; height: 1.5rem; margin: 0 }
input:not([type=checkbox]) { width: 100%; max-width: 16rem; min-height: 2.75rem; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .4rem }
.notice { border-left: .3rem solid var(--line); padding: .25rem 0 .25rem .9rem; margin: 1rem 0 }
.problem { border-left: .3rem solid var(--danger); padding: .25rem 0 .25rem .9rem; margin: 1rem 0 }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: 1.5rem }
@media (max-width: 26rem) { .choices { grid-template-columns: 1fr } }
button, .button { font: inherit; font-weight: 600; color: var(--text); background: var(--back); min-height: 3rem; padding: .6rem 1rem; border: 2px solid var(--text); border-radius: .4rem; cursor: pointer; text-align: center; text-decoration: none; display: inline-flex; gap: .6rem; align-items: center; justify-content: center }
button:disabled { color: var(--muted); border-color: var(--line); cursor: not-allowed }
.wallets { display: grid; gap: .75rem; padding: 0; list-style: none }
.wallets button { width: 100%; justify-content: start }
.wallets img { width: 24px; height: 24px }
[hidden] { display: none }
`

/** The stylesheet by its hash, as a content security policy names it. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLESHEET).digest('base64')}'`

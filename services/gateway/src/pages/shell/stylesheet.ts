import { createHash } from 'node:crypto'

/**
 * The style of all pages: light or dark like the system, from a width of 320 pixels, with focus always visible. All
 * text has a contrast of at least 4.5 with its background, and every edge of a control one of 3.
 */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --sheet: #fff; --ink: #1d1b16; --muted: #5b574d; --hair: #e3dfd5; --edge: #857f72;
  --accent: #1f4fbf; --danger: #a3261d; --warn: #7a4d00; --warn-back: #fff6e0; --ok: #0a6b2d;
  font: 1rem/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) { :root {
  --paper: #141310; --sheet: #1c1b17; --ink: #efece4; --muted: #b3ad9f; --hair: #35322b; --edge: #8f897c;
  --accent: #8fb4ff; --danger: #ff9a8f; --warn: #ffca7a; --warn-back: #2b2415; --ok: #7ddf97;
} }
*, *::before { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
.bar, main { width: 100%; max-width: 42rem; margin: 0 auto; padding-inline: 1rem }
main { flex: 1; padding-block: 1.5rem 3rem }
main.wide, body:has(main.wide) .bar { max-width: 60rem }
.top { border-bottom: 1px solid var(--hair); background: var(--sheet) }
.top .bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; min-height: 3.25rem }
.brand { display: inline-flex; align-items: center; gap: .55rem; min-height: 2.5rem; font-weight: 650; letter-spacing: -.01em; color: var(--ink); text-decoration: none }
.mark .dot { color: var(--accent) }
nav { display: flex; gap: .25rem 1.1rem }
@media (max-width: 26rem) { .top .extra { display: none } }
nav a { display: inline-flex; align-items: center; min-height: 2.5rem; color: var(--ink); text-decoration-color: var(--edge); text-underline-offset: .25em }
.who { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em }
.bottom { border-top: 1px solid var(--hair); color: var(--muted); font-size: .875rem }
.bottom .bar { padding-block: 1rem 1.5rem }
.bottom p { margin: 0 0 .35rem }
.bottom a { color: inherit }
.skip { position: absolute; left: -100vw; top: 0; padding: .6rem 1rem; background: var(--sheet); z-index: 1 }
.skip:focus { left: 0 }
h1 { font-size: clamp(1.45rem, 1.2rem + 1.4vw, 2rem); line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1rem; text-wrap: balance }
h2 { font-size: 1.125rem; line-height: 1.3; letter-spacing: -.01em; margin: 2rem 0 .6rem }
h3 { font-size: 1rem; line-height: 1.35; margin: 0 }
p, ul, ol { margin: 0 0 .9rem }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem }
code, pre, .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { font-size: .92em }
pre { white-space: pre-wrap; font-size: .875rem; padding: .75rem .9rem; border: 1px solid var(--hair); border-radius: .5rem; background: var(--sheet); margin: 0 0 1rem }
.whole { user-select: all }
.code { font-weight: 650; letter-spacing: .06em }
.origin, .hint { color: var(--muted); font-size: .875rem }
.sheet { border: 1px solid var(--hair); border-radius: .75rem; background: var(--sheet); padding: .35rem 1rem; margin: 0 0 1rem }
dl { margin: 0 }
.sheet > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; align-items: baseline; padding: .4rem 0; border-top: 1px solid var(--hair) }
.sheet dd { order: 2; flex-basis: 100% }
.sheet .origin { order: 1; flex-basis: auto; font-size: .8125rem }
.sheet > div:first-child { border-top: 0 }
dt { color: var(--muted); font-size: .875rem; align-self: baseline }
dd { margin: 0 }
.first dd:not(.origin) { font-size: 1.25rem; line-height: 1.35 }
.first .code { font-size: 1.75rem }
@media (min-width: 36rem) {
  .sheet > div { display: grid; grid-template-columns: 9rem 1fr }
  .sheet > div > dd { grid-column: 2; order: 0 }
}
details { margin: 0 0 1rem }
form + details { margin-top: 1.25rem }
summary { cursor: pointer; min-height: 1.75rem; color: var(--muted); font-size: .9rem }
fieldset { border: 1px solid var(--hair); border-radius: .75rem; background: var(--sheet); margin: 0 0 1rem; padding: .25rem 1rem .5rem; min-width: 0 }
legend { font-weight: 600; padding: 0 .35rem; margin-left: -.35rem }
label { display: block }
.tick { display: grid; grid-template-columns: 1.5rem 1fr; gap: 0 .75rem; align-items: start; padding: .55rem 0 }
.tick + .tick, .amount + .tick { border-top: 1px solid var(--hair) }
.amount { padding: 0 0 .7rem 2.25rem }
.amount label { font-size: .9rem; font-weight: 600 }
.risk { display: flex; gap: .35rem; align-items: baseline; color: var(--warn); font-size: .875rem; font-weight: 600 }
.risk .icon { align-self: center; flex: none }
input, select { font: inherit; color: inherit; background: var(--sheet); accent-color: var(--accent) }
input[type=checkbox] { width: 1.5rem; height: 1.5rem; margin: 0 }
input:not([type=checkbox]), select { width: 100%; max-width: 14rem; min-height: 2.75rem; padding: .4rem .7rem; border: 1px solid var(--edge); border-radius: .5rem }
input[aria-invalid=true] { border: 2px solid var(--danger) }
.notice, .problem, .done { border: 1px solid var(--hair); border-left: .3rem solid var(--edge); border-radius: .4rem; background: var(--sheet); padding: .6rem .9rem; margin: 0 0 1rem }
.notice > :last-child, .problem > :last-child, .done > :last-child { margin-bottom: 0 }
.problem { border-left-color: var(--danger) }
.done { border-left-color: var(--ok) }
.warned { border-left-color: var(--warn); background: var(--warn-back) }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1rem }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
button, .button { font: inherit; font-weight: 600; line-height: 1.25; color: var(--ink); background: var(--sheet); min-height: 3rem; padding: .55rem 1rem; border: 2px solid var(--edge); border-radius: .5rem; cursor: pointer; text-align: center; text-decoration: none; display: inline-flex; gap: .5rem; align-items: center; justify-content: center }
button:hover, .button:hover { border-color: var(--ink) }
.primary { color: var(--sheet); background: var(--ink); border-color: var(--ink) }
.ends { color: var(--danger); border-color: var(--danger) }
.small { min-height: 2.5rem; padding: .35rem .8rem; border-width: 1px; font-size: .9375rem }
.icon { flex: none }
button:disabled { color: var(--muted); background: var(--paper); border-color: var(--hair); cursor: not-allowed }
.items { list-style: none; padding: 0; margin: 0 0 1rem; border: 1px solid var(--hair); border-radius: .75rem; background: var(--sheet) }
.items > li { padding: .9rem 1rem; border-top: 1px solid var(--hair) }
.items > li:first-child { border-top: 0 }
.items p { margin: 0 0 .35rem }
.items > li > :last-child { margin-bottom: 0 }
.items h2 { margin-top: 0 }
.items form { margin: .6rem 0 0 }
.inline { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem }
.inline input:not([type=checkbox]) { width: 7rem; min-height: 2.5rem }
.inline label { flex-basis: 100%; font-size: .875rem; color: var(--muted) }
.asking { display: grid; gap: .6rem; margin: 0 0 1.5rem; align-items: end }
.asking input:not([type=checkbox]), .asking select { max-width: none; min-height: 3rem }
@media (min-width: 48rem) { .asking { grid-template-columns: 2fr 4fr 2fr auto } }
.meta { color: var(--muted); font-size: .9rem }
.tag { display: inline-block; border: 1px solid var(--edge); border-radius: 1rem; padding: 0 .55rem; font-size: .8125rem; line-height: 1.5; margin: 0 .3rem .2rem 0 }
.empty { color: var(--muted) }
.field { display: block; font-weight: 600; margin: 0 0 .3rem }
.search { display: grid; grid-template-columns: 1fr auto; gap: .5rem; margin: 0 0 .4rem }
.search input:not([type=checkbox]) { max-width: none; min-height: 3rem }
.lead { font-size: 1.125rem; line-height: 1.5; color: var(--muted); max-width: 40rem; text-wrap: pretty }
.wallets { display: grid; gap: .6rem; padding: 0; list-style: none }
.wallets button { width: 100%; justify-content: start }
.wallets img { width: 24px; height: 24px }
.columns { display: grid; gap: 0 2rem }
@media (min-width: 48rem) { .columns { grid-template-columns: 1fr 1fr } }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.bars { display: block; width: 100%; max-width: 20rem; height: auto; margin: 0 0 .5rem; border-bottom: 1px solid var(--edge) }
.bars rect { fill: var(--edge) }
.bars .kept { fill: var(--accent) }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; font-size: .9375rem }
td, th { padding: .3rem .8rem .3rem 0; vertical-align: top; text-align: left; border-top: 1px solid var(--hair) }
th { overflow-wrap: normal }
th[scope=row] { min-width: 7rem; overflow-wrap: anywhere }
article { border-top: 1px solid var(--hair); padding: .4rem 0 1rem }
article h2 { margin-top: 1rem }
[hidden] { display: none }
@media (forced-colors: active) { .primary { border-color: Highlight } }
@media (prefers-reduced-motion: no-preference) { button, .button { transition: border-color .12s } }
`

/** The hash of the stylesheet, as a source in a content security policy. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLESHEET).digest('base64')}'`

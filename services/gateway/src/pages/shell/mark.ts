import { html } from 'htm/preact'

/** A board with three notices, the last of which is an answered call. */
const SHAPES =
  '<rect x="2" y="2" width="28" height="28" rx="7" fill="none" stroke="currentColor" stroke-width="2.5"/>' +
  '<path d="M9 11h14M9 16h9M9 21h5" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/>' +
  '<circle class="dot" cx="21" cy="21" r="3.25" fill="currentColor"/>'

export const Mark = () =>
  html`<svg
    class="mark"
    viewBox="0 0 32 32"
    width="28"
    height="28"
    aria-hidden="true"
    dangerouslySetInnerHTML=${{ __html: SHAPES }}
  />`

/** The mark as a standalone document, in the pages' colours. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>svg{color:#1d1b16}.dot{color:#1f4fbf}' +
  '@media (prefers-color-scheme:dark){svg{color:#efece4}.dot{color:#8fb4ff}}</style>' +
  `${SHAPES}</svg>`

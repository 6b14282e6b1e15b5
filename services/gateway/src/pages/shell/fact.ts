import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { relative } from '../wording.ts'

/** A fact, and its source. */
export const Fact = ({ name, origin, children }: { name: string; origin?: string; children?: ComponentChildren }) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${children}</dd>
    ${origin && html`<dd class="origin">${origin}</dd>`}
  </div>`

/** A time, relative to now. */
export const Time = ({ at, now }: { at: string; now: number }) =>
  html`<time datetime=${at} title=${at}>${relative(Date.parse(at), now)}</time>`

/** A day. */
export const Day = ({ at }: { at: string }) => html`<time datetime=${at}>${at.slice(0, 10)}</time>`

import type { CatalogueEntry } from '@callboard/contract'
import { html } from 'htm/preact'
import { Day } from '../shell/fact.ts'
import { paidCalls } from './observed.ts'

type Step = CatalogueEntry['week'][number]

const HEIGHT = 60
const WIDTH = 40
const GAP = 6

/** A share of the chart's height; a day with any call is seen. */
const heightOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT))

/**
 * The paid calls of a week by UTC day: as bars, the part without invented volume in front, and the same as a table for
 * those who do not see the bars.
 */
export function WeekChart({ week }: { week: readonly Step[] }) {
  const most = Math.max(...week.map(({ calls }) => calls))
  return html`
    <svg class="bars" viewBox=${`0 0 ${week.length * WIDTH} ${HEIGHT}`} role="img" aria-label="Paid calls by day">
      ${week.map((step, at) => html`<${Bar} step=${step} x=${at * WIDTH} most=${most} />`)}
    </svg>
    <details>
      <summary>Paid calls by day</summary>
      <table>
        <thead>
          <tr><th scope="col">Day (UTC)</th><th scope="col">Paid calls</th></tr>
        </thead>
        <tbody>
          ${week.map((step) => html`<tr><th scope="row"><${Day} at=${step.start} /></th><td>${paidCalls(step)}</td></tr>`)}
        </tbody>
      </table>
    </details>
  `
}

const Bar = ({ step, x, most }: { step: Step; x: number; most: number }) => html`
  <g>
    <title>${`${step.start.slice(0, 10)}: ${paidCalls(step)}`}</title>
    ${[step.calls, step.surviving.count].map((count, at) => {
      const height = heightOf(count, most)
      const kept = at === 1 ? 'kept' : undefined
      return html`<rect class=${kept} x=${x} y=${HEIGHT - height} width=${WIDTH - GAP} height=${height} />`
    })}
  </g>
`

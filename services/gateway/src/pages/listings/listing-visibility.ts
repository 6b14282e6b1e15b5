import type { DirectoryResult, HiddenReason, ListingVisibility } from '@callboard/contract'
import { html } from 'htm/preact'
import { Time } from '../shell/fact.ts'
import { RESULT_NAMES, visibilitySummaryOf } from './visibility-summary.ts'

/** Where a listing is found, and what excludes it elsewhere, each with the fix. */
export function Visibility({ visibility, now }: { visibility: ListingVisibility; now: number }) {
  const { shownIn, leftOut } = visibilitySummaryOf(visibility)
  const isNowhere = shownIn.length === 0 && leftOut.length === 1
  return html`
    ${
      shownIn.length > 0 &&
      html`<p>Shown in ${listOf(shownIn.map(({ result, place }) => `${RESULT_NAMES[result]}${place === null ? '' : ` (place ${place})`}`))}.</p>`
    }
    ${leftOut.map(
      ({ results, reasons }) => html`<p>${isNowhere ? 'Not shown anywhere' : `Not shown in ${namesOf(results)}`}:</p>
      <ul>
        ${reasons.map((reason) => html`<li><${Reason} reason=${reason} now=${now} /></li>`)}
      </ul>`,
    )}
  `
}

const Reason = ({ reason: { message, mend, deadline, endpoint }, now }: { reason: HiddenReason; now: number }) => html`
  ${endpoint && html`<code>${endpoint.method} ${endpoint.url}</code>: `}${message} <strong>${mend}</strong>
  ${deadline && html` <span class="meta">Next check or decision <${Time} at=${deadline} now=${now} />.</span>`}
`

const listOf = (words: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)

const namesOf = (results: readonly DirectoryResult[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(results.map((result) => RESULT_NAMES[result]))

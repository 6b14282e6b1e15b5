import { type ConformanceIssue, ISSUE_WORDS } from '@callboard/x402'
import { html } from 'htm/preact'
import { counted } from '../wording.ts'

/** A prober of a newer version may report issues that this one does not know. */
const isKnown = (issue: string): issue is ConformanceIssue => Object.hasOwn(ISSUE_WORDS, issue)

/** What is wrong with an offer or missing from it, each with its mend: for its provider, and for those who judge it. */
export function Advice({ issues }: { issues: readonly string[] }) {
  const known = issues.filter(isKnown)
  if (known.length === 0) return null
  return html`
    <details>
      <summary>${counted(known.length, 'point')} in which its offer could be better</summary>
      <ul>
        ${known.map(
          (issue) => html`<li>
            ${ISSUE_WORDS[issue].message} <span class="meta">${ISSUE_WORDS[issue].mend}${' '}</span>
            <a href=${`/docs/probes#${issue}`}><code>${issue}</code></a>
          </li>`,
        )}
      </ul>
    </details>
  `
}

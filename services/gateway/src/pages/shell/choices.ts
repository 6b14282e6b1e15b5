import { html } from 'htm/preact'
import { Check, Cross } from './icons.ts'

/**
 * The two buttons of a decision: the refusal first, in source and in focus, and equally large. They differ in word,
 * sign and fill, so that the difference never depends on one of these alone.
 */
export const Choices = ({ deny, approve, disabled }: { deny: string; approve: string; disabled?: boolean }) => html`
  <div class="choices">
    <button name="decision" value="deny" formnovalidate><${Cross} />${deny}</button>
    <button name="decision" value="approve" class="primary" disabled=${disabled}><${Check} />${approve}</button>
  </div>
`

import type { Scope } from '@callboard/contract'
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { SCOPE_RISKS, SCOPE_SENTENCES } from '../wording.ts'
import { Warning } from './icons.ts'

/** Marks what carries more risk than the rest. */
export const Risk = ({ children }: { children?: ComponentChildren }) =>
  html`<span class="risk"><${Warning} />${children}</span>`

/** A scope that spends money or speaks in the owner's name must be ticked by hand, regardless of what was requested. */
export const startsTicked = (scope: Scope): boolean => scope === 'mcp:call'

/** A scope that the owner may tick. */
export const ScopeTick = ({ scope, ticked }: { scope: Scope; ticked: boolean }) => html`
  <label class="tick">
    <input type="checkbox" name="scopes" value=${scope} checked=${ticked} />
    <span>
      ${SCOPE_SENTENCES[scope]} <span class="origin">(<code>${scope}</code>)</span>
      ${SCOPE_RISKS[scope] && html`<${Risk}>${SCOPE_RISKS[scope]}<//>`}
    </span>
  </label>
`

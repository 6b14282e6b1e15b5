import { type AgentSummary, MAX_ALLOWANCE_USD } from '@callboard/contract'
import { html } from 'htm/preact'
import { Day, Time } from '../shell/fact.ts'
import { SCOPE_SENTENCES, short } from '../wording.ts'
import { EndButton } from './items.ts'
import type { EndingAgent } from './read-account.ts'
import { walletOf } from './things.ts'

interface ItemProps {
  readonly agent: AgentSummary
  readonly now: number
  readonly formToken: string
  /** The form that its owner filled in and that was not carried out, of this or another thing. */
  readonly filled?: URLSearchParams
}

export const AgentItem = ({ agent, now, formToken, filled }: ItemProps) => html`
  <h3>${agent.label}</h3>
  <p class="meta">
    <code title=${agent.wallet}>${short(agent.wallet)}</code>${agent.device !== null && ` on ${agent.device}`}, linked${' '}
    <${Day} at=${agent.linkedAt} />,${' '}
    ${agent.lastUsedAt === null ? 'never used' : html`last used <${Time} at=${agent.lastUsedAt} now=${now} />`}${
      agent.endsAt && html`, ends <${Day} at=${agent.endsAt} />`
    }
  </p>
  <p>${agent.scopes.map((scope) => html`<span class="tag" title=${SCOPE_SENTENCES[scope]}>${scope}</span>`)}</p>
  ${agent.approval.by === 'trusted_device' && html`<${Unasked} agent=${agent} />`}
  ${agent.router && html`<${Limit} agent=${agent} router=${agent.router} formToken=${formToken} filled=${filled} />`}
  <${EndButton} kind="agent" id=${agent.clientId} verb="End" name=${`${agent.label} ${walletOf(agent)}`} />
`

/** One whose end has begun. */
export const EndingItem = ({ agent }: { agent: EndingAgent }) => html`
  <h3>${agent.label}</h3>
  <p class="problem">
    Its end waits for another service, and is tried again every minute. It is no longer linked, but its Router keys may
    still work.
  </p>
  <${EndButton} kind="agent" id=${agent.clientId} verb="End" name=${`${agent.label} ${walletOf(agent)}`} />
`

/** Who approved it, if that was not its owner. */
const Unasked = ({ agent: { approval } }: { agent: AgentSummary }) => html`<p>
  <span class="tag">linked without asking</span>
  <span class="meta">
    through ${approval.parent?.label ?? 'an agent that has ended'}, from a device that
    you trust
  </span>
</p>`

interface LimitProps extends Pick<ItemProps, 'agent' | 'formToken' | 'filled'> {
  readonly router: NonNullable<AgentSummary['router']>
}

/** What it may spend per day, and has spent. */
const Limit = ({ agent, router, formToken, filled }: LimitProps) => html`
  <form method="post" action="/account" class="inline">
    <input type="hidden" name="csrf" value=${formToken} />
    <input type="hidden" name="id" value=${agent.clientId} />
    <label for=${`limit-${agent.clientId}`}>
      Daily Router limit in USD (${router.spentTodayUsd} spent today)
    </label>
    <input
      id=${`limit-${agent.clientId}`}
      name="router_allowance_usd"
      type="number"
      inputmode="decimal"
      min="0"
      max=${MAX_ALLOWANCE_USD}
      step="0.01"
      required
      value=${leftFor(agent, filled) ?? router.allowanceUsd}
    />
    <button class="small" name="do" value="set-limit">Set<span class="visually-hidden"> the limit of ${agent.label}</span></button>
  </form>
`

const leftFor = ({ clientId }: AgentSummary, filled: URLSearchParams | undefined): string | null | undefined =>
  filled?.get('do') === 'set-limit' && filled.get('id') === clientId ? filled.get('router_allowance_usd') : undefined

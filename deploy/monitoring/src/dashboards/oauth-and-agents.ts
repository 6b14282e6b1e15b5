import { perSecond, quantile } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { handlersOf, processesOf } from './processes.ts'

const OPERATION = 'callboard_operation_duration_seconds'

export const oauthAndAgents: Dashboard = {
  name: 'oauth-and-agents',
  title: 'OAuth and agents',
  description: 'Sign-in, grants and tokens of owners and agents, from the request to the link.',
  rows: [
    {
      title: 'Linking of agents',
      panels: [
        {
          title: 'Device grants',
          description:
            'Grants started, approved and denied: calls per second by outcome. Wrong codes appear as refused reads of the request.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(
                `${OPERATION}_count{operation=~"agents[.](deviceAuthorization|readLinkRequest|decideLink)|oauth[.](createGrant|approveGrant|denyGrant)"}`,
                'operation, outcome',
              ),
              legend: '{{operation}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Time to approve',
          description:
            'From an agent’s request to its approval, over the last hour: median and 95th percentile, by who approved.',
          unit: 's',
          queries: [0.5, 0.95].map((share) => ({
            expr: `histogram_quantile(${share}, sum by (le, approved_by) (increase(callboard_link_approval_seconds_bucket[1h])))`,
            legend: `p${share * 100} {{approved_by}}`,
          })),
        },
        {
          title: 'Links',
          description: 'Links of agents by state: live links, and links between two steps, which a job completes.',
          unit: 'short',
          queries: [{ expr: 'max by (state) (callboard_links)', legend: '{{state}}' }],
        },
        {
          title: 'Tokens',
          description: 'Calls for a token per second, by outcome: authorization_pending and slow_down are polls.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(`${OPERATION}_count{operation=~"oauth[.]token"}`, 'outcome'),
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Revocations',
          description: 'Links, grants, sessions and tokens that were ended, per second.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(
                `${OPERATION}_count{operation=~"oauth[.](revoke|revokeLink|endSession|endSessions|deleteSession|endClientGrant|endClientGrants|deleteKey)|agents[.](unlink|unlinkSelf)"}`,
                'operation, outcome',
              ),
              legend: '{{operation}} {{outcome}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Credentials',
      panels: [
        {
          title: 'Sign-in',
          description: 'Nonces and sessions per second, by outcome; a refusal is a bad signature or a used nonce.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(
                `${OPERATION}_count{operation=~"oauth[.](siweNonce|createSession|consoleToken)"}`,
                'operation, outcome',
              ),
              legend: '{{operation}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Introspection',
          description: 'Time that the introspection of a credential takes: median, 95th and 99th percentile.',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((share) => ({
            expr: quantile(share, OPERATION, '', 'operation="oauth.introspect"'),
            legend: `p${share * 100}`,
          })),
        },
        {
          title: 'Worth of credentials',
          description: 'Introspections per second, by outcome.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(`${OPERATION}_count{operation=~"oauth[.]introspect"}`, 'outcome'),
              legend: '{{outcome}}',
            },
          ],
        },
      ],
    },
    handlersOf('oauth', 'agents'),
    processesOf('oauth', 'agents'),
  ],
}

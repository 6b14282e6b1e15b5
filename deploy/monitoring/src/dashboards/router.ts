import { perSecond, total } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { handlersOf, processesOf } from './processes.ts'

export const router: Dashboard = {
  name: 'router',
  title: 'Router',
  description: 'Calls to language models, their upstreams, and the balances that pay for them.',
  rows: [
    {
      title: 'Calls of models',
      panels: [
        {
          title: 'Model calls',
          description: 'Calls settled per second, by ending.',
          unit: 'reqps',
          queries: [{ expr: perSecond('callboard_router_calls_total', 'ending'), legend: '{{ending}}' }],
        },
        {
          title: 'Calls to upstreams',
          description: 'Outcomes of calls sent to upstreams, per second; a call may be sent to several upstreams.',
          unit: 'reqps',
          alert: 'RouterKeyRefused',
          queries: [
            {
              expr: perSecond('callboard_router_upstream_attempts_total', 'upstream, outcome'),
              legend: '{{upstream}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Open streams',
          description: 'Streamed answers that are being forwarded, by replica. Routers are scaled by this number.',
          unit: 'short',
          queries: [
            { expr: 'callboard_router_streams_open', legend: 'Router {{instance}}' },
            { expr: 'callboard_http_streams_open', legend: 'gateway {{instance}}' },
          ],
        },
        {
          title: 'Upstreams passed over',
          description: 'Shows 1 while calls of a model pass over an upstream because it failed.',
          unit: 'short',
          alert: 'RouterModelUnserved',
          queries: [
            {
              expr: 'max by (model, upstream) (callboard_router_upstream_passed_over)',
              legend: '{{model}} at {{upstream}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Money',
      panels: [
        {
          title: 'Claims above the hold',
          description: 'Calls per second whose upstream claimed more than they could cost; the hold was charged.',
          unit: 'cps',
          alert: 'RouterOverclaims',
          width: 6,
          queries: [{ expr: total('callboard_router_overclaims_total'), legend: 'calls' }],
        },
        {
          title: 'Claims that disagree with our count',
          description:
            'Calls per second whose upstream claimed more than twice the tokens that we count, out of those that were compared.',
          unit: 'cps',
          alert: 'RouterUsageDisagreements',
          width: 6,
          queries: [
            {
              expr: perSecond('callboard_router_usage_disagreements_total', 'upstream'),
              legend: '{{upstream}}',
            },
          ],
        },
        {
          title: 'Top-ups without credit',
          description: 'Payments for balance that were presented more than a minute ago and have no outcome yet.',
          unit: 'short',
          alert: 'RouterTopUpsUncredited',
          width: 6,
          queries: [{ expr: 'max(callboard_router_top_ups_uncredited)', legend: 'top-ups' }],
        },
        {
          title: 'Onramp sessions',
          description: 'Sessions requested per second, by outcome; limited means that the day had none left.',
          unit: 'cps',
          width: 6,
          queries: [
            {
              expr: perSecond('callboard_router_onramp_sessions_total', 'outcome'),
              legend: '{{outcome}}',
            },
          ],
        },
      ],
    },
    handlersOf('router'),
    processesOf('router'),
  ],
}

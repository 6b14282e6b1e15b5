import type { Row } from '../panels.ts'
import { perSecond } from '../promql.ts'

export const models: Row = {
  title: 'Language models',
  panels: [
    {
      title: 'Model calls',
      description: 'Calls settled per second, by how they ended.',
      unit: 'reqps',
      queries: [{ expr: perSecond('callboard_router_calls_total', 'ending'), legend: '{{ending}}' }],
    },
    {
      title: 'Calls to upstreams',
      description: 'What became of calls sent to upstreams per second; a call may be sent to several.',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('callboard_router_upstream_attempts_total', 'upstream, outcome'),
          legend: '{{upstream}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Upstreams passed over',
      description: 'Is 1 while calls of a model pass an upstream over, because it failed.',
      unit: 'short',
      queries: [
        {
          expr: 'max by (model, upstream) (callboard_router_upstream_passed_over)',
          legend: '{{model}} at {{upstream}}',
        },
      ],
    },
    {
      title: 'Claims above the hold',
      description: 'Calls whose upstream claimed more than they could cost; the hold was charged.',
      unit: 'short',
      queries: [{ expr: 'sum(increase(callboard_router_overclaims_total[10m]))', legend: 'calls' }],
    },
    {
      title: 'Claims that disagree with our count',
      description:
        'Calls whose upstream claimed more than twice the tokens that are counted here, of those that were compared.',
      unit: 'short',
      queries: [
        {
          expr: 'sum by (upstream) (increase(callboard_router_usage_disagreements_total[10m]))',
          legend: '{{upstream}}',
        },
      ],
    },
    {
      title: 'Top-ups without credit',
      description: 'Payments for balance that were presented more than a minute ago and have no outcome yet.',
      unit: 'short',
      queries: [{ expr: 'max(callboard_router_top_ups_uncredited)', legend: 'top-ups' }],
    },
    {
      title: 'Onramp sessions',
      description: 'Sessions asked for in an hour, by what became of them; limited when the day had none left.',
      unit: 'short',
      queries: [
        {
          expr: 'sum by (outcome) (increase(callboard_router_onramp_sessions_total[1h]))',
          legend: '{{outcome}}',
        },
      ],
    },
  ],
}

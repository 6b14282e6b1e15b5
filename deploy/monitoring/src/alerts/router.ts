import { alert, everywhere, type Group, HOLD, held, whereConfigured } from './alert.ts'

export const router: Group = {
  name: 'router',
  alerts: [
    // A settled payment that has bought nothing: the sweep credits it, unless the facilitator does not answer.
    alert({
      name: 'RouterTopUpsUncredited',
      severity: 'critical',
      parameters: { for: '2m', topUps: 0, hold: HOLD },
      expr: ({ topUps, hold }) =>
        `${held('callboard_router_top_ups_uncredited', { of: 'max', by: '', hold })} > ${topUps}`,
      summary: '{{ $value }} top-ups are not credited',
      description: 'Their payments were presented more than a minute ago and have neither been credited nor failed.',
      sight: everywhere('callboard_router_top_ups_uncredited', 'router'),
    }),
    // An upstream’s usage is a claim. Only the hold was charged; the rest is for the operator to settle.
    alert({
      name: 'RouterOverclaims',
      severity: 'warning',
      parameters: { for: '0s', window: '10m', calls: 0 },
      expr: ({ window, calls }) => `sum(increase(callboard_router_overclaims_total[${window}])) > ${calls}`,
      summary: 'An upstream claims more usage than is possible',
      description: 'In ten minutes, upstreams billed {{ $value | humanize }} calls at more than the calls could cost.',
    }),
    // A single call may be counted differently; a provider that does so repeatedly overcharges its buyers.
    alert({
      name: 'RouterUsageDisagreements',
      severity: 'warning',
      parameters: { for: '0s', window: '30m', calls: 3 },
      expr: ({ window, calls }) =>
        `sum by (upstream) (increase(callboard_router_usage_disagreements_total[${window}])) > ${calls}`,
      summary: '{{ $labels.upstream }} claims more than twice the tokens that we count',
      description:
        'This applies to {{ $value | humanize }} of the calls that were compared in half an hour. Owners were charged what was claimed.',
    }),
    // Each router has its own view; a model is unserved if all of its upstreams are passed over. Calls are still tried.
    alert({
      name: 'RouterModelUnserved',
      severity: 'critical',
      parameters: { for: '2m', hold: HOLD },
      expr: ({ hold }) => `${held('callboard_router_upstream_passed_over', { of: 'min', by: 'model', hold })} == 1`,
      summary: '{{ $labels.model }} has no upstream',
      description: 'All upstreams of the model fail or report overload; its callers get a 502.',
      sight: whereConfigured('callboard_router_upstream_passed_over', 'router'),
    }),
    alert({
      name: 'RouterKeyRefused',
      severity: 'critical',
      parameters: { for: '0s', window: '10m' },
      expr: ({ window }) =>
        `sum by (upstream) (increase(callboard_router_upstream_attempts_total{outcome="key_refused"}[${window}])) > 0`,
      summary: '{{ $labels.upstream }} refuses our key',
      description:
        'The upstream answered 401, or its key is missing; it is passed over for five minutes after each attempt.',
      sight: whereConfigured('callboard_router_upstream_attempts_total', 'router'),
    }),
  ],
}

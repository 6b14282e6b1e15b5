import { placed, type Row } from './panels.ts'
import { atAGlance } from './rows/at-a-glance.ts'
import { chains } from './rows/chains.ts'
import { events } from './rows/events.ts'
import { prober } from './rows/liveness.ts'
import { models } from './rows/models.ts'
import { payments } from './rows/payments.ts'
import { processes } from './rows/processes.ts'
import { requests } from './rows/requests.ts'
import { SCOPE } from './scope.ts'

/** The rows of the dashboard, from what clients feel to what causes it. */
export const ROWS: readonly Row[] = [atAGlance, requests, payments, models, chains, prober, events, processes]

/** dashboards/callboard.json, for Grafana 11 and newer. */
export const dashboard = (): string =>
  asFormatted({
    uid: 'callboard',
    title: 'Callboard',
    description:
      'Requests, payments, chains, liveness, events and processes of one Callboard. Made by npm run monitoring:gen.',
    tags: ['callboard'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'utc',
    annotations: { list: [] },
    links: [],
    templating: {
      list: [
        {
          name: 'datasource',
          label: 'Prometheus',
          type: 'datasource',
          query: 'prometheus',
          current: {},
          hide: 0,
          refresh: 1,
          regex: '',
          multi: false,
          includeAll: false,
          options: [],
        },
        ...SCOPE.map(chosenBy),
      ],
    },
    panels: placed(ROWS),
  })

/** A variable by the label that tells instances apart; all of them until one is chosen. */
const chosenBy = (label: string) => ({
  name: label,
  label,
  type: 'query',
  datasource: { type: 'prometheus', uid: '$datasource' },
  query: { query: `label_values(callboard_service_ready, ${label})`, refId: label },
  current: { text: 'All', value: '$__all' },
  hide: 0,
  refresh: 2,
  regex: '',
  sort: 1,
  multi: false,
  includeAll: true,
  allValue: '.*',
  options: [],
})

/** JSON as the formatter of this repository leaves it: short lists stand in one line. */
const asFormatted = (value: object): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => `[${items.replaceAll(/\n\s+/g, ' ')}]`)}\n`

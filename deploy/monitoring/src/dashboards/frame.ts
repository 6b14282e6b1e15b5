import { SCOPE } from '../scope.ts'
import type { Dashboard } from './dashboard.ts'
import { DASHBOARDS } from './index.ts'
import { DASHBOARD_LINKS } from './links.ts'
import { placed } from './panels.ts'

/** Each dashboard, by file path. */
export const dashboardFiles = (): readonly [string, string][] =>
  DASHBOARDS.map((one) => [`deploy/monitoring/dashboards/${one.name}.json`, dashboardJson(one)])

/** One dashboard for Grafana 11 and newer. */
export const dashboardJson = ({ name, title, description, rows }: Dashboard): string =>
  asFormatted({
    uid: `callboard-${name}`,
    title: `Callboard: ${title}`,
    description: `${description} Made by npm run monitoring:gen.`,
    tags: ['callboard'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'utc',
    annotations: { list: [] },
    links: DASHBOARD_LINKS,
    templating: {
      list: [
        source('datasource', 'Prometheus', 'prometheus'),
        source('traces', 'Traces', 'tempo'),
        source('logs', 'Logs', 'loki'),
        ...SCOPE.map(chosenBy),
      ],
    },
    panels: placed(rows),
  })

/** A variable for a data source of the reader's own. */
const source = (name: string, label: string, query: string) => ({
  name,
  label,
  type: 'datasource',
  query,
  current: {},
  hide: 0,
  refresh: 1,
  regex: '',
  multi: false,
  includeAll: false,
  options: [],
})

/** A variable for a label that identifies instances; all of them until one is selected. */
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

/** JSON in this repository's format: short lists are on one line. */
const asFormatted = (value: object): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => `[${items.replaceAll(/\n\s+/g, ' ')}]`)}\n`

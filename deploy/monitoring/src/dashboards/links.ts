import type { Panel } from './dashboard.ts'

/** A link from a line of a panel. */
interface DataLink {
  readonly title: string
  readonly url: string
  readonly targetBlank: boolean
}

/** Grafana's placeholders for the dashboard's time range. */
const RANGE = { from: '$' + '{__from}', to: '$' + '{__to}' }
const labelOf = (label: string) => `$\{__field.labels.${label}}`

/** Explore with one query. @source Grafana 11, “Share or bookmark an Explore link”, schemaVersion 1 */
function explore(datasource: string, query: object): string {
  const panes = { a: { datasource, queries: [{ refId: 'A', ...query }], range: RANGE } }
  // Grafana only fills in variables that are not percent-encoded in the URL.
  const text = encodeURIComponent(JSON.stringify(panes)).replaceAll(
    /%24%7B([\w.%]+?)%7D/g,
    (_, name: string) => `$\{${decodeURIComponent(name)}}`,
  )
  return `/explore?schemaVersion=1&orgId=1&panes=${text}`
}

const traces = (attribute: string, label: string): DataLink => ({
  title: `Traces of ${labelOf(label)}`,
  url: explore('$' + '{traces}', { queryType: 'traceql', query: `{ span.${attribute} = "${labelOf(label)}" }` }),
  targetBlank: true,
})

const logs = (line: string, label: string): DataLink => ({
  title: `Logs of ${labelOf(label)}`,
  url: explore('$' + '{logs}', { expr: `{namespace=~"$\{namespace:regex}"} | json | ${line} = "${labelOf(label)}"` }),
  targetBlank: true,
})

/** Links from a line to its traces and its logs: those of its operation, or of its network. */
export function dataLinks({ queries }: Panel): readonly DataLink[] {
  const shows = (label: string) => queries.some(({ legend }) => legend.includes(`{{${label}}}`))
  if (shows('operation')) return [traces('callboard.operation', 'operation'), logs('operation', 'operation')]
  if (shows('network')) return [traces('callboard.network', 'network'), logs('network', 'network')]
  return []
}

/** The other dashboards, with the selected variables and range; and the traces and logs of all. */
export const DASHBOARD_LINKS: readonly object[] = [
  {
    title: 'Callboard',
    type: 'dashboards',
    tags: ['callboard'],
    asDropdown: false,
    includeVars: true,
    keepTime: true,
    targetBlank: false,
  },
  {
    title: 'Failed traces',
    type: 'link',
    icon: 'external link',
    url: explore('$' + '{traces}', { queryType: 'traceql', query: '{ status = error }' }),
    targetBlank: true,
  },
  {
    title: 'Errors in the logs',
    type: 'link',
    icon: 'doc',
    url: explore('$' + '{logs}', { expr: '{namespace=~"$' + '{namespace:regex}"} | json | level = "error"' }),
    targetBlank: true,
  },
]

import { perSecond, quantile } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { handlersOf, processesOf } from './processes.ts'

const OPERATION = 'callboard_operation_duration_seconds'
const HTTP = 'callboard_http_request_duration_seconds'

export const catalogue: Dashboard = {
  name: 'catalogue',
  title: 'Catalogue and listings',
  description: 'Public reads of the directory, the activity of providers, and the contents of the directory.',
  rows: [
    {
      title: 'Reads',
      panels: [
        {
          title: 'Reads',
          description: 'Answers of the gateway to reads of the directory per second, by operation and status.',
          unit: 'reqps',
          alert: 'ReadsErrorBudgetBurn',
          queries: [
            {
              expr: perSecond(`${HTTP}_count{operation=~"catalog[.].+"}`, 'operation, status'),
              legend: '{{operation}} {{status}}',
            },
          ],
        },
        {
          title: 'Latency of reads, 95th percentile',
          description: 'From the request to the end of the answer, by operation.',
          unit: 's',
          alert: 'ReadLatencyBudgetBurn',
          queries: [{ expr: quantile(0.95, HTTP, 'operation', 'operation=~"catalog[.].+"'), legend: '{{operation}}' }],
        },
        {
          title: 'Freshness',
          description:
            'Age of the newest recorded block of each chain, and events that the catalogue has yet to handle.',
          unit: 'short',
          alert: 'ActivityBudgetBurn',
          queries: [
            { expr: 'max by (network) (callboard_indexer_lag_seconds)', legend: '{{network}} seconds' },
            { expr: 'sum(max by (event) (callboard_consumer_lag_events{consumer=~"catalog.*"}))', legend: 'events' },
          ],
        },
      ],
    },
    {
      title: 'What it is made of',
      panels: [
        {
          title: 'Publishing',
          description: 'Probes, publications, changes and rechecks of listings per second, by outcome.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(
                `${OPERATION}_count{operation=~"listings[.](probe|publish|setStatus|edit|replace|withdraw|resync|claim)"}`,
                'operation, outcome',
              ),
              legend: '{{operation}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Listings by status',
          description:
            'Listings that are not withdrawn: drafts, live ones, and those that the operator rejected or suspended.',
          unit: 'short',
          queries: [{ expr: 'max by (status) (callboard_listings)', legend: '{{status}}' }],
        },
        {
          title: 'Waiting for the operator',
          description:
            'Listings whose owners ask for verification, and mirrored rows whose new terms need approval: npm run operator -- waiting.',
          unit: 'short',
          queries: [{ expr: 'max(callboard_listings_reviews_waiting)', legend: 'waiting' }],
        },
        {
          title: 'The longest wait for the operator',
          description: 'How long the oldest of those has waited.',
          unit: 's',
          queries: [{ expr: 'max(callboard_listings_review_oldest_seconds)', legend: 'oldest' }],
        },
        {
          title: 'Resources in discovery',
          description: 'Resources that settled payments name, by state.',
          unit: 'short',
          queries: [{ expr: 'max by (state) (callboard_discovery_resources)', legend: '{{state}}' }],
        },
        {
          title: 'Splitter factory',
          description:
            'Shows 1 while the splitter factory of a network is not ours, so that the network accepts no listings.',
          unit: 'short',
          alert: 'SplitterFactoryRefused',
          queries: [{ expr: 'max by (network) (callboard_splitter_factory_refused)', legend: '{{network}}' }],
        },
        {
          title: 'Mirror',
          description: 'Mirrored resources, by state.',
          unit: 'short',
          queries: [{ expr: 'max by (state) (callboard_mirror_rows)', legend: '{{state}}' }],
        },
        {
          title: 'Sources of the mirror',
          description: 'Documents of sources per second, by outcome.',
          unit: 'cps',
          queries: [
            { expr: perSecond('callboard_mirror_documents_total', 'kind, outcome'), legend: '{{kind}} {{outcome}}' },
          ],
        },
        {
          title: 'Age of the mirror',
          description:
            'Time since the last successful import of the source that has waited longest, and the number of failing sources.',
          unit: 'short',
          alert: 'MirrorSourceFailing',
          queries: [
            { expr: 'max(callboard_mirror_oldest_import_seconds)', legend: 'oldest import, seconds' },
            { expr: 'max(callboard_mirror_sources_failing)', legend: 'sources that fail' },
          ],
        },
      ],
    },
    handlersOf('catalog', 'listings'),
    processesOf('catalog', 'listings'),
  ],
}

import type { Row } from '../panels.ts'
import { perSecond } from '../promql.ts'

export const prober: Row = {
  title: 'Liveness',
  panels: [
    {
      title: 'Checks by what they found',
      description: 'Scheduled checks of endpoints per second.',
      unit: 'cps',
      queries: [{ expr: perSecond('callboard_probe_checks_total', 'state'), legend: '{{state}}' }],
    },
    {
      title: 'Probes of paid resources',
      description: 'Probes that discovery asked for, per second, by what they found.',
      unit: 'cps',
      queries: [{ expr: perSecond('callboard_probe_resources_total', 'state'), legend: '{{state}}' }],
    },
    {
      title: 'Resources in discovery',
      description: 'Resources that settled payments name, by where they stand, and how late the longest due one is.',
      unit: 'short',
      queries: [
        { expr: 'max by (state) (callboard_discovery_resources)', legend: '{{state}}' },
        { expr: 'max(callboard_discovery_oldest_due_seconds)', legend: 'seconds late' },
      ],
    },
    {
      title: 'Mirror',
      description: 'Mirrored resources, by where they stand.',
      unit: 'short',
      queries: [{ expr: 'max by (state) (callboard_mirror_rows)', legend: '{{state}}' }],
    },
    {
      title: 'Sources of the mirror',
      description:
        'Documents of sources per second by what became of them, sources that fail, and the oldest good import.',
      unit: 'short',
      queries: [
        { expr: perSecond('callboard_mirror_documents_total', 'kind, outcome'), legend: '{{kind}} {{outcome}}' },
        { expr: 'max(callboard_mirror_sources_failing)', legend: 'failing' },
        { expr: 'max(callboard_mirror_oldest_import_seconds)', legend: 'oldest import, seconds' },
      ],
    },
    {
      title: 'Schedule',
      description: 'Origins that are due and wait, that are visited now, and how late the longest due one is.',
      unit: 'short',
      queries: [
        { expr: 'max(callboard_probe_origins_due)', legend: 'due' },
        { expr: 'max(callboard_probe_origins_busy)', legend: 'visited' },
        { expr: 'max(callboard_probe_oldest_due_seconds)', legend: 'seconds late' },
      ],
    },
  ],
}

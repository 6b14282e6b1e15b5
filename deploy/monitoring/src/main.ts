import { keepGenerated } from '@callboard/tools/generated-files'
import { alertsPage } from './alerts-page.ts'
import { dashboardFiles } from './dashboards/frame.ts'
import { dashboardsPage } from './dashboards/page.ts'
import { metricsPage } from './metrics-page.ts'
import { chartRules, plainRules } from './rule-files.ts'
import { adapterValues, chartScaling } from './scaling/scaling-files.ts'
import { objectivesPage } from './slo/page.ts'

keepGenerated(
  'npm run monitoring:gen',
  () =>
    new Map([
      ['docs/alerts.md', alertsPage()],
      ['docs/metrics.md', metricsPage()],
      ['docs/dashboards.md', dashboardsPage()],
      ['docs/slo.md', objectivesPage()],
      ...dashboardFiles(),
      ['deploy/monitoring/rules/callboard.yaml', plainRules()],
      ['deploy/monitoring/chart/rules.yaml', chartRules()],
      ['deploy/monitoring/scaling/work.yaml', chartScaling()],
      ['deploy/monitoring/prometheus-adapter.yaml', adapterValues()],
    ]),
)

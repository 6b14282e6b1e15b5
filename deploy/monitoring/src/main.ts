import { keepGenerated } from '@callboard/tools/generated-files'
import { alertsPage } from './alerts-page.ts'
import { dashboard } from './dashboard.ts'
import { metricsPage } from './metrics-page.ts'
import { chartRules, plainRules } from './rule-files.ts'

keepGenerated(
  'npm run monitoring:gen',
  () =>
    new Map([
      ['docs/alerts.md', alertsPage()],
      ['docs/metrics.md', metricsPage()],
      ['deploy/monitoring/dashboards/callboard.json', dashboard()],
      ['deploy/monitoring/rules/callboard.yaml', plainRules()],
      ['deploy/monitoring/chart/rules.yaml', chartRules()],
    ]),
)

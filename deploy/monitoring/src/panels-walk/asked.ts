import { z } from 'zod'
import { dashboardFiles } from '../dashboards/frame.ts'
import { DASHBOARDS } from '../dashboards/index.ts'
import { SCOPE } from '../scope.ts'

const Written = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
    }),
  ),
})

/** A query of a panel, as Grafana sends it with all instances selected. */
export interface AskedQuery {
  readonly dashboard: string
  readonly panel: string
  readonly legend: string
  readonly expr: string
  /** False if it has its own window, such as the last hour: the past stays valid whatever has died since. */
  readonly isOfNow: boolean
}

/** A range not chosen by Grafana. */
export const OWN_WINDOW = /\[\d/

export const nameOf = ({ dashboard, panel, legend }: AskedQuery): string => `${dashboard}, ${panel}: ${legend}`

/**
 * Every query of every panel, as in the files.
 * @param rateInterval Grafana's value for its scrape interval, such as `20s`
 */
export const askedQueries = (rateInterval: string): readonly AskedQuery[] =>
  dashboardFiles().flatMap(([, text], at) =>
    Written.parse(JSON.parse(text)).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({
        dashboard: DASHBOARDS[at]?.name ?? '',
        panel: title,
        legend: legendFormat,
        isOfNow: !OWN_WINDOW.test(expr),
        expr: SCOPE.reduce((said, label) => said.replaceAll(`"$${label}"`, '".*"'), expr).replaceAll(
          '$__rate_interval',
          rateInterval,
        ),
      })),
    ),
  )

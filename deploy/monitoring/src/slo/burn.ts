import { type Alert, alert } from '../alerts/alert.ts'
import { type Objective, RECORDED, shareOver } from './objective.ts'

/**
 * The alert of an objective, with two pairs of windows: the first at a rate that burns the month's budget in two days,
 * the second in five. Each pair's short window ends the alert soon after its cause.
 * @source Google, The Site Reliability Workbook, chapter 5, alert 6
 */
export const burnAlert = ({
  id,
  budget,
  burn: { name, severity, summary, says, leastPerSecond, sight },
}: Objective): Alert => {
  const share = (window: string) => shareOver(window, `slo="${id}"`)
  return alert({
    name,
    severity,
    parameters: {
      for: '2m',
      budget,
      fastFactor: 14.4,
      fastWindow: '1h',
      fastShortWindow: '5m',
      slowFactor: 6,
      slowWindow: '6h',
      slowShortWindow: '30m',
      ...(leastPerSecond === undefined ? {} : { requestsPerSecond: leastPerSecond }),
    },
    expr: (p) => {
      const both = (long: string, short: string, factor: string) => `(
    ${share(long)} > ${factor} * ${p.budget}
    and
    ${share(short)} > ${factor} * ${p.budget}
  )`
      const burns = `(
  ${both(p.fastWindow, p.fastShortWindow, p.fastFactor)}
  or
  ${both(p.slowWindow, p.slowShortWindow, p.slowFactor)}
)`
      return leastPerSecond === undefined
        ? burns
        : `${burns}\nand\nsum(${RECORDED.all}{slo="${id}"}) > %{requestsPerSecond}`
    },
    summary,
    description: `{{ $value | humanizePercentage }} ${says}; at this pace, the month’s error budget is used up within days.`,
    sight,
  })
}

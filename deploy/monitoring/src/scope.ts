import { parser } from '@prometheus-io/lezer-promql'

/** The labels that tell instances in one Prometheus apart; a label that a series lacks has no effect. */
export const SCOPE = ['cluster', 'namespace', 'release'] as const
const LABELS = SCOPE.join(', ')

/** Parameters and Grafana's interval are not PromQL: text of the same length replaces them for parsing. */
const readable = (expr: string): string =>
  expr
    .replaceAll(/\[(%\{\w+\}|\$__rate_interval)/g, (_, token: string) => `[${'1'.repeat(token.length - 1)}m`)
    .replaceAll(/%\{\w+\}/g, (token) => '1'.repeat(token.length))

interface Insertion {
  readonly at: number
  readonly text: string
}

/**
 * An expression that keeps instances apart: every aggregation and every join is also by cluster, namespace and release,
 * and every selector also has the given matchers.
 * @param matchers such as `namespace="market"`; empty for any
 * @throws Error where the expression is not PromQL
 */
export function scoped(expr: string, matchers = ''): string {
  const text = readable(expr)
  const insertions: Insertion[] = []
  parser.parse(text).iterate({
    enter: ({ type, node, from, to }) => {
      if (type.isError) throw new Error(`not PromQL near "${expr.slice(Math.max(0, from - 20), from + 20)}": ${expr}`)
      if (type.name === 'GroupingLabels')
        insertions.push({ at: from + 1, text: node.getChild('LabelName') ? `${LABELS}, ` : LABELS })
      if (type.name === 'AggregateExpr' && !node.getChild('AggregateModifier')) {
        const operator = node.getChild('AggregateOp')
        if (operator) insertions.push({ at: operator.to, text: ` by (${LABELS}) ` })
      }
      if (type.name === 'VectorSelector' && matchers !== '') {
        const own = node.getChild('LabelMatchers')
        if (own) insertions.push({ at: own.from + 1, text: own.firstChild ? `${matchers}, ` : matchers })
        else insertions.push({ at: to, text: `{${matchers}}` })
      }
    },
  })
  return insertions
    .sort((one, other) => other.at - one.at)
    .reduce((said, { at, text: more }) => said.slice(0, at) + more + said.slice(at), expr)
    .replaceAll(/\) +\(/g, ') (')
}

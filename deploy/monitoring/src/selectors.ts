import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** The series that a query selects: a metric, and conditions on its labels. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly Matcher[]
}

export interface Matcher {
  readonly label: string
  readonly op: string
  readonly value: string
}

/** What a PromQL expression reads. */
export interface Asked {
  readonly selectors: readonly Selector[]
  /** Labels that it groups or joins by. */
  readonly grouping: readonly string[]
}

/**
 * Parses a PromQL expression with Prometheus's own grammar.
 * @throws Error where it cannot be parsed or has a selector without a metric name
 */
export function askedBy(expr: string): Asked {
  const selectors: Selector[] = []
  const grouping: string[] = []
  const textOf = (node: SyntaxNode) => expr.slice(node.from, node.to)
  parser.parse(expr).iterate({
    enter: ({ type, node, from }) => {
      if (type.isError) throw new Error(`not PromQL near "${expr.slice(Math.max(0, from - 20), from + 20)}": ${expr}`)
      if (type.name === 'VectorSelector') selectors.push(selectorOf(node, textOf))
      if (type.name === 'GroupingLabels') grouping.push(...node.getChildren('LabelName').map(textOf))
    },
  })
  return { selectors, grouping }
}

function selectorOf(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Selector {
  const name = node.getChild('Identifier')
  if (!name) throw new Error(`a selector without a metric: ${textOf(node)}`)
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
  return {
    metric: textOf(name),
    matchers: matchers.map((matcher) => {
      const [label, op, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) => matcher.getChild(part))
      if (!label || !op || !value) throw new Error(`a matcher that is none: ${textOf(matcher)}`)
      return { label: textOf(label), op: textOf(op), value: textOf(value).slice(1, -1) }
    }),
  }
}

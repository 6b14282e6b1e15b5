import { z } from 'zod'

const Labels = z.record(z.string(), z.string())
const Answer = z.object({
  status: z.string(),
  error: z.string().optional(),
  data: z
    .object({
      result: z.array(
        z.object({
          metric: Labels,
          value: z.tuple([z.number(), z.string()]).optional(),
          values: z.array(z.tuple([z.number(), z.string()])).optional(),
        }),
      ),
    })
    .optional(),
})

const Exemplars = z.object({ data: z.array(z.object({ exemplars: z.array(z.object({ labels: Labels })) })) })

/** One line of an answer, and its values in order of time. */
export interface Line {
  readonly labels: Readonly<Record<string, string>>
  /** The values that Grafana draws: NaN is a gap. */
  readonly values: readonly number[]
}

/** A Prometheus, queried as Grafana queries it. */
export class Prometheus {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** @throws Error where it refuses the query */
  now(query: string): Promise<readonly Line[]> {
    return this.#ask('query', { query })
  }

  /** @param from, to seconds since 1970. @throws Error where it refuses the query */
  between(query: string, { from, to, stepSeconds }: Span): Promise<readonly Line[]> {
    return this.#ask('query_range', { query, start: String(from), end: String(to), step: String(stepSeconds) })
  }

  /** The traces in the exemplars of a histogram's buckets. @param from, to seconds since 1970 */
  async exemplars(query: string, { from, to }: Omit<Span, 'stepSeconds'>): Promise<readonly string[]> {
    const form = new URLSearchParams({ query, start: String(from), end: String(to) })
    const answer = await fetch(`${this.#url}/api/v1/query_exemplars`, { method: 'POST', body: form })
    const { data } = Exemplars.parse(await answer.json())
    return data.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id ?? ''))
  }

  async #ask(path: string, form: Readonly<Record<string, string>>): Promise<readonly Line[]> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`, { method: 'POST', body: new URLSearchParams(form) })
    const { error, data } = Answer.parse(await answer.json())
    if (!data) throw new Error(`Prometheus refuses ${form.query}: ${error}`)
    return data.result
      .map(({ metric, value, values = value ? [value] : [] }) => ({
        labels: metric,
        values: values.map(([, text]) => Number(text)).filter((number) => !Number.isNaN(number)),
      }))
      .filter(({ values }) => values.length > 0)
  }
}

export interface Span {
  readonly from: number
  readonly to: number
  readonly stepSeconds: number
}

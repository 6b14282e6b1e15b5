import type { Ledger } from './ledger.ts'

interface Call {
  readonly method?: string
  readonly params?: readonly unknown[]
}

/** Records the JSON-RPC calls of one message, a single call or a batch. @param when it was sent, and its duration */
export function noteCalls(ledger: Ledger, message: string, when: { readonly at: number; readonly ms?: number }): void {
  const parsed = JSON.parse(message) as Call | Call[]
  for (const call of Array.isArray(parsed) ? parsed : [parsed]) {
    ledger.add({ ...when, what: 'JSON-RPC calls', by: call.method ?? 'none', text: aboutOf(call) })
  }
}

/** The parameters that matter in a trace: callee and selector, or the value itself. */
function aboutOf({ params = [] }: Call): string {
  return params
    .map((param) => {
      if (typeof param === 'string')
        return param.length > 20 ? `${param.slice(0, 12)}… (${param.length} characters)` : param
      const { to, data, input } = (param ?? {}) as { to?: string; data?: string; input?: string }
      const code = data ?? input
      if (to) return `to ${to.slice(0, 8)}… ${(code ?? '').slice(0, 10)}`
      return code ? `code of ${code.length / 2 - 1} bytes` : JSON.stringify(param).slice(0, 120)
    })
    .join(', ')
}

import { AllowanceUsd, MAX_ALLOWANCE_USD, Scope } from '@callboard/contract'

export interface Problem {
  readonly field: 'scopes' | 'allowance'
  readonly text: string
}

/** The fields of an approval as the owner left them. */
export interface Filled {
  readonly scopes: readonly string[]
  readonly allowance: string
  readonly trustDevice: boolean
  readonly problems: readonly Problem[]
}

type Verdict =
  | { verdict: 'deny' }
  | { verdict: 'approve'; scopes: Scope[]; routerAllowanceUsd: number; trustDevice: boolean }

const USD = /^\d{1,4}(\.\d{1,2})?$/

/**
 * Reads the decision from the form.
 * @returns the decision; the fields with what is wrong; undefined if it names no decision
 */
export function verdictOf(form: URLSearchParams): Verdict | Filled | undefined {
  const decision = form.get('decision')
  if (decision === 'deny') return { verdict: 'deny' }
  if (decision !== 'approve') return undefined
  const scopes = form.getAll('scopes')
  const allowance = form.get('router_allowance_usd') ?? ''
  const trustDevice = form.get('trust_device') === 'true'
  const granted = [...new Set(scopes)].flatMap((scope) => Scope.safeParse(scope).data ?? [])
  const spends = granted.includes('router.use')
  const limit = USD.test(allowance) ? AllowanceUsd.safeParse(Number(allowance)).data : undefined
  const problems: Problem[] = [
    ...(granted.length === 0 || granted.length < new Set(scopes).size
      ? [{ field: 'scopes' as const, text: 'Tick at least one thing that the agent can do, or deny the agent.' }]
      : []),
    ...(spends && limit === undefined
      ? [
          {
            field: 'allowance' as const,
            text: `The daily limit is an amount from 0 to ${MAX_ALLOWANCE_USD} USD, in whole cents.`,
          },
        ]
      : []),
  ]
  if (problems.length > 0) return { scopes, allowance, trustDevice, problems }
  return { verdict: 'approve', scopes: granted, routerAllowanceUsd: spends ? (limit ?? 0) : 0, trustDevice }
}

type Approval = Extract<Verdict, { verdict: 'approve' }>

/** An approval as the fields of its form. */
export const fieldsOf = ({ scopes, routerAllowanceUsd, trustDevice }: Approval): URLSearchParams =>
  new URLSearchParams([
    ...scopes.map((scope) => ['scopes', scope]),
    ['router_allowance_usd', String(routerAllowanceUsd)],
    ...(trustDevice ? [['trust_device', 'true']] : []),
  ])

/** The fields to be shown again, without problems. */
export const filledFrom = (fields: URLSearchParams): Filled => ({
  scopes: fields.getAll('scopes'),
  allowance: fields.get('router_allowance_usd') ?? '',
  trustDevice: fields.get('trust_device') === 'true',
  problems: [],
})

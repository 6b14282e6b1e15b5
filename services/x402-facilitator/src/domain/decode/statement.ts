import type { Extensions, PaymentRequirements } from '@callboard/x402'

/** The contents of a payment, in one form for both versions. */
export interface Statement {
  readonly x402Version: 1 | 2
  readonly scheme: string
  readonly network: string
  /** The accepted entry; version 1 payments do not repeat it. */
  readonly accepted: PaymentRequirements | undefined
  readonly payload: Record<string, unknown>
  readonly extensions: Extensions | null
}

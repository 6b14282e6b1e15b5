import { z } from 'zod'
import { BaseUnitsText } from '../address.ts'
import { nullsAbsent } from './absent.ts'
import { Eip3009Payload } from './payment-payload.ts'
import type { Resource } from './payment-required.ts'
import type { ExactRequirements, PaymentRequirements } from './payment-requirements.ts'
import { V1_NETWORKS, type V1Networks, v1NetworkName } from './v1-networks.ts'

/**
 * One way to pay in version 1: the network is a name, the price a maximum, and the resource a part of the entry.
 * @source x402 v1, PaymentRequirements
 */
export const V1PaymentRequirements = nullsAbsent(
  z.looseObject({
    scheme: z.string().min(1).max(64),
    network: z.string().min(1).max(64),
    maxAmountRequired: BaseUnitsText,
    resource: z.string().max(2048).optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    outputSchema: z.record(z.string(), z.unknown()).nullish(),
    payTo: z.string().min(1).max(128),
    maxTimeoutSeconds: z.int().positive(),
    asset: z.string().min(1).max(128),
    extra: nullsAbsent(z.record(z.string(), z.unknown())).optional(),
  }),
)
export type V1PaymentRequirements = z.output<typeof V1PaymentRequirements>

/** A version 1 offer: the JSON body of a 402, never a header. */
export const V1PaymentRequired = nullsAbsent(
  z.looseObject({
    x402Version: z.literal(1),
    error: z.string().optional(),
    accepts: z.array(V1PaymentRequirements).min(1).max(64),
  }),
)
export type V1PaymentRequired = z.output<typeof V1PaymentRequired>

const v1PaymentPayload = <Payload extends z.ZodType>(payload: Payload) =>
  nullsAbsent(
    z.looseObject({
      x402Version: z.literal(1),
      scheme: z.string().max(64),
      network: z.string().max(64),
      payload: nullsAbsent(payload),
    }),
  )

/** A version 1 payment of the kind Callboard settles; header `X-PAYMENT`. */
export const V1PaymentPayload = v1PaymentPayload(Eip3009Payload)
export type V1PaymentPayload = z.output<typeof V1PaymentPayload>

/** A version 1 payment of any scheme and chain. */
export const AnyV1PaymentPayload = v1PaymentPayload(z.record(z.string(), z.unknown()))
export type AnyV1PaymentPayload = z.output<typeof AnyV1PaymentPayload>

/**
 * Our requirement for version 1 clients, or undefined when the network has no version 1 name. Sent in the body together
 * with a version 2 header; each family of clients looks in its own place.
 */
export function toV1Requirements(
  requirement: ExactRequirements,
  resource: Resource,
  networks: V1Networks = V1_NETWORKS,
): V1PaymentRequirements | undefined {
  const network = v1NetworkName(requirement.network, networks)
  if (network === undefined) return undefined
  return {
    scheme: requirement.scheme,
    network,
    maxAmountRequired: requirement.amount,
    resource: resource.url,
    description: resource.description ?? '',
    mimeType: resource.mimeType ?? 'application/json',
    payTo: requirement.payTo,
    maxTimeoutSeconds: requirement.maxTimeoutSeconds,
    asset: requirement.asset,
    extra: { name: requirement.extra.name, version: requirement.extra.version },
  }
}

/** A version 1 entry in version 2 form, or undefined when the network's name is unknown. */
export function fromV1Requirements(
  entry: V1PaymentRequirements,
  networks: V1Networks = V1_NETWORKS,
): PaymentRequirements | undefined {
  const network = networks.get(entry.network)
  if (network === undefined) return undefined
  return {
    scheme: entry.scheme,
    network,
    amount: entry.maxAmountRequired,
    asset: entry.asset,
    payTo: entry.payTo,
    maxTimeoutSeconds: entry.maxTimeoutSeconds,
    ...(entry.extra ? { extra: entry.extra } : {}),
  }
}

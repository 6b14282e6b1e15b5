import { type Address, type BaseUnits, CAIP2, type Caip2, chainIdOf, type Hex } from '@callboard/values'
import { getAddress } from 'viem/utils'
import { z } from 'zod'

const UINT256_BOUND = 2n ** 256n

const isSingleCase = (digits: string) => digits === digits.toLowerCase() || digits === digits.toUpperCase()

/** Whether an address has no EIP-55 checksum (one letter case) or a correct one. Expects 0x and 40 hex digits. */
const checksumHolds = (text: string) => isSingleCase(text.slice(2)) || getAddress(text.toLowerCase()) === text

/**
 * An EVM address as third parties write it: lower case, upper-case hex, or mixed case with a correct checksum. A wrong
 * checksum is refused, since it means a mistyped digit. The output is EIP-55, our one internal form.
 * @source EIP-55
 */
export const AddressText: z.ZodType<Address, string> = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { message: 'must be 0x and 40 hex digits', abort: true })
  .refine(checksumHolds, {
    message: 'has a wrong EIP-55 checksum: a digit or its letter case is mistyped',
    abort: true,
  })
  .overwrite((text) => getAddress(text.toLowerCase()))
  .describe('EVM address, EIP-55') as z.ZodType as z.ZodType<Address, string>

/** Whole bytes as 0x-prefixed hex in any case; the output is lower case. The empty "0x" is allowed. */
export const HexText: z.ZodType<Hex, string> = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/, { message: 'must be 0x and hex digits', abort: true })
  .refine((text) => text.length % 2 === 0, { message: 'must hold whole bytes', abort: true })
  .overwrite((text) => text.toLowerCase())
  .describe('Bytes as 0x-prefixed hex') as z.ZodType as z.ZodType<Hex, string>

/** 32 bytes as 0x-prefixed hex: a transaction hash, an EIP-3009 nonce. The output is lower case. */
export const Hash32: z.ZodType<Hex, string> = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { message: 'must be 0x and 64 hex digits', abort: true })
  .overwrite((text) => text.toLowerCase())
  .describe('32 bytes as 0x-prefixed hex') as z.ZodType as z.ZodType<Hex, string>

/** A CAIP-2 chain id of any namespace; within `eip155` the reference is a decimal chain id without leading zeros. */
export const Caip2Text: z.ZodType<Caip2, string> = z
  .string()
  .regex(CAIP2, { message: 'must be a CAIP-2 chain id such as eip155:8453', abort: true })
  .refine((text) => !text.startsWith('eip155:') || chainIdOf(text) !== undefined, {
    message: 'an eip155 reference is a decimal chain id without leading zeros',
  })
  .describe('Chain id, CAIP-2') as z.ZodType as z.ZodType<Caip2, string>

/** A uint256 as decimal text without sign, exponent or leading zeros. */
const Uint256Text = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, { message: 'must be a decimal integer without leading zeros', abort: true })
  .refine((text) => BigInt(text) < UINT256_BOUND, { message: 'does not fit 256 bits' })

/** An amount in base units of its token, as x402 carries it. */
export const BaseUnitsText: z.ZodType<BaseUnits, string> = Uint256Text.describe('Amount in base units of the token')

/** A moment in whole seconds since the epoch, as EIP-3009 windows carry it. */
export const UnixSecondsText: z.ZodType<string, string> = Uint256Text.describe('Unix time in seconds, decimal text')

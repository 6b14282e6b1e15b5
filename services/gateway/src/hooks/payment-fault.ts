import type { HeaderFault } from '@callboard/x402'

const FAULTS: Readonly<Record<HeaderFault, string>> = {
  too_large: 'is longer than this service reads',
  ambiguous: 'is given more than once',
  not_base64: 'is not base64',
  not_utf8: 'is base64 of bytes that are not UTF-8',
  byte_order_mark: 'is base64 of a text that begins with a byte-order mark',
  not_json: 'is base64 of a text that is not JSON',
  duplicate_key: 'has a member twice in one object',
  forbidden_key: 'has a member that no payment has',
  number_out_of_range: 'has a number that cannot be read exactly (amounts are text)',
  too_deep: 'is nested too deeply',
  wrong_shape: 'is not an x402 payment',
}

/**
 * Tells the sender what is wrong with a payment header: the expected form, the fault's code, and the faulty member.
 * @param detail from the header's parser or its schema
 */
export const paymentFault = (field: string, reason: HeaderFault, detail: string | undefined): string =>
  `${field}: must be an x402 payment as JSON in base64, and ${FAULTS[reason]} (${reason}${detail ? `: ${detail}` : ''})`

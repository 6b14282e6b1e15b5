import { openapiDocument, x402Facilitator } from '@callboard/contract'
import type { FacilitatorHandler } from '../context.ts'
import { crawlerDocument } from '../domain/crawler-document.ts'

export const openapi: FacilitatorHandler<typeof x402Facilitator.openapi> = async (_input, { config }) => {
  const prices = new Map([[x402Facilitator.decode.id, config.DECODE_PRICE_USD]])
  const document = openapiDocument({ baseUrl: config.BASE_URL, version: API_VERSION, prices })
  return crawlerDocument(document, x402Facilitator.decode.http?.path ?? '')
}

const API_VERSION = '1'

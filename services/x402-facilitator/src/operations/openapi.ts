import { openapiDocument, x402Facilitator } from '@callboard/contract'
import { crawlerDocument } from '../domain/crawler-document.ts'
import type { FacilitatorHandler } from '../kit.ts'

export const openapi: FacilitatorHandler<typeof x402Facilitator.openapi> = async (_input, { config }) =>
  crawlerDocument(openapiDocument({ baseUrl: config.BASE_URL, version: API_VERSION }), {
    path: x402Facilitator.decode.http?.path ?? '',
    priceUsd: config.DECODE_PRICE_USD,
  })

const API_VERSION = '1'

import type { Operation } from '@callboard/contract'
import type { BatchConsumer, Handler, ServiceContext } from '@callboard/runtime'
import type { ForeignOfferContext } from '@callboard/x402'
import type { Config } from './config.ts'
import type { Guard } from './guarded-fetch/index.ts'
import type { ProberMeters } from './meters.ts'
import type { OpenapiDocuments } from './openapi-documents.ts'
import type { RobotsFiles } from './robots-files.ts'
import type { SigningKeys } from './signing/signing-keys.ts'
import type { ProberTables } from './store/tables.ts'

export interface Resources {
  readonly guard: Guard
  /** The tokens that are accepted and the version 1 names of the chains. */
  readonly known: ForeignOfferContext
  readonly openapi: OpenapiDocuments
  /** The keys that currently sign our requests; empty if requests are not signed. */
  readonly signingKeys: () => SigningKeys
  readonly robots: RobotsFiles
  readonly meters: ProberMeters
}

export type ProberContext = ServiceContext<Config, ProberTables, Resources>
export type ProberHandler<Op extends Operation> = Handler<Op, ProberContext>
export type ProberBatchConsumer = BatchConsumer<ProberContext, ProberTables>

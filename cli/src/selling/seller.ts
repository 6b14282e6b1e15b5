import { join } from 'node:path'
import { Api, ApiKeyFile, ApiRefusal, ApiUnreachable, listings, type Operation, type OutputOf } from '@callboard/client'
import type { ListingRecord } from '@callboard/contract'
import type { z } from 'zod'
import { NotSignedIn } from '../exit-codes.ts'
import { isSameOrigin, type Settings } from '../settings.ts'

/** The API key that `sell login` stores. */
export const apiKeyFileOf = ({ folder }: Settings): ApiKeyFile => new ApiKeyFile(join(folder, 'seller.json'))

/** The service's API, called as a seller. */
export class Seller {
  readonly api: Api

  constructor(baseUrl: string, key: string) {
    this.api = new Api({ baseUrl, bearer: () => key })
  }

  /** @throws NotSignedIn when the key is not valid, and what `Api` throws */
  async call<Op extends Operation>(op: Op, input: z.input<Op['input']>): Promise<OutputOf<Op>> {
    try {
      return await this.api.call(op, input)
    } catch (error) {
      if (!(error instanceof ApiRefusal && error.status === 401)) throw error
      throw new NotSignedIn(`${this.api.baseUrl} does not accept the API key: it was ended`, { cause: error })
    }
  }

  async listings(): Promise<readonly ListingRecord[]> {
    const found = new Map<string, ListingRecord>()
    let cursor: string | undefined
    do {
      const page = await this.call(listings.mine, { cursor })
      const before = found.size
      for (const listing of page.listings) found.set(listing.slug, listing)
      cursor = page.nextCursor ?? undefined
      // A page that brings nothing new would be asked for again without end.
      if (cursor !== undefined && found.size === before)
        throw new ApiUnreachable(`${this.api.baseUrl} repeats a page of your listings`)
    } while (cursor !== undefined)
    return [...found.values()]
  }
}

/**
 * The seller by CALLBOARD_API_KEY, else by the stored key, which is sent to no service but its own.
 * @throws NotSignedIn
 */
export function sellerOf(settings: Settings): Seller {
  const given = process.env.CALLBOARD_API_KEY?.trim()
  if (given) return new Seller(settings.baseUrl, given)
  const keyFile = apiKeyFileOf(settings)
  const stored = keyFile.read()
  if (!stored) throw new NotSignedIn(`There is no API key in ${keyFile.file}`)
  if (!settings.isDefaultUrl && !isSameOrigin(stored, settings))
    throw new NotSignedIn(`The API key in ${keyFile.file} is for ${stored.baseUrl}, not for ${settings.baseUrl}`)
  return new Seller(stored.baseUrl, stored.key)
}

import { randomUUID } from 'node:crypto'
import { type InputOf, listings } from '@callboard/contract'
import { accepted } from '../expectations/expectations.ts'
import type { Client } from './client.ts'

type Wanted = Omit<InputOf<typeof listings.publishPosting>, 'requester'>

export const POSTINGS = '/api/call/postings'
export const postingPath = (id: string): string => `${POSTINGS}/${id}`

/** The id of no existing posting. */
export const NOBODYS = 'posting_00000000-0000-4000-8000-000000000000'

/** A word that finds nothing else: the postings of one test do not appear in the results of another. */
export const ownWord = (): string => `w${randomUUID().replaceAll('-', '')}`

/** The content of a posting. */
export const wanted = (word = ownWord()): Wanted => ({
  kind: 'open_request',
  title: `Wanted ${word}`,
  description: 'A manual in another language.',
  category: 'data',
  amountUsd: '250',
  accepts: [{ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }],
  contactUrl: 'https://pumps.example/wanted',
})

/** Posts, runs something with the posting, and closes it, so that a suite leaves no open posting behind. */
export async function whilePosted(
  api: Client,
  said: Wanted,
  work: (posting: Awaited<ReturnType<typeof post>>) => Promise<void>,
): Promise<void> {
  const posting = await post(api, said)
  try {
    await work(posting)
  } finally {
    await api.delete(postingPath(posting.id))
  }
}

const post = async (api: Client, said: Wanted) =>
  accepted(listings.publishPosting, await api.post(POSTINGS, said)).posting

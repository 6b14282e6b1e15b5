import { Api, agents, type Credentials, type link } from '@callboard/client'
import { credentialsOf, type Settings } from './settings.ts'

/** The owner approved a link whose tokens could not be stored. */
class LinkNotKept extends Error {
  override readonly name = 'LinkNotKept'
}

/**
 * Stores a new link. One that cannot be stored is ended again: its tokens are in this process only, and its owner would
 * see an agent that has none.
 */
export async function keptLink(
  settings: Settings,
  baseUrl: string,
  tokens: Awaited<ReturnType<typeof link>>,
): Promise<Credentials> {
  const stored = credentialsOf(settings)
  try {
    return stored.keep(baseUrl, tokens.clientId, tokens)
  } catch (error) {
    const ended = await new Api({ baseUrl, bearer: () => tokens.access_token }).call(agents.unlinkSelf, {}).then(
      () => 'It was ended again.',
      () => 'End it on /account.',
    )
    const { code = 'for an unknown reason' } = error as NodeJS.ErrnoException
    throw new LinkNotKept(`The link could not be stored (${code}) in ${stored.file}. ${ended}`, { cause: error })
  }
}

/** The pages on which an owner decides; other sites are never let in. */
export const OWNER_PAGES: readonly string[] = [
  ...['/', '/account', '/account/router', '/account/listings', '/stake', '/link', '/signin', '/oauth/authorize'],
]

/** The one script of these pages. */
export const SIGN_IN_SCRIPT = '/signin.js'

/** What a browser shows beside the title. */
export const FAVICON_PATH = '/favicon.svg'

export const API_CATALOG_LINK = '</.well-known/api-catalog>; rel="api-catalog"'

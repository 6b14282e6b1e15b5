/** The pages on which an owner decides; they are always closed to other sites. */
export const OWNER_PAGES: readonly string[] = [
  ...['/', '/account', '/account/router', '/account/listings', '/stake', '/link', '/signin', '/oauth/authorize'],
]

/** The only script of these pages. */
export const SIGN_IN_SCRIPT = '/signin.js'

/** The icon that a browser shows next to the title. */
export const FAVICON_PATH = '/favicon.svg'

export const API_CATALOG_LINK = '</.well-known/api-catalog>; rel="api-catalog"'

/** The page of one call, as the catalog signs links to it. */
export const INVOKE_PATH = '/call/invoke'

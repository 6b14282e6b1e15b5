/** The pages on which an owner decides; other sites are never let in. */
export const OWNER_PAGES: readonly string[] = ['/link', '/signin', '/oauth/authorize']

/** The one script of these pages. */
export const SIGN_IN_SCRIPT = '/signin.js'

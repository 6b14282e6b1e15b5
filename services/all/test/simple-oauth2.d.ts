/** The part of simple-oauth2 5 that the tests use; it ships no types. */
declare module 'simple-oauth2' {
  interface Options {
    readonly client: { readonly id: string; readonly secret: string }
    readonly auth: { readonly tokenHost: string }
    readonly options?: {
      readonly authorizationMethod?: 'header' | 'body'
      readonly bodyFormat?: 'form' | 'json'
    }
  }

  export interface AccessToken {
    readonly token: Readonly<Record<string, unknown>>
    expired(windowSeconds?: number): boolean
    refresh(params?: Record<string, string>): Promise<AccessToken>
    revoke(kind: 'access_token' | 'refresh_token'): Promise<unknown>
    revokeAll(): Promise<void>
  }

  export class AuthorizationCode {
    constructor(options: Options)
    authorizeURL(params: Record<string, string | readonly string[]>): string
    getToken(params: Record<string, string>): Promise<AccessToken>
  }

  export class ClientCredentials {
    constructor(options: Options)
    getToken(params: Record<string, string>): Promise<AccessToken>
  }

  export class ResourceOwnerPassword {
    constructor(options: Options)
    getToken(params: Record<string, string>): Promise<AccessToken>
  }
}

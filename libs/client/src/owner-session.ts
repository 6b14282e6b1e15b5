const COOKIE = /^(?:__Host-)?callboard=[^;]+/

/** An owner's session as a browser has it: its cookie, sent with the `Origin` that a write must name. */
export class OwnerSession {
  readonly #origin: string
  #cookie: string | undefined

  /** @param origin the service's public origin */
  constructor(origin: string) {
    this.#origin = origin
  }

  headers(): Readonly<Record<string, string>> {
    return this.#cookie === undefined ? {} : { cookie: this.#cookie, origin: this.#origin }
  }

  /** Takes the cookie that an answer sets. */
  note({ headers }: Response): void {
    const set = headers.getSetCookie().flatMap((line) => COOKIE.exec(line) ?? [])
    this.#cookie = set[0] ?? this.#cookie
  }
}

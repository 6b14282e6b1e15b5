declare const WRITTEN: unique symbol

/** A value already written as JSON: answers whose parts are often sent but rarely change are composed of such texts. */
export class RawJson<Value> {
  readonly json: string
  declare readonly [WRITTEN]: Value

  private constructor(json: string) {
    this.json = json
  }

  static value<Value>(value: Value): RawJson<Value> {
    return new RawJson(JSON.stringify(value))
  }

  static list<Item>(items: readonly RawJson<Item>[]): RawJson<Item[]> {
    return new RawJson(`[${items.map(({ json }) => json).join(',')}]`)
  }

  /** An object some of whose members are already written; undefined ones are omitted, as in JSON. */
  static object<Value extends object>(
    members: {
      readonly [Name in keyof Value]: Value[Name] | RawJson<Value[Name]>
    },
  ): RawJson<Value> {
    const parts = Object.entries(members).flatMap(([name, member]) => {
      const json = member instanceof RawJson ? member.json : JSON.stringify(member)
      return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]
    })
    return new RawJson(`{${parts.join(',')}}`)
  }
}
